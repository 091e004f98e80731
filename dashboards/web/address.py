"""The address a request comes from; `X-Forwarded-For` counts only where a known proxy sent it."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Sequence
from contextvars import ContextVar

from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
# Of the request at hand: what is kept of it says where it came from, however deep it is kept.
_current: ContextVar[str] = ContextVar("address", default="")
_FORWARDED = b"x-forwarded-for"


def current_address() -> str:
    """The address of the request at hand; empty outside of a request, or where it is not known."""
    return _current.get()


def networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """Addresses and networks (`10.0.0.0/8`) of proxies.

    Raises:
        ValueError: one is neither.
    """
    return tuple(ipaddress.ip_network(text.strip(), strict=False) for text in texts if text.strip())


def address_of(peer: str, forwarded: Sequence[str], proxies: Sequence[Network]) -> str:
    """Who asks: the nearest address that is no known proxy.

    Args:
        peer: who holds the connection.
        forwarded: what `X-Forwarded-For` says, each proxy having added at the end who asked it.
        proxies: whose word is taken.
    """
    address = _plain(peer)
    for said in reversed(forwarded):
        if not _within(address, proxies):
            break
        known = _plain(said.strip())
        if not known:
            break
        address = known
    return address


class Addressed(ASGIMiddleware):
    """Before all else: what is kept of this request will say where it came from."""

    def __init__(self, proxies: Iterable[str]) -> None:
        """The proxies whose word is taken; raises ValueError if one is no address and no network."""
        self._proxies = networks(proxies)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Remember the address as long as the request lasts."""
        client = scope.get("client")
        headers = [value for name, value in scope["headers"] if name == _FORWARDED]
        forwarded = b",".join(headers).decode("latin-1").split(",") if headers else []
        token = _current.set(address_of(client[0] if client else "", forwarded, self._proxies))
        try:
            await next_app(scope, receive, send)
        finally:
            _current.reset(token)


def _plain(text: str) -> str:
    """An address in its one form, without a port; empty if it is none."""
    if text.startswith("[") and "]" in text:
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return ""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)


def _within(address: str, proxies: Sequence[Network]) -> bool:
    return bool(address) and any(ipaddress.ip_address(address) in proxy for proxy in proxies)
