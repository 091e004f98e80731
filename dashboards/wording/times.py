"""Moments as people and programs read them, and the time zone of a table."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

from processors.core.state import Table
from schemas.zones import zone_named


def local_time(moment: dt.datetime, zone: dt.tzinfo, *, day: bool = True) -> str:
    """A moment at the property's clock: `20 Nov 2026 21:14:03`."""
    here = moment.astimezone(zone)
    return f"{here:%-d %b %Y %H:%M:%S}" if day else f"{here:%H:%M:%S}"


def zone_called(name: str | None) -> dt.tzinfo:
    """The zone that a table's configuration names; UTC where there is none, which is told as a finding of the table."""
    known = zone_named(name) if name else None
    return ZoneInfo(known) if known else dt.UTC


def in_utc(at: dt.datetime) -> str:
    """A moment to the second, in UTC."""
    return f"{at.astimezone(dt.UTC):%-d %b %Y %H:%M:%S} UTC"


def in_zone_of(at: dt.datetime, zone: dt.tzinfo) -> str:
    """A moment to the second, in the property's time, with the zone's name."""
    return f"{at.astimezone(zone):%-d %b %Y %H:%M:%S %Z}"


def in_zone(moment: dt.datetime, state: Table | None) -> dt.datetime:
    """A moment in the time zone of the table's property; as it is where no zone is known."""
    if state is None or state.config is None:
        return moment
    try:
        return moment.astimezone(zone_called(state.config.timezone))
    except OverflowError:  # at an end of the calendar
        return moment


def machine_time(at: dt.datetime) -> str:
    """A moment for the `datetime` of a `time` element."""
    return at.astimezone(dt.UTC).isoformat().replace("+00:00", "Z")


def age(now: dt.datetime, then: dt.datetime) -> str:
    """How long ago, as the script of the alerts writes it too: `7:21`, `2 h 05`, `3 d 4 h`, `12 d`."""
    seconds = max(0, int((now - then).total_seconds()))
    if seconds < 3600:
        return f"{seconds // 60}:{seconds % 60:02d}"
    hours = seconds // 3600
    if hours < 24:
        return f"{hours} h {seconds % 3600 // 60:02d}"
    return f"{hours // 24} d {hours % 24} h" if hours < 240 else f"{hours // 24} d"
