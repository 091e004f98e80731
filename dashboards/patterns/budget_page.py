"""The page of the budget of false pages: what the settings cost, and what others would."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get
from litestar.exceptions import ClientException
from litestar.params import QueryParameter

from dashboards.patterns.calibration_page import few
from dashboards.suspected.known import may_read
from dashboards.suspicions.curve import odds
from dashboards.suspicions.families import BudgetRefused, PatternBudget
from dashboards.web.console import ThisConsole, UserRequest
from dashboards.web.looks import note_look
from dashboards.web.rendering import page


@get("/patterns/budget", sync_to_thread=True)
def budget_page(
    request: UserRequest,
    console: ThisConsole,
    pages: Annotated[str, QueryParameter(max_length=20)] = "",
    own: Annotated[str, QueryParameter(max_length=300)] = "",
) -> Response[str]:
    """What the budget that is set costs in false pages, or another one that is written in the same way."""
    may_read(console, request.user, "budget of pages")
    note_look(console, request.user, "page", "budget of pages")
    if console.page_budget is None:
        raise ClientException("this console has no budget of pages")
    made: PatternBudget | None = None
    wrong = ""
    try:
        made = console.page_budget(pages.strip(), own.strip())
    except BudgetRefused as error:
        wrong = str(error)
    return page(
        request,
        console,
        "patterns/budget.html",
        400 if wrong else 200,
        made=made,
        wrong=wrong,
        pages=f"{made.pages:g}" if made is not None else pages,
        own=made.own if made is not None else own,
        few=few,
        odds=odds,
    )


HANDLERS = (budget_page,)
