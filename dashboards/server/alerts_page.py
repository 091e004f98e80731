"""The page of the open alerts: it stands without a script, and moves with one."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, get
from litestar.di import NamedDependency

from dashboards.server.accounts import User
from dashboards.server.alerts_api import Queue, queue_of
from dashboards.server.console import Console
from dashboards.server.rendering import page


@get("/", sync_to_thread=True)
def open_alerts(request: Request[User, str, Any], console: NamedDependency[Console]) -> Response[str]:
    """The open alerts as they stand now."""
    user = request.user
    reads = console.role(user).reads_alerts
    queue = queue_of(console, user) if reads else Queue(0, (), ())
    shown = f"open alerts, {len(queue.alerts)} at {queue.seq}"
    console.note(user.name, "page", shown, granted=reads, reason="" if reads else f"role {user.role}")
    by_id = {alert.id: alert for alert in queue.alerts}
    shelved = sum(alert.status == "shelved" for alert in queue.alerts)
    return page(
        request,
        console,
        "alerts.html",
        200 if reads else 403,
        reads=reads,
        groups=queue.groups,
        alerts=by_id,
        shelved=shelved,
    )


HANDLERS = (open_alerts,)
