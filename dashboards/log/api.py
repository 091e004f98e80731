"""The audit log as JSON: a page of its records, and the proof of a range of them."""

from __future__ import annotations

from typing import Any

from litestar import Request, get
from litestar.di import NamedDependency, Provide
from litestar.exceptions import ClientException

from dashboards.accounts.accounts import User
from dashboards.ledger.proof import Proven
from dashboards.log.page import (
    Filter,
    Number,
    filter_asked,
    keep_proof,
    may_read,
    prove_range,
    range_of,
)
from dashboards.log.search import Found, search
from dashboards.web.console import Console

Asked = Request[User, str, Any]


@get("/api/log", sync_to_thread=True, dependencies={"asked": Provide(filter_asked, sync_to_thread=False)})
def read_log(request: Asked, console: NamedDependency[Console], asked: NamedDependency[Filter]) -> Found:
    """Records of the log, the newest first; what is withheld is its number and its hash."""
    user, wanted = request.user, asked.wanted
    may_read(console, user, "audit log")
    if asked.wrong:
        raise ClientException("; ".join(asked.wrong.values()))
    found = search(console, user, wanted)
    words = wanted.in_words()
    shown = f"audit log, {len(found.rows)} records down to {found.oldest}"
    console.note(user.name, "page", f"{shown}; asked for: {words}" if words else shown)
    return found


@get("/api/log/proof", sync_to_thread=True)
def read_proof(
    request: Asked, console: NamedDependency[Console], first: Number = None, last: Number = None
) -> Proven:
    """What a range of the log proves, read again from where it is kept."""
    may_read(console, request.user, "proof of the audit log")
    asked = range_of(console, first, last)
    console.note(request.user.name, "page", f"proof of records {asked.first} to {asked.last}")
    proven = prove_range(console, asked)
    keep_proof(console, request.user, asked, proven)
    return proven


HANDLERS = (read_log, read_proof)
