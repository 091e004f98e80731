"""The list of shelves, as a page and as JSON, and the form that ends one."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.params import URLEncodedBody
from litestar.response import Redirect
from msgspec import Meta, Struct

from dashboards.alerts.api import SeenAlert, do
from dashboards.alerts.queue_order import zone_of
from dashboards.alerts.wishes import Unshelve
from dashboards.desk.decisions import Refused
from dashboards.shelves.listing import Shelves, shelves_of
from dashboards.web.console import Console, ThisConsole, UserRequest
from dashboards.web.gate import require_csrf
from dashboards.web.rendering import page
from dashboards.wording.times import in_zone_of, zone_called
from schemas.amounts import amount


class EndForm(Struct, frozen=True, kw_only=True):
    """The form that takes an alert off the shelf, at the version that was seen."""

    csrf: str = ""
    alert: Annotated[str, Meta(max_length=64)] = ""
    version: int = 0


@get("/shelves", sync_to_thread=True)
def shelves_page(request: UserRequest, console: ThisConsole) -> Response[str]:
    """All that is silent now, with its end."""
    return _shown(request, console)


@post("/shelves", form=True, sync_to_thread=True)
def end_shelf(request: UserRequest, console: ThisConsole, data: URLEncodedBody[EndForm]) -> Response[Any]:
    """Take an alert off the shelf before its time; what is refused is said on the page."""
    require_csrf(request.user, data.csrf)
    _must_read(console, request, f"shelf of {data.alert}")
    try:
        (answer,) = do(console, request.user, Unshelve(), (SeenAlert(data.alert, max(1, data.version)),))
        if isinstance(answer, Refused):
            raise answer
    except Refused as error:
        return _shown(request, console, error.why, 409)
    return Redirect("/shelves", status_code=303)


@get("/api/shelves", sync_to_thread=True)
def read_shelves(request: UserRequest, console: ThisConsole) -> Shelves:
    """All that is silent now; `POST /api/alerts/ID/acts` with `unshelved` ends one."""
    _must_read(console, request, "shelves")
    console.note(request.user.name, "record", "shelves")
    return shelves_of(console, request.user)


def _must_read(console: Console, request: UserRequest, about: str) -> None:
    granted = console.role(request.user).reads_shifts
    console.require(granted, request.user, "record", about, "reads no shelves")


def _shown(request: UserRequest, console: Console, refused: str = "", status: int = 200) -> Response[str]:
    _must_read(console, request, "shelves")
    told = shelves_of(console, request.user)
    console.note(request.user.name, "page", f"shelves, {amount(len(told.alerts), 'alert')}")
    zone = zone_called(zone_of(console, (one.table for one in told.alerts)))
    return page(
        request,
        console,
        "shelves/shelves.html",
        status,
        told=told,
        left=lambda at: _spoken(at - console.clock()),
        in_zone=lambda at: in_zone_of(at, zone),
        refused=refused,
    )


def _spoken(left: dt.timedelta) -> str:
    minutes = max(0, -(-int(left.total_seconds()) // 60))
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


HANDLERS = (shelves_page, end_shelf, read_shelves)
