"""Simulated tables in time: one clock for all of them, sped up, says when each line is due."""

from __future__ import annotations

import datetime as dt
import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import msgspec
from msgspec import Struct

LONGEST_SILENCE = dt.timedelta(
    seconds=30
)  # of the floor's clock; a night between two gaming days is not waited for
LATEST = 2.0  # seconds behind which the floor gives up catching up: the machine slept, or is too slow


class _Timed(Struct):
    time: dt.datetime


_read_time = msgspec.json.Decoder(_Timed).decode


class FloorClock:
    """What time it is at the tables; nobody knows before the first of them is live. Any thread may read it."""

    def __init__(self, speed: float) -> None:
        """`speed` is how many of its seconds pass in one of ours."""
        self.speed = speed
        self.time: dt.datetime | None = None


@dataclass(order=True, slots=True)
class _Next:
    """A table's next line, and when it is due by the floor's clock."""

    due: dt.datetime
    subject: str
    line: bytes = field(compare=False)
    rest: Iterator[bytes] = field(compare=False)


class PacedTables:
    """Lines of several tables, merged as they fall due."""

    def __init__(self, tables: Iterable[tuple[str, Iterator[bytes]]], clock: FloorClock, now: float) -> None:
        """Start at `now`, in seconds of the caller's: the clock stands where the last of the tables begins."""
        self._clock, self._asked = clock, now
        self._queue: list[_Next] = []
        for subject, lines in tables:
            line = next(lines, None)
            if line is not None:
                self._queue.append(_Next(_read_time(line).time, subject, line, lines))
        clock.time = max((table.due for table in self._queue), default=clock.time)
        heapq.heapify(self._queue)

    def due(self, now: float, limit: int) -> list[bytes]:
        """Up to `limit` lines that are due, each table's in order."""
        time = self._moved(now)
        lines: list[bytes] = []
        while self._queue and self._queue[0].due <= time and len(lines) < limit:
            table = self._queue[0]
            lines.append(table.line)
            following = next(table.rest, None)
            if following is None:
                heapq.heappop(self._queue)
                continue
            # A clock set back at the table does not stop it.
            table.due, table.line = max(table.due, _read_time(following).time), following
            heapq.heapreplace(self._queue, table)
        return lines

    def wait(self, now: float) -> float | None:
        """Seconds until the next line is due; None when all tables have ended."""
        if not self._queue:
            return None
        time = self._moved(now)
        return max((self._queue[0].due - time).total_seconds() / self._clock.speed, 0.0)

    def _moved(self, now: float) -> dt.datetime:
        """The floor's clock, moved on to `now`."""
        time = self._clock.time or dt.datetime.min.replace(tzinfo=dt.UTC)
        moved = time + dt.timedelta(seconds=min(max(now - self._asked, 0.0), LATEST) * self._clock.speed)
        self._asked = now
        if self._queue:
            latest = self._queue[0].due + dt.timedelta(seconds=LATEST * self._clock.speed)
            # Not away from what is still to be dealt, and over a night at once.
            time = max(time, min(moved, latest), self._queue[0].due - LONGEST_SILENCE)
            self._clock.time = time
        return time
