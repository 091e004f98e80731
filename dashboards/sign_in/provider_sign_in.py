"""Signing in at the identity provider: away with a state that is valid once, and back."""

from __future__ import annotations

from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.exceptions import NotFoundException

from dashboards.accounts.accounts import NOBODY, AccountError
from dashboards.accounts.attempts import UNKNOWN_NAME
from dashboards.accounts.flows import VALID_FOR
from dashboards.accounts.provider import NotVouchedFor, Provider, ProviderIdentity
from dashboards.ledger.acts import AccountChange
from dashboards.sign_in.entering import cookie_of, cookies_of_entry, stopped
from dashboards.web.address import current_address
from dashboards.web.console import AnyRequest, Console, ThisConsole
from dashboards.web.rendering import page_of_nobody

RETURN = "/sign-in/provider/return"
BY = "provider"
_REFUSED = "You were not let in. Whoever runs this console finds the reason in its audit log."


@post("/sign-in/provider", exclude_from_auth=True, form=True, sync_to_thread=True)
def go_away(request: AnyRequest, console: ThisConsole) -> Response[str]:
    """Send the browser to the provider, from a page of ours: a form's redirect to another site is not let through."""
    provider = _provider(console)
    begun = console.accounts.flows.begin()
    try:
        away = provider.away_to(begun)
    except NotVouchedFor as error:
        return _refused(request, console, str(error), 503)
    answer = page_of_nobody(request, "sign_in/sign_in_away.html", away=away, label=provider.settings.label)
    answer.set_cookie(_cookie(console, begun.browser, int(VALID_FOR.total_seconds())))
    return answer


@get(RETURN, exclude_from_auth=True, sync_to_thread=True)
def come_back(request: AnyRequest, console: ThisConsole) -> Response[str]:
    """Let in whom the provider vouches for, with the role it says; a reason to refuse is kept and not told."""
    provider = _provider(console)
    away = stopped(request, console, "sign_in/sign_in.html", provider=provider.settings.label)
    if away is not None:
        return away
    told = {name: request.query_params.get(name) for name in ("state", "code", "iss", "error")}
    begun = console.accounts.flows.take(told["state"] or "", request.cookies.get(_name(console), ""))
    if begun is None:
        return _refused(request, console, "no sign-in was begun with this state in this browser")
    if told["code"] is None:
        why = "the provider said no" if told["error"] else "the answer holds no code"
        return _refused(request, console, why)
    try:
        vouched = provider.back_with(begun, told["code"], told["iss"])
    except NotVouchedFor as error:
        return _refused(request, console, str(error))
    try:
        _take_on(console, provider, vouched)
    except AccountError as error:
        return _refused(request, console, f"{vouched.name}: {error}")
    # The cookie of a sign-in is sent from our own pages alone: the way on begins at one of them.
    answer = page_of_nobody(request, "sign_in/sign_in_back.html")
    for cookie in cookies_of_entry(request, console, vouched.name, BY):
        answer.set_cookie(cookie)
    answer.set_cookie(_cookie(console, "", 0))
    return answer


def _take_on(console: Console, provider: Provider, vouched: ProviderIdentity) -> None:
    """Make the user, or give them the role the provider says; kept where it changes something."""
    accounts, issuer = console.accounts, provider.settings.issuer
    with accounts.together():
        before = accounts.person(vouched.name)
        accounts.vouched_for(issuer, vouched.subject, vouched.name, vouched.role)
        if before is None or before.role != vouched.role:
            what: AccountChange = "added" if before is None else "role"
            console.note_account(vouched.name, vouched.name, what, vouched.role, f"said by {issuer}")


def _provider(console: Console) -> Provider:
    if console.rules.provider is None:
        raise NotFoundException("no identity provider is set")
    return console.rules.provider


def _refused(request: AnyRequest, console: Console, why: str, status: int = 401) -> Response[str]:
    console.accounts.attempts.failed(UNKNOWN_NAME, current_address())
    console.note(NOBODY, "sign-in", NOBODY, False, f"provider: {why}")
    label = _provider(console).settings.label
    return page_of_nobody(request, "sign_in/sign_in.html", status, refused=_REFUSED, provider=label)


def _name(console: Console) -> str:
    return f"{console.cookie}-flow"


def _cookie(console: Console, value: str, age: int) -> Cookie:
    """It must come along when the provider sends the browser back, so it is Lax; it is worth nothing by itself."""
    return cookie_of(console, _name(console), value, age, "lax")


HANDLERS = (go_away, come_back)
