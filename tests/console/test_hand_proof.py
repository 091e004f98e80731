"""A hand that is not whole, what its rack proves, and how else its clauses could be read."""

from dashboards.accounts.accounts import Accounts
from dashboards.replayer.rack_port import RackAsked, RackTold
from dashboards.web.console import Console
from tests.console.conftest import Clock
from tests.console.hands_building import LAWFUL, SignedIn, a_console, console, spot_of, store
from tests.embedded.ledgers import lines_of, subject_of
from tests.hands.stored import Recorded
from tests.law.record import SUBJECT

__all__ = ["console", "store"]


def test_a_round_that_goes_on_says_so_and_offers_what_came_since(
    console: Console, signed_in: SignedIn, accounts: Accounts, clock: Clock
) -> None:
    subject = subject_of(LAWFUL)
    held = Recorded(lines_of(LAWFUL)[:60], subject)
    made = a_console(console.desk, accounts, clock, held.store)
    for name in ("records", "states"):
        object.__setattr__(console, name, getattr(made, name))
    hale = signed_in("hale")
    page = hale.get(f"/hands/{subject}/1").text
    assert "This round still goes on" in page
    assert "evidence.pdf" not in page
    assert hale.get(f"/api/hands/{subject}/1").json()["is_going_on"] is True
    assert hale.get(f"/hands/{subject}/1?at=60").status_code == 200


def test_missing_events_are_said_and_the_solver_is_asked_what_the_rack_alone_proves(
    console: Console, signed_in: SignedIn, accounts: Accounts, clock: Clock
) -> None:
    lines = lines_of(LAWFUL)
    first = spot_of(tuple(lines), b"v1.round_started")
    subject = subject_of(LAWFUL)
    cut = [*lines[: first + 12], *lines[first + 14 :]]
    made = a_console(console.desk, accounts, clock, Recorded(cut, subject).store)
    asked: list[RackAsked] = []

    def solver(question: RackAsked) -> RackTold:
        asked.append(question)
        return RackTold(
            message="Two rounds leave this rack.", count=2, complete=True, hands=({"D": ("As",)},)
        )

    for name, value in (("records", made.records), ("states", made.states), ("solve_rack", solver)):
        object.__setattr__(console, name, value)
    hale = signed_in("hale")
    page = hale.get(f"/hands/{subject}/1").text
    assert f"Events {first + 13} to {first + 14} are missing." in page
    assert "Two rounds leave this rack." in page
    (question,) = asked
    assert (question.seats, question.upcard) == (None, None)
    assert len(question.rack) > 4
    hale.get(f"/hands/{subject}/2")
    assert len(asked) == 1
    assert "Two rounds leave this rack." in hale.get(f"/hands/{subject}/2?solve=true").text
    assert asked[1].seats


def test_a_solver_that_fails_hides_no_hand(console: Console, signed_in: SignedIn) -> None:
    def broken(_: RackAsked) -> RackTold:
        raise RuntimeError("defect")

    object.__setattr__(console, "solve_rack", broken)
    page = signed_in("hale").get("/hands/BJ-12/1?solve=true")
    assert page.status_code == 200
    assert "The solver failed" in page.text
    object.__setattr__(console, "solve_rack", None)
    assert "No solver is attached" in signed_in("hale").get("/hands/BJ-12/1?solve=true").text


def test_a_finding_that_rests_on_an_unclear_place_shows_the_rival_reading_and_what_it_changes(
    signed_in: SignedIn,
) -> None:
    hale = signed_in("hale")
    page = hale.get(f"/hands/{SUBJECT}/1").text
    assert "Rival readings" in page
    assert "A bust still on the layout when the dealer has 22" in page
    assert "lost $25.00 → returned" in page
    other = hale.get(f"/hands/{SUBJECT}/1?reading=A5:return").text
    assert "as if A5 were read <em>return</em>" in other
    assert "✕ differs" in page
    assert "✕ differs" not in other
    assert "is the reading in force is shown" not in page
    assert "no reading A99" in hale.get(f"/hands/{SUBJECT}/1?reading=A99:x").text


def test_every_step_has_its_provision_its_verdict_and_its_count(signed_in: SignedIn) -> None:
    told = signed_in("hale").get("/api/hands/BJ-12/1").json()
    assert all(step["count"].endswith("✓") for step in told["steps"])
    assert {step["sign"] for step in told["steps"] if step.get("sign")} == {"✓", "✕"}
    wrong = [step for step in told["steps"] if step.get("sign") == "✕"]
    assert [(step["sequence"], step["clause"]) for step in wrong] == [(82, "672a.11(a)#1")]
    named = {
        name for step in told["steps"] for one in step.get("governing", []) for name in one["provisions"]
    }
    assert named <= told["clauses"].keys()
    assert told["steps"][0]["videos"][0][1].startswith("https://video.example/")
    assert [mark["index"] for mark in told["mismatches"]] == [47]
