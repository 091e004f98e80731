"""A dispute that two decided is opened again by two; until the second confirms, the decision holds and settles."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from dashboards.desk.decisions import Refused
from dashboards.desk.state import DeskState
from dashboards.ledger.acts import DeskBroken, write
from dashboards.ledger.dispute_acts import (
    DisputeReopened,
    DisputeReopeningConfirmed,
    DisputeReopeningDeclined,
    DisputeReopeningProposed,
    DisputeReopeningWithdrawn,
    OnDispute,
)
from dashboards.web.console import Console
from tests.console.conftest import Browser
from tests.console.disputing import act, open_one, with_records

SignedIn = Callable[[str], Browser]
GREAT: dict[str, Any] = {
    "act": "decided", "ruling": "for the patron", "amount_cents": 50_001, "beyond_cents": 50_001, "reason": "late call",
}  # fmt: skip
WITNESS = "the patron has a witness"


@pytest.fixture
def console(console: Console) -> Console:
    return with_records(console)


def decided_by_two(hale: Browser, ito: Browser) -> str:
    """A dispute at version 3 that pays the patron $500.01: hale decided it, ito confirmed."""
    name = open_one(hale).id
    assert act(hale, name, version=1, **GREAT)[0] == 200
    status, told = act(ito, name, act="confirmed", version=2)
    assert (status, told["dispute"]["status"]) == (200, "decided")
    return name


def proposed(hale: Browser, ito: Browser) -> str:
    """The same, at version 4: ito proposes to open it again."""
    name = decided_by_two(hale, ito)
    status, told = act(ito, name, act="reopened", version=3, reason=WITNESS)
    waiting = told["dispute"]
    assert (status, waiting["status"], waiting["reopening"]["by"]) == (200, "decided", "ito")
    return name


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page))


def test_law_15_what_two_have_decided_two_open_again(signed_in: SignedIn) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    name = proposed(hale, ito)
    page = text_of(hale.get(f"/disputes/{name}").text)
    assert "ito would reopen it, a second person has to confirm that" in page
    assert "ito proposes to open it again" in page
    assert WITNESS in page
    assert (
        act(ito, name, act="reopening_confirmed", version=4)[1]["detail"]
        == "the second person is someone else"
    )
    for refused in ("confirmed", "withdrawn", "reopening_withdrawn"):
        assert act(hale, name, act=refused, version=4)[0] == 422, refused
    assert act(hale, name, act="reopened", version=4, reason="x")[0] == 422
    assert act(hale, name, version=4, **GREAT)[0] == 422
    status, told = act(hale, name, act="reopening_confirmed", version=4)
    opened = told["dispute"]
    assert (status, opened["status"], opened["decision"], opened["reopening"]) == (200, "open", None, None)
    assert [one["act"]["act"] for one in opened["history"]][-2:] == [
        "dispute_reopening_proposed",
        "dispute_reopening_confirmed",
    ]
    history = text_of(hale.get(f"/disputes/{name}").text)
    for kept in (
        f"ito Proposed to open it again : {WITNESS}",
        "hale Confirmed that it is opened again",
        "ito Confirmed the decision",
        "late call",
    ):
        assert kept in history, kept
    assert act(ito, name, act="reopened", version=5, reason="x")[1]["detail"] == "it is open"
    assert act(hale, name, version=5, **GREAT)[1]["dispute"]["status"] == "awaiting a second"


@pytest.mark.parametrize("how", ["declined", "withdrawn"])
def test_who_does_not_agree_leaves_it_decided_as_it_was(signed_in: SignedIn, how: str) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    name = proposed(hale, ito)
    before = hale.get(f"/api/disputes/{name}").json()["dispute"]["decision"]
    one, other, wish = (hale, ito, {"reason": "it was seat 4"}) if how == "declined" else (ito, hale, {})
    assert act(other, name, act=f"reopening_{how}", version=4, **wish)[0] == 422
    status, told = act(one, name, act=f"reopening_{how}", version=4, **wish)
    again = told["dispute"]
    assert (status, again["status"], again["decision"], again["reopening"]) == (200, "decided", before, None)
    page = text_of(ito.get(f"/disputes/{name}").text)
    assert ("Not opened again: hale declined it" in page) == (how == "declined")
    assert "Propose to open it again" in page
    assert (
        act(hale, name, act="reopened", version=5, reason="again")[1]["dispute"]["reopening"]["by"] == "hale"
    )
    assert "Not opened again" not in hale.get(f"/disputes/{name}").text, "it is asked anew"


def test_an_opening_is_declined_only_with_a_reason(signed_in: SignedIn) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    name = proposed(hale, ito)
    form = {"csrf": hale.headers["x-csrf-token"], "act": "reopening_declined", "version": "4", "reason": " "}
    answer = hale.post(f"/disputes/{name}/acts", data=form)
    assert (answer.status_code, "The reason is missing" in answer.text) == (422, True)
    assert hale.get(f"/api/disputes/{name}").json()["dispute"]["reopening"] is not None


def test_what_one_person_decided_one_person_opens_again(signed_in: SignedIn) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    name = open_one(hale).id
    small = {"act": "decided", "ruling": "for the house", "amount_cents": -50_000, "reason": "overpaid"}
    act(hale, name, version=1, **small)
    page = hale.get(f"/disputes/{name}").text
    assert ("Open it again" in page, "Propose to open it again" in page) == (True, False)
    status, told = act(ito, name, act="reopened", version=2, reason="x")
    assert (status, told["dispute"]["status"]) == (200, "open")
    assert act(hale, name, act="reopening_confirmed", version=3)[0] == 422


def test_the_decision_settles_until_its_opening_is_confirmed(signed_in: SignedIn) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    name = decided_by_two(hale, ito)
    other = open_one(hale).id
    settled = f"{name} is about the same stakes: decided for the patron, $500.01 to the patron"

    def told() -> str:
        page = text_of(hale.get(f"/disputes/{other}").text)
        return re.sub(r" ([,;.:])", r"\1", page)

    before = told()
    assert settled in before
    act(ito, name, act="reopened", version=3, reason=WITNESS)
    waiting = told()
    assert "its opening waits for a second person" in waiting
    assert waiting.replace("; its opening waits for a second person", "") == before
    assert hale.get(f"/disputes/{name}/letter.pdf").status_code == 200, (
        "the decision holds: its letter is printed"
    )
    act(hale, name, act="reopening_confirmed", version=4)
    assert "open, nothing is settled" in told()
    assert hale.get(f"/disputes/{name}/letter.pdf").status_code != 200


def test_an_opening_waits_for_each_but_the_person_who_proposed_it(signed_in: SignedIn) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    name = proposed(hale, ito)
    for person, waits in ((hale, 1), (ito, 0)):
        told = person.get("/api/disputes", params={"show": "second"}).json()
        assert (len(told["shown"]), told["counts"]["second"], told["counts"]["decided"]) == (waits, waits, 1)
        assert (f'href="/disputes/{name}"' in person.get("/disputes?show=second").text) == bool(waits)
        assert "ito would reopen it: waits for a second person" in text_of(
            person.get("/disputes?show=decided").text
        )
        shift = text_of(person.get("/shift").text)
        assert "1 waits for a second person" in shift
        assert f"{name} decided, its opening awaits a second" in shift
        figures = person.get("/api/shift").json()["figures"]
        assert (figures["disputes_awaiting"], figures["disputes_open"]) == (1, 0)
    act(hale, name, act="reopening_declined", version=4, reason="no")
    assert hale.get("/api/shift").json()["figures"]["open_disputes"] == []
    assert "waits for a second person" not in text_of(hale.get("/shift").text)


def test_the_log_names_the_opening_that_waits_and_its_end(signed_in: SignedIn, console: Console) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    name = proposed(hale, ito)
    act(hale, name, act="reopening_confirmed", version=4)
    last = console.desk.dispute(name)
    assert last is not None
    asked, confirmed = (one.sequence for one in last.history[-2:])
    assert console.desk.moved(asked) == ("decided", "decided, its opening awaits a second")
    assert console.desk.moved(confirmed) == ("decided, its opening awaits a second", "open")


def test_who_was_slower_still_has_their_words_where_the_form_is_gone(signed_in: SignedIn) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    name = proposed(hale, ito)
    form = {
        "csrf": hale.headers["x-csrf-token"],
        "act": "reopened",
        "version": "3",
        "reason": "Camera 7 shows it.",
    }
    answer = hale.post(f"/disputes/{name}/acts", data=form)
    assert answer.status_code == 409
    told = text_of(answer.text)
    assert "Opening proposed by ito" in told
    assert "You wrote: “Camera 7 shows it.”" in told
    assert "still in the form" not in told
    review = form | {"act": "reviewed", "reason": "", "camera": "CAM-7", "supervisor": "fay"}
    told = text_of(hale.post(f"/disputes/{name}/acts", data=review).text)
    assert "You wrote: “CAM-7”, “fay”" in told
    pressed = form | {"act": "withdrawn", "reason": ""}
    told = text_of(hale.post(f"/disputes/{name}/acts", data=pressed).text)
    assert "Not done" in told
    assert "What you wrote" not in told
    assert "You wrote" not in told


def test_law_15_a_record_of_one_person_who_reopened_what_two_had_decided_is_still_read(
    signed_in: SignedIn, console: Console
) -> None:
    name = decided_by_two(signed_in("hale"), signed_in("ito"))
    old = DisputeReopened(dispute=name, version=3, reason="y")
    line = write(old, "ito", console.clock(), console.desk.records + 1, console.desk.head)
    state = DeskState()
    for one in (*console.desk.lines(1, 1_000), line):
        state.take(one)
    assert state.disputes[name].status == "open"
    with pytest.raises(Refused, match="two have decided it"):
        console.desk.act_on_dispute(old, "ito")


@pytest.mark.parametrize(
    ("answer", "actor"),
    [
        (DisputeReopeningConfirmed(dispute="DIS-0001", version=4), "ito"),
        (DisputeReopeningDeclined(dispute="DIS-0001", version=4, reason="x"), "ito"),
        (DisputeReopeningWithdrawn(dispute="DIS-0001", version=4), "hale"),
        (DisputeReopeningProposed(dispute="DIS-0001", version=4, reason="x"), "hale"),
    ],
)
def test_a_record_that_nobody_may_have_written_breaks_the_ledger(
    signed_in: SignedIn, console: Console, answer: OnDispute, actor: str
) -> None:
    proposed(signed_in("hale"), signed_in("ito"))
    line = write(answer, actor, console.clock(), console.desk.records + 1, console.desk.head)
    state = DeskState()
    for one in console.desk.lines(1, 1_000):
        state.take(one)
    with pytest.raises(DeskBroken, match="of DIS-0001"):
        state.take(line)
