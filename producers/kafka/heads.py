"""What the ledger's topic holds of a table: its last record, and all before it when they are asked for."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from kafka import KafkaConsumer, TopicPartition
from kafka.errors import KafkaTimeoutError, UnknownTopicOrPartitionError
from msgspec import Struct, field

from producers.kafka.connection import Connection, opened
from producers.kafka.transport import partition_of
from producers.quarantine import prevhash_of
from schemas.events.codec import Malformed, decode, record_hash, split_lines
from schemas.events.envelope import GENESIS
from schemas.messages import WriterClaim
from schemas.topics import FRAME, Topic


class _Placed(Struct):
    sequence: int
    prevhash: str


_REMEMBERED: Final = 2_048  # more than a gateway has in flight, and so sends again
_place = msgspec.json.Decoder(_Placed).decode


class LastRecord(NamedTuple):
    """The last record of a table in the topic before which none is missing, and the offset that holds it.

    `first` is the record from which on that has been seen: 1 where all before it are accounted for; `epoch` is that of
    the claim it came under, 0 if it does not say.
    """

    sequence: int
    line: bytes
    offset: int
    first: int
    epoch: int = 0


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


class _Part(NamedTuple):
    """What one Kafka record holds of a table: records up to number `last`, and the epoch of its header."""

    first: _Placed
    last: int
    lines: Sequence[bytes]
    offset: int
    epoch: int


class _Run(Struct):
    """Records of a table without a gap, each naming the one before, none under an older claim than that one.

    The first names `before` and came under the claim `began`; `hashes` are the first 8 bytes of the hashes of the first
    `_REMEMBERED`. `unread` lines behind the last record may be records too, the last with the hash `unread_hash`.
    """

    last: LastRecord
    before: str
    began: int
    hashes: bytearray
    unread: int = 0
    unread_hash: str = ""

    @classmethod
    def of(cls, part: _Part) -> _Run:
        """A run that begins here."""
        sequence = part.first.sequence
        last = LastRecord(sequence - 1, b"", part.offset, sequence, part.epoch)
        run = cls(last, part.first.prevhash, part.epoch, bytearray())
        run.take(part)
        return run

    def take(self, part: _Part) -> None:
        """Go on with these records; those that it holds are passed over."""
        for sequence, line in enumerate(part.lines, part.first.sequence):
            place = sequence - self.last.first
            if sequence > self.last.sequence and place < _REMEMBERED:
                self.hashes += bytes(8 * place - len(self.hashes))
                self.hashes += _short(line)
        self.last = LastRecord(part.last, part.lines[-1], part.offset, self.last.first, part.epoch)
        self.unread, self.unread_hash = 0, ""

    def goes_on(self, part: _Part) -> bool:
        """Whether these records are the next: by number, hash and claim."""
        if part.epoch < self.last.epoch:
            return False
        if self.last.first <= part.first.sequence <= self.last.sequence:
            return part.lines[self.last.sequence - part.first.sequence] == self.last.line
        if not 0 < part.first.sequence - self.last.sequence <= self.unread + 1:
            return False
        return part.first.prevhash in (record_hash(self.last.line), self.unread_hash)

    def holds(self, record: LastRecord) -> bool:
        """Whether a record is one of its first."""
        at = 8 * (record.sequence - self.last.first)
        return at >= 0 and self.hashes[at : at + 8] == _short(record.line)


class _Seen(Struct):
    """What was seen of a table, in runs: one, unless events are missing, forged, or old ones were sent again."""

    runs: list[_Run] = field(default_factory=list)

    def add(self, line: bytes, offset: int, epoch: int) -> None:
        """Take a line that was seen."""
        placed = placed_at(line)
        if placed is None:
            for run in self.runs:
                run.unread += 1
                run.unread_hash = record_hash(line)
        else:
            self.add_part(_Part(placed, placed.sequence, (line,), offset, epoch))

    def add_part(self, part: _Part) -> None:
        """Take records that were seen."""
        for run in self.runs:
            if run.last.first <= part.first.sequence and part.last <= run.last.sequence:
                return
            if run.goes_on(part):
                run.take(part)
                return
        self.runs.append(_Run.of(part))

    def behind(self, base: LastRecord | None) -> LastRecord | None:
        """The last record that is reached from `base`, or from the first that was seen, without a gap."""
        reached = base
        if reached is None and self.runs:
            begins = (run for run in self.runs if run.last.first == 1 and run.before == GENESIS)
            reached = next(begins, self.runs[0]).last
        while reached is not None and (run := self._next(reached)) is not None:
            reached = run.last._replace(first=min(reached.first, run.last.first))
        return reached

    def _next(self, reached: LastRecord) -> _Run | None:
        """A run that goes on from here: it names this record, or holds it."""
        for run in self.runs:
            if run.last.sequence <= reached.sequence or run.last.epoch < reached.epoch:
                continue
            if run.holds(reached):
                return run
            follows = run.last.first == reached.sequence + 1 and run.before == record_hash(reached.line)
            if follows and run.began >= reached.epoch:
                return run
        return None


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
        epoch = epoch_of(record)
        lines = record.value.count(b"\n")
        if lines:  # a frame is told by its ends: nobody need read what lies between
            framed = record.value.split(b"\n")
            first, last = placed_at(framed[0]), placed_at(framed[-1])
            if first is not None and last is not None and last.sequence - first.sequence == lines:
                seen.add_part(_Part(first, last.sequence, framed, record.offset, epoch))
                return
        for line in lines_of(record):
            seen.add(line, record.offset, epoch)


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

        Of records that claim one place that holds which names the one before it, as it does when the ledger is folded.
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


def epoch_of(record: Any) -> int:
    """The epoch of the claim under which a record says that it was written; 0 if it does not say."""
    for name, said in record.headers or ():
        if name == "epoch" and said and said.isdigit() and len(said) <= 10:
            return int(said)
    return 0


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


def _short(line: bytes) -> bytes:
    return bytes.fromhex(record_hash(line)[:16])


def _bridge(placed: _Placed, unread: dict[str, bytes]) -> Iterator[tuple[int, bytes]]:
    """Unreadable lines right before an event, as far as each names the one before it."""
    sequence, named = placed.sequence, placed.prevhash
    while (line := unread.pop(named, None)) is not None:
        sequence -= 1
        yield sequence, line
        named = prevhash_of(line) or ""
