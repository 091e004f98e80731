"""The life of an alert: what each act does, what is refused, and that the record is the whole truth."""

import datetime as dt
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dashboards.desk.decisions import ActConflict, Refused, UnknownToDesk, due, permit
from dashboards.desk.index import key_of
from dashboards.desk.queue import grouped
from dashboards.desk.state import DeskState
from dashboards.ledger.acts import (
    Accessed,
    Acknowledged,
    AddedToCase,
    Assigned,
    ClosingConfirmed,
    ClosingDeclined,
    ClosingProposed,
    ClosingWithdrawn,
    DeskBroken,
    Disposed,
    OnAlert,
    Reopened,
    ReopeningConfirmed,
    ReopeningDeclined,
    ReopeningProposed,
    ReopeningWithdrawn,
    Returned,
    Shelved,
    Undone,
    write,
)
from tests.console.desk_building import T0, a_finding, a_raise, after, perform, take


def one_alert(**finding: Any) -> tuple[DeskState, str]:
    state = DeskState()
    raised = a_finding(**finding)
    take(state, a_raise(raised), "desk")
    return state, raised.finding_id


def test_an_alert_bears_the_id_of_its_finding_and_is_raised_once() -> None:
    state, alert = one_alert()
    assert state.alerts[alert].status == "new"
    assert state.alerts[alert].version == 1
    with pytest.raises(DeskBroken, match="a second time"):
        take(state, a_raise(a_finding()), "desk")


def test_who_acknowledges_takes_it() -> None:
    state, alert = one_alert()
    change = perform(state, Acknowledged(alert=alert, version=1), "ito")
    assert (change.seq, change.act, change.alert.version) == (2, "acknowledged", 2)
    assert (change.alert.status, change.alert.owner, change.alert.acknowledged_by) == (
        "acknowledged",
        "ito",
        "ito",
    )


def test_who_is_given_an_alert_has_it_and_still_has_to_look_at_it() -> None:
    state, alert = one_alert()
    change = perform(state, Assigned(alert=alert, version=1, to="ito"), "hale")
    assert (change.alert.owner, change.alert.status, change.alert.last_actor) == ("ito", "new", "hale")


def test_the_second_to_act_reads_who_was_first_and_when() -> None:
    state, alert = one_alert()
    perform(state, Acknowledged(alert=alert, version=1), "K. Ito", after(10))
    with pytest.raises(ActConflict, match=r"^Taken by K\. Ito 3 s ago$"):
        permit(state, Acknowledged(alert=alert, version=1), "hale", after(13.4))
    with pytest.raises(UnknownToDesk):
        permit(state, Acknowledged(alert="f" * 32, version=1), "hale", after(13))


@pytest.mark.parametrize("seconds", [0, 10])
def test_an_act_is_undone_within_ten_seconds(seconds: float) -> None:
    state, alert = one_alert()
    perform(state, Acknowledged(alert=alert, version=1), "ito", after(5))
    change = perform(state, Undone(alert=alert, version=2), "ito", after(5 + seconds))
    assert (change.alert.status, change.alert.owner, change.alert.version) == ("new", None, 3)
    with pytest.raises(Refused, match="nothing to undo"):
        permit(state, Undone(alert=alert, version=3), "ito", after(6))


def test_neither_later_nor_by_another_is_an_act_undone() -> None:
    state, alert = one_alert()
    perform(state, Acknowledged(alert=alert, version=1), "ito", after(5))
    with pytest.raises(Refused, match="more than 10 s"):
        permit(state, Undone(alert=alert, version=2), "ito", after(15.001))
    with pytest.raises(Refused, match="only ito"):
        permit(state, Undone(alert=alert, version=2), "hale", after(6))


def test_a_shelved_alert_comes_back_at_its_time_and_has_to_be_looked_at_again() -> None:
    state, alert = one_alert()
    perform(state, Acknowledged(alert=alert, version=1), at=after(1))
    perform(state, Shelved(alert=alert, version=2, reason="shift change", until=after(600)), at=after(2))
    assert due(state, after(599.9)) == ()
    with pytest.raises(Refused, match="not over"):
        permit(state, Returned(alert=alert, version=3), "desk", after(599))
    (back,) = due(state, after(600))
    change = perform(state, back, "desk", after(600))
    assert (change.alert.status, change.alert.shelved_until, change.alert.before) == ("new", None, None)
    assert due(state, after(601)) == ()


@pytest.mark.parametrize("seconds", [-1, 0, 86_401])
def test_law_20_shelving_ends_in_the_next_day(seconds: float) -> None:
    state, alert = one_alert()
    with pytest.raises(Refused, match="24 hours"):
        permit(state, Shelved(alert=alert, version=1, reason="x", until=after(seconds)), "hale", T0)


def test_a_critical_alert_is_closed_by_two() -> None:
    state, alert = one_alert(severity="critical")
    closed = Disposed(alert=alert, version=1, disposition="dealer error", note="paid again")
    with pytest.raises(Refused, match="by two"):
        permit(state, closed, "hale", T0)
    with pytest.raises(Refused, match="nobody names"):
        permit(state, msgspec.structs.replace(closed, second_auditor="ito"), "hale", T0)
    wanted = ClosingProposed(alert=alert, version=1, disposition="dealer error", note="paid again")
    assert perform(state, wanted, "hale").alert.open
    with pytest.raises(Refused, match="someone else"):
        permit(state, ClosingConfirmed(alert=alert, version=2), "hale", T0)
    change = perform(state, ClosingConfirmed(alert=alert, version=2), "ito")
    assert (change.alert.open, change.alert.note) == (False, "paid again")


def test_a_closed_alert_takes_no_act_until_it_is_opened_again() -> None:
    state, alert = one_alert()
    perform(state, Disposed(alert=alert, version=1, disposition="no error", note="seen"), at=after(1))
    with pytest.raises(Refused, match="closed"):
        permit(state, Assigned(alert=alert, version=2, to="ito"), "hale", after(2))
    perform(state, AddedToCase(alert=alert, version=2, case="C-1"), at=after(3))
    change = perform(state, Reopened(alert=alert, version=3, reason="wrong hand"), at=after(20))
    assert (change.alert.status, change.alert.disposition, change.alert.cases) == ("new", None, ("C-1",))


def test_accesses_are_in_the_record_and_not_in_the_count_of_changes() -> None:
    state, alert = one_alert()
    assert take(state, Accessed(what="alert", object=alert, granted=True), "ito") is None
    assert (state.seq, state.sequence) == (1, 2)


def test_a_record_that_was_changed_left_out_or_moved_is_not_taken() -> None:
    state, alert = one_alert()
    line = write(Acknowledged(alert=alert, version=1), "ito", T0, 2, state.head)
    for broken in (
        line.replace(b"ito", b"ita ", 1)[:-1],
        write(Acknowledged(alert=alert, version=1), "ito", T0, 3, state.head),
        write(Acknowledged(alert=alert, version=1), "ito", T0, 2, "0" * 64),
        write(Acknowledged(alert=alert, version=2), "ito", T0, 2, state.head),
    ):
        with pytest.raises(DeskBroken, match="record 2 of the desk"):
            state.take(broken)
    assert state.sequence == 1
    state.take(line)


def test_the_queue_is_grouped_and_the_gravest_and_oldest_come_first() -> None:
    state = DeskState()
    given_findings = [
        (a_finding(1, check="pace", severity="minor"), 0),
        (a_finding(2), 10),
        (a_finding(3, subject="BJ-19"), 5),
        (a_finding(4), 20),
        (a_finding(5, check="tray", severity="critical"), 30),
    ]
    for finding, at in given_findings:
        take(state, a_raise(finding, at=after(at)), "desk", after(at))
    perform(state, Acknowledged(alert=given_findings[4][0].finding_id, version=1), at=after(40))
    alerts = ((key_of(one), one) for one in state.alerts.values())
    groups = [held.group for held in grouped(alerts).values()]
    assert [(g.check, g.table, len(g.alerts), g.unacknowledged, g.largest) for g in groups] == [
        ("pay.blackjack", "BJ-19", 1, 1, (3000, 0)),
        ("pay.blackjack", "BJ-12", 2, 2, (3000, 0)),
        ("pace", "BJ-12", 1, 1, (3000, 0)),
        ("tray", "BJ-12", 1, 0, (3000, 0)),
    ]
    assert groups[1].oldest == after(10)
    assert groups[1].lead == given_findings[3][0].finding_id


def _an_act(kind: int, alert: str, version: int, at: dt.datetime) -> OnAlert:
    acts: tuple[OnAlert, ...] = (
        Acknowledged(alert=alert, version=version),
        Assigned(alert=alert, version=version, to="ito"),
        Shelved(alert=alert, version=version, reason="r", until=at + dt.timedelta(seconds=30)),
        Returned(alert=alert, version=version),
        Disposed(alert=alert, version=version, disposition="no error", note="n"),
        Reopened(alert=alert, version=version, reason="r"),
        AddedToCase(alert=alert, version=version, case="C-1"),
        Undone(alert=alert, version=version),
        ClosingProposed(alert=alert, version=version, disposition="no error", note="x"),
        ClosingConfirmed(alert=alert, version=version),
        ClosingDeclined(alert=alert, version=version, reason="x"),
        ClosingWithdrawn(alert=alert, version=version),
        ReopeningProposed(alert=alert, version=version, reason="r"),
        ReopeningConfirmed(alert=alert, version=version),
        ReopeningDeclined(alert=alert, version=version, reason="x"),
        ReopeningWithdrawn(alert=alert, version=version),
    )
    return acts[kind]


@settings(max_examples=60)
@given(
    steps=st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 15), st.integers(0, 1), st.integers(0, 20)), max_size=40
    ),
    cut=st.integers(0, 40),
)
def test_whatever_is_permitted_folds_gapless_and_a_replay_is_the_same_state(
    steps: list[tuple[int, int, int, int]], cut: int
) -> None:
    state = DeskState()
    lines: list[bytes] = []
    seqs: list[int] = []

    def keep(act: Any, actor: str, at: dt.datetime) -> None:
        lines.append(write(act, actor, at, state.sequence + 1, state.head))
        change = state.take(lines[-1])
        assert change is not None
        seqs.append(change.seq)

    for number in range(3):
        keep(a_raise(a_finding(number, severity="critical" if number else "major")), "desk", T0)
    now = 0
    for which, kind, actor, pause in steps:
        now += pause
        alert = state.alerts[a_finding(which).finding_id]
        act = _an_act(kind, alert.id, alert.version, after(now))
        before = len(lines)
        try:
            permit(state, act, ("hale", "ito")[actor], after(now))
        except Refused:
            continue
        keep(act, ("hale", "ito")[actor], after(now))
        assert len(lines) == before + 1
        assert state.alerts[alert.id].version == alert.version + 1
    assert seqs == list(range(1, len(lines) + 1))
    again = DeskState()
    for line in lines[:cut]:
        again.take(line)
    for line in lines[cut:]:
        again.take(line)
    assert again == state
    closing = {"disposed", "closing_confirmed", "reopening_declined", "reopening_withdrawn"}
    assert all(
        alert.open or alert.last_act in closing | {"added_to_case", "undone"}
        for alert in state.alerts.values()
    )
    for alert in state.alerts.values():
        assert (alert.status == "awaiting") == (alert.proposal is not None)
        if not alert.open and alert.finding.severity == "critical":
            assert {alert.closed_by, alert.second_auditor} == {"hale", "ito"}
