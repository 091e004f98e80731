"""The pages of patterns: all suspicions by their evidence, and one of them with what it rests on."""

from __future__ import annotations

import datetime as dt
import logging
from typing import Annotated

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import PathParameter

from dashboards.accounts.accounts import User
from dashboards.accounts.visibility import knows
from dashboards.patterns.curve import draw_evidence, odds
from dashboards.patterns.suspicions import (
    Suspicion,
    course_of,
    figures_of,
    suspicion_of,
    weighty_rounds,
)
from dashboards.reader.patterns import MOST, suspicion, suspicions
from dashboards.web.console import Console, UserRequest
from dashboards.web.looks import note_look
from dashboards.web.rendering import page

Id = Annotated[str, PathParameter(max_length=64)]
TITLE = "Patterns"
_log = logging.getLogger("catwalk.console")


def may_read(console: Console, user: User, about: str) -> None:
    """Return if the user reads suspicions; a refusal is kept.

    Raises:
        PermissionDeniedException: they do not.
    """
    granted = "suspected" in console.role(user).verdicts
    console.require(granted, user, "page", about, "does not read suspicions")


@get("/patterns", sync_to_thread=True)
def patterns_page(request: UserRequest, console: NamedDependency[Console]) -> Response[str]:
    """All suspicions that this user may see, by evidence, and what each family's pages cost."""
    may_read(console, request.user, "patterns")
    note_look(console, request.user, "page", "patterns")
    families = console.patterns()
    try:
        rows = suspicions().ask(console.records)
    except Exception as error:  # whatever the store raises
        return _away(request, console, error)
    found = [
        one for one in (suspicion_of(row, families) for row in rows) if _visible(console, request.user, one)
    ]
    found.sort(key=lambda one: -one.evidence)
    alerts = {one.finding.finding_id: console.desk.alert(one.finding.finding_id) for one in found}
    return page(
        request,
        console,
        "patterns/patterns.html",
        suspicions=found,
        alerts=alerts,
        full=len(rows) >= MOST,
        most=MOST,
        families=sorted(families.values(), key=lambda family: family.name),
        odds=odds,
    )


@get("/patterns/{finding:str}", sync_to_thread=True)
def pattern_page(request: UserRequest, console: NamedDependency[Console], finding: Id) -> Response[str]:
    """One suspicion: what was expected and seen, how the evidence grew, the rounds that weigh most."""
    user = request.user
    may_read(console, user, f"pattern {finding}")
    families = console.patterns()
    try:
        found = [suspicion_of(row, families) for row in suspicion(finding).ask(console.records)]
        shown = next((one for one in found if _visible(console, user, one)), None)
        rounds = () if shown is None else weighty_rounds(console.records, shown.finding)
    except Exception as error:  # whatever the store raises
        return _away(request, console, error)
    if shown is None:
        console.note(user.name, "page", f"pattern {finding}", granted=False, reason="unknown or withheld")
        why = "There is no suspicion of this id, or it is not for you to see."
        remedy = "The list of patterns has all that are; the attempt is kept in the audit log."
        return page(
            request, console, "web/refused.html", 404, title="No such suspicion", why=why, remedy=remedy
        )
    note_look(console, user, "page", f"pattern {finding}", dt.timedelta(0))
    course, family = course_of(shown.finding), shown.family
    unit = "observations" if {"dealer", "player"} & {kind for kind, _ in shown.whom} else "rounds"
    drawn = draw_evidence(course, family.raised_at, family.page_at, unit) if course and family else ""
    return page(
        request,
        console,
        "patterns/pattern.html",
        shown=shown,
        alert=console.desk.alert(finding),
        drawn=drawn,
        course=course,
        unit=unit,
        rounds=rounds,
        expected=figures_of(shown.finding.expected),
        observed=figures_of(shown.finding.observed),
        odds=odds,
    )


def _visible(console: Console, user: User, one: Suspicion) -> bool:
    withheld = console.desk.withheld_from(user.name)
    named = {("table", one.finding.subject), *((kind, name) for kind, name in one.whom if kind == "dealer")}
    return knows(console.role(user), withheld, one.finding) and withheld.isdisjoint(named)


def _away(request: UserRequest, console: Console, error: Exception) -> Response[str]:
    _log.warning("patterns cannot be read: %s", error)
    why = "The store of findings does not answer. Suspicions that page are at the desk all the same."
    remedy = "Load the page again; the health page says which part is down."
    return page(request, console, "web/refused.html", 503, title=TITLE, why=why, remedy=remedy)


HANDLERS = (patterns_page, pattern_page)
