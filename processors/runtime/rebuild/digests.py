"""Digests of what a store holds, small enough to keep while it is emptied and filled again.

Rows are gathered by relation, table and block of its record, so that a difference names a stretch to look at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Any, Final

from msgspec import Struct

from processors.runtime.store.shapes import OF_A_ROUND, SHAPES, of_ledger
from processors.runtime.store.warehouse import Row, Warehouse
from schemas.amounts import amount
from schemas.warehouse import DERIVED, RELATIONS

BLOCK: Final = 64  # rounds or events whose rows the store itself sums up
_UNORDERED: Final = "0"  # counters of a table stand in no order
_IN_ORDER: Final = attrgetter("relation", "subject", "first")


class RowsDigest(Struct, frozen=True, array_like=True):
    """Rows of one table whose rounds (or events) begin with `first`: how many, and their content as SHA-256, hex."""

    relation: str
    subject: str
    first: int
    rows: int
    content: str


def fingerprints(store: Warehouse) -> list[RowsDigest]:
    """Digests of all that the ledger gives but the findings about the store itself.

    Raises:
        WarehouseError: the store does not answer.
    """
    return [
        RowsDigest(name, subject, block * BLOCK, rows, content)
        for name in DERIVED
        for subject, block, rows, content in blocks(
            store, name, SHAPES[name].numbered if name in SHAPES else _UNORDERED
        )
    ]


def differences(before: Iterable[RowsDigest], after: Iterable[RowsDigest]) -> list[str]:
    """What two fingerprints do not have in common, in order of relation, table and number."""
    return list(unlike(before, after, _IN_ORDER, _stretch, "after"))


def row_counts(held: Iterable[RowsDigest]) -> dict[str, int]:
    """Rows of each relation."""
    counts = dict.fromkeys(DERIVED, 0)
    for digest in held:
        counts[digest.relation] += digest.rows
    return counts


def blocks(store: Warehouse, name: str, number: str, besides: str = "1") -> list[Row]:
    """Table, block, rows and content of each block of a relation's rows, in order: `BLOCK` values of `number` are one.

    The version of the fold that wrote a row is left out: rows with the same content are the same. `number` and
    `besides`, which says what rows there are, are SQL.

    Raises:
        WarehouseError: the store does not answer.
    """
    columns = ", ".join(f"`{column}`" for column in RELATIONS[name].column_names if column != "fold_version")
    return store.query(
        f"SELECT subject, toUInt64(intDiv({number}, {BLOCK})) AS block, toUInt64(count()),"
        " hex(SHA256(arrayStringConcat(arraySort(groupArray("
        f"hex(SHA256(toString(tuple({columns})))))))))"
        f" FROM {name} FINAL WHERE {of_ledger(name)} AND {besides}"
        " GROUP BY subject, block ORDER BY subject, block"
    )


def unlike(
    before: Iterable[RowsDigest],
    after: Iterable[RowsDigest],
    place: Callable[[RowsDigest], Any],
    named: Callable[[RowsDigest], str],
    later: str,
) -> Iterator[str]:
    """Where the digests of each place differ, in the order of places; rows of the second are those of `later`."""
    was, now = ({place(one): one for one in held} for held in (before, after))
    for at in sorted(was.keys() | now.keys()):
        one, other = was.get(at), now.get(at)
        if one == other:
            continue
        rows, others = (held.rows if held is not None else 0 for held in (one, other))
        found = f"{amount(rows, 'row')} before, {others:,} {later}"
        if rows == others:
            found = f"{amount(rows, 'row')}, with other content"
        yield f"{named(one or now[at])}: {found}"


def _stretch(one: RowsDigest) -> str:
    where = ""
    if one.relation != "counters":
        unit = "round" if one.relation in OF_A_ROUND else "event"
        where = f", {unit}s {max(1, one.first):,} to {one.first + BLOCK - 1:,}"
    return f"{one.relation} of table {one.subject}{where}"
