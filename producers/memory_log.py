"""The ledger in memory: for tests and for what need not outlive the process."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Iterator, Sequence

from producers.log import EMPTY, EventLog, Fenced, Head, LinesToAppend, Place, Record, Tailed, identity_of
from producers.quarantine import DeadLetter, Quarantined
from schemas.events.codec import record_hash


class MemoryLog(EventLog):
    """`EventLog` in lists and dictionaries; lost with the process."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._order: list[Tailed] = []
        self._tables: dict[str, list[bytes]] = {}
        self._heads: dict[str, Head] = {}
        self._places: dict[tuple[str, str], Place] = {}
        self._letters: list[DeadLetter] = []
        self._numbers: dict[tuple[str, str, str, str], int] = {}

    def append_together(self, parts: Sequence[LinesToAppend]) -> tuple[Head, ...]:
        """Append the lines of several tables, or none of them; return the new heads."""
        with self._guard:
            for part in parts:
                head = self._heads.get(part.subject, EMPTY)
                if head != part.after:
                    raise Fenced(part.subject, part.after, head)
            return tuple(self._append(part) for part in parts)

    def _append(self, part: LinesToAppend) -> Head:
        if not part.lines:
            return part.after
        records = self._tables.setdefault(part.subject, [])
        for line in part.lines:
            records.append(line)
            self._order.append(Tailed(len(self._order) + 1, part.subject, len(records), line))
            identity = identity_of(line)
            if identity is not None:
                self._places.setdefault(identity, Place(part.subject, len(records)))
        self._heads[part.subject] = Head(len(records), record_hash(part.lines[-1]))
        return self._heads[part.subject]

    def head(self, subject: str) -> Head:
        """The last record of a table, `EMPTY` before its first."""
        return self._heads.get(subject, EMPTY)

    def read_from(self, subject: str, sequence: int = 1) -> Iterator[Record]:
        """The table's records from this sequence on."""
        records = self._tables.get(subject, [])
        for index in range(max(sequence, 1) - 1, len(records)):
            yield Record(index + 1, records[index])

    def tail(self, after: int = 0) -> Iterator[Tailed]:
        """Records of all tables behind this position, in order of append."""
        for index in range(max(after, 0), len(self._order)):
            yield self._order[index]

    def find(self, source: str, event_id: str, at: dt.datetime) -> Place | None:
        """Where the first event of this source and id stands, or None."""
        del at  # nothing is ever forgotten here
        return self._places.get((source, event_id))

    def subjects(self) -> tuple[str, ...]:
        """Tables that have records, sorted."""
        return tuple(sorted(self._heads))

    def quarantine(self, letters: Sequence[DeadLetter]) -> tuple[int, ...]:
        """Keep dead letters; return their numbers."""
        with self._guard:
            numbers = []
            for letter in letters:
                number = self._numbers.setdefault(letter.identity, len(self._letters) + 1)
                if number > len(self._letters):
                    self._letters.append(letter)
                numbers.append(number)
            return tuple(numbers)

    def quarantined(self, after: int = 0) -> Iterator[Quarantined]:
        """Dead letters behind this number, in order."""
        for index in range(max(after, 0), len(self._letters)):
            yield Quarantined(index + 1, self._letters[index])

    def quarantined_as(self, digest: str) -> bytes | None:
        """Bytes of an unreadable dead letter with this SHA-256, or None."""
        for letter in self._letters:
            if letter.kind == "unreadable" and letter.digest == digest:
                return letter.line
        return None

    def close(self) -> None:
        """Nothing is held."""
