"""The journal gives up what Kafka has had for some days: nothing unsent, no number twice, and never half of it."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest

from producers.kafka.journal import Journal
from producers.kafka.pruning import AT_ONCE, NOTE_SECONDS, REST_SECONDS, Pruner
from producers.kafka.refusals import FencedOut
from producers.quarantine import DeadLetter
from schemas.events.envelope import utc_text
from schemas.topics import DEADLETTER
from tests.clocks import Seconds
from tests.producers.builders import GENESIS, digest, stream
from tests.producers.fake_kafka import FakeKafka, distinct
from tests.producers.gateway_process import Process, process

TABLE, OTHER = "FB90-1", "DU-04"
DAYS = 7
LATER = "2026-12-31T00:00:00.000000Z"


class Wall:
    """The time of day, which a test moves by days."""

    def __init__(self) -> None:
        self.moment = dt.datetime(2026, 11, 21, 10, tzinfo=dt.UTC)

    def __call__(self) -> str:
        return utc_text(self.moment)

    def pass_days(self, days: float) -> None:
        self.moment += dt.timedelta(days=days)


@pytest.fixture
def kafka() -> FakeKafka:
    return FakeKafka()


@pytest.fixture
def clock() -> Seconds:
    return Seconds(100.0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def sequences(journal: Journal, table: str = TABLE) -> list[int]:
    return [record.sequence for record in journal.log.read_from(table)]


def more(gateway: Process, count: int, table: str = TABLE) -> list[bytes]:
    """Append so many further events of a table."""
    head = gateway.journal.log.head(table)
    lines = stream(count, table, head.sequence + 1, head.hash)
    gateway.append(table, lines)
    return lines


def test_what_had_arrived_days_ago_goes_but_for_the_last_and_what_never_arrived_stays(
    path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    wall = Wall()
    with process(path, kafka, clock) as gateway:
        pruner = Pruner(gateway.journal, DAYS, wall, clock)
        sent = more(gateway, 50)
        more(gateway, 5, OTHER)
        gateway.run()
        assert pruner.after(50) == set()
        sent += more(gateway, 30)
        kafka.away = True
        wall.pass_days(DAYS - 0.1)
        clock.now += NOTE_SECONDS
        assert pruner.after(30) == set()
        assert len(sequences(gateway.journal)) == 80
        wall.pass_days(0.2)
        clock.now += REST_SECONDS
        assert pruner.after(0) == {TABLE, OTHER}
        assert sequences(gateway.journal) == list(range(50, 81))
        assert sequences(gateway.journal, OTHER) == [5]
        wall.pass_days(100)
        clock.now += NOTE_SECONDS
        pruner.after(0)
        assert sequences(gateway.journal) == list(range(50, 81)), "thirty of them never arrived"
        kafka.away = False
        gateway.run()
    with process(path, kafka, clock) as again:
        sent += more(again, 10)
        again.run()
    assert kafka.lines(TABLE) == sent


def test_kept_for_ever_nothing_goes(path: Path, kafka: FakeKafka, clock: Seconds) -> None:
    wall = Wall()
    with process(path, kafka, clock) as gateway:
        pruner = Pruner(gateway.journal, 0, wall, clock)
        more(gateway, 50)
        gateway.run()
        for _ in range(3):
            pruner.after(50)
            wall.pass_days(1000)
            clock.now += NOTE_SECONDS
        assert len(sequences(gateway.journal)) == 50


def test_a_pruned_journal_goes_on_with_its_tables_whatever_dies_meanwhile(
    path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    """Appended, sent, pruned and killed by turns: each event is in the topic once and in order."""
    wall, sent = Wall(), {TABLE: list[bytes](), OTHER: list[bytes]()}
    for life in range(12):
        with process(path, kafka, clock) as gateway:
            pruner = Pruner(gateway.journal, DAYS, wall, clock)
            for table in sent:
                sent[table] += more(gateway, 7, table)
            pruner.after(14)
            if life % 3:
                gateway.run()
            else:
                gateway.forwarder.step()  # handed over and never answered: the process ends here
                gateway.transports[-1].take(1, acknowledge=False)
            pruner.after(14)
            wall.pass_days(3)
            clock.now += NOTE_SECONDS
            assert len(sequences(gateway.journal)) < 60
    with process(path, kafka, clock) as last:
        last.run()
    for table, lines in sent.items():
        assert distinct(kafka.lines(table)) == lines


def pruned(gateway: Process, before: str = LATER, most: int = 10**6) -> set[str]:
    gateway.journal.note("2026-11-21T10:00:00.000000Z")
    return gateway.journal.prune(before, most)


def test_a_crash_in_the_middle_leaves_the_journal_as_it_was(
    path: Path, kafka: FakeKafka, clock: Seconds, monkeypatch: pytest.MonkeyPatch
) -> None:
    with process(path, kafka, clock) as gateway:
        more(gateway, 40)
        gateway.run()

        def fail(*_given: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(Journal, "_note_pruned", fail)
        with pytest.raises(KeyboardInterrupt):
            pruned(gateway)
        monkeypatch.undo()
    with process(path, kafka, clock) as again:
        assert sequences(again.journal) == list(range(1, 41))
        assert again.journal.log.find(f"pa/parkside/pit-2/{TABLE}/console", "console-3", Wall().moment)
        assert pruned(again, most=15) == {TABLE}
        assert sequences(again.journal) == list(range(16, 41))


def test_but_for_pruning_nothing_can_be_deleted_from_a_journal(
    path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    with process(path, kafka, clock) as gateway:
        more(gateway, 5)
        gateway.run()
        pruned(gateway)
        more(gateway, 5)
        for relation in ("records", "identities", "quarantine"):
            guards = gateway.journal._many(
                "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ? ORDER BY name",
                relation,
            )
            assert [name for (name,) in guards] == [f"{relation}_DELETE", f"{relation}_UPDATE"]


def test_history_comes_back_whole_though_others_were_recorded_in_between(
    path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    lines: dict[str, list[bytes]] = {TABLE: [], OTHER: []}
    with process(path, kafka, clock) as gateway:
        for _ in range(20):
            for table in lines:
                lines[table] += more(gateway, 3, table)
        gateway.run()
        assert pruned(gateway, most=50) == {TABLE}
        for table in lines:
            gateway.tenure.history(table)
            assert [record.line for record in gateway.journal.log.read_from(table)] == lines[table]
        pruned(gateway)
        for table in lines:
            gateway.tenure.history(table)
            assert [record.line for record in gateway.journal.log.read_from(table)] == lines[table]
            lines[table] += more(gateway, 2, table)
        gateway.run()
    assert {table: kafka.lines(table) for table in lines} == lines


def test_what_was_pruned_is_known_by_the_latest_time_it_bore(
    path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    with process(path, kafka, clock) as gateway:
        more(gateway, 40)
        gateway.run()
        assert gateway.journal.pruned_until(TABLE) is None
        pruned(gateway, most=20)
        assert gateway.journal.pruned_until(TABLE) == "2026-11-21T10:00:20.000020Z"
        pruned(gateway)
        assert gateway.journal.pruned_until(TABLE) == "2026-11-21T10:00:39.000039Z"


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ("9999-12-31T23:59:59.999999-05:00", "2299-12-30T00:00:00.000000Z"),
        ("0001-01-01T00:00:00+01:00", "2026-11-21T10:00:14.000014Z"),
    ],
)
def test_a_time_that_no_zone_can_write_is_pruned_as_any_other(
    path: Path, kafka: FakeKafka, clock: Seconds, said: str, known: str
) -> None:
    with process(path, kafka, clock) as gateway:
        lines = stream(10, TABLE, 1, GENESIS)
        time = json.loads(lines[-1])["time"]
        gateway.append(TABLE, [*lines[:-1], lines[-1].replace(time.encode(), said.encode())])
        more(gateway, 5)
        gateway.run()
        pruned(gateway)
        assert gateway.journal.pruned_until(TABLE) == known


def test_of_a_table_that_began_elsewhere_nobody_knows_what_was_there_before(
    path: Path, kafka: FakeKafka, clock: Seconds, tmp_path: Path
) -> None:
    with process(tmp_path / "first.db", kafka, clock) as first:
        more(first, 20)
        first.run()
    with process(path, kafka, clock) as second:
        second.tenure.settle([TABLE])
        more(second, 20)
        second.run()
        assert sequences(second.journal) == list(range(20, 41))
        assert pruned(second) == {TABLE}
        assert sequences(second.journal) == [40]
        assert second.journal.pruned_until(TABLE) is None
        second.tenure.history(TABLE)
        pruned(second)
        assert second.journal.pruned_until(TABLE) == "2026-11-21T10:00:39.000039Z"


def test_a_topic_that_lost_more_than_the_journal_still_holds_is_not_written_on(
    path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    with process(path, kafka, clock) as gateway:
        more(gateway, 40)
        gateway.run()
        pruned(gateway, most=30)
    del kafka.records[:]
    kafka.claims.clear()
    with process(path.parent / "copy.db", kafka, clock) as copy:
        copy.append(TABLE, stream(10))
        copy.run()
        copy.tenure.release(copy.forwarder.reached(), ())
    with process(path, kafka, clock) as again:
        more(again, 1)
        again.tenure.settle([TABLE])
        fenced = again.tenure.lost[TABLE]
        assert isinstance(fenced, FencedOut)
        assert "ends at event 10" in str(fenced)
        assert "up to 30" in str(fenced)
    assert kafka.lines(TABLE) == stream(10)


def letter(n: int) -> DeadLetter:
    received = f"2026-11-{n:02d}T10:00:00.000000Z"
    return DeadLetter(kind="unreadable", line=b"%d" % n, reason="no", path="$", origin="x", received=received)


def test_letters_go_too_and_no_number_is_given_twice(path: Path, kafka: FakeKafka, clock: Seconds) -> None:
    with process(path, kafka, clock) as gateway:
        gateway.journal.log.quarantine([letter(n) for n in range(1, 6)])
        gateway.run()
        gateway.journal.prune("2026-11-04T00:00:00.000000Z", 100)
        assert [kept.number for kept in gateway.journal.log.quarantined(0)] == [4, 5]
        gateway.journal.prune(LATER, 100)
        assert [kept.number for kept in gateway.journal.log.quarantined(0)] == [5]
        assert gateway.journal.log.quarantine([letter(6)]) == (6,)
        gateway.run()
        gateway.journal.prune(LATER, 100)
    assert sum(kept.topic == DEADLETTER.name for kept in kafka.records) == 6


def test_the_file_stops_growing(path: Path, kafka: FakeKafka, clock: Seconds) -> None:
    wall, sizes = Wall(), []
    with process(path, kafka, clock) as gateway:
        pruner = Pruner(gateway.journal, DAYS, wall, clock)
        for _ in range(40):  # days
            more(gateway, AT_ONCE)
            gateway.run()
            pruner.after(AT_ONCE)
            wall.pass_days(1)
            clock.now += 24 * NOTE_SECONDS
            sizes.append(path.stat().st_size)
        assert len(sequences(gateway.journal)) <= (DAYS + 2) * AT_ONCE
    assert max(sizes[20:]) <= 1.3 * max(sizes[:10])


def test_after_an_outage_the_disk_gets_its_room_back(path: Path, kafka: FakeKafka, clock: Seconds) -> None:
    wall = Wall()
    with process(path, kafka, clock) as gateway:
        pruner = Pruner(gateway.journal, DAYS, wall, clock)
        more(gateway, 20 * AT_ONCE)
        gateway.run(400)
        pruner.after(0)
        large = checkpointed(gateway, path)
        wall.pass_days(DAYS + 1)
        clock.now += NOTE_SECONDS
        for _ in range(40):
            pruner.after(1)
        assert checkpointed(gateway, path) < large / 5


def checkpointed(gateway: Process, path: Path) -> int:
    gateway.journal._many("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.stat().st_size


def test_the_head_that_stays_is_the_one_that_was_written(
    path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    with process(path, kafka, clock) as gateway:
        lines = more(gateway, 12)
        gateway.run()
        pruned(gateway)
    with process(path, kafka, clock) as again:  # opening compares each table's last record with its hash
        assert again.journal.log.head(TABLE) == (12, digest(lines[-1]))
