"""Alerts as JSON: the queue, one alert, and what is done to it."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any, Literal

from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.exceptions import PermissionDeniedException
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct

from dashboards.desk.acts import (
    Acknowledged,
    AddedToCase,
    Assigned,
    Disposed,
    Disposition,
    Note,
    OnAlert,
    Released,
    Reopened,
    Shelved,
    Undone,
    Version,
    Withheld,
)
from dashboards.desk.decisions import Refused, Unknown
from dashboards.desk.queue import Group, grouped
from dashboards.server.accounts import User
from dashboards.server.console import Console
from dashboards.server.views import AlertView, view
from schemas.values import Text, When

AlertId = Annotated[str, PathParameter(max_length=64)]
Asked = Request[User, str, Any]


class Queue(Struct, frozen=True):
    """All open alerts a user may see, as they stand behind change `seq`, and their groups in order."""

    seq: int
    groups: tuple[Group, ...]
    alerts: tuple[AlertView, ...]


class Seen(Struct, frozen=True, forbid_unknown_fields=True, tag_field="act"):
    """What is to be done to an alert that was seen at this version."""

    version: Version


class Acknowledge(Seen, frozen=True, tag="acknowledged"):
    """Take notice, and take it on."""


class Assign(Seen, frozen=True, tag="assigned"):
    """Give it to a user."""

    to: Text


class Shelve(Seen, frozen=True, tag="shelved"):
    """Out of the queue until then."""

    reason: Note
    until: When


class Dispose(Seen, frozen=True, tag="disposed"):
    """Close it."""

    disposition: Disposition
    note: Note
    second_auditor: Text | None = None
    money_cents: Annotated[int, Meta(ge=-(10**11), le=10**11)] | None = None


class Reopen(Seen, frozen=True, tag="reopened"):
    """Open it again."""

    reason: Note


class AddToCase(Seen, frozen=True, tag="added_to_case"):
    """Put it to a case."""

    case: Text


class Undo(Seen, frozen=True, tag="undone"):
    """Take the last act back."""


Wish = Acknowledge | Assign | Shelve | Dispose | Reopen | AddToCase | Undo


class Done(Struct, frozen=True):
    """The change that was made, and the alert behind it."""

    seq: int
    alert: AlertView


class Restriction(Struct, frozen=True, forbid_unknown_fields=True):
    """A record that is withheld from a user, or released."""

    user: Text
    kind: Literal["alert", "table", "dealer"]
    value: Text
    withheld: bool


def queue_of(console: Console, user: User) -> Queue:
    """The queue of a user."""
    seq, alerts = console.desk.snapshot()
    role = console.role(user)
    theirs = [alert for alert in alerts if console.sees(user, alert)]
    waiting = (alert for alert in theirs if alert.status != "shelved")
    return Queue(seq, grouped(waiting), tuple(view(alert, role) for alert in theirs))


def must_read(console: Console, user: User, about: str) -> None:
    """Return if the user's role reads alerts; a refusal is kept.

    Raises:
        PermissionDeniedException: it does not.
    """
    if not console.role(user).reads_alerts:
        console.note(user.name, "queue", about, granted=False, reason=f"role {user.role}")
        raise PermissionDeniedException(f"the role {user.role} reads no alerts")


@get("/api/alerts", sync_to_thread=True)
def read_queue(request: Asked, console: NamedDependency[Console]) -> Queue:
    """All open alerts at a number of the feed, from which the feed goes on."""
    must_read(console, request.user, "open alerts")
    queue = queue_of(console, request.user)
    console.note(request.user.name, "queue", f"{len(queue.alerts)} open alerts at {queue.seq}")
    return queue


@get("/api/alerts/{alert:str}", sync_to_thread=True)
def read_alert(request: Asked, console: NamedDependency[Console], alert: AlertId) -> AlertView:
    """One alert, open or closed; one that is withheld is answered as one that is not."""
    must_read(console, request.user, alert)
    found = console.desk.alert(alert)
    if found is None or not console.sees(request.user, found):
        console.note(request.user.name, "alert", alert, granted=False, reason="unknown or withheld")
        raise Unknown(f"no alert {alert}")
    console.note(request.user.name, "alert", alert)
    return view(found, console.role(request.user))


@post("/api/alerts/{alert:str}/acts", status_code=200, sync_to_thread=True)
def act_on_alert(
    request: Asked, console: NamedDependency[Console], alert: AlertId, data: JSONBody[Wish]
) -> Done:
    """Do one thing to an alert; 409 when someone else was faster, 422 when it cannot be done."""
    user, role = request.user, console.role(request.user)
    act = _act(alert, data)
    name = str(data.__struct_config__.tag)
    if name not in role.acts:
        console.note(user.name, "action", f"{name} {alert}", granted=False, reason=f"role {user.role}")
        raise PermissionDeniedException(f"the role {user.role} may not do that")
    found = console.desk.alert(alert)
    if found is None or not console.sees(user, found):
        console.note(user.name, "action", f"{name} {alert}", granted=False, reason="unknown or withheld")
        raise Unknown(f"no alert {alert}")
    for named in (getattr(data, "to", None), getattr(data, "second_auditor", None)):
        _must_be_user(console, named)
    change = console.desk.act(act, user.name)
    return Done(change.seq, view(change.alert, role))


@post("/api/restrictions", status_code=204, sync_to_thread=True)
def restrict(request: Asked, console: NamedDependency[Console], data: JSONBody[Restriction]) -> None:
    """Withhold an alert, a table or a dealer from a user, or release it."""
    user = request.user
    if not console.role(user).withholds:
        console.note(user.name, "action", f"restrict {data.user}", granted=False, reason=f"role {user.role}")
        raise PermissionDeniedException(f"the role {user.role} may not do that")
    _must_be_user(console, data.user)
    made = Withheld if data.withheld else Released
    console.desk.note(made(user=data.user, kind=data.kind, value=data.value), user.name)


def _act(alert: str, wish: Wish) -> OnAlert:
    seen = wish.version
    match wish:
        case Acknowledge():
            return Acknowledged(alert=alert, version=seen)
        case Assign():
            return Assigned(alert=alert, version=seen, to=wish.to)
        case Shelve():
            until = wish.until.astimezone(dt.UTC)
            return Shelved(alert=alert, version=seen, reason=wish.reason, until=until)
        case Dispose():
            return Disposed(
                alert=alert,
                version=seen,
                disposition=wish.disposition,
                note=wish.note,
                second_auditor=wish.second_auditor,
                money_cents=wish.money_cents,
            )
        case Reopen():
            return Reopened(alert=alert, version=seen, reason=wish.reason)
        case AddToCase():
            return AddedToCase(alert=alert, version=seen, case=wish.case)
        case Undo():
            return Undone(alert=alert, version=seen)


def _must_be_user(console: Console, name: str | None) -> None:
    if name is not None and (
        name not in {user for user, _, disabled in console.accounts.users() if not disabled}
    ):
        raise Refused(f"there is no user {name[:64]}")


HANDLERS = (read_queue, read_alert, act_on_alert, restrict)
