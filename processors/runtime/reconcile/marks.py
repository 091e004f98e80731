"""How far the store says that each table is folded, and the state it keeps there, held against the ledger's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec
from msgspec import Struct

from processors.runtime.embedded.progress import QUARANTINE
from processors.runtime.fold.partition import UNSAVED
from processors.runtime.reconcile.reconciler import Reconciler
from processors.runtime.reconcile.stretches import Kind, Stretch
from processors.runtime.store.rows import progress_row
from processors.runtime.store.warehouse import Warehouse
from schemas.answers import FOLD_VERSION
from schemas.warehouse import RELATIONS

_MARKS: Final = (
    "SELECT subject, next_sequence, position, chain_head, snapshot_base64 FROM progress FINAL"
    " WHERE snapshot_base64 != '' AND next_sequence > 0 ORDER BY subject"
)
_QUARANTINED: Final = "SELECT next_sequence FROM progress FINAL WHERE subject = {subject:String}"
_STALE: Final = (
    2 * UNSAVED
)  # events that a table's state may lie behind; the fold writes it after half as many


class Mark(Struct, frozen=True):
    """One table's row of `progress`; `snapshot` is the state of its pipeline."""

    subject: str
    next_sequence: int
    position: int
    chain_head: str
    snapshot_base64: str

    @classmethod
    def of(cls, subject: str, next_sequence: int, position: int, chain_head: str, snapshot: bytes) -> Mark:
        """The mark that the fold of the ledger leaves where it stands."""
        return cls(*progress_row(subject, next_sequence, position, chain_head, snapshot)[:-1])


def marks(store: Warehouse) -> dict[str, Mark]:
    """The tables' rows of `progress`, by table.

    Raises:
        WarehouseError: the store does not answer.
    """
    return {row[0]: Mark(*row) for row in store.query(_MARKS)}


def letters_stored(store: Warehouse) -> int:
    """The number of the first line of the ledger's quarantine that is not stored yet."""
    found = store.query(_QUARANTINED, {"subject": QUARANTINE})
    return int(found[0][0]) if found else 1


class Marks:
    """Holds each table's mark against the fold of the ledger; `reach` is what of a mark says how far it is."""

    def __init__(
        self, store: Warehouse, into: Reconciler, reach: Callable[[Mark], int], *, repair: bool
    ) -> None:
        self._store, self._into, self._reach, self._repair = store, into, reach, repair
        self.of = marks(store)
        self._uncompared: set[str] = set(self.of)

    def owed(self, here: Mark) -> None:
        """Where the fold of a table stands once it has all that the store owes.

        A property's fold writes its state later than what it made: a mark may have stood at an earlier record.

        Raises:
            WarehouseError: the store does not take the repair.
        """
        mark = self.of.get(here.subject)
        if mark is None:
            self._differs(here, "missing")
        elif self._reach(mark) > self._reach(here):
            return  # the workers have gone on
        elif here.subject in self._uncompared or here.next_sequence - mark.next_sequence > _STALE:
            self._uncompared.discard(here.subject)
            if not _alike(mark, here):
                self._differs(here, "different")

    def waits_at(self, subject: str, reached: int) -> bool:
        """Whether a mark that was not compared yet stands here."""
        return subject in self._uncompared and self._reach(self.of[subject]) == reached

    def stands(self, here: Mark) -> None:
        """Where the fold stands at such a mark.

        Raises:
            WarehouseError: the store does not take the repair.
        """
        self._uncompared.discard(here.subject)
        if not _alike(self.of[here.subject], here):
            self._differs(here, "different")

    def finish(self) -> None:
        """Marks of tables that the ledger does not know, further than its end, or at no record of it."""
        for subject in sorted(self._uncompared):
            mark = self.of[subject]
            self._note(mark, "extra")
            if self._repair:
                self._store.remove(RELATIONS["progress"], [(subject,)])

    def _differs(self, here: Mark, kind: Kind) -> None:
        self._note(here, kind)
        if self._repair:
            relation = RELATIONS["progress"]
            self._store.insert(
                relation, [relation.row(**msgspec.structs.asdict(here), fold_version=FOLD_VERSION)]
            )

    def _note(self, mark: Mark, kind: Kind) -> None:
        number = max(mark.next_sequence - 1, 0)
        self._into.differs(Stretch("progress", mark.subject, number, number, kind, 1))


def _alike(one: Mark, other: Mark) -> bool:
    """Whether two marks say the same; a position in the whole ledger is not the table's own."""
    return (one.next_sequence, one.chain_head, one.snapshot_base64) == (
        other.next_sequence,
        other.chain_head,
        other.snapshot_base64,
    )


def other_version(store: Warehouse) -> int | None:
    """The version of a fold other than this release's that wrote what the store holds; None if there is none.

    Raises:
        WarehouseError: the store does not answer.
    """
    found = {version for (version,) in store.query("SELECT fold_version FROM progress FINAL")}
    return max(found - {FOLD_VERSION}, default=None)
