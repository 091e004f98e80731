"""Reports as PDF and evidence bundles: kept as exports with their SHA-256 before they are sent."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from litestar import Response, get
from litestar.exceptions import ClientException, NotFoundException
from litestar.params import PathParameter

from dashboards.accounts.accounts import User
from dashboards.disputes.paying import stands
from dashboards.disputes.rounds import shown_round
from dashboards.disputes.views import found_dispute, must_read_disputes
from dashboards.hands.access import known_findings, opened_hand
from dashboards.hands.page import Number, Sequence, Subject
from dashboards.ledger.dispute_acts import DisputePrinted, DisputeTold
from dashboards.reports.claims import seated_at
from dashboards.reports.dispute_report import dispute_report
from dashboards.reports.hand_report import hand_report
from dashboards.reports.letter import letter
from dashboards.web.bundles import NoBundle
from dashboards.web.console import Console, ThisConsole, UserRequest
from dashboards.web.exports import export_file, keep_export, send_file


def must_export(console: Console, user: User, about: str) -> None:
    """Raise PermissionDeniedException, and keep the refusal, unless the role takes reports out of the console."""
    role = console.role(user)
    may = role.exports and role.reads_hands and role.sees_cards
    console.require(may, user, "export", about, "exports no evidence")


@get("/hands/{subject:str}/{number:int}/evidence.pdf", sync_to_thread=True)
def evidence_of_round(
    request: UserRequest,
    console: ThisConsole,
    subject: Subject,
    number: Number,
    first: Sequence = None,
) -> Response[bytes]:
    """The evidence of one round."""
    user, about = request.user, f"evidence of {subject} round {number}"
    must_export(console, user, about)
    found = shown_round(console, user, subject, number, first)
    if found is None or not found.replay.steps:
        console.note(user.name, "export", about, granted=False, reason="unknown or withheld")
        raise NotFoundException(f"table {subject} has no round {number}")
    source, bundles = found.source(), console.bundles
    if bundles is not None:
        source = replace(source, vouch=bundles.vouch(subject, number, dict(found.stored.hashes)))
    report = hand_report(found.replay, source)
    about = f"{about}, events {found.stored.first} to {found.stored.last}"
    return export_file(console, user, about, report, f"evidence-{subject}-{number}.pdf")


@get("/hands/{subject:str}/{number:int}/evidence.zip", sync_to_thread=True)
def bundle_of_round(
    request: UserRequest,
    console: ThisConsole,
    subject: Subject,
    number: Number,
    first: Sequence = None,
) -> Response[bytes]:
    """The evidence bundle of one round, which proves itself to a stranger; where checkpoints are kept."""
    user, about = request.user, f"evidence bundle of {subject} round {number}"
    must_export(console, user, about)
    stored = opened_hand(console, user, subject, number, first, how="evidence bundle of")
    known = known_findings(console, user, stored)
    hidden = [one for one in stored.findings if one not in known and one.verdict != "suspected"]
    if console.bundles is None or hidden:
        console.note(
            user.name, "export", about, granted=False, reason="withheld" if hidden else "no checkpoints"
        )
        raise NotFoundException(f"there is no evidence bundle of round {number} of table {subject}")
    try:
        bundle = console.bundles.make(subject, number, stored.first)
    except NoBundle as error:
        raise ClientException(f"No bundle: {error}.", status_code=409) from error
    about = f"{about}, events {stored.first} to {stored.last}"
    return export_file(console, user, about, bundle, f"evidence-{subject}-{number}.zip")


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
    replay, source = (found.replay, found.source()) if found is not None else (None, None)
    known = source.findings if source is not None else ()
    alerted = [one.finding_id for one in known if console.desk.alert(one.finding_id) is not None]
    report = dispute_report(dispute, replay, source, alerted, stands(console, user, dispute, found))
    digest = keep_export(console, user, f"{about}, version {dispute.version}", report, "pdf")
    printed = DisputePrinted(dispute=dispute.id, version=dispute.version, sha256=digest, size=len(report))
    console.desk.act_on_dispute(printed, user.name)
    return send_file(report, digest, f"{dispute.id}-{dispute.version}.pdf")


@get("/disputes/{dispute:str}/letter.pdf", sync_to_thread=True)
def letter_of_dispute(
    request: UserRequest, console: ThisConsole, dispute: Annotated[str, PathParameter(max_length=64)]
) -> Response[bytes]:
    """The letter to the patron about a decision that holds; that it left is an act upon the dispute."""
    user, about = request.user, f"letter of dispute {dispute}"
    must_read_disputes(console, user, about)
    must_export(console, user, about)
    held = found_dispute(console, user, dispute, "export", about)
    if held.decision is None or held.status != "decided":
        console.note(user.name, "export", about, granted=False, reason="not decided")
        why = "a second person has yet to confirm the decision" if held.decision else "nothing is decided"
        raise ClientException(f"No letter: {why}.", status_code=409)
    found = shown_round(console, user, held.subject, held.round, held.first_sequence)
    replay, source = (found.replay, found.source()) if found is not None else (None, None)
    seated = seated_at(replay, held.seat)
    if ("patron", seated) in console.desk.withheld_from(user.name):
        seated = ""
    made = letter(held, held.decision, replay, source, stands(console, user, held, found), seated)
    digest = keep_export(console, user, f"{about}, version {held.version}", made, "pdf")
    told = DisputeTold(dispute=held.id, version=held.version, sha256=digest, size=len(made))
    console.desk.act_on_dispute(told, user.name)
    return send_file(made, digest, f"{held.id}-{held.version}-letter.pdf")


HANDLERS = (evidence_of_round, bundle_of_round, letter_of_dispute)
