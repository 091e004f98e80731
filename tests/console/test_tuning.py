"""Tuning: figures of every check, and alerts that wait, group or page otherwise by two people and until an end."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from dashboards.desk.desk import Desk
from dashboards.desk.index import key_of
from dashboards.desk.queue import grouped
from dashboards.desk.state import DeskState
from dashboards.ledger.acts import Acknowledged, DeskBroken, Disposed, Withheld
from dashboards.ledger.tuning_acts import TuningAsked, TuningConfirmed
from dashboards.tuning.figures import spoken, waited
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from deploy.notify.message import Page
from deploy.notify.pager import Pager, Rules
from tests.console.conftest import Browser, Clock
from tests.console.desk_building import T0, a_finding, a_raise, after, take
from tests.console.disputing import kept

SignedIn = Callable[[str], Browser]
CHECK = "pay.blackjack"
DAY = 24 * 3600.0


@pytest.fixture
def console(console: Console) -> Console:
    console.desk.raise_alerts([a_raise(a_finding(1))])
    return console


def tune(browser: Browser, **wish: Any) -> tuple[int, Any]:
    answer = browser.post("/api/tuning", json=wish)
    return answer.status_code, answer.json()


def ask(browser: Browser, way: str = "wait", **given: Any) -> tuple[int, Any]:
    usual: dict[str, Any] = {"check": CHECK, "way": way, "days": 3, "reason": "the shoe is being mended"}
    usual |= {"minutes": 30} if way == "wait" else {}
    return tune(browser, act="ask", **(usual | given))


def in_force(signed_in: SignedIn, way: str) -> None:
    assert ask(signed_in("hale"), way)[0] == 200
    assert tune(signed_in("ito"), act="confirm", tuning="TUNE-0001")[0] == 200


def test_a_check_is_tuned_by_two_until_an_end(signed_in: SignedIn, console: Console, clock: Clock) -> None:
    """By the page's forms: asked by one, confirmed by another, shown on the queue, over at its end."""
    hale, ito, desk = signed_in("hale"), signed_in("ito"), console.desk

    def form(browser: Browser, **given: str) -> Any:
        return browser.post("/tuning", data={"csrf": browser.headers["x-csrf-token"]} | given)

    asked = {
        "act": "ask",
        "check": CHECK,
        "way": "wait",
        "minutes": "30",
        "days": "3",
        "reason": "mended <b>now</b>",
    }
    page = form(hale, **asked)
    assert page.status_code == 200, page.text
    assert "waits for a second person; nothing is tuned until then" in page.text
    assert "mended &lt;b&gt;now&lt;/b&gt;" in page.text
    assert "Asked for, not in force" in hale.get("/").text
    desk.raise_alerts([a_raise(a_finding(2))])
    assert desk.alert(a_finding(2).finding_id).status == "new"  # type: ignore[union-attr]  # it was raised
    refused = form(hale, act="confirm", tuning="TUNE-0001")
    assert (refused.status_code, "the second person is someone else" in refused.text) == (422, True)
    assert "confirmed by ito" in form(ito, act="confirm", tuning="TUNE-0001").text
    assert f"Tuned: {CHECK}, wait 30 min" in hale.get("/").text
    changes = desk.raise_alerts([a_raise(a_finding(3)), a_raise(a_finding(4, severity="critical"))])
    assert [change.act for change in changes] == ["raised", "raised"]
    waits = desk.alert(a_finding(3).finding_id)
    grave = desk.alert(a_finding(4).finding_id)
    assert waits is not None
    assert grave is not None
    assert (waits.status, grave.status) == ("shelved", "new")
    assert "TUNE-0001" in (waits.shelved_for or "")
    clock.forward(30 * 60)
    assert [change.alert.id for change in desk.return_due()] == [waits.id]
    clock.forward(3 * DAY)
    desk.raise_alerts([a_raise(a_finding(5))])
    assert desk.alert(a_finding(5).finding_id).status == "new"  # type: ignore[union-attr]  # it was raised
    later = signed_in("hale")  # the sign-in of days ago is over
    assert "Tuned:" not in later.get("/").text
    assert "Before" in later.get("/tuning").text
    assert len([line for line in kept(console) if '"act":"tuning_' in line]) == 2


def test_figures_say_how_alerts_were_closed_and_how_long_they_waited(
    signed_in: SignedIn, console: Console, clock: Clock
) -> None:
    desk, hale = console.desk, signed_in("hale")
    desk.raise_alerts([a_raise(a_finding(number)) for number in range(2, 11)])
    for number in range(1, 11):
        clock.forward(60)
        desk.act(Acknowledged(alert=a_finding(number).finding_id, version=1), "hale")
    done = Disposed(alert=a_finding(1).finding_id, version=2, disposition="no error", note="seen")
    desk.act(done, "hale")
    (told,) = hale.get("/api/tuning").json()["checks"]
    assert (told["check"], told["raised"], told["open"], told["closed"]) == (CHECK, 10, 9, {"no error": 1})
    assert told["until_taken"] == {"counted": 10, "median": 300.0, "within_90": 540.0}
    assert told["until_closed"] == {"counted": 1, "median": 600.0, "within_90": 600.0}
    assert "5 min 0 s, 9 min 0 s" in hale.get("/tuning").text
    console.desk.note(Withheld(user="otto", kind="table", value="BJ-12"), "ann")
    assert signed_in("otto").get("/api/tuning").json()["checks"] == []


def _sizes(desk: Desk) -> list[int]:
    groups = grouped((key_of(one), one) for one in desk.snapshot().alerts)
    return sorted(len(held.members) for held in groups.values())


def test_alerts_of_a_table_share_a_line_while_they_are_told_to(signed_in: SignedIn, console: Console) -> None:
    in_force(signed_in, "group")
    desk = console.desk
    others = [
        a_finding(number, subject=table) for number, table in ((2, "BJ-12"), (3, "BJ-12"), (4, "BJ-19"))
    ]
    desk.raise_alerts(map(a_raise, others))
    lines = _sizes(desk)
    assert lines == [1, 1, 2]  # the one raised before, the one of another table, and the two
    assert tune(signed_in("hale"), act="end", tuning="TUNE-0001")[0] == 200
    assert _sizes(desk) == lines


class Mailbox:
    name, to = "mail", "desk@example"

    def __init__(self) -> None:
        self.sent: list[str] = []

    def send(self, pages: list[Page]) -> str:
        self.sent += [str(page) for page in pages]
        return "250 taken"


@pytest.mark.parametrize(("way", "counts"), [("page always", (0, 2)), ("page never", (0, 0))])
def test_alerts_are_paged_otherwise_while_they_are_told_to(
    signed_in: SignedIn, console: Console, clock: Clock, way: str, counts: tuple[int, int]
) -> None:
    box = Mailbox()
    severity = "critical" if way == "page always" else "minor"
    pager = Pager(console.desk, box, Rules(severity=severity), clock)  # type: ignore[arg-type]  # two names of it
    if way == "page always":
        assert (pager.step(), len(box.sent)) == (0, counts[0])
    in_force(signed_in, way)
    console.desk.raise_alerts([a_raise(a_finding(2))])
    pager.step()
    assert len(box.sent) == counts[1]
    clock.forward(3 * DAY)
    console.desk.raise_alerts([a_raise(a_finding(3))])
    pager.step()
    assert len(box.sent) == counts[1] + (way == "page never")


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"days": 15}, 400),
        ({"minutes": 0}, 400),
        ({"minutes": None}, 422),
        ({"way": "group", "minutes": 5}, 422),
        ({"check": "no.such"}, 422),
        ({"reason": ""}, 400),
    ],
)
def test_what_cannot_be_asked_for(
    signed_in: SignedIn, console: Console, given: dict[str, Any], why: int
) -> None:
    status, told = ask(signed_in("hale"), **given)
    assert status == why, told
    assert signed_in("hale").get("/api/tuning").json()["tunings"] == []


def test_one_tuning_of_a_kind_at_a_time_and_who_may_end_it(signed_in: SignedIn, console: Console) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    ask(hale)
    assert "TUNE-0001 says how alerts of pay.blackjack wait" in ask(ito)[1]["detail"]
    assert ask(ito, "group")[0] == 200
    assert "only hale may take it back" in tune(ito, act="end", tuning="TUNE-0001")[1]["detail"]
    status, told = tune(ito, act="decline", tuning="TUNE-0001", reason="mend it first")
    assert (status, told["tunings"][1]["state"], told["tunings"][1]["declined_for"]) == (
        200,
        "declined",
        "mend it first",
    )
    assert tune(hale, act="confirm", tuning="TUNE-0001")[0] == 422
    assert tune(ito, act="end", tuning="TUNE-0002")[0] == 200


def test_auditors_read_what_is_tuned_and_change_nothing(signed_in: SignedIn, console: Console) -> None:
    in_force(signed_in, "wait")
    otto = signed_in("otto")
    page = otto.get("/tuning").text
    assert "confirmed by ito" in page
    assert "End it now" not in page
    assert "Tuned:" in otto.get("/").text
    assert "Tuned:" not in signed_in("fay").get("/").text


def test_a_record_in_which_one_person_did_both_or_without_an_end_breaks_the_desk(
    console: Console, log: SqliteDeskLog, clock: Clock
) -> None:
    state = DeskState()
    given = {"tuning": "TUNE-0001", "check": CHECK, "reason": "x"}
    with pytest.raises(DeskBroken, match="the end lies within the next 14 days"):
        take(state, TuningAsked(**given, way="group", until=T0 + dt.timedelta(days=15)), at=T0)  # type: ignore[arg-type]
    take(state, TuningAsked(**given, way="group", until=T0 + dt.timedelta(days=14)), at=T0)  # type: ignore[arg-type]
    with pytest.raises(DeskBroken, match="the second person is someone else"):
        take(state, TuningConfirmed(tuning="TUNE-0001"), "hale", at=after(1))
    again = Desk(log, clock)
    assert again.look(lambda held: held.tunings.made) == console.desk.look(lambda held: held.tunings.made)


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(None, "–"), (0.4, "0 s"), (59.6, "1 min 0 s"), (3599, "59 min 59 s"), (7260, "2 h 1 min")],
)
def test_times_as_people_say_them(seconds: float | None, told: str) -> None:
    assert spoken(seconds) == told
    assert waited([]).median is None
