"""Times that are told from now backwards: `15 min ago`, `a quarter of an hour ago`, `the last 2 hours`."""

from __future__ import annotations

import datetime as dt
import re

_WORDS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "forty-five": 45,
    "a few": 5, "few": 5, "a couple of": 2,
}  # fmt: skip
_UNITS = {
    "s": dt.timedelta(seconds=1),
    "m": dt.timedelta(minutes=1),
    "h": dt.timedelta(hours=1),
    "d": dt.timedelta(days=1),
}
_PARTS = {"quarters": 45, "quarter": 15, "half": 30}  # minutes
_NUMBER = r"\d{1,4}|" + "|".join(sorted(_WORDS, key=len, reverse=True))
_UNIT = r"s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|d(?:ays?)?"
_ABOUT = r"(?:(?:about|some|around|roughly)\s+)?"
_OF_HOUR = r"(?P<part>(?:a\s+)?quarter|three\s+quarters|(?:a\s+)?half)\s+(?:of\s+)?(?:an?\s+)?hour"
_AGO = rf"(?:{_OF_HOUR}|(?P<low>{_NUMBER})(?:\s*(?:-|\u2013|to|or)\s*(?P<high>{_NUMBER}))?\s*(?P<unit>{_UNIT}))\s+ago"
_LAST = (
    rf"(?:(?:in|within|during)\s+)?(?:the\s+)?(?:last|past)\s+"
    rf"(?:{_OF_HOUR.replace('?P<part>', '?P<last_part>')}|(?:(?P<last>{_NUMBER})\s*)?(?P<last_unit>{_UNIT}))"
)
_NOW = r"(?P<now>(?:just\s+|right\s+)?now)"
RELATIVE = re.compile(rf"\b{_ABOUT}(?:{_AGO}|{_LAST}|{_NOW})\b(?![\w:-])", re.I)
_JUST = dt.timedelta(minutes=2)  # what `now` reaches back: the hand that has just been played
_LEAST = dt.timedelta(minutes=1)
_LONGEST = dt.timedelta(days=31)


class TooLongAgo(ValueError):
    """A time that lies further back than such words reach; the message says what to write."""


def relative_span(text: str, now: dt.datetime) -> tuple[dt.datetime, dt.datetime] | None:
    """From when to when a text means, counted back from `now`; None where it is no such time.

    Nobody counts minutes at a table: a time `n` ago is the stretch from two thirds to four thirds of it, at least a
    minute to each side.

    Raises:
        TooLongAgo: more than 31 days back.
    """
    found = RELATIVE.fullmatch(" ".join(text.split()))
    if found is None:
        return None
    if found["now"]:
        return now - _JUST, now + dt.timedelta(microseconds=1)
    since = found["last_unit"] or found["last_part"]
    nearest = (
        _lasts(found["last_part"], found["last"] or "1", found["last_unit"])
        if since
        else _lasts(found["part"], found["low"], found["unit"])
    )
    farthest = _lasts(None, found["high"], found["unit"]) if found["high"] else nearest
    if max(nearest, farthest) > _LONGEST:
        raise TooLongAgo(f"such words reach {_LONGEST.days} days back; write the day, as 2026-11-20 21:14")
    if since:
        return now - nearest, now + dt.timedelta(microseconds=1)
    nearest, farthest = min(nearest, farthest), max(nearest, farthest)
    if farthest > nearest:
        return now - farthest, now - nearest + _LEAST
    wide = max(_LEAST, nearest / 3)
    return now - nearest - wide, now - nearest + wide


def _lasts(part: str | None, number: str | None, unit: str | None) -> dt.timedelta:
    if part:
        minutes = next(lasts for word, lasts in _PARTS.items() if part.lower().endswith(word))
        return dt.timedelta(minutes=minutes)
    text = " ".join((number or "").lower().split())
    return (_WORDS.get(text) or int(text)) * _UNITS[(unit or "m")[0].lower()]
