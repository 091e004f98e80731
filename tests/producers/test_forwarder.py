"""From the journal to Kafka: nothing lost, nothing overtaken, wherever the process, the wire or the broker gives up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from producers.kafka.forwarder import Bounds
from producers.kafka.journal import Journal
from producers.kafka.refusals import JournalInUse
from producers.kafka.shipments import LIVE, Framing
from producers.kafka.tenure import LEASE
from producers.log import EMPTY
from producers.quarantine import DeadLetter
from schemas.topics import DEADLETTER, EVENTS
from tests.clocks import Seconds
from tests.producers.builders import stream
from tests.producers.fake_kafka import Crash, FakeKafka, FakeTransport, Tripwire, distinct
from tests.producers.gateway_process import process

TABLES = ("FB90-1", "DU-04")
SMALL = Framing(least=2, lines=3)


@pytest.fixture
def kafka() -> FakeKafka:
    return FakeKafka()


@pytest.fixture
def clock() -> Seconds:
    return Seconds(100.0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def test_every_event_arrives_once_and_in_order_with_key_and_headers(
    path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    with process(path, kafka, clock, framing=LIVE) as gateway:
        for table in TABLES:
            gateway.append(table, stream(7, table))
        gateway.run()
        assert {table: kafka.lines(table) for table in TABLES} == {t: stream(7, t) for t in TABLES}
        name = gateway.journal.gateway
    assert len(kafka.records) == 14
    said = dict(kafka.records[0].headers)
    assert said["content-type"] == b"application/cloudevents+json"
    assert (said["gateway"], said["epoch"]) == (name.encode(), b"1")


@pytest.mark.parametrize(("lines", "records"), [(1, 1), (2, 1), (3, 1), (4, 2), (10, 4)])
def test_a_backfill_travels_in_frames_of_one_table(
    path: Path, kafka: FakeKafka, clock: Seconds, lines: int, records: int
) -> None:
    with process(path, kafka, clock, framing=SMALL) as gateway:
        for table in TABLES:
            gateway.append(table, stream(lines, table))
        gateway.run()
    assert len(kafka.records) == 2 * records
    assert {table: kafka.lines(table) for table in TABLES} == {t: stream(lines, t) for t in TABLES}


def test_a_frame_is_cut_before_it_grows_beyond_its_size(path: Path, kafka: FakeKafka, clock: Seconds) -> None:
    size = 2 * len(stream(1)[0]) + 50
    with process(path, kafka, clock, framing=Framing(least=2, size=size)) as gateway:
        gateway.append("FB90-1", stream(9))
        gateway.run()
    assert [kept.value.count(b"\n") + 1 for kept in kafka.records] == [2, 2, 2, 2, 1]


def test_an_event_counts_as_arrived_on_its_acknowledgement_alone(
    path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    with process(path, kafka, clock, framing=LIVE) as gateway:
        gateway.append("FB90-1", stream(5))
        gateway.forwarder.step()
        gateway.transports[0].take(3, acknowledge=False)
        gateway.forwarder.step()
        assert (gateway.journal.arrived("FB90-1"), gateway.forwarder.waiting) == (0, 5)
        assert not gateway.forwarder.idle


def crash_points(path: Path, framing: Framing) -> list[str]:
    """The moments of a run in which nothing goes wrong."""
    trip = Tripwire()
    with process(path, FakeKafka(), Seconds(100.0), trip=trip, framing=framing) as gateway:
        for table in TABLES:
            gateway.append(table, stream(5, table))
        gateway.run()
    return trip.names


@pytest.mark.parametrize("late", [False, True], ids=["lost on the wire", "appended late"])
@pytest.mark.parametrize("framing", [LIVE, SMALL], ids=["single", "framed"])
def test_wherever_the_process_dies_the_next_one_loses_nothing_and_keeps_the_order(
    tmp_path: Path, framing: Framing, late: bool
) -> None:
    points = crash_points(tmp_path / "clean.db", framing)
    assert {"before send", "after send", "appended, not acknowledged", "before mark", "after mark"} <= set(
        points
    )
    repeated = 0
    for point in range(len(points)):
        kafka, clock, path = FakeKafka(), Seconds(100.0), tmp_path / f"{point}.db"
        left: list[FakeTransport] = []
        with process(path, kafka, clock, trip=Tripwire(point), framing=framing) as gateway:
            for table in TABLES:
                gateway.append(table, stream(5, table))
            with pytest.raises(Crash):
                gateway.run()
            left = gateway.transports
            for table in TABLES:
                assert gateway.journal.arrived(table) <= len(distinct(kafka.lines(table)))
        with process(path, kafka, clock, framing=framing) as again:
            again.forwarder.step()
            for transport in left if late else ():
                transport.trip = Tripwire()
                # One batch of a partition is on the wire at a time: no more than that can be appended late.
                transport.take(min(2, len(transport.on_the_way)), acknowledge=False)
            again.run()
            assert [again.journal.arrived(table) for table in TABLES] == [5, 5]
        for table in TABLES:
            assert distinct(kafka.lines(table)) == stream(5, table), points[point]
            repeated += len(kafka.lines(table)) - 5
    assert (repeated > 0) == late  # what the topic holds is looked up before anything is sent again


def test_after_a_failed_record_nothing_behind_it_overtakes_it(
    path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    with process(path, kafka, clock, framing=LIVE) as gateway:
        gateway.append("FB90-1", stream(9))
        gateway.forwarder.step()
        first = gateway.transports[0]
        first.take(2)
        first.time_out(1)
        gateway.forwarder.step()
        assert first.abandoned
        assert gateway.forwarder.trouble
        assert gateway.journal.arrived("FB90-1") == 2
        clock.now += 10
        gateway.run()
        assert kafka.lines("FB90-1") == stream(9)
        assert gateway.forwarder.failures == 1
        assert not gateway.forwarder.trouble


def test_what_failed_but_had_arrived_all_the_same_is_not_sent_again(
    path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    with process(path, kafka, clock, framing=LIVE) as gateway:
        gateway.append("FB90-1", stream(9))
        gateway.forwarder.step()
        gateway.transports[0].take(4, acknowledge=False)
        gateway.transports[0].time_out(5)
        clock.now += 10
        gateway.run()
        assert kafka.lines("FB90-1") == stream(9)


def test_a_failure_at_one_table_sends_nothing_of_the_others_twice(
    path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    with process(path, kafka, clock, framing=LIVE) as gateway:
        for table in TABLES:
            gateway.append(table, stream(4, table))
        gateway.forwarder.step()
        gateway.transports[0].on_the_way.sort(key=lambda d: d.kept.key != b"DU-04")
        gateway.transports[0].take(4)
        gateway.transports[0].time_out(4)
        clock.now += 10
        gateway.run()
    assert {table: kafka.lines(table) for table in TABLES} == {t: stream(4, t) for t in TABLES}


@pytest.mark.parametrize("restarted", [False, True])
def test_events_that_overtook_a_failed_one_all_the_same_do_not_hide_that_it_is_missing(
    path: Path, kafka: FakeKafka, clock: Seconds, restarted: bool
) -> None:
    with process(path, kafka, clock, framing=LIVE) as gateway:
        gateway.append("FB90-1", stream(5))
        gateway.forwarder.step()
        gateway.transports[0].take(1)
        gateway.transports[0].time_out(1)
        gateway.transports[0].take(3)
        clock.now += 10
        if not restarted:
            gateway.run()
    if restarted:
        with process(path, kafka, clock, framing=LIVE) as gateway:
            gateway.run()
    assert set(kafka.lines("FB90-1")) == set(stream(5))
    assert kafka.lines("FB90-1")[-4:] == stream(5)[1:]


def test_while_kafka_is_away_events_wait_and_then_arrive_in_order(
    path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    with process(path, kafka, clock, framing=SMALL) as gateway:
        gateway.append("FB90-1", stream(3))
        gateway.run()
        kafka.away = True
        whole = stream(40)
        for start in range(3, 40, 5):
            gateway.append("FB90-1", whole[start : start + 5])
            clock.now += 7
            gateway.forwarder.step()
        assert gateway.forwarder.waiting == 37
        assert gateway.forwarder.trouble
        kafka.away = False
        clock.now += 10
        gateway.run()
        assert kafka.lines("FB90-1") == whole


def test_no_more_is_on_the_way_than_the_bounds_allow(path: Path, kafka: FakeKafka, clock: Seconds) -> None:
    bounds = Bounds(events=60, table_events=40)
    most = 0
    with process(path, kafka, clock, framing=LIVE, bounds=bounds) as gateway:
        for table in TABLES:
            gateway.append(table, stream(300, table))
        while not gateway.forwarder.idle:
            for _ in range(5):
                gateway.forwarder.step()
            way = gateway.transports[0].on_the_way
            assert max(sum(d.kept.key == table.encode() for d in way) for table in TABLES) <= 40
            most = max(most, len(way))
            gateway.transports[0].take(7)
    assert most == 60
    assert {table: kafka.lines(table) for table in TABLES} == {t: stream(300, t) for t in TABLES}


def test_a_topic_that_lost_what_it_had_acknowledged_is_sent_it_again(
    path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    with process(path, kafka, clock, framing=LIVE) as gateway:
        gateway.append("FB90-1", stream(6))
        gateway.run()
    del kafka.records[4:]
    with process(path, kafka, clock, framing=LIVE) as gateway:
        gateway.append("FB90-1", stream(8)[6:])
        gateway.run()
    assert kafka.lines("FB90-1") == stream(8)


def test_a_journal_beside_the_wrong_cluster_sends_nothing(
    path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    with process(path, kafka, clock) as gateway:
        gateway.append("FB90-1", stream(6))
        gateway.run()
    empty = FakeKafka()
    with process(path, empty, clock) as gateway:
        gateway.append("FB90-1", stream(8)[6:])
        gateway.forwarder.step()
        assert "holds none of the 6 events" in gateway.tenure.lost["FB90-1"].why
        assert empty.records == []


def letter(n: int) -> DeadLetter:
    return DeadLetter(
        kind="unreadable",
        line=b"\x00garbage %d" % n,
        reason="not JSON",
        path="$",
        origin=f"shift.ndjson:{n}",
        received="2026-11-21T10:00:00.000000Z",
    )


def test_dead_letters_arrive_with_bytes_reason_and_a_number_of_their_own(
    path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    with process(path, kafka, clock) as gateway:
        gateway.journal.log.quarantine([letter(n) for n in range(3)])
        gateway.run()
        gateway.run()
    told = [json.loads(kept.value) for kept in kafka.records if kept.topic == DEADLETTER.name]
    assert [t["origin"] for t in told] == ["shift.ndjson:0", "shift.ndjson:1", "shift.ndjson:2"]
    assert told[1]["bytes_base64"] == "AGdhcmJhZ2UgMQ=="
    assert len({t["number"] for t in told}) == 3
    assert all(t["number"] > 0 for t in told)


def test_wherever_the_process_dies_no_dead_letter_is_lost(tmp_path: Path) -> None:
    trip = Tripwire()
    with process(tmp_path / "clean.db", FakeKafka(), Seconds(100.0), trip=trip) as gateway:
        gateway.journal.log.quarantine([letter(n) for n in range(3)])
        gateway.run()
    for point in range(trip.passed):
        kafka, clock, path = FakeKafka(), Seconds(100.0), tmp_path / f"{point}.db"
        with process(path, kafka, clock, trip=Tripwire(point)) as gateway:
            gateway.journal.log.quarantine([letter(n) for n in range(3)])
            with pytest.raises(Crash):
                gateway.run()
        with process(path, kafka, clock) as gateway:
            gateway.run()
        # Sent again it is the same bytes under the same key: the store keeps one.
        assert len({kept.value for kept in kafka.records}) == 3, trip.names[point]


def test_a_journal_is_held_by_one_process_at_a_time(path: Path, kafka: FakeKafka, clock: Seconds) -> None:
    with (
        process(path, kafka, clock),
        pytest.raises(JournalInUse, match="another gateway is using this journal"),
    ):
        Journal(path)


def test_nothing_is_sent_on_an_old_view_of_the_claims(path: Path, kafka: FakeKafka, clock: Seconds) -> None:
    with process(path, kafka, clock, framing=LIVE) as gateway:
        gateway.append("FB90-1", stream(3))
        gateway.run()
        kafka.away = True
        clock.now += LEASE
        gateway.append("FB90-1", stream(6)[3:])
        for _ in range(5):
            gateway.forwarder.step()
            clock.now += 1
        assert gateway.transports[-1].on_the_way == []
        assert len(kafka.records) == 3


def test_events_appended_before_the_first_step_are_known(
    path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    with process(path, kafka, clock) as gateway:
        gateway.journal.log.append("FB90-1", stream(4), EMPTY)
    with process(path, kafka, clock) as gateway:
        assert gateway.forwarder.waiting == 4
        gateway.run()
    assert kafka.lines("FB90-1") == stream(4)
    assert {kept.topic for kept in kafka.records} == {EVENTS.name}
