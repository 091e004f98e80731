"""Cases as JSON: the list, one, opening one, and what is done to it."""

from __future__ import annotations

from typing import Annotated

from litestar import get, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from dashboards.cases.access import case_of, must_read_cases
from dashboards.cases.views import SHOWS, Cases, CaseView, cases_of, viewed
from dashboards.cases.wishes import CaseWish, OpenCase, act_on_case, open_case
from dashboards.web.console import ThisConsole, UserRequest
from schemas.amounts import amount

CaseId = Annotated[str, PathParameter(max_length=64)]
Words = Annotated[str, QueryParameter(max_length=200)]
PageNumber = Annotated[int, QueryParameter(name="page", ge=1, le=100_000)]


@get("/api/cases", sync_to_thread=True)
def read_cases(
    request: UserRequest, console: ThisConsole, show: Words = "open", q: Words = "", number: PageNumber = 1
) -> Cases:
    """Fifty cases of the user under `mine`, `open`, `waiting` or `closed` that hold the words of `q`."""
    must_read_cases(console, request.user, "cases")
    found = cases_of(console, request.user, show if show in SHOWS else "open", q.strip(), number)
    console.note(request.user.name, "record", f"{len(found.shown)} of {amount(found.total, 'case')}")
    return found


@get("/api/cases/{case:str}", sync_to_thread=True)
def read_case(request: UserRequest, console: ThisConsole, case: CaseId) -> CaseView:
    """One case; one that is not the user's is answered as one that is not."""
    return viewed(console, request.user, case_of(console, request.user, case))


@post("/api/cases", sync_to_thread=True)
def open_one(request: UserRequest, console: ThisConsole, data: JSONBody[OpenCase]) -> CaseView:
    """Open a case about alerts, hands and disputes."""
    return viewed(console, request.user, open_case(console, request.user, data))


@post("/api/cases/{case:str}/acts", status_code=200, sync_to_thread=True)
def act(request: UserRequest, console: ThisConsole, case: CaseId, data: JSONBody[CaseWish]) -> CaseView:
    """Do one thing to a case; 409 when someone else was faster, 422 when it cannot be done."""
    return viewed(console, request.user, act_on_case(console, request.user, case, data))


HANDLERS = (read_cases, read_case, open_one, act)
