"""One alert: its panel beside the list, its picture, and its own page with the forms that act upon it."""

from __future__ import annotations

import logging
from textwrap import wrap
from typing import Any

from litestar import Response, get, post
from litestar.params import URLEncodedBody
from litestar.response import Redirect

from dashboards.alerts.api import (
    ONE_LOOK,
    AlertId,
    SeenAlert,
    assignees,
    beyond_of,
    do,
    must_read,
    visible_alert,
)
from dashboards.alerts.evidence import history, sources
from dashboards.alerts.panel import local, panel_of
from dashboards.alerts.wishes import wish_of_form
from dashboards.desk.alerts import Alert
from dashboards.desk.decisions import ActConflict, Refused, UnknownToDesk
from dashboards.drawing.palette import DARK, LIGHT, Palette
from dashboards.drawing.svg import Markup, document, element, label
from dashboards.hands.pictures import picture_of
from dashboards.web.console import Console, ThisConsole, UserRequest
from dashboards.web.gate import require_csrf
from dashboards.web.rendering import page, theme_of

_log = logging.getLogger("catwalk.console")


@get("/alerts/{alert:str}/panel", sync_to_thread=True)
def alert_panel(request: UserRequest, console: ThisConsole, alert: AlertId) -> Response[str]:
    """The panel of one alert beside the list, as a part of a page."""
    found = visible_alert(console, request.user, alert)
    told, picture = panel_of(console, request.user, found), _picture(request, console, found)
    return page(request, console, "alerts/alert_panel.html", told=told, picture=picture, own_page=False)


@get("/alerts/{alert:str}", sync_to_thread=True)
def alert_page(request: UserRequest, console: ThisConsole, alert: AlertId) -> Response[str]:
    """An alert's own page; one that is withheld is a page that is not there."""
    try:
        found = visible_alert(console, request.user, alert)
    except UnknownToDesk:
        return _nothing(request, console)
    return _page(request, console, found)


@post("/alerts/{alert:str}", form=True, sync_to_thread=True)
def act_by_form(
    request: UserRequest, console: ThisConsole, alert: AlertId, data: URLEncodedBody[dict[str, Any]]
) -> Response[Any]:
    """Do what a form of the page asks for, and show the page again; a form of a suspicion's page shows that one."""
    fields = dict(data)
    require_csrf(request.user, str(fields.pop("csrf", "")))
    back = fields.pop("back", "")
    try:
        wish = wish_of_form(fields)
        if wish.version is None:
            raise Refused("the version is missing")
        (answer,) = do(console, request.user, wish, (SeenAlert(alert, wish.version),))
        if isinstance(answer, Refused):
            raise answer
    except UnknownToDesk:
        return _nothing(request, console)
    except Refused as error:
        found = visible_alert(console, request.user, alert)
        status = 409 if isinstance(error, ActConflict) else 422
        return _page(request, console, found, status, error.why, fields, beyond_of(error))
    return Redirect(f"/{'patterns' if back == 'patterns' else 'alerts'}/{alert}", status_code=303)


@get("/api/alerts/{alert:str}/picture", sync_to_thread=True)
def alert_picture(request: UserRequest, console: ThisConsole, alert: AlertId) -> Response[str]:
    """The felt at the event, cut to the seat and the dealer; where it cannot be drawn, a picture that says so."""
    user = request.user
    must_read(console, user, alert)
    console.require(console.role(user).sees_cards, user, "alert", f"picture {alert}", "sees no cards")
    found = visible_alert(console, user, alert, within=ONE_LOOK)
    return Response(_picture(request, console, found), media_type="image/svg+xml")


def _picture(request: UserRequest, console: Console, alert: Alert) -> Markup:
    """The drawing as this user sees it in the colours that they chose; empty for who sees no cards."""
    if not console.role(request.user).sees_cards:
        return Markup("")
    palette = LIGHT if theme_of(request) == "light" else DARK
    try:
        return picture_of(console.records, console.states, alert.finding, palette)
    except LookupError as error:
        return _no_picture(str(error), palette)
    except Exception as error:  # whatever the store raises: the alert is shown without its picture
        _log.warning("the picture of alert %s cannot be drawn: %s", alert.id, error)
        return _no_picture("The store does not answer.", palette)


def _no_picture(why: str, palette: Palette) -> Markup:
    said = "No picture of this moment"
    lines = wrap(why, 36)
    height = 70 + 24 * len(lines)
    parts = [
        element(
            "rect", width=400, height=height, fill=palette.panel, stroke=palette.edge, stroke_dasharray="6 5"
        ),
        label(200, 38, said, 20, palette.text, bold=True, anchor="middle"),
        *(label(200, 68 + 24 * at, line, 17, palette.text, anchor="middle") for at, line in enumerate(lines)),
    ]
    return document(parts, 400, height, said, why)


def _page(
    request: UserRequest,
    console: Console,
    alert: Alert,
    status: int = 200,
    refused: str = "",
    given: dict[str, Any] | None = None,
    beyond: int = 0,
) -> Response[str]:
    user = request.user
    role = console.role(user)
    told = panel_of(console, user, alert)
    return page(
        request,
        console,
        "alerts/alert.html",
        status,
        told=told,
        picture=_picture(request, console, alert),
        own_page=True,
        refused=refused,
        given=given or {},
        back="",
        beyond=beyond,
        seq=console.desk.seq,
        users=assignees(console) if role.acts else (),
        seconds=[name for name in assignees(console) if name != user.name] if role.acts else (),
        sources=sources(console, alert, role),
        history=() if "note" in role.hidden else history(console, user, alert.id),
        reads_history="note" not in role.hidden,
        local=lambda at: local(console, alert.finding.subject, at),
    )


def _nothing(request: UserRequest, console: Console) -> Response[str]:
    why = "There is no alert of this id, or it is not for you to see."
    remedy = "The attempt is kept in the audit log."
    return page(request, console, "web/refused.html", 404, title="No such alert", why=why, remedy=remedy)


HANDLERS = (alert_panel, alert_page, act_by_form, alert_picture)
