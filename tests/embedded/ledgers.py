"""Ledgers made of the published streams, and stores to compare."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.store.warehouse import Row, Warehouse
from producers.log import EventLog
from producers.memory_log import MemoryLog
from schemas.warehouse import DERIVED, RELATIONS, Relation
from tests.warehouse.memory_warehouse import MemoryWarehouse

EXAMPLES = Path(__file__).parents[2] / "examples"
FIVE_TABLES = (
    "lawful_manual_shoe_657a8",
    "breach_fp_seat_skipped",
    "breach_masque_wrong",
    "breach_surrender_after_hit",
    "irregular_two_gaming_days",
)
PROJECTIONS = DERIVED


def lines_of(name: str) -> list[bytes]:
    """The lines of a published stream."""
    return (EXAMPLES / f"{name}.ndjson").read_bytes().splitlines()


def subject_of(name: str) -> str:
    """The table of a published stream."""
    return lines_of(name)[0].split(b'"subject":"')[1].split(b'"')[0].decode()


def append(log: EventLog, subject: str, lines: Iterable[bytes]) -> None:
    """Append lines behind what the table has."""
    log.append(subject, list(lines), log.head(subject))


def fill(log: EventLog, names: Sequence[str] = FIVE_TABLES, run: int = 37, events: int = 500) -> EventLog:
    """Give the ledger the first events of each stream, the tables by turns, `run` lines at a time."""
    streams = {subject_of(name): lines_of(name)[:events] for name in names}
    for start in range(0, events, run):
        for subject, lines in streams.items():
            if lines[start : start + run]:
                append(log, subject, lines[start : start + run])
    return log


def filled(names: Sequence[str] = FIVE_TABLES, run: int = 37, events: int = 500) -> EventLog:
    """A ledger in memory with the first events of each stream."""
    return fill(MemoryLog(), names, run, events)


def new_store() -> MemoryWarehouse:
    """A store in its form, empty."""
    store = MemoryWarehouse()
    store.migrate()
    return store


def folded(log: EventLog) -> Warehouse:
    """A store that holds everything the ledger says, folded without a stop."""
    store = new_store()
    EmbeddedFold(log, store).catch_up()
    return store


def contents(store: Warehouse, names: Sequence[str] = PROJECTIONS) -> dict[str, list[Row]]:
    """All rows of the relations, in the order of their keys."""
    return {
        name: store.query(f"SELECT * FROM {name} FINAL ORDER BY {_key(RELATIONS[name])}") for name in names
    }


def _key(relation: Relation) -> str:
    return ", ".join(f"`{name}`" for name in relation.key)
