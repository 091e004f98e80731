"""Two gateways for one table: the newer one writes, the older one stops, and no event of either is lost."""

from __future__ import annotations

import base64
import datetime as dt
import json
from pathlib import Path

import pytest

from producers.kafka.shipments import LIVE
from producers.kafka.tenure import GRACE, LEASE, Reached
from producers.kafka.transport import partition_of
from schemas.topics import CLOUDEVENT, DEADLETTER
from tests.clocks import Seconds
from tests.producers.builders import chained, device_event, digest, stream
from tests.producers.fake_kafka import FakeKafka
from tests.producers.gateway_process import Process, process

TABLE = "FB90-1"
NOW = dt.datetime(2026, 11, 21, 10, tzinfo=dt.UTC)


@pytest.fixture
def kafka() -> FakeKafka:
    return FakeKafka()


@pytest.fixture
def clock() -> Seconds:
    return Seconds(100.0)


def steps(gateway: Process, count: int = 10) -> None:
    for _ in range(count):
        gateway.forwarder.step()
        if gateway.transports and not gateway.transports[-1].abandoned:
            gateway.transports[-1].take()
        gateway.clock.now += 0.3


def letters(kafka: FakeKafka) -> list[dict[str, object]]:
    return [json.loads(kept.value) for kept in kafka.records if kept.topic == DEADLETTER.name]


def test_a_gateway_with_an_empty_journal_goes_on_where_the_topic_ends(
    tmp_path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    with process(tmp_path / "one.db", kafka, clock, framing=LIVE) as one:
        one.append(TABLE, stream(5))
        one.run()
    with process(tmp_path / "two.db", kafka, clock, framing=LIVE) as two:
        two.tenure.settle([TABLE])
        assert two.journal.log.head(TABLE).sequence == 5
        two.append(TABLE, stream(9)[5:])
        two.run()
    assert kafka.lines(TABLE) == stream(9)


def test_the_newer_gateway_writes_and_the_older_one_stops_with_a_word_to_everyone(
    tmp_path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    with (
        process(tmp_path / "one.db", kafka, clock, framing=LIVE) as one,
        process(tmp_path / "two.db", kafka, clock, framing=LIVE) as two,
    ):
        one.append(TABLE, stream(5))
        one.run()
        two.tenure.settle([TABLE])
        two.append(TABLE, stream(7)[5:])
        two.run()
        one.append(TABLE, stream(6)[5:])
        steps(one)
        assert kafka.lines(TABLE) == stream(7)
        fenced = one.tenure.lost[TABLE]
        assert fenced.why.startswith(f"gateway {two.journal.gateway} has taken it over (claim 2)")
        assert "1 event waits unsent in the journal" in fenced.why
        (word,) = letters(kafka)
    assert (word["kind"], word["subject"], word["sequence"]) == ("conflict", TABLE, 6)
    assert word["origin"] == f"gateway {one.journal.gateway}"


def test_a_takeover_waits_until_who_held_the_table_has_looked(
    tmp_path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    with (
        process(tmp_path / "one.db", kafka, clock, framing=LIVE) as one,
        process(tmp_path / "two.db", kafka, clock, framing=LIVE) as two,
    ):
        one.append(TABLE, stream(5))
        one.run()
        before = clock.now
        two.tenure.settle([TABLE])
        assert clock.now - before >= GRACE > LEASE


def test_a_table_that_was_let_go_is_taken_without_waiting(
    tmp_path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    with (
        process(tmp_path / "one.db", kafka, clock, framing=LIVE) as one,
        process(tmp_path / "two.db", kafka, clock, framing=LIVE) as two,
    ):
        one.append(TABLE, stream(5))
        one.run()
        one.tenure.release({TABLE: Reached(0, 5, 4)}, ())
        before = clock.now
        two.tenure.settle([TABLE])
        assert clock.now == before
        told = kafka.claims[-1]
        assert (told.epoch, told.offset, told.at, told.released) == (2, 5, 4, False)


def test_a_table_with_events_waiting_here_is_not_let_go(
    tmp_path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    with process(tmp_path / "one.db", kafka, clock, framing=LIVE) as one:
        one.append(TABLE, stream(5))
        steps(one, 1)
        one.tenure.release({}, {TABLE})
    assert [claim.released for claim in kafka.claims] == [False]


def test_a_fenced_gateway_that_is_started_again_does_not_take_the_table_back(
    tmp_path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    with process(tmp_path / "two.db", kafka, clock, framing=LIVE) as two:
        with process(tmp_path / "one.db", kafka, clock, framing=LIVE) as one:
            one.append(TABLE, stream(5))
            one.run()
            two.tenure.settle([TABLE])
            one.tenure.look()
        with process(tmp_path / "one.db", kafka, clock, framing=LIVE) as one:
            one.append(TABLE, stream(6)[5:])
            steps(one)
            assert TABLE in one.tenure.lost
        two.tenure.look()
        assert TABLE in two.tenure.held
        with process(tmp_path / "one.db", kafka, clock, framing=LIVE, take_over=True) as one:
            one.run()
            assert TABLE in one.tenure.held
        two.tenure.look()
        assert TABLE in two.tenure.lost
    assert kafka.lines(TABLE) == stream(6)


def test_of_two_that_claim_at_once_the_topic_decides(
    tmp_path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    with (
        process(tmp_path / "one.db", kafka, clock, framing=LIVE) as one,
        process(tmp_path / "two.db", kafka, clock, framing=LIVE) as two,
    ):
        claims, _ = one.tenure._connect()
        write = claims.write

        def write_and_be_overtaken(made: list[object]) -> None:
            write(made)  # type: ignore[arg-type]  # as it came
            two.tenure.settle([TABLE])

        claims.write = write_and_be_overtaken  # type: ignore[method-assign,assignment]  # a rival in between
        one.tenure._reach = (claims, one.tenure._connect()[1])
        one.tenure.settle([TABLE])
        assert list(one.tenure.lost) == list(two.tenure.held) == [TABLE]


def test_events_that_were_never_sent_and_whose_place_is_taken_become_dead_letters(
    tmp_path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    mine = stream(8)
    theirs = stream(3, start=6, prevhash=json.loads(mine[5])["prevhash"])
    theirs = [line.replace(b'"As"', b'"Kd"') for line in theirs[:1]]
    with process(tmp_path / "one.db", kafka, clock, framing=LIVE) as one:
        one.append(TABLE, mine[:5])
        one.run()
        kafka.away = True
        clock.now += LEASE
        one.append(TABLE, mine[5:])
        steps(one)
    kafka.away = False
    with process(tmp_path / "two.db", kafka, clock, framing=LIVE) as two:
        two.tenure.settle([TABLE])
        two.append(TABLE, theirs)
        two.run()
        two.tenure.release({}, ())
    with process(tmp_path / "one.db", kafka, clock, framing=LIVE) as one:
        steps(one)
        assert "3 unsent events of the journal are set aside as dead letters" in one.tenure.lost[TABLE].why
    assert kafka.lines(TABLE) == [*mine[:5], *theirs]
    aside = {base64.b64decode(str(letter["bytes_base64"])) for letter in letters(kafka)}
    assert set(mine[5:]) <= aside


def test_a_gateway_that_comes_back_after_another_wrote_on_goes_on_behind_it(
    tmp_path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    for name, start, end in (("one", 0, 5), ("two", 5, 9), ("one", 9, 12)):
        with process(tmp_path / f"{name}.db", kafka, clock, framing=LIVE) as gateway:
            gateway.tenure.settle([TABLE])
            gateway.append(TABLE, stream(12)[start:end])
            gateway.run()
            gateway.tenure.release({}, ())
    assert kafka.lines(TABLE) == stream(12)


def test_what_a_seeded_journal_lacks_is_read_from_the_topic_when_it_is_asked_for(
    tmp_path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    with process(tmp_path / "one.db", kafka, clock, framing=LIVE) as one:
        one.append(TABLE, stream(6))
        one.run()
    with process(tmp_path / "two.db", kafka, clock, framing=LIVE) as two:
        two.tenure.settle([TABLE])
        assert [r.sequence for r in two.journal.log.read_from(TABLE)] == [6]
        two.append(TABLE, stream(8)[6:])
        two.tenure.history(TABLE)
        assert [r.line for r in two.journal.log.read_from(TABLE)] == stream(8)
        assert [t.sequence for t in two.journal.log.tail()] == list(range(1, 9))
        place = two.journal.log.find("pa/parkside/pit-2/FB90-1/console", "console-3", NOW)
        assert place == (TABLE, 3)


@pytest.mark.parametrize(("key", "partition"), [(b"FB90-1", 2), (b"DU-04", 1), (b"FB-12", 2), (b"", 0)])
def test_a_key_lies_in_the_partition_in_which_every_client_of_kafka_puts_it(
    key: bytes, partition: int
) -> None:
    # Told by Kafka's own Java client for three partitions.
    assert partition_of(key, [0, 1, 2]) == partition


def test_a_gateway_claims_above_what_the_tables_events_carry_when_the_claims_were_lost(
    tmp_path: Path, kafka: FakeKafka, clock: Seconds
) -> None:
    """What came under less than was counted already would be refused, event by event."""
    with process(tmp_path / "one.db", kafka, clock, framing=LIVE) as one:
        one.append(TABLE, stream(5))
        one.run()
    said = {"content-type": CLOUDEVENT.encode(), "gateway": b"other", "epoch": b"57"}
    kafka.records[-1] = kafka.records[-1]._replace(headers=list(said.items()))
    kafka.claims.clear()
    with process(tmp_path / "one.db", kafka, clock, framing=LIVE) as again:
        again.append(TABLE, stream(7)[5:])
        again.run()
    assert kafka.lines(TABLE) == stream(7)
    assert [dict(kept.headers)["epoch"] for kept in kafka.records[-2:]] == [b"58", b"58"]


@pytest.mark.parametrize(
    "headers", [{"epoch": b"1", "gateway": b"old"}, {}], ids=["an older claim", "no claim"]
)
@pytest.mark.parametrize("journal", ["one.db", "another.db"])
def test_what_was_forged_behind_a_tables_last_event_keeps_no_gateway_from_it(
    tmp_path: Path, kafka: FakeKafka, clock: Seconds, headers: dict[str, bytes], journal: str
) -> None:
    for until in (3, 5):  # two claims, so that the first is an older one
        with process(tmp_path / "one.db", kafka, clock, framing=LIVE) as one:
            one.append(TABLE, stream(until)[0 if until == 3 else 3 :])
            one.run()
            one.tenure.release({}, ())
    said = [("content-type", CLOUDEVENT.encode()), *headers.items()]
    last = digest(stream(5)[-1])
    for place, before in ((6, last), (6, "a" * 64), (9, "b" * 64)):
        forged = chained(device_event(90 + place), place, before)
        kafka.append(kafka.records[-1]._replace(value=forged, headers=said))
    with process(tmp_path / journal, kafka, clock, framing=LIVE) as two:
        two.tenure.settle([TABLE])
        assert two.tenure.lost == {}
        two.append(TABLE, stream(8)[5:])
        two.run()
        assert two.journal.log.head(TABLE).sequence == 8
    assert kafka.lines(TABLE)[-3:] == stream(8)[5:]
