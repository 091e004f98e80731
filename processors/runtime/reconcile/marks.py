"""How far the store says that each table is folded, and the state it keeps there, held against the ledger's.

An embedded store keeps such a state of each dealer and player too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct, structs

from processors.runtime.embedded.people import is_of_people
from processors.runtime.embedded.progress import QUARANTINE
from processors.runtime.fold.partition import UNSAVED
from processors.runtime.reconcile.reconciler import Reconciler
from processors.runtime.reconcile.stretches import Kind, Stretch
from processors.runtime.store.warehouse import Row, Warehouse
from schemas.answers import FOLD_VERSION
from schemas.warehouse import RELATIONS

_MARKS: Final = (
    "SELECT subject, next_sequence, position, chain_head, snapshot_base64 FROM progress FINAL WHERE "
)
_RELATION: Final = RELATIONS["progress"]
_QUARANTINED: Final = "SELECT next_sequence FROM progress FINAL WHERE subject = {subject:String}"
_STALE: Final = (
    2 * UNSAVED
)  # events that a table's state may lie behind; the fold writes it after half as many


class Mark(Struct, frozen=True):
    """One row of `progress`; `snapshot` is the state of a table's pipeline, or what is known of a dealer or player."""

    subject: str
    next_sequence: int
    position: int
    chain_head: str
    snapshot_base64: str

    @classmethod
    def of(cls, row: Row) -> Mark:
        """The mark of a row of `progress` that this release's fold makes."""
        return cls(*row[:-1])


def table_marks(store: Warehouse) -> dict[str, Mark]:
    """The tables' rows of `progress`, by table.

    Raises:
        WarehouseError: the store does not answer.
    """
    of_tables = "snapshot_base64 != '' AND next_sequence > 0"
    return {row[0]: Mark(*row) for row in store.query(_MARKS + of_tables)}


def people_marks(store: Warehouse) -> dict[str, Mark]:
    """The rows of `progress` of dealers, players and pairs, by name.

    Raises:
        WarehouseError: the store does not answer.
    """
    return {row[0]: Mark(*row) for row in store.query(_MARKS + "next_sequence = 0") if is_of_people(row[0])}


def position_of(mark: Mark) -> int:
    """How far a table is in its topic, as the offset behind its last record; or a dealer or player in a ledger."""
    return mark.position


def letters_stored(store: Warehouse) -> int:
    """The number of the first line of the ledger's quarantine that is not stored yet."""
    found = store.query(_QUARANTINED, {"subject": QUARANTINE})
    return int(found[0][0]) if found else 1


class Marks:
    """Holds the store's marks against the fold of the ledger; `reach` is what of a mark says how far it is."""

    def __init__(
        self, into: Reconciler, of: Mapping[str, Mark], reach: Callable[[Mark], int], *, placed: bool = False
    ) -> None:
        """`of` is what the store holds.

        With `placed` the position of a mark must be the ledger's too, and a mark beyond the ledger's end is put back
        to where the store owes it. Without `placed` a mark beyond the end is extra and is taken out: a position in the
        whole ledger is not a table's own.
        """
        self.of = of
        self._into, self._reach, self._placed = into, reach, placed
        self._uncompared: set[str] = set(of)
        self._then: dict[str, Mark] = {}  # what the store owed where it holds a mark that is further

    def owed(self, here: Mark) -> None:
        """Where the fold of a table stands once it has all that the store owes.

        A property's fold writes its state later than what it made: a mark may have stood at an earlier record.

        Raises:
            WarehouseError: the store does not take the repair.
        """
        mark = self.of.get(here.subject)
        if mark is None:
            self._differs("missing", here, here)
        elif self._reach(mark) > self._reach(here):
            if self._placed:
                self._then[here.subject] = here
            return  # the workers have gone on
        elif here.subject in self._uncompared or here.next_sequence - mark.next_sequence > _STALE:
            self.stands(here)

    def waits_at(self, subject: str, reached: int) -> bool:
        """Whether a mark that was not compared yet stands here."""
        return subject in self._uncompared and self._reach(self.of[subject]) == reached

    def stands(self, here: Mark) -> None:
        """Where the fold stands at such a mark.

        Raises:
            WarehouseError: the store does not take the repair.
        """
        self._uncompared.discard(here.subject)
        mark = self.of[here.subject]
        at = here.position if self._placed else mark.position
        if structs.replace(here, position=at) != mark:
            self._differs("different", here, here)

    def finish(self) -> None:
        """Marks of tables that the ledger does not know, further than its end, or at no record of it.

        Raises:
            WarehouseError: the store does not take the repair.
        """
        for subject in sorted(self._uncompared):
            then = self._then.get(subject)
            mark = self.of[subject]
            self._differs("extra" if then is None else "different", then or mark, then)

    def _differs(self, kind: Kind, named: Mark, here: Mark | None) -> None:
        """Note a difference; the mark that the ledger gives is put in the place of the store's."""
        number = max(named.next_sequence - 1, 0)
        self._into.differs(Stretch("progress", named.subject, number, number, kind, 1))
        mark = self.of.get(named.subject)
        # A row is taken out only if the ledger's would not win over it: workers may store a later one meanwhile.
        wins = here is not None and (mark is None or mark.position <= here.position)
        rows = [] if here is None else [_RELATION.row(**structs.asdict(here), fold_version=FOLD_VERSION)]
        self._into.put_right("progress", [] if wins else [(named.subject,)], rows)


def other_version(store: Warehouse) -> int | None:
    """The version of a fold other than this release's that wrote what the store holds; None if there is none.

    Raises:
        WarehouseError: the store does not answer.
    """
    found = {version for (version,) in store.query("SELECT fold_version FROM progress FINAL")}
    return max(found - {FOLD_VERSION}, default=None)
