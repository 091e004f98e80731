"""Signing in and out."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any

from litestar import Request, Response, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.exceptions import PermissionDeniedException
from litestar.params import URLEncodedBody
from litestar.response import Redirect
from msgspec import Struct

from dashboards.server.accounts import LONGEST, NOBODY, User
from dashboards.server.console import Console
from dashboards.server.rendering import page_of_nobody

_WRONG = "Name and password do not belong together, or the user is locked for a while."


class SignIn(Struct, frozen=True):
    """What the form of the sign-in page sends."""

    name: str = ""
    password: str = ""


class SignOut(Struct, frozen=True):
    """What the button to sign out sends."""

    csrf: str = ""


@get("/sign-in", exclude_from_auth=True, sync_to_thread=False)
def ask_to_sign_in(request: Request[Any, Any, Any]) -> Response[str]:
    """The form."""
    return page_of_nobody(request, "sign_in.html", refused="")


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
        return page_of_nobody(request, "sign_in.html", 401, refused=_WRONG)
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


HANDLERS = (ask_to_sign_in, sign_in, sign_out)
