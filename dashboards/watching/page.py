"""The watch list as a page with its forms, and as JSON."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any, Literal

import msgspec
from litestar import Response, get, post
from litestar.params import JSONBody, QueryParameter, URLEncodedBody
from litestar.response import Redirect
from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.desk.decisions import Refused
from dashboards.desk.watch_fold import LONGEST, Watch
from dashboards.ledger.watch_acts import KINDS
from dashboards.watching.watching import entries
from dashboards.watching.wishes import WatchWish, watch
from dashboards.web.console import Console, ThisConsole, UserRequest
from dashboards.web.gate import require_csrf
from dashboards.web.rendering import page

Word = Annotated[str, QueryParameter(max_length=200)]


class WatchForm(Struct, frozen=True, kw_only=True):
    """A form of the page; which fields count, `act` says."""

    csrf: str = ""
    act: str = "put"
    kind: str = "dealer"
    value: str = ""
    reason: str = ""
    until: str = ""
    version: str = "1"


def _entries(console: Console, user: User, what: Literal["page", "record"]) -> tuple[Watch, ...]:
    """The list for this user; the look is kept before anything is shown."""
    console.require(
        console.role(user).reads_watches, user, what, "watch list", "does not read the watch list"
    )
    found = entries(console, user)
    named = ", ".join(f"{one.kind} {one.value}" for one in found[:8])
    more = ", ..." if len(found) > 8 else ""
    console.note(user.name, what, f"watch list: {named or 'nobody'}{more}")
    return found


@get("/watch", sync_to_thread=True)
def watch_page(
    request: UserRequest, console: ThisConsole, kind: Word = "", value: Word = ""
) -> Response[str]:
    """Whom and what somebody watches, and the form that puts one more on the list."""
    return _shown(request, console, WatchForm(kind=kind or "dealer", value=value))


@post("/watch", form=True, sync_to_thread=True)
def watch_form(request: UserRequest, console: ThisConsole, data: URLEncodedBody[WatchForm]) -> Response[Any]:
    """Do one thing to the list; what cannot be done is said on its page, which keeps what was written."""
    require_csrf(request.user, data.csrf)
    try:
        given = msgspec.structs.asdict(data)
        wanted = {name: text.strip() for name, text in given.items() if name != "csrf" and text.strip()}
        watch(console, request.user, msgspec.convert(wanted, WatchWish, strict=False))
    except msgspec.ValidationError as error:
        return _shown(request, console, data, f"this cannot be read: {error}", 422)
    except Refused as error:
        return _shown(request, console, data, error.why, 422)
    return Redirect("/watch", status_code=303)


@get("/api/watch", sync_to_thread=True)
def read_watch(request: UserRequest, console: ThisConsole) -> tuple[Watch, ...]:
    """The watch list."""
    return _entries(console, request.user, "record")


@post("/api/watch", sync_to_thread=True, status_code=200)
def act_on_watch(request: UserRequest, console: ThisConsole, data: JSONBody[WatchWish]) -> tuple[Watch, ...]:
    """Put somebody on the list, change an entry or take it off; the answer is the list."""
    watch(console, request.user, data)
    return _entries(console, request.user, "record")


def _shown(
    request: UserRequest, console: Console, form: WatchForm, wrong: str = "", status: int = 200
) -> Response[str]:
    now: dt.datetime = console.clock()
    return page(
        request,
        console,
        "watching/watch.html",
        status,
        entries=_entries(console, request.user, "page"),
        form=form,
        wrong=wrong,
        kinds={"dealer": "Dealer", "player": "Patron", "table": "Table"},
        all_kinds=KINDS,
        longest=LONGEST.days,
        first=now.date(),
        last=(now + LONGEST).date() - dt.timedelta(days=1),
        last_day=lambda until: (until - dt.timedelta(days=1)).date(),
    )


HANDLERS = (watch_page, watch_form, read_watch, act_on_watch)
