"""Times within a text of other words: `BJ-12 20 Nov 21:14 lost`, `dealer:D-301 15 min ago`."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable

from msgspec import Struct

from dashboards.filters.reading import FilterReading
from dashboards.filters.relative import RELATIVE
from dashboards.filters.when import AskedTime, NoTime

_NAME, _NTH = r"(?!today|yesterday)[a-z]{3,9}\.?", r"(?<![\w-])\d{1,2}(?:st|nd|rd|th)?"
_DATES = rf"{_NTH}\s+{_NAME}(?:\s+\d{{4}})?|{_NAME}\s+{_NTH}(?:,?\s+\d{{4}})?"
_DAY = rf"(?:today|yesterday|\d{{4}}-\d{{1,2}}-\d{{1,2}}|{_DATES})"
_CLOCK = r"\d{1,2}[:h]\d{2}(?:[:.]\d{2}(?:[.,]\d{1,6})?)?(?:\s*[ap]\.?m\b\.?)?(?!(?!UTC|Z\b)[A-Za-z])"
_MONTH = re.compile(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|\d{4}-|today|yesterday", re.I
)
_TIME = re.compile(
    rf"(?P<before>{_DAY},?\s+(?:at\s+|from\s+)?|\d{{4}}-\d{{2}}-\d{{2}}T)?(?<![\d.])(?P<clock>{_CLOCK}"
    rf"(?:\s*(?:-|\u2013|\bto\b|\buntil\b|\band\b)\s*{_CLOCK})?)(?P<zone>\s*(?:Z|UTC)\b|[+-]\d{{2}}:?\d{{2}}(?![\d:]))?"
    rf"(?P<behind>,?\s+(?:on\s+)?{_DAY})?",
    re.I,
)
# A whole hour is a time behind one of these words alone: in `20 against 22` it is a total.
_ROUGH = re.compile(
    rf"(?P<day>{_DAY},?\s+)?\b(?P<how>around|about|roughly|since)\s+"
    r"(?P<clock>(?:[01]?\d|2[0-4])(?:[:h]\d{2}(?::\d{2})?)?(?:\s*[ap]\.?m\b\.?)?)(?:\s*o.clock)?"
    rf"(?P<behind>,?\s+(?:on\s+)?{_DAY})?"
    r"(?![\w:.]|\s*(?:-|\u2013|to\b|until\b|or\b|min|h\b|hours?\b|sec|days?\b|dollars?|usd|bucks?|against|vs?\b|Z\b|UTC))",
    re.I,
)
Keep = Callable[[str, str, int, str], None]


def take_times(reading: FilterReading, keep: Keep) -> None:
    """Take each time out of a text; `keep` gets `time`, the time, its place from 1, and how it was written."""
    for found in reading.each(RELATIVE):
        keep("time", found[0].strip(), found.start() + 1, found[0])
    for found in reading.each(_ROUGH):
        days = [one for one in (found["day"], found["behind"]) if one and _MONTH.search(one)]
        how = "since" if found["how"].lower() == "since" else "around"
        day = " ".join(days).strip(" ,").removeprefix("on ")
        keep("time", f"{how} {found['clock']} {day}".strip(), found.start() + 1, found[0].strip())
        for name in ("day", "behind"):
            if found[name] and not _MONTH.search(found[name]):
                reading.give_back(found.start(name), found[name])
    for found in reading.each(_TIME):
        before, behind = found["before"] or "", found["behind"] or ""
        day = before if _MONTH.search(before) else ""
        later = behind if not day and _MONTH.search(behind) else ""
        clock = found["clock"] + (found["zone"] or "")
        text = f"{day}{clock} {later.removeprefix(',').replace(' on ', ' ')}"
        keep("time", " ".join(text.split()), found.start() + 1, found[0].strip())
        # A word before or behind that is no day is a word like others: it is given back.
        for name, part in (("before", before if not day else ""), ("behind", behind if not later else "")):
            if part:
                reading.give_back(found.start(name), part)


# What stands in quotes, or behind the name of another field, is no time.
_ASIDE = re.compile(r'(?<![\w:])(?!(?:time|since):)(?:[a-z]+:(?:"[^"]*"|\S+)|"[^"]*")', re.I)
_FIELD = re.compile(r'(?<![\w:])(time|since):(?:"([^"]*)"|(\S+))', re.I)


class TimeWord(Struct, frozen=True, kw_only=True):
    """A time of a filter as it was written: the stretches it means, or in `wrong` why it means none.

    `understood` says them in full, with date and zone.
    """

    text: str
    spans: tuple[tuple[dt.datetime, dt.datetime], ...] = ()
    understood: str = ""
    wrong: str = ""

    def takes(self, at: dt.datetime) -> bool:
        """Whether a moment lies in one of its stretches."""
        return any(start <= at < end for start, end in self.spans)


class Timed(Struct, frozen=True):
    """A filter's text without its times, and the times."""

    rest: str
    times: tuple[TimeWord, ...] = ()

    @property
    def understood(self) -> str:
        """What its times were understood as, empty where it has none."""
        return " and ".join(one.understood for one in self.times if one.understood)


Clock = Callable[[str], tuple[AskedTime, dt.tzinfo]]  # raises NoTime


def timed(words: str, clock: Clock) -> Timed:
    """Part a filter's words from its times: `time:11:00-11:15`, `since:2h`, `20 Nov 21:14`, `15 min ago`."""
    texts = [(found.start(), _behind(found)) for found in _FIELD.finditer(words)]
    bare = _blank(_ASIDE, _blank(_FIELD, words))
    reading = FilterReading(bare)
    take_times(reading, lambda _name, text, at, _said: texts.append((at - 1, text)))
    if not texts:
        return Timed(words)
    rest = "".join(
        " " if taken == "\x00" and seen != "\x00" else letter
        for letter, seen, taken in zip(
            _blank(_FIELD, words).replace("\x00", " "), bare, reading.left, strict=True
        )
    )
    return Timed(" ".join(rest.split()), tuple(_read(text, clock) for _, text in sorted(texts)))


def _behind(field: re.Match[str]) -> str:
    """What stands behind `time:` or `since:`; the latter is told with its time."""
    text = field[2] if field[2] is not None else field[3]
    return f"since {text}" if field[1].lower() == "since" else text


def _blank(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda found: "\x00" * len(found[0]), text)


def _read(text: str, clock: Clock) -> TimeWord:
    try:
        asked, zone = clock(text)
    except NoTime as error:
        return TimeWord(text=text, wrong=str(error))
    return TimeWord(text=text, spans=asked.spans, understood=asked.in_words(zone))
