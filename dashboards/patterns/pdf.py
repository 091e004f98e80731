"""A suspicion as PDF for a file: kept as an export with its SHA-256 before it is sent."""

from __future__ import annotations

import datetime as dt
import logging
from typing import Annotated

from litestar import Response, get
from litestar.exceptions import NotFoundException, ServiceUnavailableException
from litestar.params import PathParameter

from dashboards.accounts.accounts import User
from dashboards.disputes.pdf import must_export
from dashboards.reports.suspicion_proof import proof_of
from dashboards.reports.suspicion_report import Printing, suspicion_report
from dashboards.suspected.known import first_of, known_suspicion, may_read, named_rounds, title_of_rounds
from dashboards.suspected.since import evidence_since
from dashboards.web.console import Console, ThisConsole, UserRequest
from dashboards.web.exports import export_file
from dashboards.wording.times import zone_called

_log = logging.getLogger("catwalk.console")


def may_print(console: Console, user: User) -> bool:
    """Whether the user's role takes suspicions out of the console."""
    role = console.role(user)
    return role.exports and role.reads_hands and role.sees_cards and "suspected" in role.verdicts


@get("/patterns/{finding:str}/report.pdf", sync_to_thread=True)
def pattern_pdf(
    request: UserRequest, console: ThisConsole, finding: Annotated[str, PathParameter(max_length=64)]
) -> Response[bytes]:
    """One suspicion on paper, as it stands at the desk now; it says who had it made, and when."""
    user, about = request.user, f"report of pattern {finding}"
    may_read(console, user, about)
    must_export(console, user, about)
    try:
        shown = known_suspicion(console, user, finding)
        rounds = () if shown is None else named_rounds(console, user, shown.finding)
        proof = None if shown is None else proof_of(console.records, shown.finding, rounds)
        zone = dt.UTC if shown is None else zone_called(console.states.zone(shown.finding.subject))
    except Exception as error:  # whatever the store raises
        _log.warning("a suspicion cannot be printed: %s", error)
        raise ServiceUnavailableException("the store of findings does not answer") from error
    if shown is None or proof is None:
        console.note(user.name, "export", about, granted=False, reason="unknown or withheld")
        raise NotFoundException(f"there is no suspicion {finding}")
    alert = console.desk.alert(finding)
    alert = alert if alert is not None and console.sees(user, alert) else None
    first = None if alert is None else first_of(console, alert)
    since = evidence_since(console, shown)
    named = title_of_rounds(console, alert, shown)
    printing = Printing(shown, proof, since, alert, zone, user.name, console.clock(), first, named)
    report = suspicion_report(printing)
    return export_file(console, user, about, report, f"suspicion-{finding[:12]}.pdf")


HANDLERS = (pattern_pdf,)
