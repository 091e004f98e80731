"""How the store and the disk are, for the health page."""

from __future__ import annotations

import datetime as dt
import shutil
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from dashboards.reader.question import RecordsAway
from dashboards.web.vitals import State, Vital
from processors.runtime.reconcile.memory import REMEDY, Last
from processors.runtime.store.warehouse import SqlStore, StoreNotMade, WarehouseError
from schemas.amounts import amount

LEAST_FREE: Final = 0.10  # part of a disk; below it is said
LAST_FREE: Final = 0.03  # ... and below this it is wrong
LEAST_DAYS: Final = 14.0  # a disk that is full so soon is said: a larger one has to be ordered
LAST_DAYS: Final = 3.0  # ... and a long weekend is the last moment
WATCHED_FOR: Final = 3_600.0  # seconds before a rate is said: merging parts takes and frees GiB in minutes
REMEMBERED: Final = 7 * 24  # looks, an hour apart: the rate is that of the last days
MANY_PARTS: Final = 300  # of one partition; the engine slows inserts down from 1,000 on
COMPARED: Final = "Store and ledger"
COMPARED_AGAIN: Final = 2 * 86_400.0  # seconds; a worker compares once a day
_DAY: Final = 86_400.0
_PARTS: Final = (
    "SELECT toUInt64(sum(rows)), toUInt64(sum(bytes_on_disk)), toUInt64(max(parts)), max(newest), now() FROM"
    " (SELECT table, sum(rows) AS rows, sum(bytes_on_disk) AS bytes_on_disk, count() AS parts,"
    " max(modification_time) AS newest"
    " FROM system.parts WHERE active AND database = currentDatabase() GROUP BY table, partition)"
)


class Usage(NamedTuple):
    """A disk in bytes, as `shutil.disk_usage` tells it."""

    total: int
    used: int
    free: int


class Room:
    """Room on the disk of a folder, and the days that are left at the rate at which it fills; any thread may ask."""

    def __init__(
        self,
        folder: Path,
        clock: Callable[[], float] = time.monotonic,
        usage: Callable[[Path], tuple[int, int, int]] = shutil.disk_usage,
    ) -> None:
        """Begin to measure at the first look."""
        self._folder, self._clock, self._usage = folder, clock, usage
        self._guard = threading.Lock()
        self._looks: deque[tuple[float, int]] = deque(maxlen=REMEMBERED)

    def vital(self) -> Vital:
        """How much is free now, and for how long."""
        usage = Usage(*self._usage(self._folder))
        now = self._clock()
        with self._guard:
            if not self._looks or now - self._looks[-1][0] >= WATCHED_FOR:
                self._looks.append((now, usage.free))
            then, free_then = self._looks[0]
        share = usage.free / usage.total
        told = f"{usage.free / 2**30:,.1f} GiB free of {usage.total / 2**30:,.1f} GiB ({share:.0%}); "
        days = None
        if now - then < WATCHED_FOR:
            told += f"days left not known: watched for {(now - then) / 60:.0f} min of {WATCHED_FOR / 60:.0f}"
        elif usage.free >= free_then:
            told += f"it has not filled in the last {_span(now - then)}"
        else:
            rate = (free_then - usage.free) / (now - then) * _DAY
            days = usage.free / rate
            told += f"{days:,.1f} days left at {rate / 2**30:,.2f} GiB a day (last {_span(now - then)})"
        return _room(told, share, days)


def _room(told: str, share: float, days: float | None) -> Vital:
    if share < LAST_FREE or (days is not None and days < LAST_DAYS):
        return Vital("Disk", "failed", told, "make room now: a full disk stops the record")
    if share < LEAST_FREE or (days is not None and days < LEAST_DAYS):
        return Vital("Disk", "warning", told, "make room: a full disk stops the record")
    return Vital("Disk", "well", told)


def _span(seconds: float) -> str:
    return f"{seconds / _DAY:.1f} days" if seconds >= _DAY else f"{seconds / 3600:.1f} h"


def store_vital(store: SqlStore) -> Vital:
    """Rows, bytes, parts and the last write of the store in this process, or that it cannot be used."""
    try:
        return _store("Store", store)
    except WarehouseError as error:
        remedy = f"{error.remedy}; alerts go on without it"
        return Vital("Store", "failed", f"{error.what}: {error.why}", remedy)


def server_vital(store: SqlStore) -> Vital:
    """The same of a server: one that answers and does not tell is not known to be well."""
    try:
        return _store("ClickHouse", store)
    except RecordsAway as error:
        remedy = "runbook clickhouse-outage: alerts go on without it"
        return Vital("ClickHouse", "failed", f"it does not answer: {error}", remedy)
    except StoreNotMade as error:
        return Vital("ClickHouse", "failed", f"it answers; {error.why}", error.remedy)
    except WarehouseError as error:
        told = f"it answers; rows, parts and the last insert not known: {error.why[:200]}"
        remedy = "as admin: GRANT SELECT ON system.parts to the console's user"
        return Vital("ClickHouse", "warning", told, remedy)


def _store(part: str, store: SqlStore) -> Vital:
    ((rows, size, parts, newest, now),) = store.query(_PARTS)
    if not rows:
        return Vital(part, "well", "it answers, and is empty")
    # Merging makes parts too: what is newest was inserted or merged.
    written = f"the newest written {max((now - newest).total_seconds(), 0.0):,.0f} s ago"
    told = f"{amount(rows, 'row')}, {size / 2**20:,.1f} MiB, at most {parts} parts in a partition, {written}"
    if parts > MANY_PARTS:
        return Vital(part, "warning", told, "rows come in too small batches, or merges are stopped")
    return Vital(part, "well", told)


def compared_vital(part: str, last: Callable[[], Last | None], *, again: float | None = None) -> Vital:
    """What was found when the store was last held against the ledger; `again` is how many seconds that may be ago."""
    try:
        found = last()
    except (WarehouseError, RecordsAway) as error:
        return Vital(part, "warning", f"not known: {error}", "`catwalk migrate`, then `catwalk reconcile`")
    if found is None:
        state: State = "not known" if again is None else "warning"
        return Vital(part, state, "never held against the ledger", "`catwalk reconcile` does")
    if not found.well:
        return Vital(part, "failed", found.without_names, REMEDY)
    old = again is not None and (dt.datetime.now(dt.UTC) - found.held_at).total_seconds() > again
    remedy = "start the worker: catwalk reconcile --every 24" if old else ""
    return Vital(part, "warning" if old else "well", found.without_names, remedy)
