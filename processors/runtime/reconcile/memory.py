"""What was found when the store was last held against the ledger, kept in the store itself, table by table."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from processors.runtime.reconcile.reconciler import Reconciled
from processors.runtime.reconcile.stretches import Stretch
from processors.runtime.store.warehouse import Row, SqlStore, Warehouse, WarehouseError
from schemas.amounts import amount, verb
from schemas.warehouse import RELATIONS

_RELATION: Final = RELATIONS["reconciled"]
_LAST: Final = (
    "SELECT subject, held_at, missing, extra, different, repaired, first_of_all FROM reconciled FINAL"
    " ORDER BY subject"
)

REMEDY: Final = (
    "`catwalk reconcile` names all; keep a copy of the database, then `catwalk reconcile --repair`"
)


class Last(Struct, frozen=True, kw_only=True):
    """The last comparison: its time, its tables, and of rows that differed and were not put right what and how many."""

    held_at: dt.datetime
    tables: int
    rows: int
    first: str = ""

    @property
    def well(self) -> bool:
        """Whether the store was, or was made, what the ledger gives."""
        return not self.rows

    @property
    def without_names(self) -> str:
        """What it says, for those who may not see each table."""
        held = (
            f"last held against the ledger {self.held_at:%Y-%m-%d %H:%M} UTC, {amount(self.tables, 'table')}"
        )
        if self.well:
            return f"{held}: every row was what the ledger gives, or was put right"
        return f"{held}: {amount(self.rows, 'row')} {verb(self.rows, 'was')} not what the ledger gives"

    def __str__(self) -> str:
        return self.without_names + (f", the first of them {self.first}" if self.first else "")


def remember(store: Warehouse, found: Reconciled, at: dt.datetime) -> None:
    """Keep what was found at this moment; tables that were found wrong before and are gone now are right.

    Raises:
        WarehouseError: the store does not take it.
    """
    of: dict[str, list[Stretch]] = defaultdict(list)
    for one in found.stretches:
        of[one.subject].append(one)
    known = {subject for (subject,) in store.query("SELECT subject FROM reconciled FINAL")}
    subjects = sorted({*found.subjects, *of, *known})
    store.insert(_RELATION, [_row(subject, at, of[subject], found.repaired) for subject in subjects])


def last_of(store: SqlStore) -> Last | None:
    """What was found last; None where nothing was ever compared.

    Raises:
        WarehouseError: the store does not answer.
    """
    rows = store.query(_LAST)
    if not rows:
        return None
    wrong = [row for row in rows if sum(row[2:5]) and not row[5]]
    return Last(
        held_at=max(row[1] for row in rows),
        tables=len(rows),
        rows=sum(sum(row[2:5]) for row in wrong),
        first=wrong[0][6] if wrong else "",
    )


def last_known(store: SqlStore) -> Last | None:
    """The same, for those who have more to say: None also of a store that no migration has given a memory."""
    try:
        return last_of(store)
    except WarehouseError:
        return None


def _row(subject: str, at: dt.datetime, stretches: Iterable[Stretch], repaired: bool) -> Row:
    found = list(stretches)
    count = {
        kind: sum(one.rows for one in found if one.kind == kind) for kind in ("missing", "extra", "different")
    }
    return _RELATION.row(
        subject=subject,
        held_at=at,
        **count,
        repaired=repaired and bool(found),
        first_of_all=str(found[0]) if found else "",
    )
