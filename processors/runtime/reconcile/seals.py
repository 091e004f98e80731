"""Rows that were found to be what the ledger gives, as digests that the store can be asked for again.

A digest is over every column of the rows of one table and relation that rest on a stretch of events: the SHA-256 of
their sorted SHA-256s (FIPS 180-4). The store computes it anew each time, of what it holds then. Nobody who may write in
the store can make other rows of the same digest, and what is remembered does not lie in the store.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from msgspec import Struct, field

from processors.runtime.store.shapes import COMPARED, LETTERS, SHAPES, Key, of_ledger
from processors.runtime.store.warehouse import Parameter, Warehouse
from schemas.answers import FOLD_VERSION
from schemas.warehouse import RELATIONS
from schemas.warehouse.relation import EACH_MONTH

STRETCH: Final = 10_000  # events
_AT_ONCE: Final = 1_000  # events whose rows are asked for one by one
_OF_TABLE: Final = "subject = {subject:String}"


class StretchDigest(Struct, frozen=True, array_like=True):
    """The rows of a stretch of events: how many, their digest, and when the earliest of them was decided."""

    rows: int
    sha256: bytes
    earliest: dt.datetime


class TableSeal(Struct, kw_only=True):
    """What was proven of one table: its rows that rest on events before `before`, and some apart.

    `apart` are rows that rest on no such event, by relation: event and key of each. Their digests are by the year in
    which they were decided. `told` are the findings of its last events in the order in which they were told, by event.
    """

    before: int
    digests: dict[str, dict[int, StretchDigest]] = field(default_factory=dict)
    apart: dict[str, list[tuple[int, Key]]] = field(default_factory=dict)
    apart_digests: dict[str, dict[int, StretchDigest]] = field(default_factory=dict)
    told: dict[int, dict[str, int]] = field(default_factory=dict)


class _Hashed(NamedTuple):
    key: Key
    moment: dt.datetime
    sha256: str


RowsLate = Mapping[
    str, Collection[tuple[int, Key]]
]  # by relation, event and key of rows that are not of the seal


def sealed(store: Warehouse, subject: str, seal: TableSeal, late: RowsLate) -> TableSeal:
    """The seal with the digests of what the store holds now, without rows that were given later.

    Raises:
        WarehouseError: the store does not answer.
    """
    made = TableSeal(before=seal.before, apart=seal.apart, told=seal.told)
    for name in COMPARED:
        if name != LETTERS:
            made.digests[name] = _stretches(store, name, subject, seal.before, late.get(name, ()))
        apart = seal.apart.get(name)
        if apart:
            made.apart_digests[name] = _by_year(store, name, subject, apart)
    return made


def broken(seal: TableSeal, now: TableSeal, kept_since: dt.datetime | None) -> Iterator[tuple[str, int]]:
    """Relation and first event of each stretch that is not as it was proven; of rows apart the event is 0.

    Rows from before `kept_since` may be gone: a digest over such a row says nothing any more.
    """
    for name, digests in seal.digests.items():
        for stretch in _changed(digests, now.digests.get(name, {}), kept_since):
            yield name, stretch * STRETCH
    for name, digests in seal.apart_digests.items():
        for _year in _changed(digests, now.apart_digests.get(name, {}), kept_since):
            yield name, 0


def _changed(
    then: Mapping[int, StretchDigest], now: Mapping[int, StretchDigest], kept_since: dt.datetime | None
) -> Iterator[int]:
    for place in sorted(then.keys() | now.keys()):
        digest = then.get(place)
        if digest is not None and kept_since is not None and digest.earliest < kept_since:
            continue
        if now.get(place) != digest:
            yield place


def _stretches(
    store: Warehouse, name: str, subject: str, before: int, late: Collection[tuple[int, Key]]
) -> dict[int, StretchDigest]:
    sql = (
        f"SELECT intDiv({SHAPES[name].rests_on}, {STRETCH}) AS stretch, count(), lower(hex(SHA256(arrayStringConcat("
        f"arraySort(groupArray({_row(name)})))))), min({_moment(name)})"
        f" FROM {name} FINAL WHERE {_OF_TABLE} AND {of_ledger(name)} AND {SHAPES[name].rests_on} < {{before:UInt32}}"
        f" GROUP BY stretch SETTINGS {EACH_MONTH}"
    )
    found = {
        stretch: StretchDigest(rows, bytes.fromhex(told), earliest)
        for stretch, rows, told, earliest in store.query(sql, {"subject": subject, "before": before})
    }
    keys = {key for _, key in late}
    for stretch in {at // STRETCH for at, _ in late}:
        span = {"first": stretch * STRETCH, "last": min((stretch + 1) * STRETCH, before) - 1}
        hashed = _hashed(store, name, subject, "BETWEEN {first:UInt32} AND {last:UInt32}", span)
        rows = [row for row in hashed if row.key not in keys]
        found.pop(stretch, None)
        if rows:
            found[stretch] = _digest(rows)
    return found


def _by_year(
    store: Warehouse, name: str, subject: str, apart: Collection[tuple[int, Key]]
) -> dict[int, StretchDigest]:
    keys, events = {key for _, key in apart}, sorted({event for event, _ in apart})
    by_year: dict[int, list[_Hashed]] = defaultdict(list)
    for at in range(0, len(events), _AT_ONCE):
        chosen = {"events": events[at : at + _AT_ONCE]}
        for row in _hashed(store, name, subject, "IN {events:Array(UInt32)}", chosen):
            if row.key in keys:
                by_year[row.moment.year].append(row)
    return {year: _digest(rows) for year, rows in by_year.items()}


def _digest(rows: Sequence[_Hashed]) -> StretchDigest:
    """What the store says of the same rows."""
    whole = hashlib.sha256("".join(sorted(row.sha256 for row in rows)).encode()).digest()
    return StretchDigest(len(rows), whole, min(row.moment for row in rows))


def _hashed(
    store: Warehouse, name: str, subject: str, which: str, asked: Mapping[str, Parameter]
) -> list[_Hashed]:
    """The rows of a table that rest on `which` events, SQL with parameters that are `asked`."""
    key = ", ".join(f"`{column}`" for column in RELATIONS[name].key)
    sql = (
        f"SELECT {_moment(name)}, {_row(name)}, {key} FROM {name} FINAL"
        f" WHERE {_OF_TABLE} AND {of_ledger(name)} AND {SHAPES[name].rests_on} {which} SETTINGS {EACH_MONTH}"
    )
    rows = store.query(sql, {"subject": subject, **asked})
    return [_Hashed(tuple(row[2:]), row[0], row[1]) for row in rows]


def _row(name: str) -> str:
    """The SHA-256 of a row's columns, hex: joined as bytes, the engine drops the nulls at the end of each.

    Which version of the fold wrote a row is not what the row says, but a version to come would win over every row.
    """
    columns = [f"`{column}`" for column in RELATIONS[name].column_names if column != "fold_version"]
    return f"hex(SHA256(formatRow('RowBinary', {', '.join(columns)}, fold_version > {FOLD_VERSION})))"


def _moment(name: str) -> str:
    return RELATIONS[name].column_names[SHAPES[name].moment]
