"""Cases: opened about alerts, hands and disputes, worked on by several, closed with an outcome."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from dashboards.casebook.index import CaseIndex
from dashboards.desk.casework import act_on_case, case, cases_of, found_cases, open_case
from dashboards.desk.decisions import ActConflict
from dashboards.desk.desk import Desk
from dashboards.desk.state import DeskState
from dashboards.ledger.acts import AddedToCase, DeskBroken, Undone, Withheld
from dashboards.ledger.case_acts import (
    CaseAssigned,
    CaseClosed,
    CaseMemberAdded,
    CaseNoted,
    CaseOpened,
    Member,
)
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from tests.console.conftest import Browser, Clock
from tests.console.desk_building import a_finding, a_raise, take
from tests.console.disputing import ROUND, fields_of, found, held, kept, with_records
from tests.console.disputing import open_one as open_dispute
from tests.embedded.ledgers import subject_of

SignedIn = Callable[[str], Browser]
HAND = f"{subject_of('breach_dealer22_paid')}/{ROUND}/641"


@pytest.fixture
def console(console: Console) -> Console:
    return with_records(console)


def opened(browser: Browser, title: str = "Payouts at FB-12", *members: tuple[str, str]) -> dict[str, Any]:
    named = [{"kind": kind, "value": value} for kind, value in members]
    answer = browser.post("/api/cases", json={"title": title, "members": named})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()["case"]
    return made


def act(browser: Browser, name: str, **done: Any) -> tuple[int, Any]:
    answer = browser.post(f"/api/cases/{name}/acts", json=done)
    return answer.status_code, answer.json()


def test_a_case_is_opened_worked_on_and_closed(signed_in: SignedIn, console: Console) -> None:
    """A page with owner, state, timeline, members, notes and tasks, worked on by forms alone."""
    finding = found()
    console.desk.raise_alerts([a_raise(finding, "D-301")])
    hale = signed_in("hale")
    dispute = open_dispute(hale).id
    page = hale.get(f"/cases/new?kind=alert&value={finding.finding_id}").text
    assert "Put into a case" in page
    fields = fields_of(page, "/cases") | {"title": "Payouts at FB-12", "summary": "Seat 6 & <b>22</b>"}
    answer = hale.post("/cases", data=fields, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/cases/CASE-0001")

    def do(act: str, **given: str) -> str:
        now = case(console.desk, "CASE-0001")
        assert now is not None
        csrf = hale.headers["x-csrf-token"]
        form = {"csrf": csrf, "version": str(now.version), "act": act} | given
        told = hale.post("/cases/CASE-0001/acts", data=form)
        assert told.status_code == 200, told.text
        return told.text

    do("member_added", kind="hand", value=f"{held().subject} {ROUND}")
    do("member_added", kind="dispute", value=dispute.lower())
    do("task_added", what="Ask for the recording", who="ito", by="2026-11-22")
    do("noted", note="The dealer was relieved early.")
    do("waiting", reason="the recording")
    do("resumed")
    do("assigned", to="ito")
    do("task_done", task="1")
    page = do("closed", outcome="substantiated", reason="The dealer had 22 and paid.")
    assert "Closed, substantiated" in page
    assert "&lt;b&gt;22&lt;/b&gt;" in page
    assert "owner <strong>ito</strong>" in page
    assert "The dealer was relieved early." in page
    assert f'href="/alerts/{finding.finding_id}"' in page
    assert f'href="/hands/{held().subject}/{ROUND}?first=641"' in page
    assert f'href="/disputes/{dispute}"' in page
    assert "done by hale" in page
    for place in (
        f"/alerts/{finding.finding_id}",
        f"/hands/{held().subject}/{ROUND}",
        f"/disputes/{dispute}",
    ):
        assert 'href="/cases/CASE-0001"' in hale.get(place).text, place
        assert 'href="/cases/new?kind=' in hale.get(place).text, place
    told = hale.get("/api/cases/CASE-0001").json()
    assert told["case"]["status"] == "closed"
    assert [one["kind"] for one in told["members"]] == ["alert", "hand", "dispute"]
    assert [one["at"] for one in told["timeline"]] == sorted(one["at"] for one in told["timeline"])
    acts = [line for line in kept(console) if '"act":"case_' in line]
    assert len(acts) == 11


def test_a_case_is_found_by_any_of_its_words_and_stands_under_its_state(signed_in: SignedIn) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    first = opened(hale, "Payouts at FB-12", ("hand", HAND))["id"]
    second = opened(ito, "Marked cards on Friday")["id"]
    act(ito, second, act="noted", version=1, note="The floor saw Mr. Smythe-Jones bend an ace")
    act(ito, second, act="waiting", version=2, reason="the laboratory")

    def list_of(show: str, words: str = "", who: Browser = hale) -> list[str]:
        answer = who.get("/api/cases", params={"show": show, "q": words})
        return [one["id"] for one in answer.json()["shown"]]

    assert (list_of("open"), list_of("waiting"), list_of("closed")) == ([first], [second], [])
    assert (list_of("mine"), list_of("mine", who=ito)) == ([first], [second])
    assert list_of("waiting", "smythe ACE") == [second]
    assert list_of("waiting", "marked laborat") == [second]
    assert list_of("waiting", "payouts") == []
    assert list_of("open", "D-301") == [first]
    assert list_of("open", "fb-12") == [first]
    assert list_of("waiting", "case-0002") == [second]
    counts = hale.get("/api/cases", params={"q": "ace"}).json()["counts"]
    assert counts == {"mine": 0, "open": 0, "waiting": 1, "closed": 0}
    assert "No case here has “payouts”" in hale.get("/cases?show=closed&q=payouts").text
    assert hale.get("/find?q=case-0002", follow_redirects=False).headers["location"] == f"/cases/{second}"


def test_who_was_slower_is_told_who_was_faster_and_keeps_what_they_wrote(
    signed_in: SignedIn, clock: Clock
) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    name = opened(hale)["id"]
    act(ito, name, act="assigned", version=1, to="ito")
    clock.forward(3)
    form = {"csrf": hale.headers["x-csrf-token"], "version": "1", "act": "noted", "note": "my long remark"}
    answer = hale.post(f"/cases/{name}/acts", data=form)
    assert answer.status_code == 409
    assert "Assigned by ito 3 s ago" in answer.text
    assert "my long remark</textarea>" in answer.text
    assert act(hale, name, act="noted", version=1, note="x")[0] == 409


@pytest.mark.parametrize(
    ("done", "why"),
    [
        ({"act": "member_added", "kind": "alert", "value": "f" * 32}, "there is no alert"),
        ({"act": "member_added", "kind": "dispute", "value": "DIS-0099"}, "there is no dispute"),
        ({"act": "member_added", "kind": "hand", "value": "FB-12 4000"}, "table FB-12 has no round 4000"),
        (
            {"act": "member_added", "kind": "hand", "value": "FB-12/1000000000/1000000000"},
            "table FB-12 has no round 1000000000",
        ),
        ({"act": "member_added", "kind": "hand", "value": "that one"}, "is no hand"),
        ({"act": "member_removed", "kind": "hand", "value": HAND, "reason": "x"}, "no hand"),
        ({"act": "assigned", "to": "hale"}, "it is hale's already"),
        ({"act": "assigned", "to": "fay"}, "no user fay works on cases"),
        ({"act": "task_added", "what": "x", "who": "nobody", "by": "2026-11-22"}, "no user nobody"),
        ({"act": "task_done", "task": 1}, "it has no task 1"),
        ({"act": "resumed"}, "it does not wait"),
        ({"act": "reopened", "reason": "x"}, "it is open"),
    ],
)
def test_what_cannot_be_done_says_why(signed_in: SignedIn, done: dict[str, Any], why: str) -> None:
    hale = signed_in("hale")
    name = opened(hale)["id"]
    status, told = act(hale, name, version=1, **done)
    assert (status, why in told["detail"]) == (422, True), told


def test_a_case_is_closed_once_its_tasks_are_done_and_then_only_noted_or_opened_again(
    signed_in: SignedIn,
) -> None:
    hale = signed_in("hale")
    name = opened(hale)["id"]
    act(hale, name, act="task_added", version=1, what="Ask the pit", who="ito", by="2026-11-19")
    assert "overdue since 2026-11-19" in hale.get("/cases").text
    closing = {"act": "closed", "outcome": "inconclusive", "reason": "nobody saw it"}
    status, told = act(hale, name, version=2, **closing)
    assert (status, told["detail"]) == (422, "not done yet: task 1")
    act(hale, name, act="task_done", version=2, task=1)
    assert act(hale, name, act="task_done", version=3, task=1)[1]["detail"] == "task 1 was done by hale"
    assert act(hale, name, version=3, **closing)[1]["case"]["closing"]["outcome"] == "inconclusive"
    assert act(hale, name, act="assigned", version=4, to="ito")[0] == 422
    assert act(hale, name, act="noted", version=4, note="a late word")[0] == 200
    status, told = act(hale, name, act="reopened", version=5, reason="a witness came")
    assert (status, told["case"]["status"], told["case"]["closing"]) == (200, "open", None)


def test_law_22_an_alert_and_its_case_say_the_same_whichever_was_acted_upon(console: Console) -> None:
    desk = console.desk
    one, two = a_finding(1), a_finding(2)
    desk.raise_alerts([a_raise(one), a_raise(two)])
    name = open_case(desk, "Payouts", "", [Member(kind="alert", value=one.finding_id)], "hale", "hale").id

    def both() -> tuple[list[str], tuple[str, ...], tuple[str, ...]]:
        held_in = case(desk, name)
        alerts = [desk.alert(finding.finding_id) for finding in (one, two)]
        assert held_in is not None
        return (
            [member.value for member in held_in.members],
            alerts[0].cases,  # type: ignore[union-attr]  # it was raised
            alerts[1].cases,  # type: ignore[union-attr]  # it was raised
        )

    assert both() == ([one.finding_id], (name,), ())
    change = desk.act(AddedToCase(alert=two.finding_id, version=1, case=name), "ito")
    assert both() == ([one.finding_id, two.finding_id], (name,), (name,))
    desk.act(Undone(alert=two.finding_id, version=change.alert.version), "ito")
    assert both() == ([one.finding_id], (name,), ())


def test_several_alerts_are_put_into_one_case_at_once(signed_in: SignedIn, console: Console) -> None:
    findings = [a_finding(number) for number in (1, 2, 3)]
    console.desk.raise_alerts(map(a_raise, findings))
    hale = signed_in("hale")
    name = opened(hale)["id"]
    wish: dict[str, Any] = {"wish": {"act": "added_to_case", "case": name}}
    wish["alerts"] = [{"id": one.finding_id, "version": 1} for one in findings]
    assert len(hale.post("/api/acts", json=wish).json()["done"]) == 3
    assert len(hale.get(f"/api/cases/{name}").json()["members"]) == 3
    wish["wish"] = {"act": "added_to_case", "case": "CASE-0099"}
    wish["alerts"] = [{"id": findings[0].finding_id, "version": 2}]
    (refused,) = hale.post("/api/acts", json=wish).json()["refused"]
    assert refused["why"] == "there is no case CASE-0099; open one under Cases"


# A hand is withheld by its table and its dealers alone.
WITHHELD = [(kind, of) for kind in ("table", "dealer") for of in ("alert", "hand", "dispute")]
WITHHELD += [(kind, of) for kind in ("alert", "patron") for of in ("alert", "dispute")]
PATRON = "P-0098"


@pytest.mark.parametrize(("kind", "member"), WITHHELD)
def test_a_case_with_something_withheld_is_not_there(
    signed_in: SignedIn, console: Console, kind: Any, member: str
) -> None:
    finding = found()
    if (kind, member) == ("patron", "alert"):
        finding = msgspec.structs.replace(finding, about={"player": PATRON})
    console.desk.raise_alerts([a_raise(finding, "D-301")])
    hale, ito = signed_in("hale"), signed_in("ito")
    dispute = open_dispute(hale, alert=finding.finding_id, patron=PATRON).id
    value = {"alert": finding.finding_id, "hand": HAND, "dispute": dispute}[member]
    name = opened(hale, "Payouts at the pit", (member, value))["id"]
    assert ito.get(f"/cases/{name}").status_code == 200
    denied = {"table": held().subject, "dealer": "D-301", "alert": finding.finding_id, "patron": PATRON}[kind]
    console.desk.note(Withheld(user="ito", kind=kind, value=denied), "ann")
    for path in (f"/cases/{name}", f"/api/cases/{name}"):
        assert ito.get(path).status_code == 404, path
    assert act(ito, name, act="noted", version=1, note="x")[0] == 404
    assert ito.get("/api/cases", params={"q": "payouts"}).json() == {
        "shown": [],
        "total": 0,
        "counts": {"mine": 0, "open": 0, "waiting": 0, "closed": 0},
    }
    assert ito.get(f"/find?q={name}").status_code == 404
    if member == "alert" and kind in ("alert", "patron"):
        put = {"title": "x", "members": [{"kind": member, "value": value}]}
        assert ito.post("/api/cases", json=put).status_code == 422
    other = a_finding(9, subject="BJ-99")
    console.desk.raise_alerts([a_raise(other)])
    wish = {"act": "added_to_case", "version": 1, "case": name}
    answer = ito.post(f"/api/alerts/{other.finding_id}/acts", json=wish)
    assert (answer.status_code, "there is no case" in answer.text) == (422, True)
    if member != "dispute":  # of a dispute its dealer is what the review says
        return
    console.desk.note(Withheld(user="hale", kind="dealer", value="D-302"), "ann")
    assert hale.get(f"/cases/{name}").status_code == 200
    review = {"requested_by": "fay", "dealer": "D-302"}
    ito_is_out = hale.post(
        f"/api/disputes/{dispute}/acts", json={"act": "reviewed", "version": 1, "review": review}
    )
    assert ito_is_out.status_code == 200
    assert hale.get(f"/cases/{name}").status_code == 404


def test_auditors_read_cases_and_are_offered_no_act_and_others_no_cases(
    signed_in: SignedIn, console: Console
) -> None:
    name = opened(signed_in("hale"))["id"]
    otto = signed_in("otto")
    page = otto.get(f"/cases/{name}")
    assert page.status_code == 200
    assert "<form" not in page.text[page.text.index("<main") :]
    assert "/cases/new" not in otto.get("/cases").text
    signed_in("rex").get(f"/cases/{name}")
    for who in ("fay", "rex", "ann"):
        assert 'href="/cases"' not in signed_in(who).get("/account").text
    looks = [line for line in kept(console) if f'"object":"case {name}"' in line]
    assert any('"granted":true' in line and '"otto"' in line for line in looks)
    assert any('"granted":false' in line and '"rex"' in line for line in looks)


def test_the_form_of_a_new_case_says_what_is_not_right_and_keeps_what_was_written(
    signed_in: SignedIn,
) -> None:
    hale = signed_in("hale")
    csrf = {"csrf": hale.headers["x-csrf-token"]}
    answer = hale.post("/cases", data=csrf | {"title": "  ", "summary": "kept words"})
    assert answer.status_code == 422
    assert "Not done: The title is missing" in answer.text
    assert "kept words</textarea>" in answer.text
    answer = hale.get("/cases/new?kind=hand&value=FB-12+4000")
    assert (answer.status_code, "table FB-12 has no round 4000" in answer.text) == (422, True)


def test_two_consoles_on_one_ledger_see_each_other_and_one_of_two_at_once_is_told(
    console: Console, log: SqliteDeskLog, clock: Clock
) -> None:
    here, there = console.desk, Desk(log, clock)
    name = open_case(here, "Payouts", "", [], "hale", "hale").id
    act_on_case(there, CaseNoted(case=name, version=1, note="from there"), "ito")
    with pytest.raises(ActConflict, match="Noted by ito"):
        act_on_case(here, CaseAssigned(case=name, version=1, to="ito"), "hale")
    assert open_case(there, "Another", "", [], "ito", "ito").id == "CASE-0002"
    here.catch_up()
    assert found_cases(here, "open", "hale", "another").total == 1
    again = Desk(log, clock)
    assert case(again, name) == case(here, name)


def test_records_that_do_not_fit_a_case_break_the_desk() -> None:
    state = DeskState()
    take(state, CaseOpened(case="CASE-0001", title="x", owner="hale"))
    with pytest.raises(DeskBroken, match="opens CASE-0001 a second time"):
        take(state, CaseOpened(case="CASE-0001", title="x", owner="hale"))
    with pytest.raises(DeskBroken, match="acts upon version 2 of CASE-0001"):
        take(state, CaseNoted(case="CASE-0001", version=2, note="x"))
    with pytest.raises(DeskBroken, match="acts upon version 1 of CASE-0007"):
        take(state, CaseNoted(case="CASE-0007", version=1, note="x"))


def test_cases_of_a_member_are_those_that_hold_it_now(console: Console) -> None:
    desk = console.desk
    name = open_case(desk, "x", "", [], "hale", "hale").id
    act_on_case(desk, CaseMemberAdded(case=name, version=1, member=Member(kind="hand", value=HAND)), "hale")
    assert [one.id for one in cases_of(desk, "hale", "hand", HAND)] == [name]
    act_on_case(desk, CaseClosed(case=name, version=2, outcome="referred", reason="x"), "hale")
    assert [one.status for one in cases_of(desk, "hale", "hand", HAND)] == ["closed"]


@pytest.mark.soak  # a time: nothing else may be at work on the machine
def test_a_search_among_ten_thousand_cases_takes_milliseconds() -> None:
    state, words = DeskState(), random.Random(7)
    for number in range(1, 10_001):
        title = " ".join(f"w{words.randrange(5000)}" for _ in range(8))
        take(state, CaseOpened(case=f"CASE-{number:04d}", title=title, owner="hale"))
    book: CaseIndex = state.casebook
    begun = time.process_time()
    for number in range(200):
        book.find(book.pool("open", "hale"), f"w{number} w1", frozenset({("table", "BJ-1")}), 0, 50)
        assert book.find(book.pool("open", "hale"), "", frozenset({("table", "BJ-1")}), 0, 50).total == 10_000
    assert (time.process_time() - begun) / 400 < 0.02
