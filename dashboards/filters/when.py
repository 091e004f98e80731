"""When a hand was dealt, as people write it, at the property's clock.

`21:14`, `20 Nov 21:14:03`, `9:14 pm`, ISO 8601; ranges: `11:00-11:15`, `yesterday 23:50 to 0:10`; and times counted
back from now: `15 min ago`. `around 11:05` is five minutes to each side, `around 11` a quarter of an hour.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from contextlib import suppress

from msgspec import Struct

from dashboards.filters.relative import RELATIVE, TooLongAgo, relative_span

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_CLOCK = re.compile(
    r"(?<![\d.:])(?P<hour>\d{1,2})[:.h](?P<minute>\d{2})(?:[:.](?P<second>\d{2})(?:[.,](?P<part>\d{1,6}))?)?"
    r"\s*(?P<half>[ap]\.?m\.?)?(?![\d:])",
    re.I,
)
_ISO_DAY = re.compile(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")
_ISO_TIME = re.compile(r"\s*\d{4}-\d{1,2}-\d{1,2}T", re.I)
_DAY, _MONTH = r"(\d{1,2})(?:st|nd|rd|th|\.)?", r"([a-z]{3,})\.?"
_NAMED = re.compile(rf"(?:{_DAY}\s*{_MONTH}|{_MONTH}\s*{_DAY})(?:,?\s*(\d{{4}}))?", re.I)
_ZONE = re.compile(r"\s*(?:Z|UTC)\s*$", re.I)
_OFFSET = re.compile(r"\s*([+-]\d{2}):?(\d{2})\s*$")
_BARE = re.compile(r"(?P<left>\d{1,2}:\d{2}:\d{2}(?:[.,]\d{1,6})?)-(?P<right>\d{2}:(?:00|30))\s*$")
_SINCE = re.compile(r"\s*since\s+", re.I)
_AROUND = re.compile(r"\s*(?:around|about|roughly)\s+(?=\d)", re.I)
_HOUR = re.compile(r"(?P<hour>\d{1,2})(?P<half>\s*[ap]\.?m\.?)?(?=\s|$)", re.I)
_TO = re.compile(r"\s*(?:[-\u2013\u2014]|\bto\b|\buntil\b)\s*", re.I)
_FROM = re.compile(r"\s*\bfrom\s*$", re.I)
_RELATIVE = ("today", "yesterday")
_NEAR, _NEAR_HOUR = (
    dt.timedelta(minutes=5),
    dt.timedelta(minutes=15),
)  # each side of `around 11:05`, `around 11`
_LONGEST = dt.timedelta(days=7)


class NoTime(ValueError):
    """A text that is no time: the message says what is missing, and an example that works."""


class AskedTime(Struct, frozen=True):
    """The moments a text means, in UTC: each span from its start up to its end, which is no part of it.

    A time without a second is the whole minute, and the last minute (or second) of a range belongs to it. There is more
    than one span where a clock showed the time twice, in the night of the change.
    """

    spans: tuple[tuple[dt.datetime, dt.datetime], ...]
    is_range: bool = False

    @property
    def starts(self) -> tuple[dt.datetime, ...]:
        """When each span begins."""
        return tuple(start for start, _ in self.spans)

    def in_words(self, zone: dt.tzinfo) -> str:
        """What was understood, in full: dates, times and zone; the last second that belongs to it."""
        return " and again ".join(_told(start, end, zone) for start, end in self.spans)


def asked_time(text: str, zone: dt.tzinfo, newest: dt.datetime) -> AskedTime:
    """The moments a text means; without a day or a year it is the last such one that had begun at `newest`.

    What is told as so long ago counts back from `newest`; `since 11:00` and `since 2 h` reach to it.

    Raises:
        NoTime: nothing of a clock in it, a day that is none, words that are no part of a time, or a time that the clock
            skipped.
    """
    since = _SINCE.match(text)
    if since is not None:
        return _since_then(text[since.end() :], zone, newest)
    try:
        back = relative_span(text, newest)
    except TooLongAgo as error:
        raise NoTime(str(error)) from error
    if back is not None:
        return AskedTime((back,), is_range=True)
    around = _AROUND.match(text)
    if around is not None:
        return _about(text[around.end() :], zone, newest)
    rest = " ".join(
        _ISO_TIME.sub(lambda day: day[0].replace("T", " ").replace("t", " "), text, count=1).split()
    )
    rest, zone = _in_zone(rest, zone, _ISO_TIME.match(text) is not None)
    clocks = list(_CLOCK.finditer(rest))
    if not clocks:
        raise NoTime("there is no time in it; write it as 21:14, 20 Nov 21:14:03, 11:00-11:15 or 15 min ago")
    if len(clocks) > 2:
        raise NoTime("there are more than two times in it; write one, or a range as 11:00-11:15")
    first, last = clocks[0], clocks[-1]
    before = _FROM.sub("", rest[: first.start()]) if first is not last else rest[: first.start()]
    own, other = f"{before} {rest[last.end() :]}".strip(" ,"), ""
    if first is not last:
        between = rest[first.end() : last.start()]
        to = _TO.match(between)
        if to is None:
            raise NoTime(
                f"{between.strip()!r} joins no two times; write a range as 11:00-11:15 or 11:00 to 11:15"
            )
        other = between[to.end() :].strip(" ,")
    begins, ends = _clocks(first, last)
    here = newest.astimezone(zone)
    days = _days(own, here.date())
    spans: tuple[tuple[dt.datetime, dt.datetime], ...] = ()
    for day in days:
        start = dt.datetime.combine(day, begins)
        spans = _spans(start, _end(start, ends, last, other, here.date()), zone)
        if len(days) == 1 or (spans and spans[0][0] <= newest):
            break
    if not spans:
        raise NoTime(f"the clock was put forward then: there was no {begins:%H:%M} on {days[0]:%-d %b %Y}")
    return AskedTime(spans, is_range=first is not last)


def _since_then(text: str, zone: dt.tzinfo, newest: dt.datetime) -> AskedTime:
    lasts = f"last {text}"
    told = lasts if RELATIVE.fullmatch(lasts) else _with_minutes(text, zone, newest)
    asked = asked_time(told, zone, newest)
    begins = asked.spans[0][0]
    if begins > newest:
        raise NoTime(f"{text!r} is not yet; write since 11:00, since 20 Nov 21:14 or since 2 h")
    return AskedTime(((begins, newest + dt.timedelta(microseconds=1)),), is_range=True)


def _about(text: str, zone: dt.tzinfo, newest: dt.datetime) -> AskedTime:
    """A time and what lies shortly before and after it."""
    wide = _NEAR if _HOUR.match(text) is None else _NEAR_HOUR
    soon = newest + wide
    asked = asked_time(_with_minutes(text, zone, soon), zone, soon)
    spans = tuple((start - wide, end + wide) for start, end in asked.spans)
    return AskedTime(spans, is_range=True)


def _with_minutes(text: str, zone: dt.tzinfo, newest: dt.datetime) -> str:
    """A whole hour as a clock: `11 pm` is 11:00 pm; without am, pm and a day the last 11:00 or 23:00."""
    hour = _HOUR.match(text)
    if hour is None:
        return text
    half, rest = (hour["half"] or "").strip(), text[hour.end() :]
    told = int(hour["hour"])
    if not half and not rest.strip() and 1 <= told <= 12:
        here = newest.astimezone(zone).hour
        since = {one: (here - one) % 24 for one in (told % 12, told % 12 + 12)}
        told = min(since, key=lambda one: since[one])
    return f"{told}:00 {half}{rest}".strip()


def _in_zone(text: str, zone: dt.tzinfo, is_iso: bool) -> tuple[str, dt.tzinfo]:
    """The text without the zone it names, and that zone; `11:00-11:15` names none: it is a range."""
    named = _ZONE.search(text)
    if named is not None:
        return text[: named.start()], dt.UTC
    offset = _OFFSET.search(text)
    if offset is None:
        return text, zone
    if offset[1].startswith("-") and (offset[2] not in ("00", "30") or int(offset[1]) < -12):
        return text, zone  # the world has no such offset
    if offset[1].startswith("-") and not is_iso:
        bare = _BARE.search(text)
        if bare is None or not _ISO_DAY.match(text) or _CLOCK.match(bare["right"]) is None:
            return text, zone
        if bare["right"] > bare["left"].rjust(8, "0")[:5]:
            raise NoTime(
                f"-{bare['right']} may be the end of a range or an offset from UTC; write {bare['left']} to"
                f" {bare['right']}, or the offset behind a T: 2026-11-20T18:14:03-08:00"
            )
    return text[: offset.start()], _fixed(offset)


def _clocks(first: re.Match[str], last: re.Match[str]) -> tuple[dt.time, dt.time]:
    """Both times; where only one has am or pm, the other takes the half of the day that makes the range shorter."""
    if bool(first["half"]) == bool(last["half"]):
        return _clock(first), _clock(last)
    bare = last if first["half"] else first
    if not 1 <= int(bare["hour"]) <= 12:
        return _clock(first), _clock(last)
    found = []
    for half in ("am", "pm"):
        begins = _clock(first, "" if first["half"] else half)
        ends = _clock(last, "" if last["half"] else half)
        found.append((_since(begins, ends), begins, ends))
    _, begins, ends = min(found)
    return begins, ends


def _since(begins: dt.time, ends: dt.time) -> dt.timedelta:
    day = dt.date(2000, 1, 1)
    lasts = dt.datetime.combine(day, ends) - dt.datetime.combine(day, begins)
    return lasts if lasts >= dt.timedelta() else lasts + dt.timedelta(days=1)


def _end(start: dt.datetime, ends: dt.time, last: re.Match[str], named: str, today: dt.date) -> dt.datetime:
    """Where the last minute or second ends at the clock; without a day the next such time, past midnight if need be."""
    lasts = dt.timedelta(seconds=1 if last["second"] else 60)
    if named:
        latest = today if named.lower() in _RELATIVE else start.date() + _LONGEST
        end = dt.datetime.combine(_days(named, latest)[0], ends)
        if end < start:
            raise NoTime("the range ends before it begins")
        if end - start > _LONGEST:
            raise NoTime(f"a range is at most {_LONGEST.days} days; look by gaming day for more")
        return end + lasts
    return start + _since(start.time(), ends) + lasts


def _spans(
    start: dt.datetime, end: dt.datetime, zone: dt.tzinfo
) -> tuple[tuple[dt.datetime, dt.datetime], ...]:
    """All moments at which a clock of the zone showed a time from `start` on and before `end`; joined ones are one."""
    found: list[tuple[dt.datetime, dt.datetime]] = []
    for since, until, ahead in _offsets(start, end, zone):
        begin = max(since, (start - ahead).replace(tzinfo=dt.UTC))
        finish = min(until, (end - ahead).replace(tzinfo=dt.UTC))
        if begin >= finish:
            continue
        if found and found[-1][1] == begin:
            found[-1] = (found[-1][0], finish)
        else:
            found.append((begin, finish))
    return tuple(found)


def _offsets(
    start: dt.datetime, end: dt.datetime, zone: dt.tzinfo
) -> Iterator[tuple[dt.datetime, dt.datetime, dt.timedelta]]:
    """The stretches around these times over which the zone's clock is ahead of UTC by as much, in order."""
    since = start.replace(tzinfo=dt.UTC) - dt.timedelta(days=1, hours=2)
    last = end.replace(tzinfo=dt.UTC) + dt.timedelta(days=1, hours=2)
    at = since
    while at < last:
        then = min(at + dt.timedelta(hours=6), last)  # no zone changes its clock twice in as short a time
        if _ahead(at, zone) != _ahead(then, zone):
            low, high = at, then
            while high - low > dt.timedelta(seconds=1):
                middle = low + dt.timedelta(seconds=(high - low) // dt.timedelta(seconds=2))
                low, high = (middle, high) if _ahead(middle, zone) == _ahead(at, zone) else (low, middle)
            yield since, high, _ahead(at, zone)
            since = high
        at = then
    yield since, last, _ahead(last, zone)


def _ahead(moment: dt.datetime, zone: dt.tzinfo) -> dt.timedelta:
    return moment.astimezone(zone).utcoffset() or dt.timedelta()


def _told(start: dt.datetime, end: dt.datetime, zone: dt.tzinfo) -> str:
    here, last = start.astimezone(zone), (end - dt.timedelta(seconds=1)).astimezone(zone)
    said = f"{here:%-d %b %Y %H:%M:%S}"
    if last > here:
        said += f" to {last:%H:%M:%S}" if last.date() == here.date() else f" to {last:%-d %b %Y %H:%M:%S}"
    return f"{said}, {zone} ({last:%Z})" if str(zone) != f"{last:%Z}" else f"{said}, {zone}"


def _fixed(offset: re.Match[str]) -> dt.tzinfo:
    hours, minutes = int(offset[1]), int(offset[2])
    if abs(hours) > 14 or minutes > 59:
        raise NoTime("there is no such offset from UTC")
    return dt.timezone(dt.timedelta(hours=hours, minutes=minutes if hours >= 0 else -minutes))


def _clock(found: re.Match[str], half: str = "") -> dt.time:
    """The time of a clock; `half` (am, pm) holds where it names none itself."""
    hour, minute = int(found["hour"]), int(found["minute"])
    second = int(found["second"] or 0)
    half = found["half"] or half
    if half:
        if not 1 <= hour <= 12:
            raise NoTime(f"{hour} {half} is no hour")
        hour = hour % 12 + (12 if half.lower().startswith("p") else 0)
    part = int((found["part"] or "").ljust(6, "0"))
    try:
        return dt.time(hour, minute, 59 if second == 60 else second, part)
    except ValueError as error:
        raise NoTime(f"{found[0].strip()} is no time of a day") from error


def _days(rest: str, today: dt.date) -> tuple[dt.date, ...]:
    """Days that are meant, the likeliest first."""
    word = rest.lower().strip(" .,").removeprefix("on ")
    if not word:
        return (today, today - dt.timedelta(days=1))
    if word in _RELATIVE:
        return (today - dt.timedelta(days=int(word == "yesterday")),)
    iso, named = _ISO_DAY.fullmatch(word), _NAMED.fullmatch(word)
    if iso is not None:
        return (_day(int(iso[1]), int(iso[2]), int(iso[3])),)
    if named is not None:
        name, day = named[2] or named[3], int(named[1] or named[4])
        month = next((number for number, month in enumerate(_MONTHS, 1) if month.startswith(name)), None)
        if month is None:
            raise NoTime(f"{word!r} is no day: {name} is no month; write it as 20 Nov or 2026-11-20")
        if named[5]:
            return (_day(int(named[5]), month, day),)
        for year in range(today.year, today.year - 8, -1):
            with suppress(ValueError):
                if dt.date(year, month, day) <= today:
                    return (_day(year, month, day),)
        return (_day(today.year, month, day),)
    raise NoTime(f"{rest!r} is no day; write it as 20 Nov or 2026-11-20")


def _day(year: int, month: int, day: int) -> dt.date:
    try:
        found = dt.date(year, month, day)
    except ValueError as error:
        raise NoTime(f"there is no day {day} of that month") from error
    if not 1900 <= year <= 2299:
        raise NoTime(f"no record is of the year {year}")
    return found
