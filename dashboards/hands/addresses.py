"""Addresses of hands, and how a hand was found: it goes along from the search to the hand and on to a dispute of it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from contextlib import suppress
from urllib.parse import parse_qsl, quote, urlencode

from msgspec import Struct

from dashboards.filters.hand_terms import FIELDS, HandTerms
from dashboards.filters.money import NoSum, cents_between
from dashboards.filters.when import AskedTime
from dashboards.hands.found import Answer, FoundHand, LikelyHand
from dashboards.web.console import UserRequest

LONGEST = 200  # characters of a line in which a hand is told of
_PLAYED = ("total", "against", "stake", "result")


class FoundBy(Struct, frozen=True):
    """How a hand was found: the line as it was typed, the terms of the search, the time they meant (in words)."""

    said: str = ""
    terms: Mapping[str, str] = {}
    sought: str = ""

    @property
    def sentence(self) -> str:
        """The line as typed and the time it meant; empty where the hand was found by no words."""
        return f"“{self.said}”{f'; the time meant {self.sought}' if self.sought else ''}" if self.said else ""

    @property
    def claim(self) -> str:
        """The line as typed where it tells how a hand went; empty where it only says which hands were looked for."""
        return self.said if any(self.terms.get(name) for name in _PLAYED) else ""

    @property
    def stake_cents(self) -> int | None:
        """The stake that was told, where it is one sum."""
        with suppress(NoSum):
            low, high = cents_between(self.terms.get("stake", ""))
            return low if low == high else None
        return None


def said_in(request: UserRequest, terms: HandTerms) -> str:
    """The line in which the hand was told of, as it was typed; empty where the search was none of words.

    It is empty as well where fields of the form were changed: `said_of` has those with which the form was drawn, and
    the line was said of no others.
    """
    of = request.query_params.get("said_of")
    if of is not None and dict(parse_qsl(of)) != terms.asked():
        return ""
    return " ".join(request.query_params.get("said", "").split())[:LONGEST]


def list_address(terms: Mapping[str, str], said: str, **more: str) -> str:
    """The address of a list of hands; the line as it was typed goes along."""
    return f"/hands?{urlencode({**terms, **({'said': said} if said else {}), **more})}"


def hand_path(subject: str, number: int) -> str:
    """The path of a hand's page."""
    return f"/hands/{quote(subject, safe='')}/{number}"


def address_of(
    one: FoundHand | LikelyHand, terms: HandTerms, said: str = "", answer: Answer | None = None
) -> str:
    """The address of a hand's page, at the event and seat of the search; with an answer, the time it understood too.

    The list can be reached again from there, where words or an order of likeness led to the hand.
    """
    like = isinstance(one, LikelyHand)
    asked = {
        "first": str(one.first_sequence),
        "at": str(one.at or "") if isinstance(one, FoundHand) else "",
        "seat": str(one.seat) if isinstance(one, LikelyHand) else terms.seat,
        "told": urlencode(terms.asked() | ({"said": said} if said else {})) if like or said else "",
        "sought": _sought_in(answer) if answer is not None and answer.spans else "",
    }
    given = {name: value for name, value in asked.items() if value}
    return f"{hand_path(one.subject, one.round)}?{urlencode(given)}"


def found_by(request: UserRequest, zone: dt.tzinfo) -> FoundBy:
    """How the hand of an address was found; empty where the address does not say it."""
    told = dict(parse_qsl(request.query_params.get("told", "")))
    terms = {name: value for name, value in told.items() if name in FIELDS}
    return FoundBy(" ".join(told.get("said", "").split())[:LONGEST], terms, _sought(request, zone))


def goes_along(request: UserRequest) -> str:
    """How the hand was found, to be put behind another address of it; empty where the address does not say it."""
    kept = {name: request.query_params.get(name, "") for name in ("told", "sought")}
    given = urlencode({name: value for name, value in kept.items() if value})
    return f"&{given}" if given else ""


def _sought_in(answer: Answer) -> str:
    return "/".join(f"{moment:%Y-%m-%dT%H:%M:%S.%fZ}" for moment in answer.spans[0])


def _sought(request: UserRequest, zone: dt.tzinfo) -> str:
    """The time by which the hand was found, in full; empty where it was not found by one, or the address has none."""
    try:
        start, end = map(dt.datetime.fromisoformat, request.query_params.get("sought", "").split("/"))
        return AskedTime(((start.astimezone(dt.UTC), end.astimezone(dt.UTC)),)).in_words(zone)
    except (ValueError, OverflowError):
        return ""
