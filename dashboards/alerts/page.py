"""The page of the alerts: the open ones as they stand now, and the closed ones page by page.

It stands without a script. With one it moves: what was sent here is its beginning, and the feed tells what changes.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from itertools import dropwhile, islice
from typing import Annotated, Any

from litestar import Response, get
from litestar.params import QueryParameter
from litestar.response import Redirect
from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.alerts import alert_page
from dashboards.alerts.api import assignees, seen_by
from dashboards.alerts.queue_filter import FIELDS, SEVERITIES, TABS, WantedAlerts, in_tab, wanted
from dashboards.alerts.views import AlertRow, AlertView, money_of, row, view
from dashboards.desk.queue import grouped
from dashboards.web.console import Console, ThisConsole, UserRequest
from dashboards.web.names import unknown_fields
from dashboards.web.navigation import links_for
from dashboards.web.rendering import page

FIRST = 100  # groups that are sent with the page
CLOSED_AT_ONCE = 50
Words = Annotated[str, QueryParameter(max_length=200)]


class QueueLine(Struct, frozen=True, kw_only=True):
    """One line of the list: alerts of one check, table and dealer; title and age are those of `lead`.

    `others` are the rest of its alerts; `money` is the largest of all of them.
    """

    lead: AlertRow
    others: tuple[AlertRow, ...]
    severity: str
    age: str
    money: str
    status: str


class Closed(Struct, frozen=True, kw_only=True):
    """A page of the closed alerts; `further` is the last of them, behind which the next page begins."""

    alerts: tuple[AlertView, ...]
    all: int
    further: str | None


@get("/", sync_to_thread=True)
def open_alerts(
    request: UserRequest,
    console: ThisConsole,
    tab: Words = "open",
    severity: Annotated[list[str] | None, QueryParameter(max_items=8)] = None,
    q: Words = "",
    before: Annotated[str, QueryParameter(max_length=64)] = "",
) -> Response[Any]:
    """The alerts of a tab as they stand now; whose role reads none begins at the first section it has."""
    user = request.user
    asked = wanted(tab, severity or (), q)
    if not console.role(user).reads_alerts:
        links = links_for(console.role(user))
        return Redirect(links[0].path, status_code=303) if links else _refused(request, console)
    seq, alerts = console.desk.snapshot()
    theirs = seen_by(console, user, alerts)
    role = console.role(user)
    rows = {alert.id: row(alert, role) for alert in theirs}
    closed = _closed(console, user, asked, before) if asked.tab == "closed" else None
    here = {alert: one for alert, one in rows.items() if in_tab(one, asked.tab, user.name)}
    lines = _lines(console, (a for a in theirs if a.id in here and asked.takes(here[a.id])), rows)
    open_now = f"{asked.tab} alerts, {len(rows)} open at {seq}"
    console.note(user.name, "page", f"closed alerts, {len(closed.alerts)}" if closed else open_now)
    unread: tuple[str, ...] = ()
    if not (closed.alerts if closed else lines):
        looked_at = seen_by(console, user, console.desk.closed()) if closed else theirs
        unread = asked.unread([row(alert, role) for alert in looked_at])
    return page(
        request,
        console,
        "alerts/alerts.html",
        asked=asked,
        # What waits for a second person is for roles that may confirm it.
        tabs={
            each: said for each, said in TABS.items() if each != "second" or "closing_confirmed" in role.acts
        },
        counts={each: sum(in_tab(one, each, user.name) for one in rows.values()) for each in TABS},
        severities=SEVERITIES,
        graves={each: sum(one.severity == each for one in here.values()) for each in SEVERITIES},
        lines=lines[:FIRST],
        left=max(0, len(lines) - FIRST),
        closed=closed,
        wrong=(*asked.wrong, *unknown_fields(request, FIELDS).values()),
        unread=unread,
        users=assignees(console) if "assigned" in role.acts else (),
    )


def _refused(request: UserRequest, console: Console) -> Response[str]:
    user, title = request.user, "No alerts for this role"
    console.note(user.name, "page", "open alerts", granted=False, reason=f"role {user.role}")
    why, remedy = f"The role {user.role} reads no alerts.", "The attempt is kept in the audit log."
    return page(request, console, "web/refused.html", 403, title=title, why=why, remedy=remedy)


def _lines(console: Console, alerts: Iterable[Any], rows: dict[str, AlertRow]) -> list[QueueLine]:
    now = console.clock()
    return [
        QueueLine(
            lead=rows[group.lead],
            others=tuple(rows[one] for one in group.alerts if one != group.lead),
            severity=group.severity,
            age=age(now, rows[group.lead].raised_at),
            money=money_of(group.largest, len(group.alerts)),
            status=_status(rows[group.lead], [rows[one] for one in group.alerts]),
        )
        for group in grouped(alerts)
    ]


def _closed(console: Console, user: User, asked: WantedAlerts, before: str) -> Closed:
    role = console.role(user)
    theirs = seen_by(console, user, console.desk.closed())
    chosen = [alert for alert in theirs if asked.takes(row(alert, role))]
    behind = list(dropwhile(lambda alert: alert.id != before, chosen))[1:] if before else chosen
    shown = list(islice(behind, CLOSED_AT_ONCE))
    further = shown[-1].id if len(behind) > len(shown) else None
    return Closed(alerts=tuple(view(alert, role) for alert in shown), all=len(chosen), further=further)


def age(now: dt.datetime, then: dt.datetime) -> str:
    """How long ago, as the script of the page writes it too: `7:21`, `2 h 05`, `3 d 4 h`."""
    seconds = max(0, int((now - then).total_seconds()))
    if seconds < 3600:
        return f"{seconds // 60}:{seconds % 60:02d}"
    hours = seconds // 3600
    if hours < 24:
        return f"{hours} h {seconds % 3600 // 60:02d}"
    return f"{hours // 24} d {hours % 24} h"


def _status(lead: AlertRow, rows: list[AlertRow]) -> str:
    """State of the alerts of a line in a few words; the script of the page says the same."""
    awaiting = sum(one.status == "awaiting" for one in rows)
    if awaiting and lead.status != "new":
        return "Waits for second" if awaiting == len(rows) else f"{awaiting} of {len(rows)} wait for second"
    word = {"new": "New", "acknowledged": "Ack", "shelved": "Shelved", "disposed": "Closed"}[lead.status]
    alike = sum(one.status == lead.status for one in rows)
    if alike < len(rows):
        return f"{alike} of {len(rows)} {word.lower()}"
    owners = {one.owner for one in rows}
    whose = next(iter(owners)) if len(owners) == 1 else None
    return f"{word} {whose}" if whose else word


HANDLERS = (open_alerts, *alert_page.HANDLERS)
