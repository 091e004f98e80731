"""The page of the alerts: the open ones as they stand now, and the closed ones page by page.

It stands without a script. With one it moves: what was sent here is its beginning, and the feed tells what changes.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from itertools import dropwhile, islice
from typing import Annotated, Any

from litestar import Response, get
from litestar.params import QueryParameter
from litestar.response import Redirect
from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.accounts.preferences import CHOICES
from dashboards.accounts.roles import Role
from dashboards.alerts import alert_page
from dashboards.alerts.api import assignees, seen_by
from dashboards.alerts.queue_filter import (
    RANGES,
    SEVERITIES,
    TABS,
    Tally,
    WantedAlerts,
    in_tab,
    tallied,
    wanted,
)
from dashboards.alerts.queue_lines import QueueLine, clock_by, in_order, line_of, on_another_day, said
from dashboards.alerts.queue_order import COLUMNS, ORDERS, SORTS, sorted_by, zone_of
from dashboards.alerts.queue_times import clock_of
from dashboards.filters.fields import OF_ALERTS
from dashboards.filters.names import unknown_fields
from dashboards.personal.keeping import arranged
from dashboards.queue.views import AlertView, row, view
from dashboards.web.console import Console, ThisConsole, UserRequest
from dashboards.web.navigation import links_for
from dashboards.web.rendering import page
from dashboards.wording.times import zone_called

FIRST = 100  # groups that are sent with the page
CLOSED_AT_ONCE = 50
Words = Annotated[str, QueryParameter(max_length=200)]


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
    since: Words = "",
    order: Words = "",
    before: Annotated[str, QueryParameter(max_length=64)] = "",
    line: Annotated[int, QueryParameter(ge=1, le=1_000_000)] = 1,
) -> Response[Any]:
    """The alerts of a tab as they stand now; whose role reads none begins at the first section it has."""
    user = request.user
    mine = arranged(console, user, "alerts")
    if (elsewhere := _elsewhere(request, console, mine.start)) is not None:
        return elsewhere
    role, queue = console.role(user), console.queue(user)
    rows = queue.rows
    clock = clock_of(console, lambda: tuple(rows.values()))
    asked = wanted(tab, severity or (), q, clock, since, console.clock(), mine.start)
    closed = _closed(console, user, asked, before) if asked.tab == "closed" else None
    here = [one for one in rows.values() if in_tab(one, asked.tab, user.name)]
    chosen = console.accounts.preferences.of(user.name)
    order = order if order in ORDERS else chosen["queue_order"]
    fit = [one for one in asked.told(here) if asked.takes_grave(one.severity)]
    zone = zone_of(console, (one.table for one in (closed.alerts if closed else here)))
    groups = in_order(fit, queue, order)
    lines = [line_of(one, rows, console.at_tables(), zone) for one in groups[line - 1 : line - 1 + FIRST]]
    open_now = f"{asked.tab} alerts, {len(rows)} open at {queue.seq}"
    console.note(user.name, "page", f"closed alerts, {len(closed.alerts)}" if closed else open_now)
    of_closed = seen_by(console, user, console.desk.closed()) if closed else []
    found = closed.alerts if closed else groups
    return page(
        request,
        console,
        "alerts/alerts.html",
        asked=asked,
        tabs=_tabs(role),
        **_counted(asked, tallied(asked.told(rows.values())), user.name),
        severities=SEVERITIES,
        fitting=len(fit),
        in_all=len(here),
        lines=lines,
        **_stretch(line, len(groups)),
        dress=_dress(lines, on_another_day(lines, zone, console.at_tables())),
        closed=closed,
        wrong=(*asked.wrong, *unknown_fields(request, OF_ALERTS).values()),
        chosen=chosen,
        mine=mine,
        query=request.url.query,
        order=order,
        **_choices(
            asked, [one.finding.subject for one in of_closed] if closed else [one.table for one in here]
        ),
        **_clock(console, zone),
        unread=()
        if found
        else asked.unread([row(one, role) for one in of_closed] if closed else list(rows.values())),
        users=assignees(console) if "assigned" in role.acts else (),
    )


def _elsewhere(request: UserRequest, console: Console, start: str | None) -> Response[Any] | None:
    """Where the address without a word leads: to the search with which the queue opens for who chose one."""
    if not console.role(request.user).reads_alerts:
        links = links_for(console.role(request.user))
        return Redirect(links[0].path, status_code=303) if links else _refused(request, console)
    return Redirect(start, status_code=303) if start and not request.url.query else None


def _refused(request: UserRequest, console: Console) -> Response[str]:
    user, title = request.user, "No alerts for this role"
    console.note(user.name, "page", "open alerts", granted=False, reason=f"role {user.role}")
    why, remedy = f"The role {user.role} reads no alerts.", "The attempt is kept in the audit log."
    return page(request, console, "web/refused.html", 403, title=title, why=why, remedy=remedy)


def _tabs(role: Role) -> dict[str, str]:
    """What waits for a second person is for roles that may confirm it."""
    return {name: said for name, said in TABS.items() if name != "second" or "closing_confirmed" in role.acts}


def _counted(asked: WantedAlerts, told: Tally, me: str) -> dict[str, Any]:
    """How many alerts each tab has that fit the filter, and how many of the tab shown each severity has.

    `told` counts those whose time and words fit.
    """
    fit = [(one, many) for one, many in told.items() if asked.takes_grave(one.severity)]
    here = [(one, many) for one, many in told.items() if in_tab(one, asked.tab, me)]
    return {
        "counts": {tab: sum(many for one, many in fit if in_tab(one, tab, me)) for tab in TABS},
        "graves": {each: sum(many for one, many in here if one.severity == each) for each in SEVERITIES},
    }


def _dress(lines: Sequence[QueueLine], dated: bool) -> str:
    """Classes that give a column its room: for a date in the time, for money owed and overpaid in one cell."""
    both = any(", overpaid" in one.money for one in lines)
    return " ".join(name for name, there in (("queue", True), ("dated", dated), ("both", both)) if there)


def _stretch(first: int, every: int) -> dict[str, Any]:
    """Which of all lines are sent with the page, from `first` on, and where the next page begins."""
    behind = first + FIRST
    return {"line": first, "all_lines": every, "further": behind if every >= behind else None}


def _choices(asked: WantedAlerts, at: Sequence[str]) -> dict[str, Any]:
    """What people choose from; `at` has the table of each alert of the tab."""
    return {
        "offered": asked.offers(at),
        "choices": CHOICES,
        "columns": COLUMNS,
        "sorts": SORTS,
        "sorted_by": sorted_by,
        "ranges": RANGES,
        "said": said,
    }


def _clock(console: Console, name: str) -> dict[str, Any]:
    """The page's one clock: its zone, how the heading names it, and a moment by it.

    `by_clock` writes a moment with its day, `in_line` as a line has it, which the script writes alike.
    """
    zone = zone_called(name)
    this_year = console.clock().astimezone(zone).year

    def by_clock(at: dt.datetime) -> str:
        here = at.astimezone(zone)
        return f"{here:%-d %b %H:%M:%S}" if here.year == this_year else f"{here:%-d %b %Y %H:%M:%S}"

    now = console.clock()
    return {
        "zone": name,
        "zone_name": f"{now.astimezone(zone):%Z}",
        "by_clock": by_clock,
        "in_line": clock_by(name, console.at_tables()),
    }


def _closed(console: Console, user: User, asked: WantedAlerts, before: str) -> Closed:
    role = console.role(user)
    theirs = seen_by(console, user, console.desk.closed())
    chosen = [alert for alert in theirs if asked.takes(row(alert, role))]
    behind = list(dropwhile(lambda alert: alert.id != before, chosen))[1:] if before else chosen
    shown = list(islice(behind, CLOSED_AT_ONCE))
    further = shown[-1].id if len(behind) > len(shown) else None
    return Closed(alerts=tuple(view(alert, role) for alert in shown), all=len(chosen), further=further)


HANDLERS = (open_alerts, *alert_page.HANDLERS)
