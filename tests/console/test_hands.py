"""Hands in the console: how they are found, who may see what of them, and what is kept of every look."""

import json
import re
from collections.abc import Callable, Iterator
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest

from dashboards.desk.acts import Withheld
from dashboards.desk.desk import Desk, DeskUnavailable
from dashboards.hands.rack_port import RackAsked, RackTold
from dashboards.server.accounts import Accounts
from dashboards.server.console import Console
from deploy.desk_ledger import SqliteDeskLog
from deploy.hand_ports import duties_by_ruleset, solve_rack
from processors.runtime.warehouse import Warehouse
from schemas.findings import Finding
from tests.console.conftest import ORIGIN, Browser, Clock
from tests.console.desk_building import a_raise
from tests.console.test_sign_in import accesses
from tests.drawing.streams import Event, changed, kind
from tests.embedded.ledgers import lines_of, subject_of
from tests.hands.stored import Recorded, floor, renamed
from tests.provisions.record import SUBJECT
from tests.provisions.script import play

SignedIn = Callable[[str], Browser]
TUCKED = [
    "wager 3", "deal 3:8s8d D:Tc2h", "split 3 6c", "hit 3.1 Tc", "tuck 3.1", "deal 3.2 Td", "stand 3.2", "dealer Kd",
    "settle 3 main 3.1 return 2500", "take 3.2", "rack_all", "end",
]  # fmt: skip
STREAMS = {
    "BJ-12": renamed("breach_overpay", "BJ-12"),
    "BJ-19": renamed("lawful_down_under_685a", "BJ-19"),
    "FP-21": renamed("lawful_fortune_670a10", "FP-21"),
    "BJ-20": renamed("breach_surrender_after_hit", "BJ-20"),
    SUBJECT: tuple(play(TUCKED, "free_bet_672a", {}).lines),
}
CARD = re.compile(r"\b(?:[2-9TJQKA][cdhs]|[2-9]|10|ace|king|queen|jack) of |\b[2-9TJQKA][cdhs]\b")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    with floor(tmp_path_factory.mktemp("hands"), STREAMS) as held:
        yield held


def a_console(desk: Desk, accounts: Accounts, clock: Clock, store: Warehouse) -> Console:
    video = "https://video.example/{camera}?t={time}"
    return Console(
        desk,
        accounts,
        clock,
        (ORIGIN,),
        records=store,
        duties=duties_by_ruleset(),
        solve_rack=solve_rack,
        video=video,
    )


@pytest.fixture
def console(log: SqliteDeskLog, accounts: Accounts, clock: Clock, store: Warehouse) -> Console:
    return a_console(Desk(log, clock), accounts, clock, store)


def listed(browser: Browser, **asked: object) -> list[dict[str, object]]:
    answer = browser.get("/api/hands", params={name: str(value) for name, value in asked.items()})
    assert answer.status_code == 200, answer.text
    return list(answer.json()["hands"])


def keys(hands: list[dict[str, object]]) -> list[tuple[object, object]]:
    return [(one["subject"], one["round"]) for one in hands]


def rounds_of(table: str) -> list[int]:
    return [json.loads(line)["data"]["round"] for line in STREAMS[table] if b"v1.round_started" in line]


def kept(log: SqliteDeskLog, user: str) -> list[tuple[str, bool]]:
    return [(one.object, one.granted) for who, one in accesses(log) if who == user and one.what == "record"]


def test_a_hand_is_found_by_table_time_and_seat_and_opened_at_that_event(
    signed_in: SignedIn, log: SqliteDeskLog
) -> None:
    hale = signed_in("hale")
    answer = hale.get("/hands?table=bj12&time=2 Mar 10:04:21&seat=6", follow_redirects=False)
    assert answer.status_code == 303
    place = urlsplit(answer.headers["location"])
    assert place.path == "/hands/BJ-12/1"
    assert parse_qs(place.query) == {"first": ["35"], "at": ["82"], "seat": ["6"]}
    page = hale.get(answer.headers["location"])
    assert page.status_code == 200
    assert "the main wager is paid $200" in page.text
    assert kept(log, "hale") == [
        ("find hands: table bj12, time 2 Mar 10:04:21, seat 6", True),
        ("hand BJ-12 round 1, events 35 to 91", True),
    ]


@pytest.mark.parametrize(
    "time", ["10:04:21", "2026-03-02T10:04:21", "2026-03-02T15:04:21Z", "10:04:21 am", "Mar 2, 10:04:21"]
)
def test_the_same_time_may_be_written_in_many_ways(signed_in: SignedIn, time: str) -> None:
    (one,) = listed(signed_in("hale"), table="BJ-12", time=time)
    assert (one["round"], one["at"]) == (1, 82)


def test_a_minute_in_which_two_hands_were_dealt_lists_both(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    page = hale.get("/hands?table=BJ-12&time=10:04", follow_redirects=False)
    assert page.status_code == 200
    assert keys(listed(hale, table="BJ-12", time="10:04")) == [("BJ-12", 1), ("BJ-12", 2)]


def test_a_time_between_two_hands_names_the_nearest_and_a_seat_without_a_stake_is_said(
    signed_in: SignedIn,
) -> None:
    hale = signed_in("hale")
    answer = hale.get("/api/hands", params={"table": "BJ-12", "time": "03:00"}).json()
    assert answer["hint"] == "No hand was under way at BJ-12 at 2 Mar 2026 03:00:00. The nearest are listed."
    assert [(one["round"], one["near"]) for one in answer["hands"]] == [(1, "the first after")]
    page = hale.get("/hands?table=BJ-12&time=10:04:21&seat=2", follow_redirects=False)
    assert page.status_code == 200
    assert "Seat 2 staked nothing then." in page.text
    assert "/hands/BJ-12/1?first=35" in page.text


def test_a_table_that_is_misspelt_is_asked_back(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    page = hale.get("/hands?table=BJ-1&time=10:04")
    assert page.status_code == 200
    assert "There is no table BJ-1." in page.text
    assert 'href="/hands?table=BJ-12&amp;time=10%3A04"' in page.text
    assert "Name" not in page.text
    assert "name the table with a time" in hale.get("/hands?time=10:04").text


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("table=BJ-12&time=tonight", "there is no time in it"),
        ("table=BJ-12&time=30 Feb 10:00", "no day 30"),
        ("table=BJ-12&seat=ten", "ten is no seat"),
        ("table=BJ-12&seat=77", "77 is no seat"),
        ("round=-1", "-1 is no round"),
        ("day=20.11.2026", "is no day"),
        ("status=fine", "there are: consistent"),
        ("after=zzzz", "this address was cut short"),
    ],
)
def test_what_cannot_be_read_is_said_at_its_field(signed_in: SignedIn, query: str, why: str) -> None:
    hale = signed_in("hale")
    page = hale.get(f"/hands?{query}")
    assert page.status_code == 400
    assert why in page.text
    answer = hale.get(f"/api/hands?{query}")
    assert answer.status_code == 400
    assert why in answer.json()["detail"]


def test_hands_of_a_patron_are_found_and_what_was_asked_is_kept(
    signed_in: SignedIn, log: SqliteDeskLog
) -> None:
    hale = signed_in("hale")
    found = listed(hale, patron="P-0098")
    assert set(keys(found)) >= {("BJ-12", number) for number in rounds_of("BJ-12")}
    assert {seat["seat"] for one in found if one["subject"] == "BJ-12" for seat in one["seats"]} >= {6}  # type: ignore[attr-defined]  # JSON
    only = listed(hale, patron="P-0098", seat=6, table="BJ-12")
    assert keys(only) == [("BJ-12", number) for number in reversed(rounds_of("BJ-12"))]
    assert listed(hale, patron="P-0098", seat=1, table="BJ-12") == []
    assert listed(hale, patron="nobody") == []
    assert ("find hands: patron P-0098", True) in kept(log, "hale")
    assert ("find hands: patron nobody", True) in kept(log, "hale")


def test_hands_are_found_by_round_finding_dealer_shoe_day_and_status(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    place = hale.get("/hands?table=BJ-19&round=7", follow_redirects=False)
    assert place.headers["location"].startswith("/hands/BJ-19/7?first=")
    assert ("BJ-20", 7) not in keys(listed(hale, round=7))  # of 2015: more than a month before the newest
    assert set(keys(listed(hale, round=7, since="2015-01-01"))) == {
        (table, 7) for table in STREAMS if 7 in rounds_of(table)
    }
    (breach,) = listed(hale, table="BJ-12", status="breached")
    assert (breach["round"], breach["worst"], breach["findings"]) == (1, "critical", 1)
    (found,) = hale.get("/api/hands/BJ-12/1").json()["steps"][47]["governing"][:1]
    opened = hale.get(f"/hands?finding={found['finding'][:8]}", follow_redirects=False)
    assert parse_qs(urlsplit(opened.headers["location"]).query)["at"] == ["82"]
    assert "at least 6 characters" in hale.get("/hands?finding=abc").text
    dealt = listed(hale, dealer="D-411")
    assert {one["subject"] for one in dealt} == {"FP-21"}
    shoe = listed(hale, table="BJ-19", shoe=2)
    assert shoe
    assert {one["shoe"] for one in shoe} == {2}
    assert {one["subject"] for one in listed(hale, day="2026-03-02")} >= {"BJ-12", "BJ-19", "FP-21"}
    assert listed(hale, table="BJ-12", day="2026-03-01") == []


def test_older_hands_are_reached_page_by_page_each_once(
    signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboards.server.hands_search.PAGE", 4)
    hale = signed_in("hale")
    shown: list[tuple[object, object]] = []
    after = ""
    while True:
        answer = hale.get("/api/hands", params={"table": "BJ-19", "after": after}).json()
        shown += keys(answer["hands"])
        after = answer["further"]
        if not after:
            break
    assert shown == [("BJ-19", number) for number in reversed(rounds_of("BJ-19"))]


def test_without_a_question_the_latest_hands_are_listed(signed_in: SignedIn) -> None:
    page = signed_in("hale").get("/hands")
    assert page.status_code == 200
    assert "The latest hands" in page.text


def test_an_empty_store_says_so(
    log: SqliteDeskLog, accounts: Accounts, clock: Clock, console: Console, signed_in: SignedIn
) -> None:
    object.__setattr__(console, "records", _Away([]))
    assert "No round is stored yet." in signed_in("hale").get("/hands").text


class _Away:
    def __init__(self, rows: list[object] | None = None) -> None:
        self.rows = rows

    def query(self, *_: object) -> list[object]:
        if self.rows is None:
            raise OSError("disk gone")
        return self.rows


def test_a_store_that_does_not_answer_is_said_and_nothing_else(console: Console, signed_in: SignedIn) -> None:
    object.__setattr__(console, "records", _Away())
    page = signed_in("hale").get("/hands?table=BJ-12")
    assert page.status_code == 503
    assert "The store of hands does not answer." in page.text
    assert "disk gone" not in page.text


# Who may see what.


@pytest.mark.parametrize("path", ["/hands", "/hands/BJ-12/1", "/api/hands", "/api/hands/BJ-12/1"])
def test_who_gives_rights_reads_no_hands_and_the_refusal_is_kept(
    signed_in: SignedIn, log: SqliteDeskLog, path: str
) -> None:
    assert signed_in("ann").get(path).status_code == 403
    assert [granted for _, granted in kept(log, "ann")] == [False]


@pytest.mark.parametrize("table", ["BJ-12", "BJ-20", "FP-21"])
def test_revenue_reads_stakes_and_settlements_and_not_one_card(signed_in: SignedIn, table: str) -> None:
    rex = signed_in("rex")
    for path in (
        f"/hands/{table}/1",
        f"/api/hands/{table}/1",
        f"/hands?table={table}",
        f"/api/hands?table={table}",
    ):
        answer = rex.get(path)
        assert answer.status_code == 200
        assert not CARD.search(answer.text), CARD.search(answer.text)
        assert not re.search(r"blackjack paid|\bbust\b|\bstand\b|surrender", answer.text, re.I)
    told = rex.get(f"/api/hands/{table}/1").json()
    assert told["stakes"]
    assert not {"steps", "clauses", "mismatches", "phases"} & told.keys()
    assert "Payout check" in rex.get(f"/hands/{table}/1").text
    assert "evidence.pdf" not in rex.get(f"/hands/{table}/1").text


def test_revenue_looks_up_no_patrons_and_the_attempt_is_kept(signed_in: SignedIn, log: SqliteDeskLog) -> None:
    rex = signed_in("rex")
    assert rex.get("/hands?patron=P-0098").status_code == 403
    assert rex.get("/api/hands?patron=P-0098").status_code == 403
    assert kept(log, "rex") == [("find hands: patron P-0098", False)] * 2
    assert 'name="patron"' not in rex.get("/hands").text


def test_a_withheld_tables_hands_do_not_exist(
    signed_in: SignedIn, console: Console, log: SqliteDeskLog
) -> None:
    console.desk.note(Withheld(user="hale", kind="table", value="BJ-20"), "ann")
    hale, ito = signed_in("hale"), signed_in("ito")
    for path in ("/hands/{}/1", "/api/hands/{}/1"):
        there, nowhere = (hale.get(path.format(table)) for table in ("BJ-20", "NO-12"))
        assert there.status_code == nowhere.status_code == 404
        assert there.text.replace("BJ-20", "NO-12") == nowhere.text
    assert "BJ-20" not in {table for table, _ in keys(listed(hale, since="2015-01-01"))}
    assert "BJ-20" not in {table for table, _ in keys(listed(hale, patron="P-0098", since="2015-01-01"))}
    assert "BJ-20" not in hale.get("/hands?round=1&since=2015-01-01").text
    assert "There is no table BJ-20." in hale.get("/hands?table=BJ-20").text
    assert "BJ-20" not in hale.get("/hands?table=BJ-2").text
    assert hale.get("/find?q=BJ-20", follow_redirects=False).status_code == 404
    found = ito.get("/api/hands/BJ-20/1").json()["steps"][50]["governing"][0]["finding"]
    assert "No finding" in hale.get(f"/hands?finding={found}").text
    assert ito.get("/hands/BJ-20/1").status_code == 200
    assert ("hand BJ-20 round 1", False) in kept(log, "hale")


def test_hands_that_a_withheld_dealer_dealt_do_not_exist(signed_in: SignedIn, console: Console) -> None:
    console.desk.note(Withheld(user="hale", kind="dealer", value="D-411"), "ann")
    hale = signed_in("hale")
    assert hale.get("/hands/FP-21/1").status_code == 404
    assert hale.get("/api/hands/FP-21/1").status_code == 404
    assert listed(hale, dealer="D-411") == []
    assert listed(hale, table="FP-21") == []
    assert listed(hale, table="FP-21", time="10:02:30") == []
    assert listed(hale, table="FP-21", round=1) == []
    assert hale.get("/hands/BJ-12/1").status_code == 200


def test_a_finding_that_is_withheld_is_not_told_with_its_hand(
    signed_in: SignedIn, console: Console, store: Warehouse
) -> None:
    (record,) = store.query("SELECT record FROM findings FINAL WHERE subject = 'BJ-12'")[0]
    finding = msgspec.json.decode(record, type=Finding)
    hale = signed_in("hale")
    assert finding.finding_id in hale.get("/api/hands/BJ-12/1").text
    console.desk.note(Withheld(user="hale", kind="alert", value=finding.finding_id), "ann")
    for path in ("/hands/BJ-12/1?at=82", "/api/hands/BJ-12/1"):
        text = hale.get(path).text
        assert finding.finding_id[:12] not in text
        assert finding.message not in text
    (row,) = listed(hale, table="BJ-12", status="breached")
    assert (row["findings"], row["worst"]) == (0, "")
    assert "No finding" in hale.get(f"/hands?finding={finding.finding_id}").text


def test_nothing_is_shown_when_the_look_cannot_be_kept(
    signed_in: SignedIn, log: SqliteDeskLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    hale = signed_in("hale")

    def broken(*_: object) -> None:
        raise DeskUnavailable("disk full")

    monkeypatch.setattr(log, "append", broken)
    for path in ("/hands", "/hands/BJ-12/1", "/api/hands", "/api/hands/BJ-12/1", "/find?q=BJ-12 1"):
        answer = hale.get(path, follow_redirects=False)
        assert answer.status_code == 503
        assert "D-301" not in answer.text


# Cards before they are shown.

LAWFUL = "lawful_free_bet_590"


def leaking() -> tuple[bytes, ...]:
    """A record that names each hole card when it is drawn, which no record may do."""
    stream = tuple(lines_of(LAWFUL))
    holes = [json.loads(line)["data"]["card"] for line in stream if b"v1.hole_card_revealed" in line]

    def named(event: Event) -> None:
        data = event["data"]
        if kind(event) == "card_drawn" and data["card"] == "??":
            data["card"] = holes[0]
        elif kind(event) == "card_placed" and data["hand"] == "D" and not data["face_up"]:
            data["card"] = holes.pop(0)

    return changed(stream, named)


def _spot(lines: tuple[bytes, ...], word: bytes) -> int:
    return next(at for at, line in enumerate(lines) if word in line)


def _shown(text: str) -> str:
    """What a page says without the cards it keeps to draw with, and without hashes."""
    text = re.sub(r"<symbol.*?</symbol>", "", text, flags=re.S)
    return re.sub(r"[0-9a-f]{64}|nonce-\w+|csrf\S+", "", text)


def test_while_a_round_goes_on_no_answer_names_its_hole_card(
    log: SqliteDeskLog, accounts: Accounts, clock: Clock, console: Console, signed_in: SignedIn
) -> None:
    lines, safe = leaking(), tuple(lines_of(LAWFUL))
    drawn, turned = _spot(lines, b'"face_up":false') - 1, _spot(lines, b"v1.hole_card_revealed")
    subject = subject_of(LAWFUL)
    leaks, plain = Recorded(lines[:drawn], subject), Recorded(safe[:drawn], subject)
    consoles = [a_console(console.desk, accounts, clock, held.store) for held in (leaks, plain)]
    hole = json.loads(lines[turned])["data"]["card"]
    browser = signed_in("hale")
    compared = 0
    for end in range(drawn, turned):
        answers = []
        for held, made, source in zip((leaks, plain), consoles, (lines, safe), strict=True):
            held.grow(source[end : end + 1])
            for name in ("records", "states"):
                object.__setattr__(console, name, getattr(made, name))
            at = end + 1
            paths = (
                f"/hands/{subject}/1?at={at}&solve=true",
                f"/hands/{subject}/1?at={at}&reading=A5:return",
                f"/api/hands/{subject}/1",
            )
            answers.append([_shown(browser.get(path).text) for path in paths])
        assert answers[0] == answers[1]
        assert hole not in answers[0][2]
        compared += 1
    assert compared > 10


def test_of_a_round_that_is_over_no_step_before_the_reveal_names_the_hole_card(
    console: Console, signed_in: SignedIn, accounts: Accounts, clock: Clock
) -> None:
    subject = subject_of(LAWFUL)
    answers = []
    turned = json.loads(lines_of(LAWFUL)[_spot(tuple(lines_of(LAWFUL)), b"v1.hole_card_revealed")])
    browser = signed_in("hale")
    for source in (leaking(), tuple(lines_of(LAWFUL))):
        made = a_console(console.desk, accounts, clock, Recorded(source, subject).store)
        for name in ("records", "states"):
            object.__setattr__(console, name, getattr(made, name))
        steps = browser.get(f"/api/hands/{subject}/1").json()["steps"]
        before = [one for one in steps if one["sequence"] < turned["sequence"]]
        felts = []
        for one in before[::6]:
            page = browser.get(f"/hands/{subject}/1?at={one['sequence']}").text
            felts.append(_shown(page[page.index('id="felt"') : page.index('id="slider"')]))
        answers.append((json.dumps(before), felts))
        assert len(before) > 20
    assert answers[0] == answers[1]


# Rounds that are not whole.


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
    first = _spot(tuple(lines), b"v1.round_started")
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
    assert "lost 25.00 → returned" in page
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


# The dialog that finds by id.


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("BJ-12 41", "/hands?table=BJ-12&round=41"),
        ("BJ-12/41", "/hands?table=BJ-12&round=41"),
        ("bj12 21:14 seat 3", "/hands?seat=3&table=bj12&time=21%3A14"),
        ("BJ-12 2 Mar 21:14 s3", "/hands?seat=3&table=BJ-12&time=2+Mar+21%3A14"),
        ("bj-12", "/tables/BJ-12"),
        ("abcdef12", "/hands?finding=abcdef12"),
    ],
)
def test_what_is_typed_into_the_dialog_leads_to_its_page(signed_in: SignedIn, text: str, place: str) -> None:
    answer = signed_in("hale").get("/find", params={"q": text}, follow_redirects=False)
    assert answer.status_code == 303
    given, wanted = urlsplit(answer.headers["location"]), urlsplit(place)
    assert given.path == wanted.path
    assert parse_qs(given.query) == parse_qs(wanted.query)


def test_an_alert_is_found_by_the_beginning_of_its_id_and_only_by_who_may_see_it(
    signed_in: SignedIn, console: Console, store: Warehouse, log: SqliteDeskLog
) -> None:
    (record,) = store.query("SELECT record FROM findings FINAL WHERE subject = 'BJ-12'")[0]
    finding = msgspec.json.decode(record, type=Finding)
    console.desk.raise_alerts([a_raise(finding)])
    hale = signed_in("hale")
    for text in (finding.finding_id, finding.finding_id[:10], finding.finding_id[:10].upper()):
        answer = hale.get("/find", params={"q": text}, follow_redirects=False)
        assert answer.headers["location"] == f"/alerts/{finding.finding_id}"
    answer = signed_in("ann").get("/find", params={"q": finding.finding_id}, follow_redirects=False)
    assert answer.status_code == 404
    assert kept(log, "ann") == [(f"find {finding.finding_id}", False)]


def test_what_names_nothing_is_told_what_could_be_typed(signed_in: SignedIn) -> None:
    for text in ("", "???", "no such thing"):
        answer = signed_in("hale").get("/find", params={"q": text}, follow_redirects=False)
        assert answer.status_code == 404
        assert "A table and a round (BJ-12 41)" in answer.text
