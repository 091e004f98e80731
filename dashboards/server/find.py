"""Find by id: the text typed into the dialog opens the page of an alert, dispute, case, finding, hand or table."""

from __future__ import annotations

import re
from typing import Annotated, Any
from urllib.parse import parse_qsl, quote, urlencode

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import QueryParameter
from litestar.response import Redirect
from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.debts.seen import is_theirs
from dashboards.desk.casework import case, is_hidden
from dashboards.filters.names import near, plain, unknown_fields
from dashboards.hands.addresses import list_address
from dashboards.hands.search import Asking
from dashboards.reader.people import ever_dealt, ever_seen
from dashboards.server.find_lists import FoundList, lists_of
from dashboards.web.console import Console, UserRequest
from dashboards.web.rendering import page
from dashboards.wording.addresses import part_of

_HEX = re.compile(r"[0-9a-f]{6,64}")
_OF_DESK = re.compile(r"(?:CASE|DIS)-\d+", re.I)  # the desk's own numbers, which nobody else is asked about
_TABLE_AND = re.compile(r"(?P<table>[A-Za-z0-9][A-Za-z0-9._-]{0,63})(?:\s+|/)(?P<rest>.+)")
_HANDS = "/hands?"
_OF_HAND = {"table", "time", "seat", "round", "shoe", "finding"}
_OF_PLACE = {"table", "time", "seat"}
Typed = Annotated[str, QueryParameter(max_length=128)]
REMEDY = (
    "A table and a round (BJ-12 41), a table and a time or a range (BJ-12 21:14 seat 3, BJ-12 11:00-11:15), a hand as"
    " it is told (20 against 22 15 min ago, dealer:D-301 lost $25), a table, a dealer or a patron by the whole name, or"
    " the id of a finding, alert, dispute or case, of an alert from its first six characters on."
)
_SEAT = re.compile(r"\s+(?:seat\s*|s)(?P<seat>[1-9])$", re.I)


class FoundPlace(Struct, frozen=True, omit_defaults=True):
    """The address of the page that was found; `lists` are those of it, where the text is the words of a filter."""

    place: str
    lists: tuple[FoundList, ...] = ()


@get("/find", sync_to_thread=True)
def find(request: UserRequest, console: NamedDependency[Console], q: Typed = "") -> Response[Any]:
    """On to the page of what the text names; 404 says which of its words name nothing, and what could be typed.

    Words that alerts fit are told with how many of each list fit them.
    """
    text = " ".join(q.split())
    place, why, lists = _found(request, console, text)
    if lists:
        return page(request, console, "server/found.html", text=text, lists=lists)
    if place:
        return Redirect(place, status_code=303)
    return page(request, console, "web/refused.html", 404, title="Find", why=why, remedy=REMEDY)


@get("/api/find", sync_to_thread=True)
def read_find(request: UserRequest, console: NamedDependency[Console], q: Typed = "") -> FoundPlace:
    """The page of what the text names; 404 says which of its words name nothing, and what could be typed."""
    text = " ".join(q.split())
    place, why, lists = _found(request, console, text)
    if lists:
        return FoundPlace(f"/find?{urlencode({'q': text})}", lists)
    if not place:
        raise NotFoundException(f"{why} {REMEDY}")
    return FoundPlace(place)


def _found(request: UserRequest, console: Console, text: str) -> tuple[str, str, tuple[FoundList, ...]]:
    """The address of what the text names, else what of it names nothing; the look is kept either way.

    Where it is the words of a filter that open alerts fit, it is the lists that a person chooses from.
    """
    user, wrong = request.user, unknown_fields(request, ("q",))
    place = "" if wrong else _place(console, user, text)
    lists: tuple[FoundList, ...] = ()
    if text and not wrong and not _OF_DESK.fullmatch(text) and _is_filter(place):
        lists = lists_of(console, user, text)
        lists = lists if any(one.name == "Alerts" and one.href for one in lists) else ()
    why = "" if place or lists else "unknown or withheld"
    console.note(user.name, "record", f"find {text}", granted=not why, reason=why)
    if place or lists:
        return place, "", lists
    return "", " ".join(f"{one}." for one in wrong.values()) or _why(console, user, text), ()


def _is_filter(place: str) -> bool:
    """Whether what was typed is at most a filter of a list: a round, or a time at a table, is one place."""
    asked = dict(parse_qsl(place.removeprefix(_HANDS))).keys() if place.startswith(_HANDS) else None
    return not place or (asked is not None and not asked - {"said"} <= _OF_HAND)


def _place(console: Console, user: User, text: str) -> str:
    """The address of what a text names, empty if it names nothing that the user may open."""
    role = console.role(user)
    if not text:
        return ""
    dispute = console.desk.dispute(text) or console.desk.dispute(text.upper())
    if dispute is not None and is_theirs(console, user, dispute):
        return f"/disputes/{quote(dispute.id, safe='')}"
    found = case(console.desk, text.upper()) if role.reads_cases else None
    if found is not None and not is_hidden(console.desk, user.name, found.id):
        return f"/cases/{found.id}"
    if _OF_DESK.fullmatch(text):
        return ""
    table = _table(console, user, text) if role.reads_tables else ""
    if table:
        return f"/tables/{quote(table, safe='')}"
    person = _person(console, user, text)
    if person:
        return person
    if _HEX.fullmatch(text.lower()):
        return _of_id(console, user, text.lower())
    if not role.reads_hands:
        return ""
    told = Asking(console, user.name, role).told(text)
    named = _TABLE_AND.fullmatch(text)
    if told.terms and not told.unread and (named is None or told.terms.keys() - _OF_PLACE):
        return list_address(told.terms, text)
    if named is not None and any(letter.isdigit() for letter in named["rest"]):
        return f"/hands?{urlencode({'table': named['table'], **_rest(named['rest'])})}"
    return ""


def _person(console: Console, user: User, text: str) -> str:
    """The page of the dealer or patron who is called so, whole; empty if none is that the user may read about."""
    role, hidden = console.role(user), console.desk.withheld_from(user.name)
    if role.reads_hands and ("dealer", text) not in hidden and ever_dealt(text).ask(console.records):
        return f"/dealers/{part_of(text)}"
    if role.reads_hands and role.sees_cards and ("patron", text) not in hidden:
        return f"/players/{part_of(text)}" if ever_seen(text).ask(console.records) else ""
    return ""


def _why(console: Console, user: User, text: str) -> str:
    """Which words name nothing; a table that they may mean."""
    if not text:
        return "Nothing was typed."
    role = console.role(user)
    named = _TABLE_AND.fullmatch(text)
    table = _table(console, user, named["table"]) if named is not None and role.reads_hands else ""
    if named is not None and table:
        return f"{table} is a table, but “{named['rest']}” is neither a round nor a time."
    known = _tables(console, user) if role.reads_tables else ()
    said = []
    for word in text.split():
        alike = near(word, known)
        more = f"; like it are {', '.join(alike)}" if alike else ""
        said.append(f"“{word}” is no table, dealer, patron, dispute, case or id that you may see{more}.")
    return f"Nothing you may see is called {text}. {' '.join(dict.fromkeys(said))}"


def _of_id(console: Console, user: User, start: str) -> str:
    alert = console.desk.alert(start)
    if alert is None:
        snapshot = console.desk.snapshot()
        near = [one for one in snapshot.alerts if one.id.startswith(start)]
        alert = near[0] if len(near) == 1 else None
    if alert is not None and console.role(user).reads_alerts and console.sees(user, alert):
        return f"/alerts/{alert.id}"
    return f"/hands?{urlencode({'finding': start})}" if console.role(user).reads_hands else ""


def _rest(text: str) -> dict[str, str]:
    """A round, or a time and perhaps a seat."""
    seat = _SEAT.search(text)
    asked = {"seat": seat["seat"]} if seat is not None else {}
    told = text[: seat.start()] if seat is not None else text
    return {"round" if told.isdigit() else "time": told, **asked}


def _tables(console: Console, user: User) -> tuple[str, ...]:
    hidden = console.desk.hidden_from(user.name, "table")
    return tuple(one for one in console.states.names() if one not in hidden)


def _table(console: Console, user: User, text: str) -> str:
    """The table of this name, whatever its case and dashes; empty if there is none, or more than one."""
    known = _tables(console, user)
    found = [one for one in known if one == text] or [one for one in known if plain(one) == plain(text)]
    return found[0] if len(found) == 1 else ""


HANDLERS = (find, read_find)
