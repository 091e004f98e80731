"""Digests of what a store holds, small enough to keep while it is emptied and filled again.

Rows are gathered by relation, table and stretch of its record, so that a difference names a stretch to look at.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from processors.runtime.store.shapes import OF_A_ROUND, of_ledger
from processors.runtime.store.warehouse import Warehouse
from schemas.answers import FOLD_VERSION
from schemas.warehouse import DERIVED, RELATIONS, Relation

STRETCH: Final = 64  # rounds or events that one digest stands for


class Stretch(Struct, frozen=True, order=True):
    """Some rows of a relation: those of one table whose rounds (or events) begin with this number."""

    relation: str
    subject: str
    first: int

    def __str__(self) -> str:
        unit = "round" if self.relation in OF_A_ROUND else "event"
        last = self.first + STRETCH - 1
        where = f", {unit}s {max(1, self.first):,} to {last:,}" if self.relation != "counters" else ""
        return f"{self.relation} of table {self.subject}{where}"


class Digest(Struct, frozen=True):
    """How many rows there are, and all their content as SHA-256, hex."""

    rows: int
    content: str


Fingerprints = dict[Stretch, Digest]


def fingerprints(store: Warehouse) -> Fingerprints:
    """Digests of all that the ledger gives but the findings about the store itself.

    The version of the fold that wrote a row is left out: rows with the same content are the same.

    Raises:
        WarehouseError: the store does not answer.
    """
    found: Fingerprints = {}
    for name in DERIVED:
        for subject, first, rows, content in store.query(_question(RELATIONS[name])):
            found[Stretch(name, subject, first)] = Digest(rows, content)
    return found


def _question(relation: Relation) -> str:
    columns = ", ".join(f"`{name}`" for name in relation.column_names if name != "fold_version")
    number = "round" if relation.name in OF_A_ROUND else "sequence"
    first = "0" if relation.name == "counters" else f"toUInt64(intDiv({number}, {STRETCH}) * {STRETCH})"
    return (
        f"SELECT subject, {first} AS first, toUInt64(count()),"
        " hex(SHA256(arrayStringConcat(arraySort(groupArray("
        f"hex(SHA256(toString(tuple({columns})))))))))"
        f" FROM {relation.name} FINAL WHERE {of_ledger(relation.name)} GROUP BY subject, first"
    )


def written_by_this_fold(store: Warehouse) -> bool:
    """Whether no other version of the fold wrote what the store holds."""
    return all(
        version == FOLD_VERSION for (version,) in store.query("SELECT fold_version FROM progress FINAL")
    )


class Difference(Struct, frozen=True, order=True):
    """A stretch that has changed: its rows before and after; equal numbers mean other content."""

    stretch: Stretch
    before: int
    after: int

    def __str__(self) -> str:
        if self.before == self.after:
            return f"{self.stretch}: {self.before:,} rows, with other content"
        return f"{self.stretch}: {self.before:,} rows before, {self.after:,} after"


def differences(before: Fingerprints, after: Fingerprints) -> list[Difference]:
    """What two stores do not have in common, in order of relation, table and number."""
    nothing = Digest(0, "")
    return sorted(
        Difference(stretch, before.get(stretch, nothing).rows, after.get(stretch, nothing).rows)
        for stretch in before.keys() | after.keys()
        if before.get(stretch, nothing) != after.get(stretch, nothing)
    )


def row_counts(held: Fingerprints) -> dict[str, int]:
    """Rows of each relation."""
    counts = dict.fromkeys(DERIVED, 0)
    for stretch, digest in held.items():
        counts[stretch.relation] += digest.rows
    return counts
