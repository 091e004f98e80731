"""Administration: users and deny lists; each act is written to the desk's ledger, or it is not done."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Annotated, Literal

from litestar import Response, get, post
from litestar.params import URLEncodedBody
from msgspec import Meta, Struct

from dashboards.accounts.accounts import AccountError, User
from dashboards.accounts.one_time import PATH as ONCE
from dashboards.accounts.roles import ROLE_NAMES
from dashboards.desk.decisions import Refused
from dashboards.ledger.acts import AccountChanged
from dashboards.sign_in.restrictions import SHORTEST_REASON, Kind, Restriction, restrict
from dashboards.web.console import Console, ThisConsole, UserRequest
from dashboards.web.gate import require_csrf
from dashboards.web.rendering import page
from dashboards.wording.copying import copied


class Add(Struct, frozen=True):
    """A new user; they choose their own password by the link that is the answer."""

    csrf: str = ""
    name: str = ""
    role: str = ""
    reason: str = ""


class ChangeUser(Struct, frozen=True):
    """What shall become of a user."""

    csrf: str = ""
    user: str = ""
    what: Literal["role", "disabled", "enabled", "link", "factor reset", "sign-ins ended"] = "enabled"
    role: str = ""
    reason: str = ""


class Withhold(Struct, frozen=True):
    """What a user shall not see, or may see again."""

    csrf: str = ""
    user: Annotated[str, Meta(max_length=64)] = ""
    kind: Kind = "table"
    value: Annotated[str, Meta(max_length=200)] = ""
    act: Literal["withhold", "release"] = "withhold"
    reason: Annotated[str, Meta(max_length=2000)] = ""


@get("/admin", sync_to_thread=True)
def administration(request: UserRequest, console: ThisConsole) -> Response[str]:
    """All users, and all that is withheld."""
    _require_admin(request.user, console, "administration")
    console.note(request.user.name, "page", "administration")
    return _shown(request, console)


@post("/admin/add", form=True)
async def add(request: UserRequest, console: ThisConsole, data: URLEncodedBody[Add]) -> Response[str]:
    """Make a user, and the link by which they choose their password."""
    require_csrf(request.user, data.csrf)

    def make() -> str:
        console.accounts.add(data.name, data.role)
        return console.accounts.one_time.make(data.name, "password")

    change = AccountChanged(user=data.name[:200] or "?", what="added", to=data.role[:200])
    return await asyncio.to_thread(_done, request, console, change, data.reason, make)


@post("/admin/change", form=True)
async def change(
    request: UserRequest, console: ThisConsole, data: URLEncodedBody[ChangeUser]
) -> Response[str]:
    """Change a user."""
    require_csrf(request.user, data.csrf)
    to = data.role[:200] if data.what == "role" else ""
    wanted = AccountChanged(user=data.user[:200] or "?", what=data.what, to=to)
    make = partial(_change, console, data)
    return await asyncio.to_thread(_done, request, console, wanted, data.reason, make)


@post("/admin/withhold", form=True, sync_to_thread=True)
def withhold(request: UserRequest, console: ThisConsole, data: URLEncodedBody[Withhold]) -> Response[str]:
    """Withhold an alert, a table or a dealer from a user, or release it."""
    require_csrf(request.user, data.csrf)
    admin = request.user
    _require_admin(admin, console, f"{data.act} {data.kind} {data.value} of {data.user}")
    wish = copied(Restriction, data, withheld=data.act == "withhold")
    try:
        value = restrict(console, admin, wish)
    except Refused as error:
        return _shown(request, console, 422, refused=error.why, typed=data)
    became = "withheld from" if wish.withheld else "released to"
    return _shown(request, console, done=f"{data.kind.capitalize()} {value} is {became} {data.user}.")


def _change(console: Console, data: ChangeUser) -> str:
    """Change the user; returns the token of a link, empty for any other change."""
    accounts, name = console.accounts, data.user
    person = accounts.person(name)
    if person is None:
        raise AccountError(f"there is no user {name}")
    match data.what:
        case "role" if person.issuer:
            raise AccountError(f"the role of {name} is what {person.issuer} says")
        case "role":
            accounts.set_role(name, data.role)
        case "disabled":
            accounts.disable(name)
        case "enabled":
            accounts.enable(name)
        case "factor reset":
            accounts.reset_factor(name)
        case "sign-ins ended":
            accounts.sign_ins.end_all(name)
        case "link" if person.issuer:
            raise AccountError(f"{name} signs in at {person.issuer} and has no password here")
        case "link" if person.disabled:
            raise AccountError(f"{name} is disabled")
        case "link":
            return accounts.one_time.make(name, "password")
    return ""


def _done(
    request: UserRequest, console: Console, change: AccountChanged, reason: str, make: Callable[[], str]
) -> Response[str]:
    """Do an act upon an account together with the record of it, and show what came of it."""
    admin = request.user
    _require_admin(admin, console, f"{change.what} {change.user}")
    why = " ".join(reason.split())[:2000]
    try:
        if len(why) < SHORTEST_REASON:
            raise AccountError(f"say why, in {SHORTEST_REASON} characters or more: auditors read it")
        with console.accounts.together():
            token = make()
            console.note_account(admin.name, change.user, change.what, change.to, why)
    except AccountError as error:
        return _shown(request, console, 422, refused=str(error))
    link = f"{console.origins[0]}{ONCE}#{token}" if token else ""
    return _shown(request, console, done=_SAID[change.what].format(change.user, change.to), link=link)


_SAID = {
    "added": "{0} is a user, role {1}.",
    "role": "{0} is {1} from the next sign-in on.",
    "disabled": "{0} is disabled and signed out.",
    "enabled": "{0} may sign in again.",
    "link": "{0} may choose another password by this link.",
    "factor reset": "{0} has no second factor any more and is signed out.",
    "sign-ins ended": "{0} is signed out everywhere.",
}


def _shown(
    request: UserRequest, console: Console, status: int = 200, typed: Withhold | None = None, **said: str
) -> Response[str]:
    words = dict.fromkeys(("done", "refused", "link"), "") | said
    people, denied = console.accounts.people(), console.desk.withheld_from
    withheld = [(one.name, kind, value) for one in people for kind, value in sorted(denied(one.name))]
    return page(
        request,
        console,
        "sign_in/admin.html",
        status,
        people=people,
        withheld=withheld,
        typed=typed or Withhold(),
        roles=ROLE_NAMES,
        owed=console.rules.factor_for,
        **words,
    )


def _require_admin(user: User, console: Console, asked: str) -> None:
    role = console.role(user)
    console.require(role.manages_users and role.withholds, user, "action", asked, "does not administer")


HANDLERS = (administration, add, change, withhold)
