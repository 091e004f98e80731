"""What an embedded store keeps of each dealer and player, held against the ledger folded once more."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from processors.runtime.embedded.people import EmbeddedPeople, is_of_people
from processors.runtime.reconcile.reconciler import Reconciler
from processors.runtime.reconcile.stretches import Kind, Stretch
from processors.runtime.store.warehouse import Row, Warehouse
from schemas.warehouse import RELATIONS

_RELATION: Final = RELATIONS["progress"]
_KEY: Final = _RELATION.of("subject")
_POSITION: Final = _RELATION.of("position")
_STATE: Final = _RELATION.of("position", "snapshot_base64")
_COLUMNS: Final = ", ".join(_RELATION.column_names)


class PeopleMarks:
    """Holds the rows of `progress` that are of people against `people`, which hears the ledger again."""

    def __init__(self, store: Warehouse, into: Reconciler, people: EmbeddedPeople, *, repair: bool) -> None:
        rows = store.query(f"SELECT {_COLUMNS} FROM progress FINAL WHERE next_sequence = 0")
        self._store, self._into, self._people, self._repair = store, into, people, repair
        self._stored = {_KEY(row): row for row in rows if is_of_people(_KEY(row))}
        self._further = set(self._stored)
        self._owed: dict[str, int] | None = {}
        self._then: dict[str, Row] = {}  # rows that the store owed of those of whom it says more

    def heard(self, keys: Iterable[str], position: int) -> None:
        """These were heard of at this position of the ledger."""
        for key in keys:
            if self._owed is not None:
                self._owed[key] = position
            elif key in self._further and _POSITION(self._stored[key]) == position:
                self._hold(key, position)

    def cut(self) -> None:
        """Everything that the store owes has been heard.

        Raises:
            WarehouseError: the store does not take a repair.
        """
        owed, self._owed = self._owed or {}, None
        for key, position in sorted(owed.items()):
            stored = self._stored.get(key)
            if stored is None or _POSITION(stored) <= position:
                self._hold(key, position)
            else:
                self._then[key] = self._people.row(key, position)

    def finish(self) -> None:
        """What is left stands at no record of the ledger that tells of them.

        Raises:
            WarehouseError: the store does not take a repair.
        """
        for key in sorted(self._further):
            then = self._then.get(key)
            self._note(key, "extra" if then is None else "different")
            if self._repair:
                self._put_right(key, then)

    def _hold(self, key: str, position: int) -> None:
        self._further.discard(key)
        stored, here = self._stored.get(key), self._people.row(key, position)
        if stored is not None and _STATE(stored) == _STATE(here):
            return
        self._note(key, "missing" if stored is None else "different")
        if self._repair:
            self._put_right(key, here)

    def _put_right(self, key: str, row: Row | None) -> None:
        self._store.remove(_RELATION, [(key,)])
        self._store.insert(_RELATION, [row] if row is not None else [])

    def _note(self, key: str, kind: Kind) -> None:
        self._into.differs(Stretch("progress", key, 0, 0, kind, 1))
