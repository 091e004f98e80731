"""Pages of disputes: the list by due date, opening one about a round, and one with all that is known of it."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.params import PathParameter, QueryParameter, URLEncodedBody
from litestar.response import Redirect
from msgspec import structs

from dashboards.debts.beyond import BeyondDebt
from dashboards.debts.decided import scope_of
from dashboards.debts.seen import others_about
from dashboards.debts.settling import Scope
from dashboards.desk.casework import cases_of
from dashboards.desk.decisions import ActConflict, Refused, UnknownToDesk
from dashboards.desk.disputes import Dispute
from dashboards.disputes.forms import ActForm, OpenForm, open_of, wish_of
from dashboards.disputes.paying import standing_at, stands
from dashboards.disputes.pdf import dispute_pdf
from dashboards.disputes.rounds import ShownRound, alert_of_form, prefill_of, shown_round
from dashboards.disputes.views import SHOWS, dispute_of, disputes_of, must_dispute, must_read_disputes
from dashboards.disputes.wishes import act_on_dispute, open_dispute
from dashboards.hands.addresses import found_by
from dashboards.ledger.dispute_acts import ERRORS, METHODS, RULINGS
from dashboards.reports import dispute_report as report
from dashboards.reports.hand_report import found_row
from dashboards.reports.printed_hands import words_missing, wrong_batch
from dashboards.reports.wording import dollars
from dashboards.web.console import Console, ThisConsole, UserRequest
from dashboards.web.gate import require_csrf
from dashboards.web.rendering import page, theme_of
from dashboards.wording.money import figures
from dashboards.wording.standing import Standing
from dashboards.wording.times import in_zone_of

Name = Annotated[str, PathParameter(max_length=64)]
Words = Annotated[str, QueryParameter(max_length=100)]
_CHOICES = {"methods": METHODS, "errors": ERRORS, "rulings": RULINGS}


@get("/disputes", sync_to_thread=True)
def list_disputes(
    request: UserRequest, console: ThisConsole, show: Words = "open", q: Words = ""
) -> Response[str]:
    """The disputes of the user, open ones by due date."""
    user = request.user
    must_read_disputes(console, user, "disputes")
    shown = show if show in SHOWS else "open"
    found = disputes_of(console, user, shown, q)
    console.note(user.name, "page", f"disputes, {len(found.shown)} {shown}")
    return page(
        request,
        console,
        "disputes/disputes.html",
        found=found,
        shows={name: said for name, said in SHOWS.items() if name != "second" or console.role(user).disputes},
        show=shown,
        q=q,
        terms=console.dispute_terms,
    )


@get("/disputes/new", sync_to_thread=True)
def ask_to_open(
    request: UserRequest,
    console: ThisConsole,
    subject: Words = "",
    round: Words = "",
    first: Words = "",
    seat: Words = "",
    hand: Words = "",
    alert: Words = "",
) -> Response[str]:
    """The form that opens a dispute, filled from the record of the round and from the words that led to it."""
    user = request.user
    about = f"new dispute of {subject} round {round}" if subject else "new dispute"
    must_dispute(console, user, about)
    console.note(user.name, "record" if subject else "page", about)
    # A form without a script sends empty fields too: all are texts, and what is no number names no round.
    form = OpenForm(subject=subject.strip(), round=round, first=first, seat=seat, hand=hand, alert=alert)
    return _new(request, console, form, fresh=True)


@post("/disputes", form=True, sync_to_thread=True)
def open_one(request: UserRequest, console: ThisConsole, data: URLEncodedBody[OpenForm]) -> Response[Any]:
    """Open a dispute; what is not right is said beside the form, which keeps what was written."""
    user = request.user
    require_csrf(user, data.csrf)
    must_dispute(console, user, f"open dispute of {data.subject[:64]} round {data.round[:12]}")
    try:
        found = _round_of_form(request, console, data)
        wish = open_of(data, found.zone if found is not None else dt.UTC)
        dispute = open_dispute(console, user, wish)
    except Refused as error:
        return _new(request, console, data, refused=error.why, status=422)
    return Redirect(f"/disputes/{dispute.id}", status_code=303)


@get("/disputes/{dispute:str}", sync_to_thread=True)
def one_dispute(request: UserRequest, console: ThisConsole, dispute: Name) -> Response[Any]:
    """One dispute, or with `.pdf` its report."""
    if dispute.endswith(".pdf"):
        return dispute_pdf(request, console, dispute.removesuffix(".pdf"))
    return _shown(request, console, dispute_of(console, request.user, dispute))


@post("/disputes/{dispute:str}/acts", form=True, sync_to_thread=True)
def act(
    request: UserRequest, console: ThisConsole, dispute: Name, data: URLEncodedBody[ActForm]
) -> Response[Any]:
    """Do one thing to a dispute; a conflict or a refusal is said on its page, which keeps what was written."""
    user = request.user
    require_csrf(user, data.csrf)
    must_dispute(console, user, f"{data.act[:20]} dispute {dispute}")
    seen = dispute_of(console, user, dispute)
    try:
        round_ = shown_round(console, user, seen.subject, seen.round, seen.first_sequence)
        act_on_dispute(console, user, dispute, wish_of(data, round_.zone if round_ is not None else dt.UTC))
    except UnknownToDesk:
        raise
    except Refused as error:
        status = 409 if isinstance(error, ActConflict) else 422
        now = dispute_of(console, user, dispute)
        beyond = error.cents if isinstance(error, BeyondDebt) else 0
        return _shown(request, console, now, typed=data, refused=error.why, beyond=beyond, status=status)
    return Redirect(f"/disputes/{dispute}", status_code=303)


def _written(form: ActForm | None) -> list[str]:
    """What somebody wrote or chose in a form, in its order."""
    if form is None:
        return []
    fields = structs.asdict(form).items()
    return [
        text for name, text in fields if text and name not in ("csrf", "act", "version", "kind", "beyond")
    ]


def _number(text: str) -> int | None:
    """The number a field holds; None where it holds none that a record could have."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _round_of_form(request: UserRequest, console: Console, form: OpenForm) -> ShownRound | None:
    number = _number(form.round)
    if not form.subject or number is None:
        return None
    return shown_round(console, request.user, form.subject, number, _number(form.first), theme_of(request))


def _new(
    request: UserRequest,
    console: Console,
    form: OpenForm,
    *,
    fresh: bool = False,
    refused: str = "",
    status: int = 200,
) -> Response[str]:
    found = _round_of_form(request, console, form)
    seat, hand = _number(form.seat), form.hand or None
    zone = found.zone if found is not None else dt.UTC
    held = found.held(seat, hand) if found is not None else None
    first = found.stored.first if found is not None else 0
    scope = Scope(subject=form.subject, first_sequence=first, seat=seat, hand=hand)
    standing = standing_at(console, request.user, found, scope)
    return page(
        request,
        console,
        "disputes/dispute_new.html",
        status,
        form=form,
        alert=alert_of_form(console, request.user, form.alert),
        prefill=prefill_of(found, seat, hand, found_by(request, zone))
        if found is not None and fresh
        else None,
        round=found,
        held=held,
        held_seat=seat,
        others=others_about(console, request.user, scope, _number(form.round) or 0),
        proposed=_proposed(standing, scope),
        standing=standing,
        answer=report.answer_of(held, standing),
        rows=report.payouts_of(held, found.replay if found is not None else None),
        frame=found.frame_at(seat, hand, None) if found is not None else "",
        money=dollars,
        when=_when(zone),
        local=_local(zone),
        refused=refused,
        terms=console.dispute_terms,
        **_CHOICES,
    )


def _shown(
    request: UserRequest,
    console: Console,
    dispute: Dispute,
    *,
    typed: ActForm | None = None,
    refused: str = "",
    beyond: int = 0,
    status: int = 200,
) -> Response[str]:
    user, role, now = request.user, console.role(request.user), console.clock()
    found = shown_round(
        console, user, dispute.subject, dispute.round, dispute.first_sequence, theme_of(request)
    )
    zone = found.zone if found is not None else dt.UTC
    held = found.held(dispute.seat, dispute.hand, dispute.patron) if found is not None else None
    findings = found.stored.findings if found is not None else ()
    replay = found.replay if found is not None else None
    waiting, scope = dispute.waiting, scope_of(dispute)
    standing = stands(console, user, dispute, found)
    review = report.review_rows(dispute.review, zone)
    if role.reads_disputes != "all":  # a field that is hidden does not look as if nothing stood in it
        review = tuple((label, said) for label, said in review if said != report.NOT_SAID)
    return page(
        request,
        console,
        "disputes/dispute.html",
        status,
        dispute=dispute,
        cases=cases_of(console.desk, user.name, "dispute", dispute.id) if role.reads_cases else (),
        due_state=dispute.due_at(now, console.dispute_terms),
        days_left=dispute.days_left(now),
        round=found,
        held=held,
        others=others_about(console, user, scope, dispute.round, dispute.id),
        standing=standing,
        answer=report.answer_of(held, standing),
        beyond=beyond,
        rows=report.payouts_of(held, replay),
        hands=report.hands_of(dispute, replay),
        inferred=report.inferred_of(dispute, replay),
        words_missing=words_missing(replay) if replay is not None else (),
        wrong_batch=wrong_batch(replay) if replay is not None else "",
        findings=[(one.finding_id, found_row(one)) for one in findings if report.concerns(one, dispute.seat)],
        frame=found.frame_at(dispute.seat, dispute.hand, dispute.sequence) if found is not None else "",
        review=review,
        history=[report.history_row(entry, zone) for entry in reversed(dispute.history)],
        entries=list(reversed(dispute.history)),
        owed=_proposed(standing, scope),
        acts=role.disputes,
        prints=role.exports and role.sees_cards,
        may_confirm=waiting is not None and waiting.by != user.name,
        typed=typed or ActForm(),
        wrote=_written(typed),
        refused=refused,
        money=dollars,
        when=_when(zone),
        local=_local(zone),
        **_CHOICES,
    )


def _proposed(standing: Standing, scope: Scope) -> str:
    """The amount that is proposed: what is still to be paid of the seat in dispute; empty where that is nothing."""
    cents = standing.to_pay if scope.seat is not None else None
    return figures(cents).replace(",", "") if cents is not None and cents > 0 else ""


def _when(zone: dt.tzinfo) -> Any:
    return lambda at: in_zone_of(at, zone)


def _local(zone: dt.tzinfo) -> Any:
    """A moment as a field for date and time has it; empty where there is none."""
    return lambda at: f"{at.astimezone(zone):%Y-%m-%dT%H:%M:%S}" if at is not None else ""


HANDLERS = (list_disputes, ask_to_open, open_one, one_dispute, act)
