"""When a hand was dealt, as people write it: `21:14`, `20 Nov 21:14:03`, `9:14 pm`, ISO; at the property's clock."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_CLOCK = re.compile(
    r"(?<![\d.:])(?P<hour>\d{1,2})[:.h](?P<minute>\d{2})(?:[:.](?P<second>\d{2})(?:[.,](?P<part>\d{1,6}))?)?"
    r"\s*(?P<half>[ap]\.?m\.?)?(?![\d:])",
    re.I,
)
_ISO_DAY = re.compile(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")
_DAY, _MONTH = r"(\d{1,2})(?:st|nd|rd|th|\.)?", r"([a-z]{3})[a-z]*\.?"
_NAMED = re.compile(rf"(?:{_DAY}\s*{_MONTH}|{_MONTH}\s*{_DAY})(?:,?\s*(\d{{4}}))?", re.I)
_OFFSET = re.compile(r"(?:\s*(Z|UTC)|([+-]\d{2}):?(\d{2}))\s*$", re.I)


class NoTime(ValueError):
    """A text that is no time: the message says what is missing, and an example that works."""


@dataclass(frozen=True, slots=True)
class Asked:
    """From when on and how long a text means: a minute where it names no second.

    `starts` are more than one where a clock showed the time twice, in the night of the change.
    """

    starts: tuple[dt.datetime, ...]
    lasts: dt.timedelta


def asked_time(text: str, zone: dt.tzinfo, newest: dt.datetime) -> Asked:
    """The moments a text means, in UTC; without a day or a year it is the last such one not after `newest`.

    Raises:
        NoTime: nothing of a clock in it, a day that is none, or a time that the clock skipped.
    """
    rest = " ".join(text.replace("T", " ", 1).split() if _ISO_DAY.match(text.strip()) else text.split())
    offset = _OFFSET.search(rest)
    if offset is not None:
        rest = rest[: offset.start()]
        zone = _fixed(offset)
    clock = _CLOCK.search(rest)
    if clock is None:
        raise NoTime("there is no time in it; write it as 21:14 or 20 Nov 21:14:03")
    at, lasts = _clock(clock)
    rest = (rest[: clock.start()] + " " + rest[clock.end() :]).strip(" ,")
    here = newest.astimezone(zone)
    days = _days(rest, here.date())
    starts: tuple[dt.datetime, ...] = ()
    for day in days:
        starts = _moments(dt.datetime.combine(day, at), zone)
        if len(days) == 1 or (starts and starts[0] <= newest):
            break
    if not starts:
        raise NoTime(f"the clock was put forward then: there was no {at:%H:%M} on {days[0]:%-d %b %Y}")
    return Asked(starts, lasts)


def _fixed(offset: re.Match[str]) -> dt.tzinfo:
    if offset[1]:
        return dt.UTC
    hours, minutes = int(offset[2]), int(offset[3])
    if abs(hours) > 14 or minutes > 59:
        raise NoTime("there is no such offset from UTC")
    return dt.timezone(dt.timedelta(hours=hours, minutes=minutes if hours >= 0 else -minutes))


def _clock(found: re.Match[str]) -> tuple[dt.time, dt.timedelta]:
    hour, minute = int(found["hour"]), int(found["minute"])
    second = int(found["second"] or 0)
    if found["half"]:
        if not 1 <= hour <= 12:
            raise NoTime(f"{hour} {found['half']} is no hour")
        hour = hour % 12 + (12 if found["half"].lower().startswith("p") else 0)
    part = int((found["part"] or "").ljust(6, "0"))
    try:
        at = dt.time(hour, minute, min(second, 59), part)
    except ValueError as error:
        raise NoTime(f"{found[0].strip()} is no time of a day") from error
    if second > 60:
        raise NoTime(f"{found[0].strip()} is no time of a day")
    return at, dt.timedelta(seconds=1 if found["second"] else 60)


def _days(rest: str, today: dt.date) -> tuple[dt.date, ...]:
    """Days that are meant, the likeliest first."""
    word = rest.lower().strip(" .,")
    if not word:
        return (today, today - dt.timedelta(days=1))
    if word in ("today", "yesterday"):
        return (today - dt.timedelta(days=int(word == "yesterday")),)
    iso, named = _ISO_DAY.fullmatch(word), _NAMED.fullmatch(word)
    if iso is not None:
        return (_day(int(iso[1]), int(iso[2]), int(iso[3])),)
    if named is not None:
        name, day = named[2] or named[3], int(named[1] or named[4])
        if name not in _MONTHS:
            raise NoTime(f"{name} is no month")
        month = _MONTHS.index(name) + 1
        if named[5]:
            return (_day(int(named[5]), month, day),)
        year = next(
            (year for year in range(today.year, today.year - 8, -1) if _is_day(year, month, day, today)), None
        )
        return (_day(year or today.year, month, day),)
    raise NoTime(f"{rest!r} is no day; write it as 20 Nov or 2026-11-20")


def _is_day(year: int, month: int, day: int, today: dt.date) -> bool:
    try:
        return dt.date(year, month, day) <= today
    except ValueError:
        return False


def _day(year: int, month: int, day: int) -> dt.date:
    try:
        found = dt.date(year, month, day)
    except ValueError as error:
        raise NoTime(f"there is no day {day} of that month") from error
    if not 1900 <= year <= 2299:
        raise NoTime(f"no record is of the year {year}")
    return found


def _moments(local: dt.datetime, zone: dt.tzinfo) -> tuple[dt.datetime, ...]:
    """The moments at which a clock of the zone showed this: one, two, or none."""
    found = []
    for fold in (0, 1):
        moment = local.replace(tzinfo=zone, fold=fold).astimezone(dt.UTC)
        if moment.astimezone(zone).replace(tzinfo=None) == local and moment not in found:
            found.append(moment)
    return tuple(found)
