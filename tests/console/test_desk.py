"""The desk on its file: it survives a restart, two work on one ledger, and a changed file is not opened."""

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from dashboards.desk.alerts import Change
from dashboards.desk.decisions import ActConflict
from dashboards.desk.desk import Desk
from dashboards.ledger.acts import Accessed, Acknowledged, Shelved, Withheld
from dashboards.ledger.ledger import DeskAltered, DeskUnavailable
from deploy.configured.desk_ledger import SqliteDeskLog
from tests.console.conftest import Clock
from tests.console.desk_building import a_finding, a_raise, after


@pytest.fixture
def log(tmp_path: Path) -> Iterator[SqliteDeskLog]:
    opened = SqliteDeskLog(tmp_path / "desk.db")
    yield opened
    opened.close()


def test_the_desk_is_the_same_after_a_restart(log: SqliteDeskLog, tmp_path: Path) -> None:
    desk = Desk(log, Clock())
    desk.raise_alerts(a_raise(a_finding(n)) for n in range(5))
    alert = a_finding(2).finding_id
    desk.act(Acknowledged(alert=alert, version=1), "ito")
    desk.note(Withheld(user="hale", kind="dealer", value="D105"), "admin")
    told = desk.changes_after(0)
    log.close()

    again_log = SqliteDeskLog(tmp_path / "desk.db")
    again = Desk(again_log, Clock())
    assert again.snapshot() == desk.snapshot()
    assert again.changes_after(0) == told
    assert again.withheld_from("hale") == {("dealer", "D105")}
    assert again.raise_alerts([a_raise(a_finding(2))]) == ()
    assert (again.seq, len(again.snapshot().alerts)) == (6, 5)
    again_log.close()


def test_a_second_desk_on_the_same_ledger_sees_and_conflicts(log: SqliteDeskLog, tmp_path: Path) -> None:
    other_log = SqliteDeskLog(tmp_path / "desk.db")
    one, other = Desk(log, Clock()), Desk(other_log, Clock())
    alert = a_finding().finding_id
    one.raise_alerts([a_raise(a_finding())])
    heard: list[Change] = []
    other.listen(heard.append)
    assert other.raise_alerts([a_raise(a_finding())]) == ()
    one.act(Acknowledged(alert=alert, version=1), "ito")
    with pytest.raises(ActConflict, match="Taken by ito"):
        other.act(Acknowledged(alert=alert, version=1), "hale")
    assert [(change.seq, change.act) for change in heard] == [(1, "raised"), (2, "acknowledged")]
    assert other.alert(alert) == one.alert(alert)
    other_log.close()


def test_of_many_who_take_one_alert_at_once_one_has_it(log: SqliteDeskLog, tmp_path: Path) -> None:
    logs = [SqliteDeskLog(tmp_path / "desk.db") for _ in range(2)]
    desks = [Desk(each, Clock()) for each in logs]
    desks[0].raise_alerts([a_raise(a_finding())])
    alert = a_finding().finding_id
    won: list[str] = []
    start = threading.Barrier(6)

    def take(desk: Desk, actor: str) -> None:
        start.wait()
        try:
            desk.act(Acknowledged(alert=alert, version=1), actor)
        except ActConflict:
            return
        won.append(actor)

    threads = [threading.Thread(target=take, args=(desks[n % 2], f"user{n}")) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    desk = Desk(log, Clock())
    standing = desk.alert(alert)
    assert standing is not None
    assert [standing.owner] == won
    assert desk.seq == 2
    for each in logs:
        each.close()


def test_the_shelf_is_emptied_when_its_time_has_come_even_over_a_restart(log: SqliteDeskLog) -> None:
    clock = Clock()
    desk = Desk(log, clock)
    desk.raise_alerts([a_raise(a_finding())])
    alert = a_finding().finding_id
    desk.act(Shelved(alert=alert, version=1, reason="shift change", until=after(60)), "ito")
    clock.now = after(59)
    assert desk.return_due() == ()
    late = Clock()
    late.now = after(3600)
    (change,) = Desk(log, late).return_due()
    assert (change.seq, change.alert.status, change.alert.last_actor) == (3, "new", "desk")


def test_a_clock_that_is_set_back_does_not_set_back_the_record(log: SqliteDeskLog) -> None:
    clock = Clock()
    desk = Desk(log, clock)
    clock.now = after(100)
    desk.raise_alerts([a_raise(a_finding(1))])
    clock.now = after(50)
    (change,) = desk.raise_alerts([a_raise(a_finding(2))])
    assert change.alert.raised_at == after(100)


def test_changes_older_than_those_held_are_not_told_in_part(log: SqliteDeskLog) -> None:
    desk = Desk(log, Clock(), kept=3)
    desk.raise_alerts(a_raise(a_finding(n)) for n in range(5))
    assert desk.changes_after(1) is None
    assert [change.seq for change in desk.changes_after(2) or ()] == [3, 4, 5]
    assert desk.changes_after(5) == ()
    assert desk.changes_after(6) is None


def test_a_file_that_was_changed_behind_the_desk_is_not_gone_on_with(
    log: SqliteDeskLog, tmp_path: Path
) -> None:
    desk = Desk(log, Clock())
    desk.raise_alerts(a_raise(a_finding(n)) for n in range(3))
    log.close()
    with sqlite3.connect(tmp_path / "desk.db") as raw:
        raw.execute("DROP TRIGGER records_UPDATE")
        raw.execute(
            "UPDATE records SET line = CAST(replace(line, 'D105', 'D106') AS BLOB) WHERE sequence = 2"
        )
    raw.close()
    changed = SqliteDeskLog(tmp_path / "desk.db")
    again = Desk(changed, Clock())
    assert again.alarm is not None
    assert "record 3 of the desk: it does not follow" in again.alarm.why
    with pytest.raises(DeskAltered):
        again.raise_alerts([a_raise(a_finding(9))])
    changed.close()


def test_what_cannot_be_written_did_not_happen(log: SqliteDeskLog) -> None:
    desk = Desk(log, Clock())
    desk.raise_alerts([a_raise(a_finding())])
    log.close()
    with pytest.raises(DeskUnavailable):
        desk.note(Accessed(what="alert", object="x", granted=True), "ito")
    with pytest.raises(DeskUnavailable):
        desk.act(Acknowledged(alert=a_finding().finding_id, version=1), "ito")
    assert desk.seq == 1
