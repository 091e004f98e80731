"""Rows that differ, gathered into stretches: neighbours in a relation that differ alike, with no good row between."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from processors.runtime.store.shapes import OF_A_ROUND
from schemas.amounts import amount

Kind = Literal["missing", "extra", "different"]
# Relations with a row for a day, or for a table: not in the order of its record.
_BY_DAY = ("counters", "progress")


class Stretch(Struct, frozen=True, order=True):
    """Rows of one table and relation that differ alike, from the round (or event) `first` to `last`."""

    relation: str
    subject: str
    first: int
    last: int
    kind: Kind
    rows: int

    def __str__(self) -> str:
        where = ""
        if self.relation not in _BY_DAY:
            unit = "round" if self.relation in OF_A_ROUND else "event"
            where = f", {unit} {self.first:,}"
            if self.last != self.first:
                where = f", {unit}s {self.first:,} to {self.last:,}"
        rows = amount(self.rows, "row")
        whose = self.subject if ":" in self.subject else f"table {self.subject}"  # dealer:D-1
        return f"{self.relation} of {whose}{where}: {rows} {self.kind}"


class Runs:
    """The stretches of one relation of one table, whose rows come in the order of the record."""

    def __init__(self, relation: str, subject: str) -> None:
        self._relation, self._subject = relation, subject
        self._done: list[Stretch] = []
        self._apart: list[Stretch] = []
        self._kind: Kind | None = None
        self._first = self._last = self._rows = 0

    def add(self, number: int, kind: Kind | None) -> None:
        """The next row, of this round or event; `kind` None is a row as it should be."""
        if kind != self._kind:
            self._end()
            self._kind, self._first, self._rows = kind, number, 0
        self._last = number
        self._rows += 1

    def apart(self, number: int, kind: Kind) -> None:
        """A row out of order; nothing is known of the rows beside it."""
        self._apart.append(Stretch(self._relation, self._subject, number, number, kind, 1))

    def found(self) -> list[Stretch]:
        """All stretches."""
        self._end()
        self._kind = None
        return [*self._done, *_joined(self._apart)]

    def _end(self) -> None:
        if self._kind is not None:
            found = Stretch(self._relation, self._subject, self._first, self._last, self._kind, self._rows)
            self._done.append(found)


def _joined(stretches: list[Stretch]) -> list[Stretch]:
    """Stretches that differ alike and overlap, or follow one another number by number, are one."""
    joined: list[Stretch] = []
    for one in sorted(stretches, key=lambda one: (one.kind, one.first)):
        before = joined[-1] if joined else None
        if before is not None and before.kind == one.kind and one.first <= before.last + 1:
            last, rows = max(before.last, one.last), before.rows + one.rows
            joined[-1] = msgspec.structs.replace(before, last=last, rows=rows)
        else:
            joined.append(one)
    return joined
