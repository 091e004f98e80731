"""The warehouse as a port: rows go in by relation, answers come out by SQL.

SQL is written once, in ClickHouse's dialect with `{name:Type}` parameters; `tests/warehouse/test_contract.py` holds
every adapter to the same behaviour.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from schemas.errors import ActionableError
from schemas.warehouse import APPLIED, Migration, Relation, Topology
from schemas.warehouse.ddl import create
from schemas.warehouse.migrations import relations_after

Row = tuple[Any, ...]
Scalar = str | int | float | bool | dt.date | dt.datetime | None
Parameter = Scalar | Sequence[Scalar] | Sequence[tuple[Scalar, ...]]
NOTHING: Mapping[str, Parameter] = {}


class WarehouseError(ActionableError):
    """Something the warehouse could not do."""


class StoreBusy(WarehouseError):
    """Another process has the store open, and an embedded store is one process's at a time."""


class StoreNotMade(WarehouseError):
    """The store answers, and its database, or a relation in it, is not there yet."""


class StoreOfAnotherRelease(WarehouseError):
    """The store went through migrations that this release does not know, or knows in another form."""


class Misfit(WarehouseError):
    """A row that does not fit its relation: a defect of whoever made it; nothing was stored."""


class SqlStore(Protocol):
    """A store that answers SQL."""

    def query(self, sql: str) -> list[Row]:
        """Rows of the answer."""


class Warehouse(Protocol):
    """A store of relations whose rows are named by natural keys."""

    def migrate(self) -> tuple[Migration, ...]:
        """Bring the relations to the form of this release; return what had to be applied.

        Raises:
            StoreOfAnotherRelease: it has migrations that this release does not know.
        """

    def insert(self, relation: Relation, rows: Sequence[Row]) -> None:
        """Store rows, durable when this returns; a row that is there already stays one row.

        Raises:
            Misfit: a row does not fit the relation; none was stored.
            WarehouseError: the engine failed; the rows may be stored or not, so insert them again.
        """

    def query(self, sql: str, parameters: Mapping[str, Parameter] = NOTHING) -> list[Row]:
        """Rows of the answer: int, str, float, bool, date, UTC datetime, None, and tuples for arrays.

        Raises:
            WarehouseError: the engine does not take the SQL or the parameters.
        """

    def remove(self, relation: Relation, keys: Sequence[Row]) -> None:
        """Take the rows of these keys out, whatever their version; they are gone when this returns.

        Raises:
            WarehouseError: the engine failed, or this user may not; some may be gone.
        """

    def clear(self) -> None:
        """Empty every relation, progress last, so that a crash on the way leaves it to be done again."""

    def close(self) -> None:
        """Release what is held; what was inserted stays, unless the store is in memory."""


def pending(known: Sequence[Migration], applied: Mapping[int, str]) -> tuple[Migration, ...]:
    """Migrations still to be applied; `applied` holds the digests the store has seen, by number.

    Raises:
        StoreOfAnotherRelease: it has seen one that is not known, or known by another digest.
    """
    digests = {migration.number: migration.digest for migration in known}
    for number in sorted(applied):
        if number not in digests:
            why = f"it has seen migration {number}; this release knows {len(known)}"
            raise StoreOfAnotherRelease("the store", why, "use the release that wrote it, or a newer one")
        if digests[number] != applied[number]:
            why = f"its migration {number} is not this release's"
            remedy = "remove the store's folder: it is folded again from the ledger"
            raise StoreOfAnotherRelease("the store", why, remedy)
    return tuple(migration for migration in known if migration.number not in applied)


def due_in(store: SqlStore, known: Sequence[Migration]) -> tuple[Migration, ...]:
    """Migrations that a store has not had yet.

    Raises:
        StoreOfAnotherRelease: it has one that is not known, or known by another digest.
    """
    return pending(known, dict(store.query(f"SELECT number, digest FROM {APPLIED.name} FINAL")))


def migrated(
    store: Warehouse, known: Sequence[Migration], topology: Topology, execute: Callable[[str], None]
) -> tuple[Migration, ...]:
    """Apply by `execute` the migrations that a store has not had yet, and note them; return them."""
    for statement in create(APPLIED, topology):
        execute(statement)
    due = due_in(store, known)
    for migration in due:
        for operation in migration.operations:
            for statement in operation.statements(topology):
                execute(statement)
        store.insert(APPLIED, [(migration.number, migration.name, migration.digest)])
    return due


def to_empty(known: Sequence[Migration]) -> list[str]:
    """Names of the relations, progress last."""
    return sorted(relations_after(known), key=lambda name: name == "progress")


def refuse_misfits(relation: Relation, rows: Sequence[Row]) -> None:
    """Check rows before an engine sees them.

    Raises:
        Misfit: a value of the wrong type or out of its column's range.
    """
    try:
        relation.refuse_misfits(rows)
    except msgspec.ValidationError as error:
        raise Misfit(f"rows for {relation.name}", str(error), "this is a defect; report it") from error
