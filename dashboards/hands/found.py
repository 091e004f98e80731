"""The answer to a search for hands: the hands that were found, and the notes beside them."""

from __future__ import annotations

import datetime as dt
from typing import Literal

from msgspec import Struct


class SeatLine(Struct, frozen=True):
    """What came of one seat: the results of its hands, and the patron's gain in dollars; `open` is not settled."""

    seat: int
    results: str
    won: str
    open: bool


class FoundHand(Struct, frozen=True, kw_only=True):
    """One round of the list; `near` says how it lies to the time of the search, empty where it is of that time."""

    subject: str
    round: int
    first_sequence: int
    ended_at: dt.datetime | None
    local: str
    seats: tuple[SeatLine, ...]
    net: str
    net_cents: int
    status: str
    findings: int
    worst: str
    dealer: str
    shoe: int
    near: str = ""
    at: int | None = None


class Answer(Struct, frozen=True, kw_only=True):
    """What was found.

    `wrong` names fields that could not be read, each with why. `hint` is what to do about an empty list, `names`
    what the name of a table or dealer (`named`) may have meant. `since` and `until` are the span that was looked
    through, `further` where the next page begins. `point` is whether one hand was asked for, not a list. `understood`
    is what a time was read as, in full, and `spans` are the moments of it, each up to its end.
    """

    hands: tuple[FoundHand, ...] = ()
    wrong: dict[str, str] = {}
    hint: str = ""
    names: tuple[str, ...] = ()
    named: Literal["table", "dealer"] = "table"
    since: dt.datetime | None = None
    until: dt.datetime | None = None
    further: str = ""
    point: bool = False
    latest: bool = False
    understood: str = ""
    spans: tuple[tuple[dt.datetime, dt.datetime], ...] = ()
