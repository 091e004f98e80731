"""The pages of a dealer, a patron, and what the rounds of a table come to."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Annotated
from urllib.parse import quote, urlencode

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException, PermissionDeniedException
from litestar.params import PathParameter, QueryParameter

from dashboards.desk.alerts import Alert
from dashboards.ledger.ledger import DeskUnavailable
from dashboards.people.facts import alerts_about, disputes_about, facts_about, severities
from dashboards.people.peers import errors_in_1000, peers_of, seconds_a_round
from dashboards.people.whose import PATHS, SPANS, USUAL, Asked, asked_about, may_read_person
from dashboards.queue.views import titled
from dashboards.reader.people import Kind
from dashboards.suspected.known import suspicions_about
from dashboards.suspicions.curve import odds, odds_of_course
from dashboards.suspicions.evidence import EvidenceAwaited, EvidenceHeld, FamilyRow, by_family
from dashboards.suspicions.suspicions import Suspicion
from dashboards.tables.page import known_table
from dashboards.tables.page import may_read as may_read_tables
from dashboards.watching.watching import watches_of
from dashboards.web.console import Console, UserRequest
from dashboards.web.rendering import page
from dashboards.wording.addresses import name_of, part_of

Name = Annotated[
    str, PathParameter(max_length=600)
]  # `part_of` a name, which the contract lets have 200 letters
Days = Annotated[int, QueryParameter(ge=1, le=3650)]
After = Annotated[str, QueryParameter(max_length=300)]
AWAITED = (
    "What the detectors hold is being read out of the analyst's topic, which takes a moment after a start. What they"
    " have raised stands among the suspicions."
)
UNREADABLE = (
    "What the detectors hold cannot be read: the store does not answer, or another release wrote it. What they have"
    " raised stands among the suspicions."
)
_log = logging.getLogger("catwalk.console")


@get("/dealers/{name:str}", sync_to_thread=True)
def dealer_page(
    request: UserRequest, console: NamedDependency[Console], name: Name, days: Days = USUAL, after: After = ""
) -> Response[str]:
    """What a dealer's rounds of the last days hold."""
    return _shown(request, console, "dealer", name_of(name), days, after)


@get("/players/{name:str}", sync_to_thread=True)
def patron_page(
    request: UserRequest, console: NamedDependency[Console], name: Name, days: Days = USUAL, after: After = ""
) -> Response[str]:
    """What a patron's hands of the last days hold."""
    return _shown(request, console, "patron", name_of(name), days, after)


@get("/tables/{name:str}/history", sync_to_thread=True)
def table_history_page(
    request: UserRequest, console: NamedDependency[Console], name: Name, days: Days = USUAL, after: After = ""
) -> Response[str]:
    """What a table's rounds of the last days hold; what it does now stands on its own page."""
    return _shown(request, console, "table", name, days, after)


def _shown(
    request: UserRequest, console: Console, kind: Kind, name: str, days: int, after: str
) -> Response[str]:
    title = f"{kind.capitalize()} {name}"
    may_suspect = "suspected" in console.role(request.user).verdicts
    try:
        if kind == "table":
            _may_read_table(request, console, name)
        else:
            may_read_person(console, request.user, kind, name)
        days = days if days in SPANS else USUAL
        asked = asked_about(console, request.user, kind, name, days)
        facts = facts_about(console, request.user, asked, after)
        peers = peers_of(console.records, asked, facts)
        alerts = alerts_about(console, request.user, asked)
        suspected = suspicions_about(console, request.user, kind, name) if may_suspect else ()
    except Exception as error:  # whatever the store raises, too: the page says that it does not answer
        return _refused(request, console, kind, name, error)
    held, no_evidence = _evidence(request, console, asked)
    here = f"{PATHS[kind]}/{part_of(name)}" + ("/history" if kind == "table" else "")
    return page(
        request,
        console,
        "people/person.html",
        kind=kind,
        name=name,
        title=title,
        asked=asked,
        spans=[(each, f"{here}?{urlencode({'days': each})}") for each in SPANS],
        facts=facts,
        peers=peers,
        errors_in_1000=errors_in_1000,
        seconds_a_round=seconds_a_round,
        severities=severities(facts.findings.counts),
        older=f"{here}?{urlencode({'days': days, 'after': facts.findings.further})}#findings",
        newest=f"{here}?{urlencode({'days': days})}#findings" if after else "",
        all_hands=f"/hands?{urlencode({str(kind): name})}",
        disputes=disputes_about(console, request.user, asked),
        alerts=alerts,
        titled=titled,
        may_suspect=may_suspect,
        suspected=suspected,
        at_desk=_at_desk(request, console, suspected),
        held=held,
        families=_families(request, console, asked, held, suspected),
        no_evidence=no_evidence,
        odds=odds,
        odds_of_course=odds_of_course,
        watched=watches_of(console, request.user, [("player" if kind == "patron" else kind, name)]),
        place=lambda subject, number: f"/hands/{quote(subject, safe='')}/{number}",
    )


def _refused(
    request: UserRequest, console: Console, kind: Kind, name: str, error: Exception
) -> Response[str]:
    """The page that says why there is none; a desk that keeps no look is raised on."""
    title = f"{kind.capitalize()} {name}"
    match error:
        case DeskUnavailable():
            raise error
        case PermissionDeniedException():
            return page(
                request, console, "web/refused.html", 403, title=title, why=f"{error.detail}.", remedy=""
            )
        case NotFoundException():
            why = f"There is no {kind} {name}, or it is not for you to see."
            remedy = "Names are whole names, as the hands show them; the attempt is kept in the audit log."
            return page(
                request, console, "web/refused.html", 404, title=f"No such {kind}", why=why, remedy=remedy
            )
    _log.warning("%s cannot be read: %s", title, error)
    why = "The store of hands does not answer."
    remedy = "Load the page again; the health page says which part is down."
    return page(request, console, "web/refused.html", 503, title=title, why=why, remedy=remedy)


def _evidence(request: UserRequest, console: Console, asked: Asked) -> tuple[EvidenceHeld | None, str]:
    """The evidence for who may read suspicions; else, or where nobody can say it, None and why."""
    if "suspected" not in console.role(request.user).verdicts:
        return None, ""
    try:
        return console.evidence(asked.kind, asked.name, asked.ever), ""
    except EvidenceAwaited:
        return None, AWAITED
    except Exception as error:  # whatever the store raises: the page stands without it
        _log.warning("evidence about %s %s cannot be read: %s", asked.kind, asked.name, error)
        return None, UNREADABLE


def _families(
    request: UserRequest,
    console: Console,
    asked: Asked,
    held: EvidenceHeld | None,
    suspected: Sequence[Suspicion],
) -> tuple[FamilyRow, ...]:
    if held is None:
        return ()
    withheld = console.desk.withheld_from(request.user.name)
    return by_family(console.patterns(), asked.kind, asked.name, held, withheld, suspected)


def _at_desk(request: UserRequest, console: Console, suspected: Sequence[Suspicion]) -> dict[str, Alert]:
    """The alerts of suspicions that this user sees, by the id of the finding."""
    found = (console.desk.alert(one.finding.finding_id) for one in suspected)
    return {one.id: one for one in found if one is not None and console.sees(request.user, one)}


def _may_read_table(request: UserRequest, console: Console, name: str) -> None:
    """As `may_read_person`, of a table."""
    about = f"table {name}, its rounds"
    may_read_tables(console, request, about)
    console.require(console.role(request.user).reads_hands, request.user, "record", about, "reads no hands")
    known_table(console, request.user, name)
    console.note(request.user.name, "record", about)


HANDLERS = (dealer_page, patron_page, table_history_page)
