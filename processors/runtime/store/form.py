"""Compares the form of a store with the declared one: columns, types, engine, keys, projections."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from processors.runtime.store.warehouse import Row, Warehouse
from schemas.amounts import amount
from schemas.warehouse import APPLIED, PROJECTIONS, RELATIONS, VIEWS, Relation, Topology, View

_COLUMNS: Final = (
    "SELECT table, name, type, comment, compression_codec FROM system.columns"
    " WHERE database = {database:String} ORDER BY table, position"
)
_TABLES: Final = (
    "SELECT name, engine_full, sorting_key, partition_key, comment FROM system.tables"
    " WHERE database = {database:String}"
)
_PROJECTIONS: Final = (
    "SELECT table, name, arrayStringConcat(sorting_key, ', ') FROM system.projections"
    " WHERE database = {database:String}"
)
_FSYNC: Final = "fsync_after_insert = 1, fsync_part_directory = 1"
_WIDTH: Final = re.compile(r"\b((?:Double)?Delta)\(\d+\)")  # the engine adds a column's width


class Drift(Struct, frozen=True):
    """One difference from the declaration; None where something is missing, or was not declared."""

    relation: str
    field: str
    declared: str | None
    found: str | None


def drifts(
    store: Warehouse, topology: Topology, relations: Mapping[str, Relation] = RELATIONS
) -> list[Drift]:
    """All differences from the declaration, relation by relation.

    Raises:
        WarehouseError: the store does not answer.
    """
    database = {"database": topology.database}
    columns: dict[str, dict[str, Row]] = {}
    for table, name, *column in store.query(_COLUMNS, database):
        columns.setdefault(table, {})[name] = tuple(column)
    tables = {name: rest for name, *rest in store.query(_TABLES, database)}
    wanted = [*relations.values(), APPLIED]
    found: list[Drift] = []
    for relation in wanted:
        names = [relation.name] if topology.cluster is None else [f"{relation.name}_local", relation.name]
        for name in names:
            if name not in tables:
                found.append(Drift(name, "relation", "exists", None))
                continue
            found += _of_columns(name, relation, columns.get(name, {}))
            spread = topology.cluster is not None and name == relation.name
            found += _of_table(name, relation, topology, tables[name], spread)
    if relations is RELATIONS:
        found += [drift for view in VIEWS for drift in _of_view(view, columns.get(view.name, {}), tables)]
    return [*found, *_of_projections(store, topology, relations)]


def _of_view(view: View, columns: Mapping[str, Row], tables: Mapping[str, list[Any]]) -> Iterator[Drift]:
    if view.name not in tables:
        yield Drift(view.name, "view", "exists", None)
        return
    *_, comment = tables[view.name]
    if comment != view.grain:
        yield Drift(view.name, "comment", view.grain, comment)
    if view.parameters:  # the engine lists no columns of a view that has them
        return
    declared = {column.name: f"{column.type}: {column.comment}" for column in view.columns}
    found = {name: f"{kind}: {said}" for name, (kind, said, _) in columns.items()}
    for name in {**declared, **found}:
        if declared.get(name) != found.get(name):
            yield Drift(view.name, f"column {name}", declared.get(name), found.get(name))


def _of_projections(
    store: Warehouse, topology: Topology, relations: Mapping[str, Relation]
) -> Iterator[Drift]:
    there = {
        (table, name): order
        for table, name, order in store.query(_PROJECTIONS, {"database": topology.database})
    }
    for relation, projection in PROJECTIONS:
        if relation not in relations:
            continue
        table = relation if topology.cluster is None else f"{relation}_local"
        declared, found = ", ".join(projection.order), there.get((table, projection.name))
        if found != declared:
            yield Drift(table, f"projection {projection.name}", declared, found)


def _of_columns(name: str, relation: Relation, there: Mapping[str, Row]) -> Iterator[Drift]:
    for column in relation.columns:
        if column.name not in there:
            yield Drift(name, f"column {column.name}", column.type, None)
            continue
        kind, comment, codec = there[column.name]
        plain = _WIDTH.sub(r"\1", codec)
        stored = plain.removeprefix("CODEC(").removesuffix(")") if plain else ""
        for what, declared, found in (
            ("type", column.type, kind),
            ("comment", column.comment, comment),
            ("codec", column.codec, stored),
        ):
            if declared != found:
                yield Drift(name, f"{what} of {column.name}", declared, found)
    for other in there.keys() - set(relation.column_names):
        kind, *_ = there[other]
        yield Drift(name, f"column {other}", None, kind)
    order = [column for column in there if column in relation.column_names]
    if sorted(order) == sorted(relation.column_names) and order != list(relation.column_names):
        yield Drift(name, "order of columns", ", ".join(relation.column_names), ", ".join(order))


def _of_table(
    name: str, relation: Relation, topology: Topology, row: list[Any], spread: bool
) -> Iterator[Drift]:
    engine, key, partition, comment = row
    if comment != relation.grain:
        yield Drift(name, "comment", relation.grain, comment)
    if spread:
        wanted = f"Distributed('{topology.cluster}', '{topology.database}', '{relation.name}_local'"
        if not engine.startswith(wanted):
            yield Drift(name, "engine", wanted + ", ...)", engine)
        return
    kind = "ReplacingMergeTree" if topology.cluster is None else "ReplicatedReplacingMergeTree"
    made = engine.partition(" ")[0] if topology.cluster is None else engine.partition(") ")[0] + ")"
    if not made.startswith(f"{kind}(") or not made.endswith(f"{relation.version})"):
        yield Drift(name, "engine", f"{kind}({relation.version})", made)
    if key.strip("()") != ", ".join(relation.key):  # releases differ in the brackets of a single column
        yield Drift(name, "key", ", ".join(relation.key), key)
    if partition != relation.partition_by:
        yield Drift(name, "partitions", relation.partition_by, partition)
    if _FSYNC not in engine:
        yield Drift(name, "settings", _FSYNC, engine.partition(" SETTINGS ")[2])
    yield from _of_retention(name, relation, topology, engine)


def _of_retention(name: str, relation: Relation, topology: Topology, engine: str) -> Iterator[Drift]:
    years = re.search(r"\bTTL .*?toIntervalYear\((\d+)\)", engine)
    found = amount(int(years[1]), "year") if years else "for ever"
    dated = any(moment in relation.column_names for moment in ("decided_at", "time"))
    kept = topology.retention_years if dated else None
    declared = amount(kept, "year") if kept is not None else "for ever"
    if declared != found:
        yield Drift(name, "retention", declared, found)
