"""Quiet hours: when a person's console neither sounds nor shows notices, by the property's clock, over its changes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator

from msgspec import Struct

_DAY = dt.timedelta(days=1)
_SECOND = dt.timedelta(seconds=1)


class QuietHours(Struct, frozen=True):
    """From one time of the day to another; over midnight where the end is the earlier, all day where it is the same."""

    begin: dt.time
    end: dt.time

    def stretches(
        self, zone: dt.tzinfo, since: dt.datetime, until: dt.datetime
    ) -> Iterator[tuple[dt.datetime, dt.datetime]]:
        """The quiet stretches that touch this range of time, in UTC.

        Of a time that the clock shows twice the first begins a stretch and the second ends it: rather too long quiet
        than too short. A time that the clock skips is the moment at which it skips.
        """
        over = _DAY if self.end <= self.begin else dt.timedelta(0)
        day, last = since.astimezone(zone).date() - _DAY, until.astimezone(zone).date()
        while day <= last:
            start = _moment(dt.datetime.combine(day, self.begin, zone))
            end = _moment(dt.datetime.combine(day + over, self.end, zone).replace(fold=1))
            if start < end and since < end and start < until:
                yield start, end
            day += _DAY


def hours_of(chosen: dict[str, str]) -> QuietHours | None:
    """The quiet hours among a person's choices; None where they chose none."""
    if chosen["quiet_from"] == "off":
        return None
    return QuietHours(dt.time.fromisoformat(chosen["quiet_from"]), dt.time.fromisoformat(chosen["quiet_to"]))


def _moment(local: dt.datetime) -> dt.datetime:
    """The moment at which a clock shows this time, of two the one that `fold` says."""
    at = local.astimezone(dt.UTC)
    if _wall(at, local.tzinfo) == local.replace(tzinfo=None):
        return at
    # Skipped: read by the offset behind the change it lies before the change, by the one before it behind.
    sides = sorted(local.replace(fold=fold).astimezone(dt.UTC) for fold in (0, 1))
    before = sides[0].astimezone(local.tzinfo).utcoffset()
    return _first(lambda one: one.astimezone(local.tzinfo).utcoffset() != before, *sides)


def _wall(at: dt.datetime, zone: dt.tzinfo | None) -> dt.datetime:
    return at.astimezone(zone).replace(tzinfo=None)


def _first(holds: Callable[[dt.datetime], bool], low: dt.datetime, high: dt.datetime) -> dt.datetime:
    """The first second from which on something holds that does not at `low` and does at `high`."""
    while high - low > _SECOND:
        middle = low + (high - low) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high.replace(microsecond=0)
