"""The ledger as a port: exact bytes, one gapless order per gaming table, appended to and never changed.

An adapter stores what it is given and nothing else; `tests/producers/test_event_log.py` says what each owes.
Whether a line may be appended (chain, schema, repetition) is the recorder's business.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import msgspec
from msgspec import Struct

from producers.errors import CaptureError
from producers.quarantine import DeadLetter, Quarantined
from schemas.events.envelope import GENESIS


class Head(NamedTuple):
    """The last record of a table: its sequence and the SHA-256 of its bytes, hex."""

    sequence: int
    hash: str


EMPTY = Head(0, GENESIS)


class Record(NamedTuple):
    """One record of a table."""

    sequence: int
    line: bytes


class Tailed(NamedTuple):
    """One record as the tail of a ledger gives it; `position` grows with every record of any table."""

    position: int
    subject: str
    sequence: int
    line: bytes


class Place(NamedTuple):
    """Where an event stands."""

    subject: str
    sequence: int


class LedgerError(CaptureError):
    """Something the ledger could not do."""


class TopicMissing(LedgerError):
    """The brokers answer, and have not this topic yet."""


class LedgerUnusable(LedgerError):
    """A ledger that is missing, damaged, or not a ledger."""


class LedgerDamaged(LedgerUnusable):
    """A ledger whose content is not what was written to it, or no ledger at all."""


class Fenced(LedgerError):
    """An append behind a record that is no longer the table's last: another writer has written."""

    def __init__(self, subject: str, expected: Head, found: Head) -> None:
        super().__init__(
            f"table {subject}",
            f"its last record is {found.sequence}, not {expected.sequence}: another writer has written",
            "let one recorder at a time write this table",
        )
        self.subject = subject
        self.found = found


class LinesToAppend(NamedTuple):
    """Lines of one table to append behind record `after`."""

    subject: str
    lines: Sequence[bytes]
    after: Head


class EventLog(Protocol):
    """An append-only ledger of many tables."""

    def append(self, subject: str, lines: Sequence[bytes], after: Head) -> Head:
        """Append all lines behind record `after`, durably, or none of them; return the new head.

        `after` is the fence: a writer that does not know the table's last record cannot write.

        Raises:
            Fenced: `after` is not the table's head.
            LedgerError: the bytes could not be made durable; nothing was appended.
        """
        return self.append_together((LinesToAppend(subject, lines, after),))[0]

    def append_together(self, parts: Sequence[LinesToAppend]) -> tuple[Head, ...]:
        """Append the lines of several tables in one durable step, or none of them; return the new heads.

        One wait for the disk instead of one for each table. No table may be named twice.

        Raises:
            Fenced: one of them has another head; nothing was appended.
            LedgerError: the bytes could not be made durable; nothing was appended.
        """

    def head(self, subject: str) -> Head:
        """The last record of a table, `EMPTY` before its first."""

    def read_from(self, subject: str, sequence: int = 1) -> Iterator[Record]:
        """The table's records from this sequence on, in order, as far as they were there when read."""

    def tail(self, after: int = 0) -> Iterator[Tailed]:
        """Records of all tables behind this position, in the order in which they were appended."""

    def find(self, source: str, event_id: str, at: dt.datetime) -> Place | None:
        """Where the first event of this source and id stands, or None; `at` is the time that it bears."""

    def subjects(self) -> tuple[str, ...]:
        """Tables that have records, sorted."""

    def quarantine(self, letters: Sequence[DeadLetter]) -> tuple[int, ...]:
        """Keep dead letters durably; return their numbers. One that is there already keeps its number."""

    def quarantined(self, after: int = 0) -> Iterator[Quarantined]:
        """Dead letters behind this number, in order."""

    def quarantined_as(self, digest: str) -> bytes | None:
        """Bytes of an unreadable dead letter with this SHA-256, or None."""

    def close(self) -> None:
        """Release what is held; what was acknowledged stays."""


class _Identity(Struct):
    source: str
    id: str


_read_identity = msgspec.json.Decoder(_Identity).decode


def identity_of(line: bytes) -> tuple[str, str] | None:
    """`source` and `id` of a line, or None if it has none."""
    try:
        identity = _read_identity(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return identity.source, identity.id


def line_at(log: EventLog, subject: str, sequence: int) -> bytes | None:
    """Bytes of one record, or None if the table has none of that sequence."""
    record = next(log.read_from(subject, sequence), None)
    return record.line if record is not None and record.sequence == sequence else None
