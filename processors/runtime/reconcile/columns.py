"""The columns by which rows of the ledger and of the store are compared, relation by relation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from processors.runtime.sink.store import OF_A_ROUND
from processors.runtime.store.warehouse import Row
from schemas.answers import FOLD_VERSION
from schemas.warehouse import RELATIONS, Relation

Key = tuple[Any, ...]
# A round's rows are put back before the round, so that a reader of the round finds all of it.
COMPARED: Final = ("events", "patrons", "hands", "stakes", "racks", "findings", "dead_letters", "rounds")


@dataclass(slots=True)
class Columns:
    """Where a relation's rows have what a comparison needs.

    `anchor` is the event that a row rests on, by which rows are gathered into windows; `number` the round or event by
    which it is named to people.
    """

    relation: Relation
    key: Callable[[Row], Key]
    anchor: Callable[[Row], int]
    number: Callable[[Row], int]
    version: int
    moment: int

    @classmethod
    def of(cls, name: str) -> Columns:
        """Those of the relation of this name."""
        relation = RELATIONS[name]
        anchor = "first_sequence" if name in OF_A_ROUND else "sequence"
        number = relation.of("round" if name in OF_A_ROUND else "sequence")
        moment = relation.at("decided_at" if "decided_at" in relation.column_names else "time")
        key, version = relation.of(*relation.key), relation.at("fold_version")
        return cls(relation, key, relation.of(anchor), number, version, moment)

    def same(self, given: Row, stored: Row) -> bool:
        """Whether two rows say the same; which version of the fold wrote them is not what they say."""
        if stored[self.version] > FOLD_VERSION:
            return False  # no fold of this ledger wrote it, and it would win over every row that one writes
        at = self.version
        return _plain(given[:at]) == _plain(stored[:at]) and _plain(given[at + 1 :]) == _plain(
            stored[at + 1 :]
        )


def _plain(values: Row) -> Row:
    return tuple(tuple(value) if isinstance(value, list) else value for value in values)


COLUMNS: Final = {name: Columns.of(name) for name in COMPARED}
