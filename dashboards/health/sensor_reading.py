"""The floor's sensors as the store has them: read once for everybody who looks within a few seconds."""

from __future__ import annotations

import datetime as dt
import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from dashboards.health.clocks import LATEST, DeviceClock, Key, clocks
from dashboards.health.failures import Failure, failures_of
from dashboards.health.sensors import Movement, Told, Watched, watched
from dashboards.reader import sensors
from dashboards.reader.question import Reader
from dashboards.reader.sensors import ClockRow, PauseRow, SeenTableRow

LOOKED_BACK = dt.timedelta(hours=8)  # a shift
TABLES_BACK = dt.timedelta(days=2)  # a table that fell silent yesterday is still to be told
EARLY = dt.timedelta(seconds=10)  # ahead of this console's clock; what is later comes of a wrong clock
READ_EVERY = 4.0  # seconds
CLOCKS_EVERY = 30.0  # seconds; what a clock is off by changes slowly, and the lines are read for it
_MONTH = dt.timedelta(days=31)
_NEVER = dt.datetime(1971, 1, 1, tzinfo=dt.UTC)


class SensorReading(NamedTuple):
    """The tables, the newest event, or why they cannot be said; and the devices that failed lately."""

    tables: tuple[Watched, ...] = ()
    newest: dt.datetime | None = None
    trouble: str | None = None
    failures: tuple[Failure, ...] = ()


class _Clocks(NamedTuple):
    rows: tuple[ClockRow, ...]
    clocks: dict[Key, DeviceClock]
    pauses: tuple[PauseRow, ...]


class Sensors:
    """Reads the store for the health page; any thread may ask, one at a time does."""

    def __init__(
        self, records: Reader, now: Callable[[], dt.datetime], clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`now` is this console's time, `clock` counts seconds."""
        self._records, self._now, self._clock = records, now, clock
        self._guard = threading.Lock()
        self._movement = Movement()
        self._reading = SensorReading()
        self._read_at = self._clocks_at = float("-inf")
        self._clocks = _Clocks((), {}, ())

    def read(self) -> SensorReading:
        """How they are now, or were a few seconds ago."""
        with self._guard:
            if self._clock() - self._read_at >= READ_EVERY:
                try:
                    self._reading = self._read()
                except Exception as error:  # a store that is away is what the page is there to say
                    self._reading = SensorReading(trouble=str(error))
                self._read_at = self._clock()
            return self._reading

    def _read(self) -> SensorReading:
        newest = self._newest()
        if newest is None:
            return SensorReading()
        since = newest - LOOKED_BACK
        tables = sensors.tables(newest - TABLES_BACK).ask(self._records)
        seen = self._movement.look(tables, self._now())
        found = self._told_of_clocks(tables, newest)
        told = Told(
            newest=newest,
            tables=tables,
            devices=sensors.devices(since).ask(self._records),
            faults=sensors.faults(since).ask(self._records),
            clocked=found.rows,
            clocks=found.clocks,
            pauses=found.pauses,
            seen=seen,
        )
        return SensorReading(watched(told), newest, failures=failures_of(self._records, newest))

    def _newest(self) -> dt.datetime | None:
        rows = sensors.newest().ask(self._records)
        if not rows or rows[0].newest < _NEVER:
            return None
        until = self._now() + EARLY
        if rows[0].newest > until:
            before = sensors.newest_until(until, until - _MONTH).ask(self._records)
            if before and before[0].newest > _NEVER:
                return before[0].newest
        return rows[0].newest

    def _told_of_clocks(self, tables: Sequence[SeenTableRow], newest: dt.datetime) -> _Clocks:
        if not tables or self._clock() - self._clocks_at < CLOCKS_EVERY:
            return self._clocks
        last = {table.subject: table.sequence for table in tables}
        since = newest - TABLES_BACK
        rows = sensors.clocks(last, LATEST, since).ask(self._records)
        turns = sensors.turns(last, LATEST, since).ask(self._records)
        pauses = sensors.pauses(last, LATEST, since).ask(self._records)
        self._clocks = _Clocks(tuple(rows), clocks(rows, turns), tuple(pauses))
        self._clocks_at = self._clock()
        return self._clocks
