"""Rows for relations: one that uses every kind of column, and generated ones."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from processors.runtime.store.client import ServerAddress
from processors.runtime.store.server_warehouse import ServerWarehouse
from processors.runtime.store.warehouse import Row, Warehouse
from schemas.warehouse import MIGRATIONS, Column, Migration, Relation, Topology
from schemas.warehouse.migrations import Create
from schemas.warehouse.relation import DAY, MOMENT
from tests.warehouse.memory_warehouse import MemoryWarehouse

MIDNIGHT = dt.datetime(2026, 3, 1, 5, 0, 0, 1, tzinfo=dt.UTC)
WILD = "tab\t newline\n nul\0 quote' double\" back\\slash \\N \u2028 é 🂡"

EVERY_KIND = Relation(
    name="every_kind",
    grain="one row for each number: a column of every type",
    columns=(
        Column("subject", "LowCardinality(String)", "text's own comment"),
        Column("number", "UInt32", "key", "Delta, ZSTD(1)"),
        Column("version", "UInt64", "which row stays"),
        Column("moment", MOMENT, "time"),
        Column("day", f"Nullable({DAY})", "date"),
        Column("cents", "Int64", "money"),
        Column("seat", "Nullable(UInt8)", "small"),
        Column("flag", "Bool", "yes or no"),
        Column("agrees", "Nullable(Bool)", "yes, no or not known"),
        Column("share", "Nullable(Float64)", "number"),
        Column("word", "LowCardinality(Nullable(String))", "word"),
        Column("cards", "Array(LowCardinality(String))", "list of words"),
        Column("sequences", "Array(UInt32)", "list of numbers"),
    ),
    key=("subject", "number"),
    version="version",
    partition_by="toYYYYMM(moment)",
)
WITH_SAMPLE = (*MIGRATIONS, Migration(len(MIGRATIONS) + 1, "sample", (Create(EVERY_KIND),)))

Open = Callable[..., Warehouse]


def row(number: int = 1, version: int = 1, **changes: Any) -> Row:
    """A row of `EVERY_KIND`."""
    values: dict[str, Any] = {
        "subject": "FB90-1",
        "number": number,
        "version": version,
        "moment": MIDNIGHT,
        "day": dt.date(2026, 2, 28),
        "cents": -(2**63),
        "seat": 6,
        "flag": True,
        "agrees": None,
        "share": 1e-9,
        "word": None,
        "cards": ("As", "Td"),
        "sequences": (1, 2**32 - 1),
    }
    values.update(changes)
    return tuple(values[name] for name in EVERY_KIND.column_names)


def opener(engine: str, folder: Path, server: tuple[str, int, str] | None = None) -> Iterator[Open]:
    """A function that opens warehouses of this engine; all are closed at the end.

    `server` is host, port and database.
    """
    opened: list[Warehouse] = []

    def open_one(migrations: tuple[Migration, ...] = WITH_SAMPLE) -> Warehouse:
        store: Warehouse
        if engine == "memory":
            store = MemoryWarehouse(migrations)
        elif server is not None:
            host, port, database = server
            store = ServerWarehouse(ServerAddress(host=host, port=port), Topology(database), migrations)
        else:
            store = ChdbWarehouse(folder / "warehouse", migrations)
        opened.append(store)
        return store

    yield open_one
    for store in opened:
        store.close()
