"""What a user wants done to the watch list: held against role, deny list and record before it is written."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal

from msgspec import Meta, Struct

from dashboards.accounts.accounts import User
from dashboards.desk.decisions import Refused
from dashboards.desk.watch_fold import denied_by
from dashboards.filters.names import near
from dashboards.ledger.watch_acts import Kind, WatchAct, WatchChanged, WatchPut, WatchTaken
from dashboards.reader.revenue import dealers
from dashboards.reader.watched import patron_known
from dashboards.watching.watching import act_on_list
from dashboards.web.address import current_address
from dashboards.web.console import Console
from schemas.values import Text

SHORTEST_REASON = 3
_EVER = dt.date(1971, 1, 1), dt.date(2148, 1, 1)  # what the store's days can be


class WatchWish(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An act upon the list: `until` is the last day of it, in UTC; `version` is that of the entry that was seen."""

    act: Literal["put", "changed", "taken"]
    kind: Kind
    value: Text
    reason: Annotated[str, Meta(max_length=2000)] = ""
    until: dt.date | None = None
    version: Annotated[int, Meta(ge=1)] = 1


def watch(console: Console, user: User, wish: WatchWish) -> None:
    """Do it.

    Raises:
        PermissionDeniedException: the role changes nothing of the list.
        Refused: it cannot be done, and why; somebody who is withheld from the user is not known to them.
        DeskUnavailable: it could not be kept, and nothing has changed.
    """
    value, reason = wish.value.strip(), " ".join(wish.reason.split())
    asked = f"watch {wish.act}: {wish.kind} {value}"
    console.require(console.role(user).watches, user, "action", asked, "changes nothing of the watch list")
    if not value:
        raise Refused(f"name the {wish.kind}")
    if len(reason) < SHORTEST_REASON:
        raise Refused(f"say why, in {SHORTEST_REASON} characters or more: auditors read it")
    if denied_by(wish.kind, value) in console.desk.withheld_from(user.name):
        console.note(user.name, "action", asked, granted=False, reason="withheld")
        raise Refused(f"there is no {_CALLED[wish.kind]} {value}")
    if wish.act == "put":
        _require_known(console, user, wish.kind, value)
    act_on_list(console.desk, _act(wish, value, reason), user.name)


def _act(wish: WatchWish, value: str, reason: str) -> WatchAct:
    address = current_address()
    if wish.act == "taken":
        return WatchTaken(kind=wish.kind, value=value, reason=reason, address=address, version=wish.version)
    if wish.until is None:
        raise Refused("say the last day, as 2026-12-24")
    try:
        until = dt.datetime.combine(wish.until + dt.timedelta(days=1), dt.time(), dt.UTC)
    except OverflowError as error:
        raise Refused(f"there is no day after {wish.until}") from error
    if wish.act == "put":
        return WatchPut(kind=wish.kind, value=value, reason=reason, address=address, until=until)
    return WatchChanged(
        kind=wish.kind, value=value, reason=reason, address=address, until=until, version=wish.version
    )


def _require_known(console: Console, user: User, kind: Kind, value: str) -> None:
    """Whom the record does not name nobody can watch: a wrong letter would watch nobody in silence."""
    if kind == "player":
        names: set[str] = {value} if patron_known(value).ask(console.records) else set()
    elif kind == "table":
        names = set(console.states.names())
    else:
        names = {row.dealer for row in dealers(*_EVER).ask(console.records)}
    if value in names:
        return
    shown = names - console.desk.hidden_from(user.name, kind)
    like = ", ".join(near(value, shown))
    raise Refused(f"there is no {_CALLED[kind]} {value}" + (f"; like it are {like}" if like else ""))


_CALLED = {"dealer": "dealer", "player": "patron", "table": "table"}
