"""The pages: sign-in, and the open alerts as they stand; plain HTML that needs no script."""

from __future__ import annotations

import asyncio
import datetime as dt
import secrets
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from litestar import MediaType, Request, Response, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.exceptions import PermissionDeniedException
from litestar.params import URLEncodedBody
from litestar.response import Redirect
from msgspec import Struct

from dashboards.server.accounts import LONGEST, NOBODY, User
from dashboards.server.alerts_api import Queue, queue_of
from dashboards.server.console import Console

_HERE = Path(__file__).resolve().parents[1]
_STYLE = _HERE / "static" / "console.css"
_WRONG = "Name and password do not belong together, or the user is locked for a while."


def _money(cents: int) -> str:
    """Cents as people read them: 1,600.00, and the sign where it is negative."""
    whole, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{whole:,}.{rest:02d}"


def _clock_time(at: dt.datetime) -> str:
    return f"{at.astimezone(dt.UTC):%Y-%m-%d %H:%M:%S} UTC"


_PAGES = Environment(loader=FileSystemLoader(_HERE / "pages"), autoescape=True, undefined=StrictUndefined)
_PAGES.filters |= {"money": _money, "clock_time": _clock_time}


class SignIn(Struct, frozen=True):
    """What the form of the sign-in page sends."""

    name: str = ""
    password: str = ""


class SignOut(Struct, frozen=True):
    """What the button to sign out sends."""

    csrf: str = ""


def _page(name: str, status: int = 200, **content: Any) -> Response[str]:
    text = _PAGES.get_template(name).render(**content)
    return Response(text, media_type=MediaType.HTML, status_code=status)


@get("/sign-in", exclude_from_auth=True, sync_to_thread=False)
def ask_to_sign_in() -> Response[str]:
    """The form."""
    return _page("sign_in.html", refused="")


@post("/sign-in", exclude_from_auth=True, form=True)
async def sign_in(
    request: Request[Any, Any, Any], console: NamedDependency[Console], data: URLEncodedBody[SignIn]
) -> Response[Any]:
    """Let in who gives a name and its password; both ways are kept, and a refusal does not say what was wrong."""
    # Argon2 takes 64 MiB each time: many at once would be a way to stop the console.
    async with request.app.state.hashing:
        checked = await asyncio.to_thread(console.accounts.check, data.name, data.password)
    if checked.name is None or checked.refused is not None:
        # What was typed for a name is not kept: it may be a password.
        who, why = checked.name or NOBODY, checked.refused or ""
        await asyncio.to_thread(console.note, who, "sign-in", who, False, why)
        return _page("sign_in.html", 401, refused=_WRONG)
    await asyncio.to_thread(console.note, checked.name, "sign-in", checked.name)
    token = await asyncio.to_thread(console.accounts.sign_in, checked.name)
    return Redirect("/", status_code=303, cookies=[_cookie(console, token, int(LONGEST.total_seconds()))])


@post("/sign-out", form=True, sync_to_thread=True)
def sign_out(
    request: Request[User, str, Any], console: NamedDependency[Console], data: URLEncodedBody[SignOut]
) -> Redirect:
    """End the sign-in; its token is worth nothing from now on."""
    if not secrets.compare_digest(data.csrf.encode(), request.user.csrf.encode()):
        raise PermissionDeniedException("the CSRF token is missing or wrong")
    console.accounts.sign_out(request.auth)
    console.note(request.user.name, "sign-out", request.user.name)
    return Redirect("/sign-in", status_code=303, cookies=[_cookie(console, "", 0)])


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
    return _page(
        "alerts.html",
        200 if reads else 403,
        user=user,
        reads=reads,
        groups=queue.groups,
        alerts=by_id,
        shelved=shelved,
        now=console.clock(),
    )


@get("/static/console.css", exclude_from_auth=True, sync_to_thread=False, media_type="text/css")
def style() -> str:
    """The style of all pages."""
    return _STYLE.read_text(encoding="utf-8")


def _cookie(console: Console, value: str, age: int) -> Cookie:
    return Cookie(
        key=console.cookie,
        value=value,
        max_age=age,
        path="/",
        httponly=True,
        secure=console.secure,
        samesite="strict",
    )


HANDLERS = (ask_to_sign_in, sign_in, sign_out, open_alerts, style)
