"""What the ledger's topic holds of a table: its last record, and all before it when they are asked for."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from kafka import KafkaConsumer, TopicPartition
from kafka.errors import KafkaTimeoutError, UnknownTopicOrPartitionError
from msgspec import Struct, field

from producers.kafka.connection import Connection, opened
from producers.kafka.transport import partition_of
from producers.quarantine import prevhash_of
from schemas.codec import Malformed, decode, record_hash, split_lines
from schemas.messages import WriterClaim
from schemas.topics import FRAME, Topic


class _Placed(Struct):
    sequence: int
    prevhash: str


_place = msgspec.json.Decoder(_Placed).decode


class LastRecord(NamedTuple):
    """The last record of a table in the topic before which none is missing, and the offset that holds it.

    `first` is the record from which on that has been seen: 1 where all before it are accounted for.
    """

    sequence: int
    line: bytes
    offset: int
    first: int


class TopicReader:
    """Partitions of one topic, from any offset; for one thread at a time."""

    def __init__(self, connection: Connection, topic: Topic) -> None:
        """Connect.

        Raises:
            KafkaError: no broker answers, it refuses the user, or the topic is missing.
        """
        self._patience = connection.patience
        self._name = connection.topic(topic)
        self._consumer = opened(KafkaConsumer, connection.consumer_options())
        found = self._consumer.partitions_for_topic(self._name)
        if not found:
            self.close()
            raise UnknownTopicOrPartitionError(self._name)
        self.partitions = sorted(found)

    def begin(self, partition: int) -> int:
        """The offset of the partition's first record: 0 unless older ones are gone."""
        where = TopicPartition(self._name, partition)
        return int(self._consumer.beginning_offsets([where], timeout_ms=self._patience.look)[where])

    def end(self, partition: int) -> int:
        """The offset behind the partition's last record."""
        where = TopicPartition(self._name, partition)
        return int(self._consumer.end_offsets([where], timeout_ms=self._patience.look)[where])

    def records(self, partition: int, start: int, stop: int) -> Iterator[Any]:
        """The partition's records from `start` and before `stop`.

        Raises:
            KafkaError: the broker went away.
        """
        where = TopicPartition(self._name, partition)
        if start >= stop:
            return
        self._consumer.assign([where])
        self._consumer.seek(where, start)
        heard = time.monotonic()
        while (reached := self._consumer.position(where, self._patience.look)) is None or reached < stop:
            polled = self._consumer.poll(timeout_ms=500)
            for record in polled.get(where, ()):
                if record.offset >= stop:
                    return
                yield record
            if polled:
                heard = time.monotonic()
            elif (time.monotonic() - heard) * 1000 > self._patience.look:
                raise KafkaTimeoutError(f"{self._name}/{partition} gives nothing behind offset {reached}")

    def close(self) -> None:
        """Let go of the broker."""
        self._consumer.close(autocommit=False, timeout_ms=1_000)


class _Run(Struct):
    """Records of a table without a gap; `unread` lines behind its last one may be records too."""

    last: LastRecord
    unread: int = 0


class _Seen(Struct):
    """What was seen of a table, in runs: one, unless events are missing or old ones were sent again."""

    runs: list[_Run] = field(default_factory=list)

    def add(self, line: bytes, offset: int) -> None:
        """Take a line that was seen."""
        placed = placed_at(line)
        if placed is None:
            for run in self.runs:
                run.unread += 1
        else:
            self.add_span(placed.sequence, placed.sequence, line, offset)

    def add_span(self, first: int, last: int, line: bytes, offset: int) -> None:
        """Take records `first` to `last`; `line` is the last one's."""
        for run in self.runs:
            if run.last.first <= first <= run.last.sequence + run.unread + 1:
                if last > run.last.sequence:
                    run.last = LastRecord(last, line, offset, run.last.first)
                    run.unread = 0
                return
        self.runs.append(_Run(LastRecord(last, line, offset, first)))

    def behind(self, base: LastRecord | None) -> LastRecord | None:
        """The last record that is reached from `base`, or from the first that was seen, without a gap."""
        reached = base
        for run in (*self.runs, *self.runs):  # twice: a hole may have been filled later
            if reached is None:
                reached = run.last
            elif run.last.first <= reached.sequence + 1 and run.last.sequence > reached.sequence:
                reached = run.last._replace(first=min(reached.first, run.last.first))
        return reached


class Scan(Struct):
    """What was seen of all tables in a partition between two offsets."""

    start: int
    reached: int
    tables: dict[bytes, _Seen]

    def add(self, record: Any) -> None:
        """Take the partition's next record."""
        if record.key is None or record.value is None:
            return
        seen = self.tables.get(record.key)
        if seen is None:
            seen = self.tables[record.key] = _Seen()
        lines = record.value.count(b"\n")
        if lines:  # a frame is told by its ends: nobody need read what lies between
            line = record.value[record.value.rfind(b"\n") + 1 :]
            first, last = placed_at(record.value[: record.value.find(b"\n")]), placed_at(line)
            if first is not None and last is not None and last.sequence - first.sequence == lines:
                seen.add_span(first.sequence, last.sequence, line, record.offset)
                return
        for line in lines_of(record):
            seen.add(line, record.offset)


class Heads:
    """What the topic holds of each table; a partition is read once, and after that only what is new in it."""

    def __init__(self, reader: TopicReader) -> None:
        self._reader = reader
        self._scans: dict[int, Scan] = {}

    def partition(self, subject: str) -> int:
        """The partition of a table."""
        return partition_of(subject.encode(), self._reader.partitions)

    def end(self, subject: str) -> int:
        """The offset behind the last record of the table's partition."""
        return self._reader.end(self.partition(subject))

    def close(self) -> None:
        """Let go of the broker."""
        self._reader.close()

    def last(self, subject: str, claim: WriterClaim | None) -> LastRecord | None:
        """The table's last record as of now, or None; what its last claim knew need not be read again.

        Of records that claim one place the first holds, as it does when the ledger is folded.
        """
        key, partition = subject.encode(), self.partition(subject)
        known = claim if claim is not None and claim.partition == partition else None
        stop = self._reader.end(partition)
        if known is not None and known.offset > stop:
            known = None  # the topic was made anew behind the claim's back
        start = known.offset if known is not None else 0
        scan = self._scans.get(partition)
        if scan is None or scan.start > start:
            scan = self._scans[partition] = Scan(start, start, {})
        for record in self._reader.records(partition, scan.reached, stop):
            scan.add(record)
        scan.reached = max(scan.reached, stop)
        seen = scan.tables.get(key) or _Seen()
        if known is None or scan.start == 0:
            return seen.behind(None)
        if known.at < 0:
            found = seen.behind(None)
            return found if found is not None and found.first == 1 else None
        before = Scan(known.at, known.at, {})
        for record in self._reader.records(partition, known.at, known.at + 1):
            before.add(record)
        base = (before.tables.get(key) or _Seen()).behind(None)
        return seen.behind(base._replace(first=1) if base is not None else None)

    def lines(self, subject: str, stop: int) -> Iterator[tuple[int, bytes]]:
        """Sequence and line of the table's records before this offset; the same place may come twice.

        A line that is no event of the contract stands where its successor's `prevhash` says; its sequence is
        told once that has been read.
        """
        key, partition = subject.encode(), self.partition(subject)
        unread: dict[str, bytes] = {}
        for record in self._reader.records(partition, 0, stop):
            if record.key != key:
                continue
            for line in lines_of(record):
                placed = placed_at(line)
                if placed is None:
                    unread[record_hash(line)] = line
                    continue
                yield placed.sequence, line
                yield from _bridge(placed, unread)


def lines_of(record: Any) -> list[bytes]:
    """The lines that a Kafka record of the ledger's topic holds."""
    value: bytes = record.value or b""
    for name, said in record.headers or ():
        if name.lower() == "content-type" and said and said.startswith(FRAME.encode()):
            return [line for _, line in split_lines(value)]
    return [value]


def placed_at(line: bytes) -> _Placed | None:
    """Sequence and `prevhash` of a chained line, or None if it has none."""
    try:
        return _place(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        pass
    try:  # an event may spell its sequence 5.0
        event = decode(line)
    except Malformed:
        return None
    return _Placed(event.sequence, event.prevhash)


def _bridge(placed: _Placed, unread: dict[str, bytes]) -> Iterator[tuple[int, bytes]]:
    """Unreadable lines right before an event, as far as each names the one before it."""
    sequence, named = placed.sequence, placed.prevhash
    while (line := unread.pop(named, None)) is not None:
        sequence -= 1
        yield sequence, line
        named = prevhash_of(line) or ""
