"""Signing in by name and password, or by a link that is good once; and signing out."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Response, get, post
from litestar.params import URLEncodedBody
from litestar.response import Redirect
from msgspec import Struct

from dashboards.accounts.accounts import NOBODY, AccountError
from dashboards.accounts.attempts import UNKNOWN_NAME
from dashboards.accounts.one_time import PATH as ONCE
from dashboards.sign_in.entering import cookie_of, first_step_done, hashed, stopped
from dashboards.web.address import current_address
from dashboards.web.console import AnyRequest, Console, ThisConsole, UserRequest
from dashboards.web.gate import require_csrf
from dashboards.web.rendering import page_of_nobody

_WRONG = "Name and password do not belong together, or the user is locked for a while."
_OVER = "This link is over: it was used, or its quarter of an hour has passed. Ask for another one."
_TWICE = "The two passwords are not the same."
BY_LINK = "one-time link"


class SignIn(Struct, frozen=True):
    """What the form of the sign-in page sends."""

    name: str = ""
    password: str = ""


class Link(Struct, frozen=True):
    """What the page of a link sends: the part of the address that browsers keep to themselves."""

    token: str = ""


class FirstPassword(Struct, frozen=True):
    """What a user sends who chooses a password by a link."""

    token: str = ""
    new: str = ""
    again: str = ""


class SignOut(Struct, frozen=True):
    """What the button to sign out sends."""

    csrf: str = ""


def _form(request: AnyRequest, console: Console, status: int = 200, refused: str = "") -> Response[str]:
    return page_of_nobody(request, "sign_in/sign_in.html", status, refused=refused, provider=_label(console))


def _label(console: Console) -> str:
    """What the provider is called on the page; empty without one."""
    return console.rules.provider.settings.label if console.rules.provider is not None else ""


@get("/sign-in", exclude_from_auth=True, sync_to_thread=False)
def ask_to_sign_in(request: AnyRequest, console: ThisConsole) -> Response[str]:
    """The form."""
    return _form(request, console)


@post("/sign-in", exclude_from_auth=True, form=True)
async def sign_in(request: AnyRequest, console: ThisConsole, data: URLEncodedBody[SignIn]) -> Response[Any]:
    """Let in who gives a name and its password; both ways are kept, and a refusal does not say what was wrong."""
    label = _label(console)
    away = await asyncio.to_thread(stopped, request, console, "sign_in/sign_in.html", provider=label)
    if away is not None:
        return away
    checked = await hashed(request, console.accounts.check, data.name, data.password, current_address())
    if checked.name is None or checked.refused is not None:
        # What was typed for a name is not kept: it may be a password.
        who, why = checked.name or NOBODY, checked.refused or ""
        await asyncio.to_thread(console.note, who, "sign-in", who, False, why)
        return _form(request, console, 401, _WRONG)
    return await asyncio.to_thread(first_step_done, request, console, checked.name, "password")


@get(ONCE, exclude_from_auth=True, sync_to_thread=False)
def ask_for_link(request: AnyRequest) -> Response[str]:
    """The page a link leads to; it uses nothing up."""
    return page_of_nobody(request, "sign_in/sign_in_once.html", refused="")


@post(ONCE, exclude_from_auth=True, form=True, sync_to_thread=True)
def use_link(request: AnyRequest, console: ThisConsole, data: URLEncodedBody[Link]) -> Response[Any]:
    """Let in by a link, or on to a password of one's own."""
    away = stopped(request, console, "sign_in/sign_in_once.html")
    if away is not None:
        return away
    found = console.accounts.one_time.look(data.token)
    if found is not None and found.purpose == "password":
        form, name = "sign_in/first_password.html", found.name
        return page_of_nobody(request, form, name=name, token=data.token, refused="")
    taken = console.accounts.one_time.take(data.token)
    if taken is None:
        return _over(request, console)
    return first_step_done(request, console, taken.name, BY_LINK)


@post(f"{ONCE}/password", exclude_from_auth=True, form=True)
async def choose_password(
    request: AnyRequest, console: ThisConsole, data: URLEncodedBody[FirstPassword]
) -> Response[Any]:
    """Give the user of a link the password they chose; the link is used up by one that will do."""
    away = await asyncio.to_thread(stopped, request, console, "sign_in/sign_in_once.html")
    if away is not None:
        return away
    found = await asyncio.to_thread(console.accounts.one_time.look, data.token)
    if found is None or found.purpose != "password":
        return await asyncio.to_thread(_over, request, console)

    def choose() -> bool:
        with console.accounts.together():
            if console.accounts.one_time.take(data.token) is None:
                return False
            console.accounts.set_password(found.name, data.new)
            console.note_account(found.name, found.name, "password", reason=BY_LINK)
            return True

    try:
        if data.new != data.again:
            raise AccountError(_TWICE)
        chosen = await hashed(request, choose)
    except AccountError as error:
        shown = {"name": found.name, "token": data.token, "refused": str(error)}
        return page_of_nobody(request, "sign_in/first_password.html", 422, **shown)
    if not chosen:
        return await asyncio.to_thread(_over, request, console)
    return await asyncio.to_thread(first_step_done, request, console, found.name, BY_LINK)


@post("/sign-out", form=True, sync_to_thread=True)
def sign_out(request: UserRequest, console: ThisConsole, data: URLEncodedBody[SignOut]) -> Redirect:
    """End the sign-in; its token is worth nothing from now on, and what the browser has kept of pages goes."""
    require_csrf(request.user, data.csrf)
    console.accounts.sign_ins.end(request.auth)
    console.note(request.user.name, "sign-out", request.user.name)
    gone = cookie_of(console, console.cookie, "", 0)
    return Redirect("/sign-in", status_code=303, cookies=[gone], headers={"clear-site-data": '"cache"'})


def _over(request: AnyRequest, console: Console) -> Response[str]:
    console.accounts.attempts.failed(UNKNOWN_NAME, current_address())
    console.note(NOBODY, "sign-in", NOBODY, False, "one-time link that is over")
    return page_of_nobody(request, "sign_in/sign_in_once.html", 401, refused=_OVER)


HANDLERS = (ask_to_sign_in, sign_in, ask_for_link, use_link, choose_password, sign_out)
