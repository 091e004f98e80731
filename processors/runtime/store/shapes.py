"""Where the rows that a ledger gives have their key, place, version, hash and time, and when two of them are one.

Sinks look for rows that the store holds already by it, and comparisons hold the rows of two sources against each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from processors.runtime.store.warehouse import Row
from schemas.answers import FOLD_VERSION
from schemas.warehouse import RELATIONS, Relation

CHECK: Final = "integrity.store"  # of findings about the store itself
LETTERS: Final = "dead_letters"
# Relations whose keys begin with table and round.
OF_A_ROUND: Final = ("rounds", "hands", "stakes", "takings", "racks")
# Relations that repeat lines of events, by table and sequence.
OF_AN_EVENT: Final = ("patrons", "account_events")
# A round's rows are put back before the round, so that a reader of the round finds all of it.
COMPARED: Final = (
    "events",
    *OF_AN_EVENT,
    "hands",
    "stakes",
    "takings",
    "racks",
    "findings",
    LETTERS,
    "rounds",
)
Key = tuple[Any, ...]


def of_ledger(name: str) -> str:
    """Which rows of this relation the ledger gives, as SQL: all but the findings about the store itself."""
    return f"check_id != '{CHECK}'" if name == "findings" else "1"


@dataclass(frozen=True, slots=True)
class RowShape:
    """Where a relation's rows have what is asked of them; `version`, `row_hash` and `moment` are places in a row.

    `number` is the round or event by which a row is named to people, from the column `numbered`; `anchor` the event
    that it rests on, from the column `rests_on`. `moment` is when it was decided.
    """

    relation: Relation
    numbered: str
    rests_on: str
    key: Callable[[Row], Key]
    number: Callable[[Row], int]
    anchor: Callable[[Row], int]
    version: int
    row_hash: int
    moment: int

    @classmethod
    def of_relation(cls, name: str) -> RowShape:
        """That of the relation of this name."""
        relation = RELATIONS[name]
        numbered, rests_on = ("round", "first_sequence") if name in OF_A_ROUND else ("sequence", "sequence")
        return cls(
            relation,
            numbered,
            rests_on,
            relation.of(*relation.key),
            relation.of(numbered),
            relation.of(rests_on),
            relation.at(relation.version),
            relation.at("row_hash"),
            relation.at("decided_at" if "decided_at" in relation.column_names else "time"),
        )

    def of(self, row: Row) -> tuple[Key, int, int]:
        """Key, version and hash of a row."""
        return self.key(row), row[self.version], row[self.row_hash]

    def alternatives(self, row: Row) -> Iterator[Row]:
        """The row, and of a dead letter a copy under a number: of two letters for one place in a chain none is lost."""
        yield row
        if self.relation is _LETTERS and not row[_NUMBER]:
            columns = dict(zip(self.relation.column_names, row, strict=True))
            yield self.relation.row(**columns | {"number": row[self.row_hash] & (2**63 - 1) or 1})

    def same(self, given: Row, stored: Row) -> bool:
        """Whether two rows say the same; which version of the fold wrote them is not what they say."""
        at = self.version
        if stored[at] > FOLD_VERSION:
            return False  # no fold of this ledger wrote it, and it would win over every row that one writes
        given, stored = (_plain((*row[:at], *row[at + 1 :])) for row in (given, stored))
        return given == stored


def _plain(values: Row) -> Row:
    return tuple(tuple(value) if isinstance(value, list) else value for value in values)


_LETTERS: Final = RELATIONS[LETTERS]
_NUMBER: Final = _LETTERS.at("number")
SHAPES: Final = {name: RowShape.of_relation(name) for name in COMPARED}
