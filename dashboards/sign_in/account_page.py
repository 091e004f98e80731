"""My account: a user's own password, second factor and sign-ins; what changes one asks for the password again."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Response, get, post
from litestar.exceptions import NotFoundException
from litestar.params import URLEncodedBody
from litestar.response import Redirect
from msgspec import Struct

from dashboards.accounts.accounts import AccountError
from dashboards.accounts.passwords import LONGEST, SHORTEST
from dashboards.sign_in.entering import hashed
from dashboards.sign_in.second_step import WRONG_CODE, in_groups, qr_code
from dashboards.web.address import current_address
from dashboards.web.console import Console, ThisConsole, UserRequest
from dashboards.web.gate import require_csrf
from dashboards.web.rendering import page

_NOT_YOURS = "That is not your password, or too much has failed: then wait a quarter of an hour."
_TWICE = "The two passwords are not the same."
_NO_LONGER = "That sign-in is over already."


class ChangePassword(Struct, frozen=True):
    """A password of one's own."""

    csrf: str = ""
    old: str = ""
    new: str = ""
    again: str = ""


class BeginFactor(Struct, frozen=True):
    """A new second factor; with one already, a code of it."""

    csrf: str = ""
    password: str = ""
    code: str = ""


class ConfirmFactor(Struct, frozen=True):
    """The first code of the new one."""

    csrf: str = ""
    code: str = ""


class EndSignIns(Struct, frozen=True):
    """One sign-in by its id, or with none all others."""

    csrf: str = ""
    password: str = ""
    which: str = ""


@get("/account", sync_to_thread=True)
def account(request: UserRequest, console: ThisConsole) -> Response[str]:
    """What a user may see and change of themselves."""
    console.note(request.user.name, "page", "account")
    return _account(request, console)


@post("/account/password", form=True)
async def change_password(
    request: UserRequest, console: ThisConsole, data: URLEncodedBody[ChangePassword]
) -> Response[Any]:
    """Change one's own password; all other sign-ins end."""
    require_csrf(request.user, data.csrf)
    name = request.user.name

    def change() -> None:
        with console.accounts.together():
            console.accounts.set_password(name, data.new, but=request.auth)
            console.note_account(name, name, "password")

    try:
        if not await _again(request, console, data.old):
            raise AccountError(_NOT_YOURS)
        if data.new != data.again:
            raise AccountError(_TWICE)
        await hashed(request, change)
    except AccountError as error:
        return await asyncio.to_thread(_account, request, console, 422, wrong_password=str(error))
    said = "Your password is changed; all your other sign-ins have ended."
    return await asyncio.to_thread(_account, request, console, done=said)


@post("/account/factor", form=True)
async def begin_factor(
    request: UserRequest, console: ThisConsole, data: URLEncodedBody[BeginFactor]
) -> Response[Any]:
    """Begin to enrol a second factor, in the place of any before it."""
    require_csrf(request.user, data.csrf)
    name, factors = request.user.name, console.accounts.factors
    if not await _again(request, console, data.password):
        return await asyncio.to_thread(_account, request, console, 422, wrong_factor=_NOT_YOURS)

    def begin() -> bool:
        person = console.accounts.person(name)
        if person is None or person.issuer:
            raise NotFoundException("who vouches for you asks for the second factor")
        if factors.has(name) and factors.accept(name, data.code) is None:
            console.accounts.attempts.failed(name, current_address())
            console.note(name, "action", "a new second factor", False, "wrong code")
            return False
        factors.begin(name, request.auth)
        return True

    if not await asyncio.to_thread(begin):
        return await asyncio.to_thread(_account, request, console, 422, wrong_factor=WRONG_CODE)
    return Redirect("/account/factor", status_code=303)


@get("/account/factor", sync_to_thread=True)
def factor(request: UserRequest, console: ThisConsole) -> Response[Any]:
    """The secret of a factor that was begun, as a picture and as text."""
    return _factor(request, console)


@get("/account/factor.svg", sync_to_thread=True)
def picture(request: UserRequest, console: ThisConsole) -> Response[bytes]:
    """The picture."""
    secret = console.accounts.factors.candidate(request.user.name, request.auth)
    if secret is None:
        raise NotFoundException("nothing to enrol")
    return qr_code(request.user.name, secret)


@post("/account/factor/confirm", form=True, sync_to_thread=True)
def confirm_factor(
    request: UserRequest, console: ThisConsole, data: URLEncodedBody[ConfirmFactor]
) -> Response[Any]:
    """Make it the factor if the code is right; the recovery codes are shown this once, all other sign-ins end."""
    require_csrf(request.user, data.csrf)
    name = request.user.name
    with console.accounts.together():
        codes = console.accounts.factors.confirm(name, request.auth, data.code)
        if codes is not None:
            console.accounts.sign_ins.end_all(name, but=request.auth)
            console.note_account(name, name, "factor")
    if codes is None:
        return _factor(request, console, 422, WRONG_CODE)
    return page(request, console, "sign_in/recovery_codes.html", codes=codes, onward="/account")


@post("/account/sign-ins", form=True)
async def end_sign_ins(
    request: UserRequest, console: ThisConsole, data: URLEncodedBody[EndSignIns]
) -> Response[Any]:
    """End one of one's sign-ins, or all but this one."""
    require_csrf(request.user, data.csrf)
    name = request.user.name
    if not await _again(request, console, data.password):
        return await asyncio.to_thread(_account, request, console, 422, wrong_sign_ins=_NOT_YOURS)

    end_one, end_all = console.accounts.sign_ins.end_one, console.accounts.sign_ins.end_all

    def end() -> Response[str]:
        with console.accounts.together():
            ended = end_one(name, data.which) if data.which else end_all(name, but=request.auth)
            if ended:
                console.note_account(name, name, "sign-ins ended", str(ended))
        if data.which and not ended:
            return _account(request, console, 404, wrong_sign_ins=_NO_LONGER)
        return _account(request, console, done=f"{ended} of your sign-ins ended.")

    return await asyncio.to_thread(end)


async def _again(request: UserRequest, console: Console, password: str) -> bool:
    """Whether the password proves the user again; a user of an identity provider has none to prove it by."""
    name = request.user.name
    person = await asyncio.to_thread(console.accounts.person, name)
    if person is None or not person.password:
        return person is not None
    checked = await hashed(request, console.accounts.check, name, password, current_address())
    if checked.refused is None:
        return True
    await asyncio.to_thread(console.note, name, "action", "account", False, checked.refused)
    return False


def _account(request: UserRequest, console: Console, status: int = 200, **said: str) -> Response[str]:
    name = request.user.name
    accounts, person = console.accounts, console.accounts.person(name)
    if person is None:
        raise NotFoundException("no such user any more")
    words = dict.fromkeys(("done", "wrong_password", "wrong_factor", "wrong_sign_ins"), "") | said
    return page(
        request,
        console,
        "sign_in/account.html",
        status,
        person=person,
        owed=person.role in console.rules.factor_for,
        left=accounts.factors.left(name),
        sign_ins=accounts.sign_ins.of(name, request.auth),
        shortest=SHORTEST,
        longest=LONGEST,
        **words,
    )


def _factor(request: UserRequest, console: Console, status: int = 200, refused: str = "") -> Response[Any]:
    secret = console.accounts.factors.candidate(request.user.name, request.auth)
    if secret is None:
        return Redirect("/account", status_code=303)
    typed = in_groups(secret)
    return page(request, console, "sign_in/account_factor.html", status, secret=typed, refused=refused)


HANDLERS = (account, change_password, begin_factor, factor, picture, confirm_factor, end_sign_ins)
