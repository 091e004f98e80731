"""Reports as PDF: of a round and of a dispute, kept as exports with their SHA-256 before they are sent."""

from __future__ import annotations

import hashlib
from typing import Annotated

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import PathParameter, QueryParameter

from dashboards.accounts.accounts import User
from dashboards.disputes.rounds import shown_round
from dashboards.disputes.views import found_dispute, must_read_disputes
from dashboards.ledger.dispute_acts import DisputePrinted
from dashboards.reports.dispute_report import dispute_report
from dashboards.reports.hand_report import hand_report
from dashboards.web.console import Console, ThisConsole, UserRequest

DIGEST_HEADER = "x-content-sha256"


def must_export(console: Console, user: User, about: str) -> None:
    """Raise PermissionDeniedException, and keep the refusal, unless the role takes reports out of the console."""
    role = console.role(user)
    may = role.exports and role.reads_hands and role.sees_cards
    console.require(may, user, "export", about, "exports no evidence")


@get("/hands/{subject:str}/{number:int}/evidence.pdf", sync_to_thread=True)
def evidence_of_round(
    request: UserRequest,
    console: ThisConsole,
    subject: Annotated[str, PathParameter(max_length=64)],
    number: Annotated[int, PathParameter(ge=0, le=2_147_483_647)],
    first: Annotated[int | None, QueryParameter(ge=1, le=2_147_483_647)] = None,
) -> Response[bytes]:
    """The evidence of one round."""
    user, about = request.user, f"evidence of {subject} round {number}"
    must_export(console, user, about)
    found = shown_round(console, user, subject, number, first)
    if found is None or not found.replay.steps:
        console.note(user.name, "export", about, granted=False, reason="unknown or withheld")
        raise NotFoundException(f"table {subject} has no round {number}")
    report = hand_report(found.replay, found.source())
    digest = hashlib.sha256(report).hexdigest()
    events = f"events {found.stored.first} to {found.stored.last}"
    console.note(user.name, "export", f"{about}, {events}, sha256 {digest}")
    return _sent(report, digest, f"evidence-{subject}-{number}.pdf")


def dispute_pdf(request: UserRequest, console: Console, name: str) -> Response[bytes]:
    """The report of a dispute as it stands; that it left is an act upon the dispute.

    Raises:
        PermissionDeniedException, Unknown: it is not for this user.
    """
    user, about = request.user, f"report of dispute {name}"
    must_read_disputes(console, user, about)
    must_export(console, user, about)
    dispute = found_dispute(console, user, name, "export", about)
    found = shown_round(console, user, dispute.subject, dispute.round, dispute.first_sequence)
    of_round = (found.replay, found.source()) if found is not None else (None, None)
    report = dispute_report(dispute, *of_round)
    digest = hashlib.sha256(report).hexdigest()
    printed = DisputePrinted(dispute=dispute.id, version=dispute.version, sha256=digest, size=len(report))
    console.note(user.name, "export", f"{about}, version {dispute.version}, sha256 {digest}")
    console.desk.act_on_dispute(printed, user.name)
    return _sent(report, digest, f"{dispute.id}-{dispute.version}.pdf")


def _sent(report: bytes, digest: str, name: str) -> Response[bytes]:
    quoted = "".join(one if one.isascii() and (one.isalnum() or one in "-._") else "_" for one in name)
    headers = {"content-disposition": f'attachment; filename="{quoted}"', DIGEST_HEADER: digest}
    return Response(report, media_type="application/pdf", headers=headers)


HANDLERS = (evidence_of_round,)
