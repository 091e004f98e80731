"""What every ledger of the desk owes: one suite, run against a file and against a topic of a real broker."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from dashboards.desk.casework import act_on_case, open_case
from dashboards.desk.decisions import ActConflict
from dashboards.desk.desk import Desk
from dashboards.ledger.acts import Accessed, Acknowledged, AddedToCase, write
from dashboards.ledger.case_acts import CaseNoted, Member
from dashboards.ledger.ledger import DeskLog, Outrun
from dashboards.ledger.shift_acts import ShiftHandedOver, ShiftTaken
from dashboards.ledger.tuning_acts import TuningAsked, TuningConfirmed
from deploy.configured.desk_ledger import SqliteDeskLog
from deploy.configured.kafka import connection
from deploy.console.desk_topic import desk_topic
from deploy.settings import Settings
from producers.kafka.topics import TopicAdmin
from schemas.events.codec import record_hash
from schemas.events.envelope import GENESIS
from schemas.topics import DESK
from tests.console.desk_building import T0, a_finding, a_raise
from tests.waiting import until

Open = Callable[[], DeskLog]
MINUTE = dt.timedelta(minutes=1)


@pytest.fixture(params=["file", pytest.param("topic", marks=pytest.mark.live)])
def open_log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """One more process's view of one ledger; all are closed at the end."""
    settings: Settings | None = None
    if request.param == "topic":
        servers, prefix = request.getfixturevalue("kafka"), request.getfixturevalue("kafka_prefix")
        settings = Settings(mode="distributed", kafka=servers, kafka_prefix=prefix)
        with TopicAdmin(connection(settings)) as admin:
            admin.apply(admin.forms(prefix, 1, 0, [DESK]))
    with ExitStack() as stack:

        def opened() -> DeskLog:
            log = desk_topic(settings) if settings is not None else SqliteDeskLog(tmp_path / "desk.db")
            return stack.enter_context(closing(log))

        yield opened


def chained(count: int, after: int = 0, head: str = GENESIS, actor: str = "hale") -> list[bytes]:
    """Lines of so many accesses behind this one."""
    lines: list[bytes] = []
    for sequence in range(after + 1, after + count + 1):
        access = Accessed(what="page", object=f"page {sequence}", granted=True)
        lines.append(write(access, actor, T0, sequence, head))
        head = record_hash(lines[-1])
    return lines


def seen(desk: Desk, changes: int) -> None:
    """Wait until this desk has seen so many changes of the other's: that takes a moment on a topic."""

    def has_seen() -> bool:
        desk.catch_up()
        return desk.seq >= changes

    until(has_seen)


def level(desk: Desk, head: str) -> None:
    """Wait until this desk has taken every record up to the one with this hash: that takes a moment on a topic."""

    def is_level() -> bool:
        desk.catch_up()
        return desk.head == head

    until(is_level)


def test_an_empty_ledger_has_no_records(open_log: Open) -> None:
    assert list(open_log().read_from(1)) == []


def test_lines_come_back_as_they_went_in_for_whoever_reads_them_from_anywhere(open_log: Open) -> None:
    log, lines = open_log(), chained(7)
    log.append(lines[:1], 0, GENESIS)
    log.append(lines[1:6], 1, record_hash(lines[0]))
    log.append(lines[6:], 6, record_hash(lines[5]))
    for reader in (log, open_log()):
        assert list(reader.read_from(1)) == list(enumerate(lines, 1))
        assert list(reader.read_from(4)) == list(enumerate(lines[3:], 4))
        assert list(reader.read_from(8)) == []


def test_who_does_not_know_the_last_record_appends_nothing(open_log: Open) -> None:
    one, other = open_log(), open_log()
    lines, rival = chained(3), chained(3, actor="ito")
    assert list(other.read_from(1)) == []
    one.append(lines[:2], 0, GENESIS)
    for after, head in ((0, GENESIS), (1, record_hash(lines[0])), (2, GENESIS), (3, record_hash(lines[2]))):
        with pytest.raises(Outrun):
            other.append(rival[after : after + 1] or rival[:1], after, head)
    other.append(lines[2:], 2, record_hash(lines[1]))
    assert list(open_log().read_from(1)) == list(enumerate(lines, 1))


def test_an_append_that_is_repeated_counts_once(open_log: Open) -> None:
    log, lines = open_log(), chained(3)
    log.append(lines, 0, GENESIS)
    with pytest.raises(Outrun):
        log.append(lines, 0, GENESIS)
    assert list(open_log().read_from(1)) == list(enumerate(lines, 1))


def test_many_lines_are_appended_at_once_and_read_from_their_midst(open_log: Open) -> None:
    log, lines = open_log(), chained(12_000)
    for first in range(0, 12_000, 1500):
        head = record_hash(lines[first - 1]) if first else GENESIS
        log.append(lines[first : first + 1500], first, head)
    for first in (1, 999, 1501, 6_000, 11_999):
        assert list(log.read_from(first)) == list(enumerate(lines, 1))[first - 1 :]


def test_two_desks_that_race_with_two_hundred_acts_each_keep_one_chain(open_log: Open) -> None:
    """Each act is answered and stands once; what was not answered is a conflict, and the chain has no gap."""
    desks = [Desk(open_log(), lambda: T0) for _ in range(2)]
    desks[0].raise_alerts(a_raise(a_finding(n)) for n in range(20))
    seen(desks[1], 20)
    answered: list[tuple[str, str]] = []
    start = threading.Barrier(2)

    def work(desk: Desk, actor: str) -> None:
        start.wait()
        for number in range(200):
            alert = a_finding(number % 20).finding_id
            case = f"{actor}-{number}"
            while True:
                desk.catch_up()
                standing = desk.alert(alert)
                assert standing is not None
                try:
                    desk.act(AddedToCase(alert=alert, version=standing.version, case=case), actor)
                except ActConflict:
                    continue
                answered.append((alert, case))
                break

    threads = [threading.Thread(target=work, args=pair) for pair in zip(desks, ("hale", "ito"), strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert len(answered) == 400
    afterwards = Desk(open_log(), lambda: T0)
    assert afterwards.seq == 420
    cases = [(alert.id, case) for alert in afterwards.snapshot().alerts for case in alert.cases]
    assert sorted(cases) == sorted(answered)
    for desk in desks:
        desk.catch_up()
        assert desk.snapshot() == afterwards.snapshot()


def test_of_two_who_take_one_alert_one_has_it(open_log: Open) -> None:
    desks = [Desk(open_log(), lambda: T0) for _ in range(2)]
    desks[0].raise_alerts([a_raise(a_finding())])
    seen(desks[1], 1)
    alert, start = a_finding().finding_id, threading.Barrier(2)
    won: list[str] = []

    def take(desk: Desk, actor: str) -> None:
        start.wait()
        try:
            desk.act(Acknowledged(alert=alert, version=1), actor)
        except ActConflict:
            return
        won.append(actor)

    threads = [threading.Thread(target=take, args=pair) for pair in zip(desks, ("hale", "ito"), strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    standing = Desk(open_log(), lambda: T0).alert(alert)
    assert standing is not None
    assert [standing.owner] == won


def test_cases_handovers_and_tunings_of_one_desk_are_those_of_another(open_log: Open) -> None:
    here, there = Desk(open_log(), lambda: T0), Desk(open_log(), lambda: T0)
    finding = a_finding(1)
    here.raise_alerts([a_raise(finding)])
    member = Member(kind="alert", value=finding.finding_id)
    name = open_case(here, "Payouts", "", [member], "hale", "hale").id
    handed = ShiftHandedOver(
        shift="SHIFT-0001", since=T0, until=T0 + MINUTE, note="x", raised=1, closed=0, open=1
    )
    asked = TuningAsked(tuning="TUNE-0001", check=finding.check, way="group", until=T0 + MINUTE, reason="x")
    here.decide("hale", lambda _state, _at: [handed, asked])
    level(there, here.head)
    act_on_case(there, CaseNoted(case=name, version=2, note="from there"), "ito")
    there.decide(
        "ito", lambda _state, _at: [ShiftTaken(shift="SHIFT-0001"), TuningConfirmed(tuning="TUNE-0001")]
    )
    level(here, there.head)
    with pytest.raises(ActConflict, match="Noted by ito"):
        act_on_case(here, CaseNoted(case=name, version=2, note="too late"), "hale")
    again = Desk(open_log(), lambda: T0)
    level(again, there.head)
    for desk in (here, there):
        assert desk.look(lambda state: state.casebook.cases) == again.look(lambda state: state.casebook.cases)
        assert desk.look(lambda state: state.handovers.made) == again.look(lambda state: state.handovers.made)
        assert desk.look(lambda state: state.tunings.made) == again.look(lambda state: state.tunings.made)
    assert again.head == here.head
