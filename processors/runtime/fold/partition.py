"""One partition of the ledger's topic in the fold: records in, messages out, and its state as messages.

Nothing here waits, sends or knows the time: what a partition does to a record is a function of the records before
it, so that a crash at any point and a second reading give the same messages.
"""

from __future__ import annotations

import datetime as dt
from collections import deque
from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec import Struct

from processors.runtime.brokers.records import (
    FoldedRecords,
    LedgerRecord,
    Message,
    Origin,
    is_misplaced,
    lines_of,
    table_of,
)
from processors.runtime.fold.place import TablePlace, number_of
from processors.runtime.ledger import NO_TIME
from schemas.answers import FOLD_VERSION
from schemas.events.codec import record_hash
from schemas.findings import Finding, finding_id
from schemas.messages import MOST_BYTES, FindingMessage, PartitionCheckpoint, checkpoint_key, dead_letter
from schemas.topics import DEADLETTER, FINDINGS, SNAPSHOTS

MISPLACED: Final = "integrity.partition"
AGES: Final = 10  # times that it grows older until all that is not saved is due
UNSAVED: Final = (
    6_000  # lines of a partition that a crash has folded again at most, but for the last second's
)
_JSON = msgspec.json.Encoder().encode
_PACK = msgspec.msgpack.Encoder().encode
WORTH: Final = (
    256  # lines of a table at rest that are worth its state, which is as long as one or two hundred
)


class _Unsaved(Struct):
    """What no snapshot of a table holds: from which offset on, after how many lines of the partition up to which.

    `lines` is how many of these are its own.
    """

    offset: int
    since: int
    last: int
    lines: int = 0
    round_ended: bool = False


class PartitionFold:
    """The tables of one partition; `next_offset` is the first offset not seen, `checkpointed` the last saved.

    A table's state is written when there is none of it, at the end of a round once it has grown old, at the latest when
    it is older still, or some thousand lines of its partition after the first line that no snapshot holds: a crash has
    these lines folded again, and that costs less than to write state more often. That of a table that has come to rest
    is written sooner, if some hundred lines or half of that time have passed: it may rest after each of its events.
    """

    def __init__(self, partition: int, next_offset: int = 0, *, partitions: int = 1) -> None:
        """`partitions` is how many the topic has: a table's records lie in the one that its key gives."""
        self.partition = partition
        self.next_offset = self.checkpointed = next_offset
        self.partitions = partitions
        self.places: dict[str, TablePlace] = {}
        self._by_key: dict[bytes, TablePlace] = {}
        self._lines_taken = 0
        self._aged: deque[int] = deque(maxlen=AGES)  # lines taken when it grew older, the last time last
        # How often it grew older: until now, and until its checkpoint was written last.
        self._age = self._told_at = 0
        self._saved_at: dict[str, int] = {}
        self._unsaved: dict[str, _Unsaved] = {}
        self._saved: dict[str, int] = {}

    def take(self, record: LedgerRecord, into: FoldedRecords) -> None:
        """Take one record; one that was seen before is passed over."""
        if record.offset < self.next_offset:
            into.skipped += 1
            return
        self.next_offset = record.offset + 1
        into.records += 1
        key = record.key
        place = self._by_key.get(key) if key is not None else None
        if place is None:
            subject = table_of(key)
            if key is None or subject is None:
                self._nameless(record, into)
                return
            if is_misplaced(key, self.partition, self.partitions):
                self._misplaced(subject, record, into)
                return
            place = self.places.get(subject) or self.places.setdefault(subject, TablePlace(subject))
            self._by_key[key] = place
        if record.offset < place.next_offset:
            into.skipped += 1  # the table's snapshot is ahead of the partition's checkpoint
            return
        place.next_offset = record.offset + 1
        unsaved = self._unsaved.get(place.subject)
        if unsaved is None:
            unsaved = self._unsaved[place.subject] = _Unsaved(record.offset, self._lines_taken, 0)
        lines, rounds = place.lines, place.rounds
        self._lines(place, record, into)
        self._lines_taken += place.lines - lines
        unsaved.lines += place.lines - lines
        unsaved.last = self._lines_taken
        unsaved.round_ended |= place.rounds > rounds

    def checkpoint(self, *, whole: bool = False, pause: bool = False) -> Iterator[Message]:
        """Messages that make state durable, the partition's own last: the tables' must be there before it.

        Of the tables that are due, or of all if `whole`; in a `pause` all tables rest. Nothing if none is due.
        """
        due = sorted(subject for subject in self._unsaved if whole or self._is_due(subject, pause))
        for subject in due:
            place = self.places[subject]
            yield Message(SNAPSHOTS, subject.encode(), place.snapshot(self.partition), self.partition)
            self._saved[subject], self._saved_at[subject] = place.next_offset, self._age
            del self._unsaved[subject]
        if due or whole or (pause and self._is_untold()):
            reached = PartitionCheckpoint(
                fold_version=FOLD_VERSION,
                partition=self.partition,
                next_offset=min((one.offset for one in self._unsaved.values()), default=self.next_offset),
                tables=dict(sorted(self._saved.items())),
            )
            self.checkpointed, self._told_at = reached.next_offset, self._age
            yield Message(SNAPSHOTS, checkpoint_key(self.partition), _PACK(reached), self.partition)

    @property
    def is_due_in_a_pause(self) -> bool:
        """Whether there is something to write while nothing comes of any table."""
        return self._is_untold() or any(self._is_due(subject, True) for subject in self._unsaved)

    @property
    def is_saved(self) -> bool:
        """Whether snapshots hold all of its tables' state, and its checkpoint says so."""
        return not self._unsaved and self.checkpointed == self.next_offset

    def age(self) -> None:
        """A tenth of the time has passed after which what was not saved is due; half of it is enough at a round's end.

        A table that nothing was heard of from one time to the next has come to rest.
        """
        self._age += 1
        self._aged.append(self._lines_taken)

    def restored(self, place: TablePlace) -> None:
        """Take a table's state out of a snapshot."""
        self.places[place.subject] = place
        self._saved[place.subject] = place.next_offset

    def _is_due(self, subject: str, pause: bool) -> bool:
        if subject not in self._saved:
            return True
        unsaved = self._unsaved[subject]
        if self._lines_taken - unsaved.since >= UNSAVED or unsaved.since <= self._lines_before(AGES):
            return True
        half = AGES // 2
        if unsaved.round_ended and unsaved.since <= self._lines_before(half):
            return True
        rests = pause or unsaved.last <= self._lines_before(2)
        return rests and (unsaved.lines >= WORTH or self._age - self._saved_at.get(subject, 0) > half)

    def _is_untold(self) -> bool:
        """Whether only the checkpoint itself is behind, and was not written of late."""
        behind = not self._unsaved and self.checkpointed != self.next_offset
        return behind and self._age - self._told_at > AGES // 2

    def _lines_before(self, ages: int) -> int:
        """Lines that were taken when it grew older for the last time but so many less one; -1 before that."""
        return self._aged[-ages] if len(self._aged) >= ages else -1

    def _lines(self, place: TablePlace, record: LedgerRecord, into: FoldedRecords) -> None:
        if record.value is None:
            place.refuse(b"", "a record without a value", Origin(record), into)
            return
        lines = lines_of(record.value, record.content_type)
        if len(lines) == 1:
            place.take(lines[0], Origin(record), into)
        elif not lines:
            place.refuse(record.value, "a record without a line", Origin(record), into)
        else:
            for number, line in enumerate(lines, 1):
                place.take(line, Origin(record, number), into)

    def _nameless(self, record: LedgerRecord, into: FoldedRecords) -> None:
        """Set aside a record whose key can be no table's: no finding can name a table, but nothing is lost."""
        subject = (record.key or b"").decode("utf-8", "replace")[:64]
        reason = "a record without a key" if record.key is None else "a record whose key is no table name"
        self._set_aside(record, subject, reason, "unreadable", NO_TIME, into)

    def _misplaced(self, subject: str, record: LedgerRecord, into: FoldedRecords) -> None:
        """Set aside a record of a table whose records lie in another partition: it opens no second state of it."""
        at = dt.datetime.fromtimestamp(record.at, dt.UTC)
        reason = f"a record of table {subject} in partition {self.partition}, where its records do not lie"
        self._set_aside(record, subject, reason, "misplaced", at, into)
        origin, digest = str(Origin(record)), record_hash(record.value or b"")
        finding = Finding(
            finding_id=finding_id(subject, MISPLACED, 0, f"{origin} {digest}"),
            check=MISPLACED,
            cites=(MISPLACED,),
            verdict="breached",
            severity="critical",
            subject=subject,
            round=None,
            sequence=0,
            sequences=(),
            expected={"partitions": self.partitions},
            observed={"origin": origin, "sha256": digest},
            money_cents=0,
            message=f"A record lies in partition {self.partition}, where its key does not lead: it is not counted.",
        )
        into.findings[finding.verdict, finding.severity] += 1
        told = FindingMessage(property=None, at=at, finding=finding, fold=FOLD_VERSION)
        into.messages.append(Message(FINDINGS, record.key, _JSON(told)))

    def _set_aside(
        self, record: LedgerRecord, subject: str, reason: str, kind: str, at: dt.datetime, into: FoldedRecords
    ) -> None:
        line, origin = record.value or b"", str(Origin(record))
        letter = dead_letter(
            line, reason, at, origin, subject=subject, number=number_of(line, origin), kind=kind,
            most=MOST_BYTES, fold=FOLD_VERSION,
        )  # fmt: skip
        into.dead[kind] += 1
        into.messages.append(Message(DEADLETTER, record.key, _JSON(letter)))
