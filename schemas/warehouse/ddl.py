"""Statements that create and extend relations, for one server or a cluster, from one declaration."""

from __future__ import annotations

from dataclasses import dataclass

from schemas.warehouse.relation import Column, Projection, Relation
from schemas.warehouse.views import View


@dataclass(frozen=True, slots=True)
class Topology:
    """Where relations live: one server, or the replicas and shards of a cluster; how long rows are kept.

    `retention_years` counts from the event that decided a row, so rows of an older ledger would be gone as
    soon as they are written: None keeps everything.
    """

    database: str = "catwalk"
    cluster: str | None = None
    retention_years: int | None = None


def create_database(topology: Topology) -> str:
    """The statement that creates the database if it is not there."""
    engine = "" if topology.cluster else " ENGINE = Atomic"
    return f"CREATE DATABASE IF NOT EXISTS {_name(topology.database)}{_on(topology)}{engine}"


def create(relation: Relation, topology: Topology) -> tuple[str, ...]:
    """The statements that create a relation if it is not there.

    On a cluster the rows live in `<name>_local`, replicated, and `<name>` spreads them over the shards; the
    shard follows from the key, so that rows of one key meet.
    """
    columns = ",\n    ".join(_column(column) for column in relation.columns)
    head = f"CREATE TABLE IF NOT EXISTS {_name(topology.database)}.%s{_on(topology)}\n(\n    {columns}\n)\n"
    if topology.cluster is None:
        engine = f"ReplacingMergeTree({_name(relation.version)})"
        return (head % _name(relation.name) + _storage(relation, topology, engine),)
    local = f"{relation.name}_local"
    path = "/clickhouse/tables/{shard}/{database}/{table}"
    replicated = f"ReplicatedReplacingMergeTree('{path}', '{{replica}}', {_name(relation.version)})"
    places = f"{_name(topology.cluster)}, {_name(topology.database)}, {_name(local)}"
    return (
        head % _name(local) + _storage(relation, topology, replicated),
        head % _name(relation.name)
        + f"ENGINE = Distributed({places}, {relation.shard_by})\nCOMMENT {_quoted(relation.grain)}",
    )


def add_column(name: str, column: Column, topology: Topology) -> tuple[str, ...]:
    """The statements that add a column to a relation if it is not there."""
    targets = (f"{name}_local", name) if topology.cluster else (name,)
    return tuple(
        f"ALTER TABLE {_name(topology.database)}.{_name(target)}{_on(topology)}"
        f" ADD COLUMN IF NOT EXISTS {_column(column)}"
        for target in targets
    )


def add_projection(name: str, projection: Projection, topology: Topology) -> tuple[str, ...]:
    """The statements that add a projection to a relation if it is not there, and fill it of the rows that are.

    Merges of replacing relations drop rows, so a projection is built anew by each.
    """
    target = f"{name}_local" if topology.cluster else name
    alter = f"ALTER TABLE {_name(topology.database)}.{_name(target)}{_on(topology)}"
    columns = ", ".join(_name(column) for column in projection.columns)
    order = ", ".join(_name(column) for column in projection.order)
    return (
        f"{alter} MODIFY SETTING deduplicate_merge_projection_mode = 'rebuild'",
        f"{alter} ADD PROJECTION IF NOT EXISTS {_name(projection.name)} (SELECT {columns} ORDER BY {order})",
        f"{alter} MATERIALIZE PROJECTION {_name(projection.name)}",
    )


def merge_old_months(name: str, topology: Topology) -> tuple[str, ...]:
    """The statement by which a month of a relation becomes one part once nothing was written into it for a day.

    A month of one part is read without merging versions.
    """
    target = f"{name}_local" if topology.cluster else name
    return (
        f"ALTER TABLE {_name(topology.database)}.{_name(target)}{_on(topology)} MODIFY SETTING"
        " min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1",
    )


def create_view(view: View, topology: Topology, *, replaces: bool = False) -> str:
    """The statement that creates a view if it is not there; `replaces`: also if one of its name is there."""
    columns = ",\n    ".join(_column(column) for column in view.columns)
    database = _name(topology.database)
    create = "CREATE OR REPLACE VIEW" if replaces else "CREATE VIEW IF NOT EXISTS"
    return (
        f"{create} {database}.{_name(view.name)}{_on(topology)}\n(\n    {columns}\n)\n"
        f"AS {view.sql.format(database=database)}\n"
        f"COMMENT {_quoted(view.grain)}"
    )


def _storage(relation: Relation, topology: Topology, engine: str) -> str:
    lines = [f"ENGINE = {engine}"]
    if relation.partition_by:
        lines.append(f"PARTITION BY {relation.partition_by}")
    lines.append(f"ORDER BY ({', '.join(_name(name) for name in relation.key)})")
    moment = next((name for name in ("decided_at", "time") if name in relation.column_names), None)
    if topology.retention_years is not None and moment is not None:
        lines.append(f"TTL {_until(moment, topology.retention_years)}")
    # Without these the engine acknowledges an insert before it is on the disk.
    lines.append("SETTINGS fsync_after_insert = 1, fsync_part_directory = 1")
    lines.append(f"COMMENT {_quoted(relation.grain)}")
    return "\n".join(lines)


def _until(moment: str, years: int) -> str:
    """The moment until which a row stays, as servers of every version take it: in 32 bits, from 1970 to 2105.

    A moment beyond them would wrap round, and a row of a clock that stands in 2104 would be dropped at once.
    """
    first, last = (f"toDateTime64('{year}-01-01 00:00:00', 6, 'UTC')" for year in (1970, 2105 - years))
    return f"toDateTime(greatest({first}, least({moment}, {last}))) + INTERVAL {years} YEAR"


def _column(column: Column) -> str:
    codec = f" CODEC({column.codec})" if column.codec else ""
    # In this order: servers before 26.9 take no other.
    return f"{_name(column.name)} {column.type} COMMENT {_quoted(column.comment)}{codec}"


def _on(topology: Topology) -> str:
    return f" ON CLUSTER {_name(topology.cluster)}" if topology.cluster else ""


def _name(name: str) -> str:
    return f"`{name}`"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
