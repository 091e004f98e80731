"""Health: the parts behind the console, those who watch, and the sensors of each table."""

from __future__ import annotations

import datetime as dt
from typing import Any

from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.exceptions import PermissionDeniedException

from dashboards.reader.sensors import devices, faults, newest
from dashboards.sensors import AT_LEAST, PAUSES, SHORTEST, Watched, watched
from dashboards.server.accounts import User
from dashboards.server.console import Console
from dashboards.server.looks import note_look
from dashboards.server.rendering import page
from dashboards.server.vitals import Vital

LOOKED_BACK = dt.timedelta(hours=8)  # a shift
BEHIND = dt.timedelta(seconds=10)  # a table's newest event may be so old before it is said
_NEVER = dt.datetime(1971, 1, 1, tzinfo=dt.UTC)


@get("/status", sync_to_thread=True)
def status(request: Request[User, str, Any], console: NamedDependency[Console]) -> Response[str]:
    """How everything is now."""
    user, role = request.user, console.role(request.user)
    if not role.reads_health:
        console.note(user.name, "page", "health", granted=False, reason=f"role {user.role}")
        raise PermissionDeniedException(f"the role {user.role} does not read the health page")
    note_look(console, user, "page", "health")
    state = request.app.state
    vitals = (_desk(console, state.failed, len(state.viewers)), *console.vitals())
    tables, newest_at, unreadable = _sensors(console, user)
    return page(
        request,
        console,
        "status.html",
        vitals=vitals,
        tables=tables,
        newest=newest_at,
        old=newest_at is not None and console.clock() - newest_at > BEHIND,
        unreadable=unreadable,
        looked_back=LOOKED_BACK,
        rule={"pauses": PAUSES, "shortest": int(SHORTEST.total_seconds()), "at_least": AT_LEAST},
    )


def _desk(console: Console, failed: str | None, viewers: int) -> Vital:
    desk = console.desk
    told = (
        f"{desk.records:,} records, change {desk.seq:,}; {viewers} of at most {console.most_viewers} viewers"
    )
    if failed is not None:
        return Vital(
            part="Desk", state="failed", told=failed, remedy="alerts may be missing: see the server's log"
        )
    full = viewers >= console.most_viewers
    return Vital(
        part="Desk",
        state="warning" if full else "well",
        told=told,
        remedy="no further viewer is let in: start another console" if full else "",
    )


def _sensors(console: Console, user: User) -> tuple[tuple[Watched, ...], dt.datetime | None, str | None]:
    """The tables, the newest event, and why they cannot be said; a table withheld from the user is not there."""
    try:
        rows = newest().ask(console.records)
        if not rows or rows[0].newest < _NEVER:
            return (), None, None
        last = rows[0].newest
        since = last - LOOKED_BACK
        tables = watched(devices(since).ask(console.records), faults(since).ask(console.records))
    except Exception as error:  # a store that is away is what this page is there to say
        return (), None, str(error)
    hidden = {value for kind, value in console.desk.withheld_from(user.name) if kind == "table"}
    return tuple(table for table in tables if table.subject not in hidden), last, None


HANDLERS = (status,)
