"""From the first proof of identity to a sign-in: the steps that all ways of signing in share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Literal, ParamSpec, TypeVar

from litestar import Response
from litestar.datastructures import Cookie
from litestar.exceptions import PermissionDeniedException
from litestar.response import Redirect

from dashboards.accounts.accounts import LONGEST, NOBODY
from dashboards.accounts.sign_ins import PENDING_FOR, Pending
from dashboards.web.address import current_address
from dashboards.web.console import AnyRequest, Console
from dashboards.web.rendering import page_of_nobody

STOPPED = "Too much has failed from your address. Try again in a quarter of an hour."
_P = ParamSpec("_P")
_T = TypeVar("_T")


async def hashed(request: AnyRequest, work: Callable[_P, _T], *given: _P.args, **named: _P.kwargs) -> _T:
    """Do what hashes a password: Argon2 takes 64 MiB each time, and many at once would stop the console."""
    async with request.app.state.hashing:
        return await asyncio.to_thread(work, *given, **named)


def stopped(request: AnyRequest, console: Console, template: str, **content: Any) -> Response[str] | None:
    """The refusal of an address from which too much has failed; None if it may go on."""
    if not console.accounts.attempts.address_stopped(current_address()):
        return None
    console.note(NOBODY, "sign-in", NOBODY, False, "too many failures from this address")
    return page_of_nobody(request, template, 429, refused=STOPPED, **content)


def first_step_done(request: AnyRequest, console: Console, name: str, by: str) -> Response[Any]:
    """Let the user in, or on to the second factor if they have one or their role owes one; both are kept."""
    person = console.accounts.person(name)
    if person is None:
        raise PermissionDeniedException("no such user any more")
    if not person.factor and person.role not in console.rules.factor_for:
        return entered(request, console, name, by)
    owed = "code" if person.factor else "factor to enrol"
    console.note(name, "sign-in", name, False, f"{by} right, {owed} owed")
    token = console.accounts.sign_ins.wait_for_second_step(name, by)
    where = "/sign-in/code" if person.factor else "/sign-in/factor"
    cookie = cookie_of(console, step_cookie(console), token, int(PENDING_FOR.total_seconds()))
    return Redirect(where, status_code=303, cookies=[cookie])


def pending(request: AnyRequest, console: Console) -> tuple[str, Pending] | None:
    """Token and user of a first step that is done, None if it is over."""
    token = request.cookies.get(step_cookie(console), "")
    found = console.accounts.sign_ins.pending(token)
    return None if found is None else (token, found)


def entered(request: AnyRequest, console: Console, name: str, by: str) -> Redirect:
    """Begin the sign-in, kept before it begins; whoever was signed in in this browser is so no longer."""
    return Redirect("/", status_code=303, cookies=cookies_of_entry(request, console, name, by))


def cookies_of_entry(request: AnyRequest, console: Console, name: str, by: str) -> list[Cookie]:
    """Begin the sign-in; its cookie, and the end of that of the first step."""
    console.note(name, "sign-in", name, reason=by)
    accounts, address = console.accounts, current_address()
    before = request.cookies.get(console.cookie)
    if before:
        accounts.sign_ins.end(before)
    accounts.attempts.succeeded(name, address)
    token = accounts.sign_ins.begin(name, by, address, request.headers.get("user-agent", ""))
    return [
        cookie_of(console, console.cookie, token, int(LONGEST.total_seconds())),
        cookie_of(console, step_cookie(console), "", 0),
    ]


def step_cookie(console: Console) -> str:
    """Name of the cookie between the first step and the second."""
    return f"{console.cookie}-step"


def cookie_of(
    console: Console, name: str, value: str, age: int, samesite: Literal["lax", "strict"] = "strict"
) -> Cookie:
    """A cookie for this host alone, out of reach of scripts and, where it is strict, of other sites."""
    return Cookie(name, "/", value, age, httponly=True, secure=console.secure, samesite=samesite)
