"""The pages of patterns: all suspicions by their evidence, and one of them with what it rests on."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Annotated, Any

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import ClientException
from litestar.params import PathParameter, QueryParameter

from dashboards.alerts.api import assignees
from dashboards.alerts.panel import risen_later
from dashboards.desk.alerts import Alert
from dashboards.patterns.calibration import OUTCOMES, family_of, month_raised, outcome_of
from dashboards.patterns.calibration_page import Month, wanted_month
from dashboards.patterns.pdf import may_print
from dashboards.patterns.refusing import store_away
from dashboards.queue.views import view
from dashboards.reader.patterns import MOST, suspicions
from dashboards.suspected.known import (
    as_seen,
    first_of,
    known_suspicion,
    known_suspicions,
    may_read,
    named_rounds,
    risen_again,
    title_of_rounds,
    visible_to,
)
from dashboards.suspected.since import evidence_since
from dashboards.suspicions.against import against, draw_against
from dashboards.suspicions.curve import odds, odds_of_course
from dashboards.suspicions.evidence import draw_since
from dashboards.suspicions.risen import risen_words
from dashboards.suspicions.suspicions import (
    Suspicion,
    evidence_of,
    figures_of,
    suspicion_of,
)
from dashboards.watching.shown import watched_by_finding
from dashboards.watching.watching import entries
from dashboards.web.console import Console, UserRequest
from dashboards.web.looks import note_look
from dashboards.web.rendering import page

Id = Annotated[str, PathParameter(max_length=64)]
Word = Annotated[str, QueryParameter(max_length=40)]


@get("/patterns", sync_to_thread=True)
def patterns_page(
    request: UserRequest,
    console: NamedDependency[Console],
    family: Word = "",
    month: Month = "",
    outcome: Word = "",
) -> Response[str]:
    """The suspicions that this user may see, by evidence, and what each family's pages cost.

    `family`, `month` and `outcome` narrow them, as the figures of the calibration do; `outcome=any` asks for all.
    """
    user = request.user
    may_read(console, user, "patterns")
    note_look(console, user, "page", "patterns")
    families, wanted = console.patterns(), wanted_month(month)
    if outcome not in ("", "any", *OUTCOMES):
        raise ClientException(f"“{outcome}” is no outcome; there are: {', '.join(OUTCOMES)}")
    narrowed = tuple(filter(None, (family.replace("_", " "), month, "" if outcome == "any" else outcome)))
    try:
        if narrowed or outcome:
            rows = 0
            fits = _fits(console, family, wanted, outcome)
            found = [one for one in known_suspicions(console, user) if fits(one)]
        else:
            held = suspicions().ask(console.records)
            rows = len(held)
            made = (suspicion_of(row, families) for row in (*held, *risen_again(console)))
            found = [one for one in made if visible_to(console, user, one)]
        first = as_seen(console, user, sorted(found, key=lambda one: -one.evidence)[:MOST])
    except Exception as error:  # whatever the store raises
        return store_away(request, console, error)
    counted = len(found)
    paged = {one.finding.finding_id: console.desk.alert(one.finding.finding_id) for one in first}
    return page(
        request,
        console,
        "patterns/patterns.html",
        suspicions=first,
        counted=counted,
        narrowed=narrowed,
        alerts={name: alert for name, alert in paged.items() if alert is None or console.sees(user, alert)},
        full=rows >= MOST,
        most=MOST,
        marked={one.subject for one in entries(console, user)} if console.role(user).reads_watches else (),
        families=sorted(families.values(), key=lambda family: family.name),
        odds=odds,
    )


@get("/patterns/{finding:str}", sync_to_thread=True)
def pattern_page(request: UserRequest, console: NamedDependency[Console], finding: Id) -> Response[str]:
    """One suspicion: the figures seen against chance, the acts, the evidence up to now, and the named rounds."""
    user = request.user
    may_read(console, user, f"pattern {finding}")
    try:
        shown = known_suspicion(console, user, finding)
        rounds = () if shown is None else named_rounds(console, user, shown.finding)
    except Exception as error:  # whatever the store raises
        return store_away(request, console, error)
    if shown is None:
        console.note(user.name, "page", f"pattern {finding}", granted=False, reason="unknown or withheld")
        why = "There is no suspicion of this id, or it is not for you to see."
        remedy = "The list of patterns has all that are; the attempt is kept in the audit log."
        return page(
            request, console, "web/refused.html", 404, title="No such suspicion", why=why, remedy=remedy
        )
    note_look(console, user, "page", f"pattern {finding}", dt.timedelta(0))
    watched = watched_by_finding(console, user, shown.finding)
    since, compared = evidence_since(console, shown), against(shown.finding)
    alert = console.desk.alert(finding)
    acts = alert is not None and console.sees(user, alert)
    return page(
        request,
        console,
        "patterns/pattern.html",
        shown=shown,
        alert=view(alert, console.role(user)) if alert is not None and acts else None,
        paged=alert is not None,
        later=risen_later(console, user, finding),
        **_risen(console, shown, alert),
        **_for_acts(console, user.name),
        exports=may_print(console, user),
        watched=watched,
        marked={one.subject for one in watched},
        drawn=draw_since(shown, since),
        since=since,
        compared=compared,
        against=draw_against(compared) if compared is not None else "",
        unit=shown.unit,
        rounds=rounds,
        named=title_of_rounds(console, alert, shown),
        expected=figures_of(shown.finding.expected),
        observed=figures_of(shown.finding.observed),
        odds=odds,
        odds_of_course=odds_of_course,
    )


def _risen(console: Console, shown: Suspicion, alert: Alert | None) -> dict[str, Any]:
    """The evidence at the first alarm, and of a suspicion that rose again how often chance lets one."""
    if alert is None or alert.again is None:
        return {"at_alarm": shown.evidence, "risen": ""}
    words = risen_words(shown.finding.check, shown.evidence, alert.again.grown(shown.evidence))
    return {"at_alarm": evidence_of(first_of(console, alert).finding), "risen": words}


def _for_acts(console: Console, me: str) -> dict[str, Any]:
    """What the acts of an alert need beside the alert: a suspicion moves no money, and nothing was refused here."""
    users = assignees(console)
    return {
        "users": users,
        "seconds": [name for name in users if name != me],
        "seq": console.desk.seq,
        "back": "patterns",
        "given": {},
        "beyond": 0,
        "to_pay": 0,
    }


def _fits(console: Console, family: str, month: dt.date | None, outcome: str) -> Callable[[Suspicion], bool]:
    def fits(one: Suspicion) -> bool:
        alert = console.desk.alert(one.finding.finding_id)
        if (family and family_of(one) != family) or (month and month_raised(one, alert) != month):
            return False
        return outcome in ("", "any", outcome_of(alert))

    return fits


HANDLERS = (patterns_page, pattern_page)
