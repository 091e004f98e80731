"""Find by id: the text typed into the dialog opens the page of an alert, dispute, finding, hand or table."""

from __future__ import annotations

import re
from typing import Annotated, Any
from urllib.parse import quote, urlencode

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import QueryParameter
from litestar.response import Redirect
from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.disputes.views import is_theirs
from dashboards.web.console import Console, UserRequest
from dashboards.web.names import near, plain, unknown_fields
from dashboards.web.rendering import page

_HEX = re.compile(r"[0-9a-f]{6,64}")
_TABLE_AND = re.compile(r"(?P<table>[A-Za-z0-9][A-Za-z0-9._-]{0,63})(?:\s+|/)(?P<rest>.+)")
Typed = Annotated[str, QueryParameter(max_length=128)]
REMEDY = (
    "A table and a round (BJ-12 41), a table and a time or a range (BJ-12 21:14 seat 3, BJ-12 11:00-11:15), a table, or"
    " the id of a finding, an alert or a dispute, from its first six characters on."
)
_SEAT = re.compile(r"\s+(?:seat\s*|s)(?P<seat>[1-9])$", re.I)


class FoundPlace(Struct, frozen=True):
    """The address of the page that was found."""

    place: str


@get("/find", sync_to_thread=True)
def find(request: UserRequest, console: NamedDependency[Console], q: Typed = "") -> Response[Any]:
    """On to the page of what the text names; where it names nothing, which of its words, and what could be typed."""
    text = " ".join(q.split())
    place, why = _found(request, console, text)
    if place:
        return Redirect(place, status_code=303)
    return page(request, console, "web/refused.html", 404, title="Find", why=why, remedy=REMEDY)


@get("/api/find", sync_to_thread=True)
def read_find(request: UserRequest, console: NamedDependency[Console], q: Typed = "") -> FoundPlace:
    """The page of what the text names; 404 says which of its words name nothing, and what could be typed."""
    place, why = _found(request, console, " ".join(q.split()))
    if not place:
        raise NotFoundException(f"{why} {REMEDY}")
    return FoundPlace(place)


def _found(request: UserRequest, console: Console, text: str) -> tuple[str, str]:
    """The address of what the text names, else what of it names nothing; the look is kept either way."""
    user, wrong = request.user, unknown_fields(request, ("q",))
    place = "" if wrong else _place(console, user, text)
    why = "" if place else "unknown or withheld"
    console.note(user.name, "record", f"find {text}", granted=bool(place), reason=why)
    if place:
        return place, ""
    return "", " ".join(f"{one}." for one in wrong.values()) or _why(console, user, text)


def _place(console: Console, user: User, text: str) -> str:
    """The address of what a text names, empty if it names nothing that the user may open."""
    role = console.role(user)
    if not text:
        return ""
    dispute = console.desk.dispute(text) or console.desk.dispute(text.upper())
    if dispute is not None and is_theirs(console, user, dispute):
        return f"/disputes/{quote(dispute.id, safe='')}"
    table = _table(console, user, text) if role.reads_tables else ""
    if table:
        return f"/tables/{quote(table, safe='')}"
    if _HEX.fullmatch(text.lower()):
        return _of_id(console, user, text.lower())
    named = _TABLE_AND.fullmatch(text) if role.reads_hands else None
    if named is not None and any(letter.isdigit() for letter in named["rest"]):
        return f"/hands?{urlencode({'table': named['table'], **_rest(named['rest'])})}"
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
        said.append(f"“{word}” is no table, dispute or id that you may see{more}.")
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
