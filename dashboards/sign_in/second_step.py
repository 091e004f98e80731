"""The second step of signing in: a code of the factor, or its enrolment where the role requires one."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import segno
from litestar import Response, get, post
from litestar.exceptions import NotFoundException
from litestar.params import URLEncodedBody
from litestar.response import Redirect
from msgspec import Struct

from dashboards.accounts.factors import enrolment_uri
from dashboards.sign_in.entering import cookies_of_entry, entered, pending, stopped
from dashboards.web.address import current_address
from dashboards.web.console import AnyRequest, Console, ThisConsole
from dashboards.web.rendering import page_of_nobody

WRONG_CODE = "That is not the code, or it was used already. Wait for the next one."
_LOCKED = "Too many wrong codes. Try again in a quarter of an hour."


class Code(Struct, frozen=True):
    """What the form sends: six digits, or a recovery code."""

    code: str = ""


def qr_code(name: str, secret: str) -> Response[bytes]:
    """The picture a phone reads the secret from."""
    picture = BytesIO()
    code = segno.make(enrolment_uri(name, secret), error="m")
    code.save(picture, kind="svg", xmldecl=False, scale=5, border=4, dark="#000", light="#fff")
    return Response(picture.getvalue(), media_type="image/svg+xml")


def in_groups(secret: str) -> str:
    """The secret as people type it."""
    return " ".join(secret[at : at + 4] for at in range(0, len(secret), 4))


@get("/sign-in/code", exclude_from_auth=True, sync_to_thread=True)
def ask_for_code(request: AnyRequest, console: ThisConsole) -> Response[Any]:
    """The form."""
    if pending(request, console) is None:
        return Redirect("/sign-in", status_code=303)
    return page_of_nobody(request, "sign_in/sign_in_code.html", refused="")


@post("/sign-in/code", exclude_from_auth=True, form=True, sync_to_thread=True)
def give_code(request: AnyRequest, console: ThisConsole, data: URLEncodedBody[Code]) -> Response[Any]:
    """Let in who gives the code; each is good once, and some wrong ones end the attempt."""
    away = stopped(request, console, "sign_in/sign_in_code.html")
    if away is not None:
        return away
    waiting = pending(request, console)
    if waiting is None:
        return Redirect("/sign-in", status_code=303)
    token, user = waiting
    accounts = console.accounts
    if accounts.attempts.locked(user.name, current_address()):
        console.note(user.name, "sign-in", user.name, False, "locked")
        return page_of_nobody(request, "sign_in/sign_in_code.html", 401, refused=_LOCKED)
    kind = accounts.factors.accept(user.name, data.code)
    if kind is None:
        accounts.attempts.failed(user.name, current_address())
        accounts.sign_ins.second_step_failed(token)
        console.note(user.name, "sign-in", user.name, False, "wrong code")
        return page_of_nobody(request, "sign_in/sign_in_code.html", 401, refused=WRONG_CODE)
    if not accounts.sign_ins.second_step_done(token):
        return Redirect("/sign-in", status_code=303)
    return entered(request, console, user.name, f"{user.by} and {kind}")


@get("/sign-in/factor", exclude_from_auth=True, sync_to_thread=True)
def ask_to_enrol(request: AnyRequest, console: ThisConsole) -> Response[Any]:
    """The secret of a new factor, as a picture and as text."""
    return _enrolment(request, console)


@get("/sign-in/factor.svg", exclude_from_auth=True, sync_to_thread=True)
def picture_to_enrol(request: AnyRequest, console: ThisConsole) -> Response[bytes]:
    """The picture."""
    waiting = pending(request, console)
    if waiting is None or console.accounts.factors.has(waiting[1].name):
        raise NotFoundException("nothing to enrol")
    token, user = waiting
    return qr_code(user.name, console.accounts.factors.begin(user.name, token))


@post("/sign-in/factor", exclude_from_auth=True, form=True, sync_to_thread=True)
def enrol(request: AnyRequest, console: ThisConsole, data: URLEncodedBody[Code]) -> Response[Any]:
    """Make it the user's factor if the code is right, and let them in; the recovery codes are shown this once."""
    waiting = pending(request, console)
    if waiting is None or console.accounts.factors.has(waiting[1].name):
        return Redirect("/sign-in", status_code=303)
    token, user = waiting
    with console.accounts.together():
        codes = console.accounts.factors.confirm(user.name, token, data.code)
        if codes is not None:
            console.note_account(user.name, user.name, "factor", reason="owed by the role")
    if codes is None:
        console.accounts.sign_ins.second_step_failed(token)
        return _enrolment(request, console, 401, WRONG_CODE)
    if not console.accounts.sign_ins.second_step_done(token):
        return Redirect("/sign-in", status_code=303)
    answer = page_of_nobody(request, "sign_in/recovery_codes.html", codes=codes, onward="/")
    for cookie in cookies_of_entry(request, console, user.name, f"{user.by} and new factor"):
        answer.set_cookie(cookie)
    return answer


def _enrolment(request: AnyRequest, console: Console, status: int = 200, refused: str = "") -> Response[Any]:
    waiting = pending(request, console)
    if waiting is None or console.accounts.factors.has(waiting[1].name):
        return Redirect("/sign-in", status_code=303)
    token, user = waiting
    secret = console.accounts.factors.begin(user.name, token)
    content = {"secret": in_groups(secret), "name": user.name, "refused": refused}
    return page_of_nobody(request, "sign_in/sign_in_factor.html", status, **content)


HANDLERS = (ask_for_code, give_code, ask_to_enrol, picture_to_enrol, enrol)
