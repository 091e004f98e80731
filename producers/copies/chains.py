"""The chains of a ledger's copy, walked record by record: where each table ends, and what does not fit."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from msgspec import Struct, field

from producers.log import EMPTY, Head
from producers.quarantine import prevhash_of
from schemas.events.codec import record_hash
from schemas.events.envelope import GENESIS

_RECORDS: Final = "SELECT subject, sequence, line FROM records ORDER BY position"
_STEP: Final = 4_096  # records between two reports of progress


class TableEnd(Struct, frozen=True):
    """The last record of a table: its sequence and the SHA-256 of its bytes, hex."""

    subject: str
    sequence: int
    head: str


class Break(Struct, frozen=True):
    """The first record of a table that does not fit what stands before it, or is not the one that was written."""

    file: str
    subject: str
    sequence: int
    why: str


class _Walk(NamedTuple):
    """The last record of a table that was walked over."""

    sequence: int
    digest: str


def written_ends(connection: sqlite3.Connection) -> list[TableEnd]:
    """The last record of each table as the ledger itself notes it."""
    query = "SELECT subject, sequence, head FROM subjects WHERE sequence > 0 ORDER BY subject"
    return [TableEnd(*row) for row in connection.execute(query)]


def counted(connection: sqlite3.Connection) -> tuple[int, int]:
    """How many records and how many dead letters a ledger holds."""
    query = "SELECT (SELECT count(*) FROM records), (SELECT count(*) FROM quarantine)"
    records, letters = connection.execute(query).fetchone()
    return records, letters


def is_journal(connection: sqlite3.Connection) -> bool:
    """Whether a ledger is a gateway's journal, which keeps the newest records of each table alone."""
    found = connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'gateway'")
    return found.fetchone() is not None


def walk(
    connection: sqlite3.Connection,
    file: str,
    advance: Callable[[int], None],
    look: Callable[[int, bytes], None] | None = None,
) -> list[Break]:
    """Walk the chain of every table and say of each the first record that breaks it; `look` is shown each record.

    A record must carry the hash of the one before it, and the last one be the one that the ledger knows it wrote. A
    line that is no event says of itself what it follows where it can; the record behind it must follow from it.
    """
    names: dict[int, str] = dict(connection.execute("SELECT number, subject FROM subjects"))
    partial = is_journal(connection)
    walks: dict[int, _Walk] = {}
    breaks: dict[str, Break] = {}
    for walked, (number, sequence, line) in enumerate(connection.execute(_RECORDS), 1):
        before = walks.get(number)
        why = _unfit(before, sequence, prevhash_of(line), partial)
        if why:
            subject = names.get(number, f"number {number}")
            breaks.setdefault(subject, Break(file, subject, sequence, why))
        walks[number] = _Walk(sequence, record_hash(line))
        if look is not None:
            look(sequence, line)
        if walked % _STEP == 0:
            advance(_STEP)
    ended = {names[number]: one for number, one in walks.items() if number in names}
    for end in written_ends(connection):
        last = ended.get(end.subject)
        if last is None or last != (end.sequence, end.head):
            found = last.sequence if last is not None else 0
            why = f"record {end.sequence} was written last, and another is"
            breaks.setdefault(end.subject, Break(file, end.subject, found, why))
    return [breaks[subject] for subject in sorted(breaks)]


def _unfit(before: _Walk | None, sequence: int, said: str | None, partial: bool) -> str:
    """Why a record that says it follows `said` does not fit; empty if it does."""
    if before is None:
        if sequence == 1:
            return "" if said in (None, GENESIS) else "it is the first, and says that it follows another"
        return "" if partial else "the records before it are missing"
    if sequence != before.sequence + 1:
        return "" if partial and sequence > before.sequence else f"it stands behind record {before.sequence}"
    return "" if said in (None, before.digest) else "it does not carry the hash of the record before it"


class _Pending(NamedTuple):
    sequence: int
    digest: str


class ChainReach(Struct):
    """How far a table's chain reaches among records of a topic, where any may stand twice or be another's."""

    head: Head = EMPTY
    highest: int = 0
    unread: list[_Pending] = field(default_factory=list)

    def take(self, line: bytes, placed: tuple[int, str] | None) -> None:
        """Take the next line; `placed` is the sequence and `prevhash` of an event of the contract."""
        if placed is None:
            said = prevhash_of(line)
            behind = self.unread[-1] if self.unread else self.head
            if said is None or said == behind[1]:
                self.unread = [*self.unread, _Pending(behind[0] + 1, record_hash(line))][-_STEP:]
            return
        sequence, prevhash = placed
        self.highest = max(self.highest, sequence)
        for before in (self.head, *self.unread):
            if (sequence, prevhash) == (before[0] + 1, before[1]):
                self.head = Head(sequence, record_hash(line))
                self.unread = []
                return


def table_ends(reached: Iterable[tuple[str, ChainReach]]) -> list[TableEnd]:
    """Where the tables end whose chain reaches anywhere."""
    return [TableEnd(subject, *one.head) for subject, one in sorted(reached) if one.head.sequence]
