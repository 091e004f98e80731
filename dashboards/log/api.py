"""The audit log as JSON: a page of its records, and the proof of a range of them."""

from __future__ import annotations

from litestar import get
from litestar.di import NamedDependency, Provide
from litestar.exceptions import ClientException

from dashboards.ledger.proof import Proven
from dashboards.log.page import Filter, Number, filter_asked, looked_up, may_read, proof_asked
from dashboards.log.search import FoundRecords
from dashboards.web.console import ThisConsole, UserRequest


@get("/api/log", sync_to_thread=True, dependencies={"asked": Provide(filter_asked, sync_to_thread=False)})
def read_log(request: UserRequest, console: ThisConsole, asked: NamedDependency[Filter]) -> FoundRecords:
    """Records of the log, the newest first; what is withheld is its number and its hash."""
    may_read(console, request.user, "audit log")
    if asked.wrong:
        raise ClientException("; ".join(asked.wrong.values()))
    return looked_up(console, request.user, asked.wanted)


@get("/api/log/proof", sync_to_thread=True)
def read_proof(
    request: UserRequest, console: ThisConsole, first: Number = None, last: Number = None
) -> Proven:
    """What a range of the log proves, read again from where it is kept."""
    return proof_asked(console, request.user, first, last)[1]


HANDLERS = (read_log, read_proof)
