"""Simulated tables in time: each line is due when its table's clock, sped up, says so."""

from __future__ import annotations

import datetime as dt
import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import msgspec
from msgspec import Struct

LONGEST_SILENCE = 30.0  # seconds of a table's clock; a night between two gaming days is not waited for
LATEST = 2.0  # seconds behind which a table gives up catching up: the machine slept, or is too slow


class _Timed(Struct):
    time: dt.datetime


_read_time = msgspec.json.Decoder(_Timed).decode


@dataclass(order=True, slots=True)
class _Next:
    """A table's next line and when it is due, in seconds of the caller's clock."""

    due: float
    subject: str
    line: bytes = field(compare=False)
    time: dt.datetime = field(compare=False)
    rest: Iterator[bytes] = field(compare=False)


class PacedTables:
    """Lines of several tables, merged as they fall due."""

    def __init__(self, tables: Iterable[tuple[str, Iterator[bytes]]], speed: float, now: float) -> None:
        """Start all tables at `now`; `speed` is how many of their seconds pass in one of the caller's."""
        self._speed = speed
        self._queue: list[_Next] = []
        for subject, lines in tables:
            line = next(lines, None)
            if line is not None:
                self._queue.append(_Next(now, subject, line, _read_time(line).time, lines))
        heapq.heapify(self._queue)

    def due(self, now: float, limit: int) -> list[bytes]:
        """Up to `limit` lines that are due, each table's in order."""
        lines: list[bytes] = []
        while self._queue and self._queue[0].due <= now and len(lines) < limit:
            table = self._queue[0]
            lines.append(table.line)
            following = next(table.rest, None)
            if following is None:
                heapq.heappop(self._queue)
                continue
            time = _read_time(following).time
            silence = min(max((time - table.time).total_seconds(), 0.0), LONGEST_SILENCE)
            table.due = max(table.due, now - LATEST) + silence / self._speed
            table.line, table.time = following, time
            heapq.heapreplace(self._queue, table)
        return lines

    def wait(self, now: float) -> float | None:
        """Seconds until the next line is due; None when all tables have ended."""
        return max(self._queue[0].due - now, 0.0) if self._queue else None
