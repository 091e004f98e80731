"""The gate before every handler: sign-in, origin, CSRF token, and the headers of every answer."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any

from litestar.connection import ASGIConnection
from litestar.datastructures import MutableScopeHeaders
from litestar.exceptions import NotAuthorizedException, PermissionDeniedException
from litestar.handlers.base import BaseRouteHandler
from litestar.middleware.authentication import AbstractAuthenticationMiddleware, AuthenticationResult
from litestar.types import Message, Scope

from dashboards.accounts.accounts import User
from dashboards.web.console import Console

CSRF_HEADER = "x-csrf-token"
REFRESH_HEADER = "x-catwalk-refresh"  # the page renews itself
UNATTENDED = "unattended"  # option of handlers that pages ask by themselves
_SAFE = {"GET", "HEAD", "OPTIONS"}
FOOTAGE = (
    "footage"  # state of a request whose page shows recordings: whence they come, as the policy names it
)
_CONTENT_SECURITY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'"
    "; form-action 'self'; object-src 'none'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "content-security-policy": _CONTENT_SECURITY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # Not `no-referrer`: with it a browser sends `Origin: null` with a form, and the origin could not be checked.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_UNKEPT = "no-store"  # but for styles and scripts, which say themselves how they may be kept
_TRANSPORT_SECURITY = "max-age=31536000; includeSubDomains"


class Gate(AbstractAuthenticationMiddleware):
    """Lets in who holds a token of a sign-in that is not over."""

    async def authenticate_request(
        self, connection: ASGIConnection[Any, Any, Any, Any]
    ) -> AuthenticationResult:
        """The user of the token in the cookie; only what a person does puts off the idle time-out.

        Raises:
            NotAuthorizedException: there is none.
        """
        user = await holder_of(connection, in_use=_by_a_person(connection))
        if user is None:
            raise NotAuthorizedException("sign in first")
        console: Console = connection.app.state.console
        return AuthenticationResult(user=user, auth=connection.cookies[console.cookie])


async def holder_of(connection: ASGIConnection[Any, Any, Any, Any], *, in_use: bool) -> User | None:
    """Who holds the token in the request's cookie; None if nobody does; `in_use` puts off the idle time-out."""
    console: Console = connection.app.state.console
    token = connection.cookies.get(console.cookie)
    return await asyncio.to_thread(console.accounts.sign_ins.user, token, in_use=in_use) if token else None


def _by_a_person(connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
    """Whether a person made the request, as far as it shows; a browser that denies it falsely is signed out sooner."""
    asked_by_itself = connection.route_handler.opt.get(UNATTENDED, False)
    return not asked_by_itself and REFRESH_HEADER not in connection.headers


def from_our_pages(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Guard: only this console's own pages may change something or open the feed.

    Raises:
        PermissionDeniedException: by another page, or by none.
    """
    if connection.scope.get("method") in _SAFE:  # a WebSocket has none
        return
    console: Console = connection.app.state.console
    if connection.headers.get("origin") not in console.origins:
        raise PermissionDeniedException("not from a page of this console")


def with_csrf_token(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Guard: what changes something bears the token of the sign-in; forms bear it in a field of their own.

    Raises:
        PermissionDeniedException: it does not.
    """
    if connection.scope.get("method", "GET") in _SAFE or handler.opt.get("form"):
        return
    require_csrf(connection.user, connection.headers.get(CSRF_HEADER, ""))


def require_csrf(user: User, given: str) -> None:
    """A form of a page bears the token of the sign-in.

    Raises:
        PermissionDeniedException: it does not.
    """
    if not secrets.compare_digest(given.encode(), user.csrf.encode()):
        raise PermissionDeniedException("the CSRF token is missing or wrong")


async def set_headers(message: Message, scope: Scope) -> None:
    """Before each answer is sent: the headers that bind the browser."""
    if message["type"] != "http.response.start":
        return
    headers = MutableScopeHeaders.from_message(message=message)
    for name, value in HEADERS.items():
        headers[name] = value
    source = scope.get("state", {}).get(FOOTAGE)
    if source:  # a playlist is fetched by a script, which hands it to the player as a blob
        headers["content-security-policy"] = (
            _CONTENT_SECURITY.replace("connect-src 'self'", f"connect-src 'self' {source}")
            + f"; media-src {source} blob:"
        )
    headers.setdefault("cache-control", _UNKEPT)
    if scope["litestar_app"].state.console.secure:
        headers["strict-transport-security"] = _TRANSPORT_SECURITY
