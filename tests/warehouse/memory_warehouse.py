"""The warehouse's twin in memory: keys, versions and types as the store has them, without the engine.

It is SQLite underneath, so it answers the SQL that both engines speak (selections, joins, `count()`, `sum`,
`min`, `max`, `GROUP BY`, `FINAL`), and none of ClickHouse's own functions. Columns come back as declared;
an expression over times or arrays comes back as text.
"""

from __future__ import annotations

import datetime as dt
import re
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from processors.runtime.store.warehouse import (
    NOTHING,
    Parameter,
    Row,
    WarehouseError,
    pending,
    refuse_misfits,
)
from schemas.warehouse import APPLIED, MIGRATIONS, Migration, Relation
from schemas.warehouse.migrations import AddColumn, AddProjection, Create, CreateView, relations_after
from schemas.warehouse.relation import DAY, MOMENT, Column

_APART = re.compile(r"\bFINAL\b|\bSETTINGS\b.*", re.IGNORECASE)  # how ClickHouse reads
_PARAMETER = re.compile(r"\{(\w+):[^{}]+\}")
_DEFAULTS = {"TEXT": "''", "ARRAY": "'[]'"}
_CONVERTERS: dict[str, Callable[[bytes], Any]] = {
    "ARRAY": lambda text: tuple(msgspec.json.decode(text)),
    "FLAG": lambda text: text == b"1",
    "MOMENT": lambda text: msgspec.convert(text.decode(), dt.datetime),
    "DAY": lambda text: msgspec.convert(text.decode(), dt.date),
}
for _name, _converter in _CONVERTERS.items():
    sqlite3.register_converter(_name, _converter)


class MemoryWarehouse:
    """`Warehouse` in memory; lost with the process."""

    def __init__(self, migrations: Sequence[Migration] = MIGRATIONS) -> None:
        self._migrations = migrations
        self._guard = threading.Lock()
        self._store = sqlite3.connect(
            ":memory:", isolation_level=None, check_same_thread=False, detect_types=sqlite3.PARSE_DECLTYPES
        )

    def migrate(self) -> tuple[Migration, ...]:
        """Bring the relations to the form of this release; return what had to be applied."""
        self._create(APPLIED)
        due = pending(self._migrations, dict(self.query("SELECT number, digest FROM migrations FINAL")))
        for migration in due:
            for operation in migration.operations:
                match operation:
                    case Create(relation):
                        self._create(relation)
                    case AddColumn(name, column):
                        self._execute(f"ALTER TABLE `{name}` ADD COLUMN {_declared(column)}")
                    case AddProjection():
                        pass  # another order of the same rows: nothing that an answer shows
                    case CreateView():
                        pass  # for people: in SQL that this twin does not speak
            self.insert(APPLIED, [(migration.number, migration.name, migration.digest)])
        return due

    def insert(self, relation: Relation, rows: Sequence[Row]) -> None:
        """Store rows; of two with one key the later stays unless its version is smaller."""
        refuse_misfits(relation, rows)
        names = [f"`{name}`" for name in relation.column_names]
        places = ", ".join("?" * len(names))
        key = ", ".join(f"`{name}`" for name in relation.key)
        changed = ", ".join(f"{name} = excluded.{name}" for name in names)
        statement = (
            f"INSERT INTO `{relation.name}` ({', '.join(names)}) VALUES ({places}) ON CONFLICT ({key})"
            f" DO UPDATE SET {changed} WHERE excluded.`{relation.version}` >= `{relation.version}`"
        )
        stored = [tuple(_stored(value) for value in row) for row in rows]
        with self._guard:
            try:
                self._store.execute("BEGIN")
                self._store.executemany(statement, stored)
                self._store.execute("COMMIT")
            except sqlite3.Error as error:
                self._store.execute("ROLLBACK")
                raise _failed(f"rows for {relation.name}", error) from error

    def query(self, sql: str, parameters: Mapping[str, Parameter] = NOTHING) -> list[Row]:
        """Rows of the answer."""
        statement = _PARAMETER.sub(r":\1", _APART.sub("", sql))
        return self._execute(statement, {name: _stored(value) for name, value in parameters.items()})

    def remove(self, relation: Relation, keys: Sequence[Row]) -> None:
        """Take the rows of these keys out."""
        chosen = " AND ".join(f"`{name}` = :{name}" for name in relation.key)
        for key in keys:
            given = dict(zip(relation.key, map(_stored, key), strict=True))
            self._execute(f"DELETE FROM `{relation.name}` WHERE {chosen}", given)

    def clear(self) -> None:
        """Empty every relation, progress last."""
        for name in sorted(relations_after(self._migrations), key=lambda name: name == "progress"):
            self._execute(f"DELETE FROM `{name}`")

    def close(self) -> None:
        """Forget everything."""
        self._store.close()

    def _create(self, relation: Relation) -> None:
        columns = ", ".join(_declared(column) for column in relation.columns)
        key = ", ".join(f"`{name}`" for name in relation.key)
        self._execute(f"CREATE TABLE IF NOT EXISTS `{relation.name}` ({columns}, PRIMARY KEY ({key}))")

    def _execute(self, statement: str, parameters: Mapping[str, Any] = NOTHING) -> list[Row]:
        with self._guard:
            try:
                return self._store.execute(statement, parameters).fetchall()
            except (sqlite3.Error, OverflowError) as error:
                raise _failed("query", error) from error


def _failed(what: str, error: Exception) -> WarehouseError:
    return WarehouseError(what, str(error), "use what both engines speak, or ask the real one")


def _declared(column: Column) -> str:
    """A column as SQLite declares it; what is not given takes the default the engine would take."""
    wanted = column.type.removeprefix("LowCardinality(")
    nullable = wanted.startswith("Nullable(")
    kind = _kind(wanted.removeprefix("Nullable(").rstrip(")") if nullable else wanted)
    default = "" if nullable else f" NOT NULL DEFAULT {_DEFAULTS.get(kind, 0)}"
    return f"`{column.name}` {kind}{default}"


def _kind(column_type: str) -> str:
    if column_type.startswith("Array("):
        return "ARRAY"
    if column_type.startswith(("DateTime", MOMENT)):
        return "MOMENT"
    if column_type == DAY:
        return "DAY"
    if column_type.startswith("Bool"):
        return "FLAG"
    return "INTEGER" if "Int" in column_type else "REAL" if column_type.startswith("Float") else "TEXT"


def _stored(value: Any) -> Any:
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return msgspec.json.encode(value).decode()
    return value
