"""What the desk finds without a search is what a search would find, whatever was done; several acts are one append."""

import datetime as dt
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards.desk.alerts import Change
from dashboards.desk.decisions import ActConflict, Refused, permit
from dashboards.desk.desk import Desk
from dashboards.desk.index import key_of, waits
from dashboards.desk.state import DeskState
from dashboards.ledger.acts import Accessed, Acknowledged, Disposed, Noted, OnAlert, Reopened, Shelved, Undone
from deploy.configured.desk_ledger import SqliteDeskLog
from tests.console.desk_building import T0, a_finding, a_raise, after, perform, take

ALERTS = [
    a_finding(1, money_cents=500),
    a_finding(2, verdict="suspected", money_cents=-200),
    a_finding(3, subject="BJ-19", money_cents=70),
    a_finding(4, check="pace", money_cents=0),
]


def an_act(kind: int, alert: str, version: int, now: dt.datetime) -> OnAlert:
    match kind:
        case 0:
            return Acknowledged(alert=alert, version=version)
        case 1:
            until = now + dt.timedelta(minutes=5)
            return Shelved(alert=alert, version=version, reason="x", until=until)
        case 2:
            return Disposed(alert=alert, version=version, disposition="no error", note="x")
        case 3:
            return Reopened(alert=alert, version=version, reason="x")
        case 4:
            return Noted(alert=alert, version=version, note="x")
        case _:
            return Undone(alert=alert, version=version)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5), st.integers(0, 4)), max_size=60))
def test_groups_and_closed_ones_are_those_of_a_recount(steps: list[tuple[int, int, int]]) -> None:
    state = DeskState()
    closed_in_order: list[str] = []
    for finding in ALERTS:
        take(state, a_raise(finding), "desk")
    now = 0
    for which, kind, pause in steps:
        now += pause
        before = state.alerts[ALERTS[which].finding_id]
        act = an_act(kind, before.id, before.version, after(now))
        try:
            permit(state, act, "hale", after(now))
        except Refused:
            continue
        alert = perform(state, act, "hale", after(now)).alert
        if before.open and not alert.open:
            closed_in_order.append(alert.id)
        elif alert.open and not before.open:
            closed_in_order.remove(alert.id)
    members: defaultdict[object, set[str]] = defaultdict(set)
    for alert in filter(waits, state.alerts.values()):
        members[key_of(alert)].add(alert.id)
    for alert in state.alerts.values():
        key = key_of(alert)
        assert set(state.index.waiting(key)) == members[key]
    assert list(state.index.closed()) == closed_in_order[::-1]
    assert list(state.index.of_check("pay.blackjack")) == [one.finding_id for one in ALERTS[2::-1]]


def test_an_alert_by_a_checks_former_id_stands_with_those_by_its_present_one() -> None:
    state = DeskState()
    older, newer = a_finding(1, check="masque.shown"), a_finding(2, check="reader.masque_shown")
    for finding in (older, newer):
        take(state, a_raise(finding), "desk")
    assert len({key_of(alert) for alert in state.alerts.values()}) == 1
    assert list(state.index.of_check("reader.masque_shown")) == [newer.finding_id, older.finding_id]


def test_a_note_changes_nothing_but_the_record() -> None:
    state = DeskState()
    take(state, a_raise(ALERTS[0]), "desk")
    alert = ALERTS[0].finding_id
    change = perform(state, Noted(alert=alert, version=1, note="camera 12"), "ito", after(1))
    assert (change.alert.status, change.alert.owner, change.alert.version) == ("new", None, 2)
    with pytest.raises(ActConflict, match="Noted by ito 2 s ago"):
        permit(state, Acknowledged(alert=alert, version=1), "hale", after(3))


def test_several_acts_are_appended_as_one_and_each_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = SqliteDeskLog(tmp_path / "desk.db")
    desk = Desk(log, lambda: T0)
    desk.raise_alerts(map(a_raise, ALERTS))
    ids = [one.finding_id for one in ALERTS]
    desk.act(Acknowledged(alert=ids[1], version=1), "ito")
    appended: list[int] = []
    append = log.append

    def counted(lines: Sequence[bytes], last: int, head: str) -> None:
        appended.append(len(lines))
        append(lines, last, head)

    monkeypatch.setattr(log, "append", counted)
    answers = desk.act_on_each([Acknowledged(alert=one, version=1) for one in (*ids, "none", ids[0])], "hale")
    assert appended == [3]
    assert [type(answer).__name__ for answer in answers] == [
        "Change", "ActConflict", "Change", "Change", "UnknownToDesk", "Refused",
    ]  # fmt: skip
    assert [a.alert.id for a in answers if isinstance(a, Change)] == [ids[0], ids[2], ids[3]]
    assert desk.act_on_each([Acknowledged(alert="none", version=1)], "hale")[0].why == "no alert none"  # type: ignore[union-attr]  # refused
    assert desk.seq == 8
    log.close()


def test_history_is_of_one_alert_alone(tmp_path: Path) -> None:
    log = SqliteDeskLog(tmp_path / "desk.db")
    desk = Desk(log, lambda: T0)
    desk.raise_alerts(map(a_raise, ALERTS))
    one, other = ALERTS[0].finding_id, ALERTS[1].finding_id
    for about in (one, other, "3 open alerts at 3", "no-such"):
        desk.note(Accessed(what="alert", object=about, granted=True), "hale")
    desk.act(Acknowledged(alert=other, version=1), "hale")
    assert [record.sequence for record in desk.history(one, 9)] == [1, 5]
    assert [record.sequence for record in desk.history(other, 9)] == [2, 6, 9]
    assert desk.history("no-such", 9) == ()
    log.close()
