"""The time axis of a chart: moments and gaming days in their places, and the ticks that name them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

Moment = dt.datetime | dt.date
_MOST: Final = 9
_HOURS: Final = (1, 2, 3, 4, 6, 12, 24)
_HALF: Final = dt.timedelta(minutes=30)


class TimeAxis(Struct, frozen=True):
    """From moments between `begin` and `end` to places between `left` and `right`; both are of one kind."""

    begin: Moment
    end: Moment
    left: float
    right: float

    def x(self, at: Moment) -> float:
        """The place of a moment; all of the axis where it has no length."""
        span = _number(self.end) - _number(self.begin)
        return self.left + (self.right - self.left) * (
            (_number(at) - _number(self.begin)) / span if span else 1
        )

    def ticks(self, zone: dt.tzinfo) -> list[tuple[Moment, str]]:
        """Whole hours by the clock of the zone, or gaming days, as many as there is room for."""
        if isinstance(self.begin, dt.datetime) and isinstance(self.end, dt.datetime):
            return _hours(self.begin, self.end, zone)
        days = [
            self.begin + dt.timedelta(days=number) for number in range(1, (self.end - self.begin).days + 1)
        ]
        every = max(1, -(-len(days) // _MOST))
        return [(day, f"{day:%d %b}") for day in days[(len(days) - 1) % every :: every]]


def axis_of(times: Sequence[Moment], slot: dt.timedelta, left: float, right: float) -> TimeAxis:
    """The axis of what had come about by each of these times: it begins one slot, or one day, before the first."""
    before = slot if isinstance(times[0], dt.datetime) else dt.timedelta(days=1)
    return TimeAxis(times[0] - before, times[-1], left, right)


def _number(at: Moment) -> float:
    return at.timestamp() if isinstance(at, dt.datetime) else float(at.toordinal())


def _hours(begin: dt.datetime, end: dt.datetime, zone: dt.tzinfo) -> list[tuple[Moment, str]]:
    halves = [begin + number * _HALF for number in range(int((end - begin) / _HALF) + 1)]
    local = [(at, at.astimezone(zone)) for at in halves]
    whole = [(at, here) for at, here in local if not here.minute]
    if len(whole) < 2:
        return [(at, f"{here:%H:%M}") for at, here in local]
    for step in _HOURS:
        found = [(at, here) for at, here in whole if here.hour % step == 0]
        if len(found) <= _MOST:
            break
    return [(at, f"{here:%H:%M}") for at, here in found]
