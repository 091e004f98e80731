"""How the store and the disk are, for the health page."""

from __future__ import annotations

import shutil
from pathlib import Path

from dashboards.server.vitals import Vital
from processors.runtime.warehouse import Warehouse, WarehouseError

LEAST_FREE = 0.10  # part of a disk; below it is said
LAST_FREE = 0.03  # ... and below this it is wrong
MANY_PARTS = 300  # of one partition; the engine slows inserts down from 1,000 on
_PARTS = (
    "SELECT toUInt64(sum(rows)), toUInt64(sum(bytes_on_disk)), toUInt64(max(parts)) FROM"
    " (SELECT table, sum(rows) AS rows, sum(bytes_on_disk) AS bytes_on_disk, count() AS parts"
    " FROM system.parts WHERE active AND database = currentDatabase() GROUP BY table, partition)"
)


def disk_vital(folder: Path) -> Vital:
    """Room on the disk of a folder."""
    usage = shutil.disk_usage(folder)
    free = usage.free / usage.total
    told = f"{usage.free / 2**30:,.1f} GiB free of {usage.total / 2**30:,.1f} GiB ({free:.0%})"
    if free < LAST_FREE:
        remedy = "make room now: a full disk stops the record"
        return Vital(part="Disk", state="failed", told=told, remedy=remedy)
    if free < LEAST_FREE:
        return Vital(
            part="Disk", state="warning", told=told, remedy="make room: a full disk stops the record"
        )
    return Vital(part="Disk", state="well", told=told)


def store_vital(store: Warehouse) -> Vital:
    """Rows, bytes and parts of the store, or that it is away."""
    try:
        ((rows, size, parts),) = store.query(_PARTS)
    except WarehouseError as error:
        return Vital(
            part="Store",
            state="failed",
            told=f"{error.what}: {error.why}",
            remedy=f"{error.remedy}; alerts go on without it",
        )
    told = f"{rows:,} rows, {size / 2**20:,.1f} MiB, at most {parts} parts in a partition"
    if parts > MANY_PARTS:
        remedy = "rows come in too small batches, or merges are stopped"
        return Vital(part="Store", state="warning", told=told, remedy=remedy)
    return Vital(part="Store", state="well", told=told)
