"""The terms of a search for hands: the fields of the form, and the errors in them."""

from __future__ import annotations

import base64
import binascii
import datetime as dt

import msgspec
from msgspec import Struct

from dashboards.reader.newest import After
from dashboards.reader.search import FoundRow, SpanRow

LOOKED_BACK = dt.timedelta(days=31)
STATUSES = ("consistent", "breached", "indeterminate", "void")
EVER = dt.datetime(1970, 1, 2, tzinfo=dt.UTC)
_LATEST = dt.timedelta(hours=2)


class HandTerms(Struct, frozen=True, kw_only=True):
    """The fields of the form as they were filled in; empty ones ask nothing."""

    table: str = ""
    time: str = ""
    seat: str = ""
    round: str = ""
    patron: str = ""
    finding: str = ""
    dealer: str = ""
    shoe: str = ""
    day: str = ""
    status: str = ""
    since: str = ""
    after: str = ""

    def asked(self) -> dict[str, str]:
        """The fields that ask something, for an address; not where in the list one is."""
        return {
            name: value for name, value in msgspec.structs.asdict(self).items() if value and name != "after"
        }

    def in_words(self) -> str:
        """The terms in words, for the record of the look."""
        return ", ".join(f"{name} {value}" for name, value in self.asked().items()) or "the latest"


FIELDS = HandTerms.__struct_fields__
_ALONE = {"time": ("table", "seat"), "finding": ()}  # what narrows a search by these
_LIMITS = {"seat": (1, 9), "round": (0, 2**31), "shoe": (0, 2**31)}
_WRITE = {"seat": "seats are 1 to 9", "round": "write a whole number", "shoe": "write a whole number"}


def numbers_of(terms: HandTerms) -> tuple[dict[str, int], dict[str, str]]:
    """The fields that are numbers, and what is wrong with those that are none."""
    found: dict[str, int] = {}
    wrong: dict[str, str] = {}
    for name, (least, most) in _LIMITS.items():
        text = getattr(terms, name).strip()
        if not text:
            continue
        if text.isascii() and text.isdigit() and least <= int(text) <= most:
            found[name] = int(text)
        else:
            wrong[name] = f"{text[:20]} is no {name}; {_WRITE[name]}"
    for name in ("day", "since"):
        if getattr(terms, name) and not _is_day(getattr(terms, name)):
            wrong[name] = f"{getattr(terms, name)[:20]} is no day; write it as 2026-11-20"
    if terms.status and terms.status not in STATUSES:
        wrong["status"] = f"there are: {', '.join(STATUSES)}"
    for name, beside in _ALONE.items():
        if getattr(terms, name):
            besides = f"with {' and '.join(beside)} alone" if beside else "by itself"
            wrong |= {
                other: f"a {name} is looked for {besides}: leave this empty, or leave out the {name}"
                for other in terms.asked()
                if other not in (name, *beside)
            }
    if terms.after and place_after(terms.after) is None:
        wrong["after"] = "this address was cut short; search again"
    return found, wrong


def _is_day(text: str) -> bool:
    try:
        return dt.date(1971, 1, 1) <= dt.date.fromisoformat(text) <= dt.date(2299, 1, 1)
    except ValueError:
        return False


def span_of(terms: HandTerms, day: dt.date | None, span: SpanRow) -> tuple[dt.datetime, dt.datetime]:
    """From when to when is looked: the day, from the day that was named, or a month back from the newest round."""
    if day is not None:
        noon = dt.datetime.combine(day, dt.time(12), tzinfo=dt.UTC)
        return noon - dt.timedelta(days=2), noon + dt.timedelta(days=3)
    if terms.since:
        return dt.datetime.combine(dt.date.fromisoformat(terms.since), dt.time(), tzinfo=dt.UTC), span.last
    if terms.shoe and terms.table:
        return span.first, span.last
    back = LOOKED_BACK if terms.asked() else _LATEST
    return max(span.last - back, EVER), span.last


def cursor_of(row: FoundRow) -> str:
    """Where the list goes on behind this round, for an address."""
    place = (row.decided_at, *row.key)
    return base64.urlsafe_b64encode(msgspec.msgpack.encode(place)).decode().rstrip("=")


def place_after(text: str) -> After | None:
    """The round that such an address names; None where it names none."""
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        return msgspec.msgpack.decode(data, type=After) if text else None
    except (binascii.Error, msgspec.MsgspecError, ValueError):
        return None
