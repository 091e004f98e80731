"""Find by id: what was typed into the dialog leads to the page of an alert, a dispute, a finding, a hand or a table."""

from __future__ import annotations

import re
from typing import Annotated, Any
from urllib.parse import quote, urlencode

from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.params import QueryParameter
from litestar.response import Redirect

from dashboards.server.accounts import User
from dashboards.server.console import Console
from dashboards.server.dispute_views import is_theirs
from dashboards.server.rendering import page

_HEX = re.compile(r"[0-9a-f]{6,64}")
_TABLE_AND = re.compile(r"(?P<table>[A-Za-z0-9][A-Za-z0-9._-]{0,63})(?:\s+|/)(?P<rest>.+)")
_SEAT = re.compile(r"\s+(?:seat\s*|s)(?P<seat>[1-9])$", re.I)


@get("/find", sync_to_thread=True)
def find(
    request: Request[User, str, Any],
    console: NamedDependency[Console],
    q: Annotated[str, QueryParameter(max_length=128)] = "",
) -> Response[Any]:
    """On to the page of what the text names; where it names nothing, what could be typed."""
    text = " ".join(q.split())
    user = request.user
    place = _place(console, user, text)
    console.note(
        user.name,
        "record",
        f"find {text}",
        granted=bool(place),
        reason="" if place else "unknown or withheld",
    )
    if place:
        return Redirect(place, status_code=303)
    why = f"Nothing you may see is called {text}." if text else "Nothing was typed."
    remedy = (
        "A table and a round (BJ-12 41), a table and a time (BJ-12 21:14 seat 3), a table, or the id of a finding,"
        " an alert or a dispute, from its first six characters on."
    )
    return page(request, console, "refused.html", 404, title="Find", why=why, remedy=remedy)


def _place(console: Console, user: User, text: str) -> str:
    """The address of what a text names, empty if it names nothing that the user may open."""
    role = console.role(user)
    if not text:
        return ""
    dispute = console.desk.dispute(text) or console.desk.dispute(text.upper())
    if dispute is not None and is_theirs(console, user, dispute):
        return f"/disputes/{quote(dispute.id, safe='')}"
    if _HEX.fullmatch(text.lower()):
        return _of_id(console, user, text.lower())
    if not role.reads_hands:
        return ""
    named = _TABLE_AND.fullmatch(text)
    if named is not None and any(letter.isdigit() for letter in named["rest"]):
        return f"/hands?{urlencode({'table': named['table'], **_rest(named['rest'])})}"
    return _of_table(console, user, text) if role.reads_tables else ""


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


def _of_table(console: Console, user: User, text: str) -> str:
    hidden = {value for kind, value in console.desk.withheld_from(user.name) if kind == "table"}
    known = [one for one in console.states.names() if one not in hidden and one.lower() == text.lower()]
    return f"/tables/{quote(known[0], safe='')}" if known else ""


HANDLERS = (find,)
