"""Disputes as JSON: the list, one, opening one, and what is done to it."""

from __future__ import annotations

from typing import Annotated

from litestar import get, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from dashboards.desk.disputes import Dispute
from dashboards.disputes.views import (
    SHOWS,
    Disputes,
    DisputeView,
    dispute_of,
    disputes_of,
    must_read_disputes,
)
from dashboards.disputes.wishes import OpenDispute, Wish, act_on_dispute, open_dispute
from dashboards.web.console import Console, ThisConsole, UserRequest
from schemas.amounts import amount

DisputeId = Annotated[str, PathParameter(max_length=64)]
Words = Annotated[str, QueryParameter(max_length=100)]


@get("/api/disputes", sync_to_thread=True)
def read_disputes(request: UserRequest, console: ThisConsole, show: Words = "", q: Words = "") -> Disputes:
    """Disputes of the user: open ones by due date, then those decided."""
    must_read_disputes(console, request.user, "disputes")
    found = disputes_of(console, request.user, show if show in SHOWS else "", q)
    console.note(request.user.name, "record", amount(len(found.shown), "dispute"))
    return found


@get("/api/disputes/{dispute:str}", sync_to_thread=True)
def read_dispute(request: UserRequest, console: ThisConsole, dispute: DisputeId) -> DisputeView:
    """One dispute; one that is not the user's is answered as one that is not."""
    return viewed(console, dispute_of(console, request.user, dispute))


@post("/api/disputes", sync_to_thread=True)
def open_one(request: UserRequest, console: ThisConsole, data: JSONBody[OpenDispute]) -> DisputeView:
    """Open a dispute about a round."""
    return viewed(console, open_dispute(console, request.user, data))


@post("/api/disputes/{dispute:str}/acts", status_code=200, sync_to_thread=True)
def act(request: UserRequest, console: ThisConsole, dispute: DisputeId, data: JSONBody[Wish]) -> DisputeView:
    """Do one thing to a dispute; 409 when someone else was faster, 422 when it cannot be done."""
    return viewed(console, act_on_dispute(console, request.user, dispute, data))


def viewed(console: Console, dispute: Dispute) -> DisputeView:
    """A dispute with how it stands with its due date now."""
    now = console.clock()
    due_state = dispute.due_at(now, console.dispute_terms)
    return DisputeView(dispute=dispute, due_state=due_state, days_left=dispute.days_left(now))


HANDLERS = (read_disputes, read_dispute, open_one, act)
