"""A dispute on paper: the claim against what the record shows, the decision, its history and its proof."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence

import msgspec
from msgspec import UNSET, Struct

from dashboards.desk.disputes import Decision, Dispute, DisputeEntry
from dashboards.ledger import dispute_acts as acts
from dashboards.replayer.replay import Replay
from dashboards.reports import hand_report
from dashboards.reports.claims import ClaimedStakes, held_against, step_in_dispute, steps_of_seat
from dashboards.reports.evidence import evidence_of
from dashboards.reports.pictures import PrintedPicture, felt_picture
from dashboards.reports.printed_hands import (
    PrintedHand,
    hand_name,
    hand_rows,
    inferred_words,
    words_missing,
    wrong_batch,
)
from dashboards.reports.proving import Proving, proving
from dashboards.reports.round_facts import RoundFacts, RoundSource, facts_of
from dashboards.reports.typesetting import typeset
from dashboards.reports.wording import dollars, listed
from dashboards.wording.copying import copied
from dashboards.wording.money import gained, owed, settled_for
from dashboards.wording.standing import Standing
from dashboards.wording.times import in_zone_of
from processors.core.state import seat_of
from schemas.findings import Finding
from schemas.values import DEALER

TEMPLATE = "dispute.typ"
NOT_SAID = "not said"
UNKNOWN = Standing(owed=None)
REVIEW_NAMES = {
    "requested_by": "Requested by",
    "method": "Review method",
    "camera": "Camera",
    "begun_at": "Review began",
    "ended_at": "Review ended",
    "error_type": "Type of error",
    "dealer": "Dealer",
    "supervisor": "Supervisor",
    "second_auditor": "Second auditor, as named then",
    "savings_cents": "Savings",
    "losses_cents": "Losses",
}


# What the history calls an act where its own name would not say of which proposal it is.
_SAID = {
    "confirmed": "confirmed the decision",
    "declined": "declined the decision",
    "withdrawn": "withdrew the decision",
    "reopened": "opened it again",
    "reopening proposed": "proposed to open it again",
    "reopening confirmed": "confirmed that it is opened again",
    "reopening declined": "declined to open it again",
    "reopening withdrawn": "withdrew the proposal to open it again",
}


class HistoryRow(Struct, frozen=True, kw_only=True):
    """One act upon the dispute, with its record in the desk's ledger."""

    at: str
    actor: str
    act: str
    detail: str
    sequence: int
    hash: str


class DisputeContent(Struct, frozen=True, kw_only=True):
    """Everything on the pages."""

    title: str
    status: str
    facts: tuple[tuple[str, str], ...]
    claim: str
    claimed: str
    answer: str
    due: str
    moved: str
    owed: str
    settled: str
    to_pay: str
    missing: tuple[str, ...]
    inferred: tuple[str, ...]
    words_missing: tuple[str, ...]
    wrong_batch: str
    payouts: tuple[hand_report.PaidRow, ...]
    hands: tuple[PrintedHand, ...]
    found: tuple[hand_report.PrintedFinding, ...]
    picture: PrintedPicture | None
    decision: tuple[tuple[str, str], ...]
    reason: str
    review: tuple[tuple[str, str], ...]
    steps: tuple[hand_report.StepRow, ...]
    history: tuple[HistoryRow, ...]
    clauses: tuple[hand_report.CitedClause, ...]
    proving: Proving


def dispute_report(
    dispute: Dispute,
    replay: Replay | None,
    source: RoundSource | None,
    alerted: Sequence[str] = (),
    standing: Standing = UNKNOWN,
) -> bytes:
    """The report of a dispute as PDF; without a replay where the store holds no such round.

    `alerted` are the ids of the round's findings of which there are alerts.

    The time it bears is that of the last act upon the dispute: the same version of the same record and
    alerts is the same report.
    """
    return typeset(TEMPLATE, dispute_content(dispute, replay, source, alerted, standing), dispute.last_at)


def dispute_content(
    dispute: Dispute,
    replay: Replay | None,
    source: RoundSource | None,
    alerted: Sequence[str] = (),
    standing: Standing = UNKNOWN,
) -> DisputeContent:
    """What stands on the pages of a dispute's report; `standing` is how its debt stands."""
    facts = facts_of(source) if source is not None else None
    zone = facts.zone if facts is not None else dt.UTC
    held = None
    if replay is not None:
        held = held_against(replay, dispute.seat, dispute.hand, dispute.patron)
    step = step_in_dispute(replay, dispute.seat, dispute.hand, dispute.sequence) if replay else None
    about = [one for one in source.findings if concerns(one, dispute.seat)] if source is not None else []
    return DisputeContent(
        title=f"{dispute.id}, {dispute.subject} round {dispute.round}",
        status=status_of(dispute),
        facts=_facts(dispute, facts, zone, [one.finding_id for one in about if one.finding_id in alerted]),
        claim=dispute.claim,
        claimed=settled_for(dispute.claimed_cents),
        answer=answer_of(held, standing),
        due=_said(held.due_cents if held else None, gained),
        moved=_said(held.moved_cents if held else None, gained),
        owed=_said(standing.owed, owed) or "nothing",
        settled=settled_for(standing.settled) if standing.settled else "nothing",
        to_pay=_said(standing.to_pay, owed) or "nothing",
        missing=_missing(replay, source),
        inferred=inferred_of(dispute, replay),
        words_missing=words_missing(replay) if replay is not None else (),
        wrong_batch=wrong_batch(replay) if replay is not None else "",
        payouts=payouts_of(held, replay),
        hands=hands_of(dispute, replay),
        found=tuple(hand_report.found_row(one) for one in about),
        picture=felt_picture(step, "The table at the disputed event") if step is not None else None,
        decision=_decision(dispute.decision, zone),
        reason=dispute.decision.reason if dispute.decision is not None else "",
        review=review_rows(dispute.review, zone),
        steps=tuple(map(hand_report.step_row, steps_of_seat(replay, dispute.seat))) if replay else (),
        history=tuple(history_row(entry, zone) for entry in dispute.history),
        clauses=hand_report.clauses_of(about),
        proving=proving(dispute.subject, evidence_of(source.lines if source is not None else ())),
    )


def answer_of(held: ClaimedStakes | None, standing: Standing) -> str:
    """The record's answer in one sentence, with what became of the debt."""
    if held is None:
        return "The store holds no record of this round."
    return standing.sentence if held.rows else "The record holds no stake of this seat in this round."


def _said(cents: int | None, words: Callable[[int], str]) -> str:
    return "not known" if cents is None else words(cents)


def concerns(finding: Finding, seat: int | None) -> bool:
    """Whether a finding is about this seat, the dealer, or nobody in particular."""
    if seat is None:
        return True
    if isinstance(finding.hand, str):
        return finding.hand == DEALER or seat_of(finding.hand) == seat
    return finding.seat is UNSET or finding.seat == seat


def status_of(dispute: Dispute) -> str:
    """How it stands, in one line."""
    if dispute.decision is None:
        return "Open: not decided."
    ruling = f"{dispute.decision.ruling}, {settled_for(dispute.decision.amount_cents)}"
    if dispute.status == "awaiting a second":
        return f"Decided {ruling}; a second person has yet to confirm it."
    waiting = dispute.reopening
    opening = (
        f" {waiting.by} proposes to open it again; a second person has yet to confirm it." if waiting else ""
    )
    return f"Decided {ruling}.{opening}"


def review_rows(review: acts.Review, zone: dt.tzinfo) -> tuple[tuple[str, str], ...]:
    """The fields of the review as pairs of name and value."""
    return tuple(
        (words, _shown(name, getattr(review, name), zone))
        for name, words in REVIEW_NAMES.items()
        if name != "second_auditor" or review.second_auditor is not None
    )


def _shown(name: str, value: object, zone: dt.tzinfo) -> str:
    if value is None:
        return NOT_SAID
    if isinstance(value, dt.datetime):
        return in_zone_of(value, zone)
    if name.endswith("_cents") and isinstance(value, int):
        return dollars(value)
    return str(value)


def history_row(entry: DisputeEntry, zone: dt.tzinfo) -> HistoryRow:
    """An act as it is printed."""
    at, detail = in_zone_of(entry.at, zone), detail_of(entry, zone)
    return copied(HistoryRow, entry, at=at, act=_SAID.get(entry.name, entry.name), detail=detail)


def detail_of(entry: DisputeEntry, zone: dt.tzinfo) -> str:
    """What an act said, in words."""
    act = entry.act
    match act:
        case acts.DisputeOpened():
            told = f"{act.claim} Claimed: {dollars(act.claimed_cents)}. Due {in_zone_of(act.due, zone)}."
            told += f" From alert {act.alert}." if act.alert else ""
            return f"{told} The hand was found by {act.found_by}." if act.found_by else told
        case acts.DisputeReviewed():
            said = msgspec.structs.asdict(act.review)
            return "; ".join(
                f"{REVIEW_NAMES[name]}: {_shown(name, value, zone)}"
                for name, value in said.items()
                if value is not None
            )
        case acts.DisputeNoted():
            return act.note
        case acts.DisputeLinked():
            return f"{act.kind} {act.value}"
        case acts.DisputeDecided():
            return f"{act.ruling}, {settled_for(act.amount_cents)}{_beyond(act.beyond_cents)}: {act.reason}"
        case acts.DisputeConfirmed() if act.beyond_cents:
            return _beyond(act.beyond_cents).removeprefix(", ")
        case (
            acts.DisputeDeclined()
            | acts.DisputeReopened()
            | acts.DisputeReopeningProposed()
            | acts.DisputeReopeningDeclined()
        ):
            return act.reason
    return ""


def _beyond(cents: int) -> str:
    return f", {dollars(cents)} of it beyond the debt, as meant" if cents else ""


def _facts(
    dispute: Dispute, facts: RoundFacts | None, zone: dt.tzinfo, alerts: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    seat = [f"seat {dispute.seat}"] if dispute.seat else []
    hand = [hand_name(dispute.hand)] if dispute.hand else []
    rows = (
        ("Property", facts.property if facts is not None else ""),
        ("Table", listed(part for part in (dispute.subject, facts.game if facts else "") if part)),
        ("Round", listed([str(dispute.round), *seat, *hand])),
        ("Disputed event", str(dispute.sequence) if dispute.sequence else "not named"),
        ("Patron", dispute.patron or "not named"),
        (
            "Alerts of the hand",
            listed(alerts) if facts is not None else "not known: the store holds no such round",
        ),
        ("Alerts linked to the dispute", listed(dispute.alerts)),
        ("Cases", listed(dispute.cases)),
        ("Opened", in_zone_of(dispute.opened_at, zone)),
        ("Opened by", dispute.opened_by),
        ("To be decided by", in_zone_of(dispute.due, zone)),
        ("Decided by two", f"beyond {dollars(dispute.two_from_cents)}"),
        ("Version", str(dispute.version)),
    )
    return tuple((name, value or "not in the record") for name, value in rows)


def _missing(replay: Replay | None, source: RoundSource | None) -> tuple[str, ...]:
    breaks = source.breaks if source is not None else ()
    return (*breaks, *(replay.result.missing if replay is not None and replay.result is not None else ()))


def payouts_of(held: ClaimedStakes | None, replay: Replay | None) -> tuple[hand_report.PaidRow, ...]:
    """The stakes a claim is held against; none where the store has no such round."""
    if held is None or replay is None:
        return ()
    return tuple(hand_report.paid_row(row, replay) for row in held.rows)


def hands_of(dispute: Dispute, replay: Replay | None) -> tuple[PrintedHand, ...]:
    """The hands of the seat in dispute and the dealer's; all where the dispute names no seat."""
    if replay is None or replay.result is None:
        return ()
    hands = {name: hand for name, hand in replay.result.hands.items() if _disputed(dispute, name)}
    return hand_rows(hands, replay.cards)


def inferred_of(dispute: Dispute, replay: Replay | None) -> tuple[str, ...]:
    """The cards of those hands whose laying the layout did not report in time, and how the place of each is known."""
    cards = replay.cards if replay is not None else ()
    return inferred_words(one for one in cards if _disputed(dispute, one.hand))


def _disputed(dispute: Dispute, hand: str) -> bool:
    return dispute.seat is None or hand == DEALER or seat_of(hand) == dispute.seat


def _decision(decision: Decision | None, zone: dt.tzinfo) -> tuple[tuple[str, str], ...]:
    if decision is None:
        return ()
    confirmed = "nobody"
    if decision.confirmed_by and decision.confirmed_at:
        confirmed = f"{decision.confirmed_by}, {in_zone_of(decision.confirmed_at, zone)}"
    return (
        ("Ruling", decision.ruling),
        ("Money", f"{settled_for(decision.amount_cents)}{_beyond(decision.beyond_cents)}"),
        ("Decided by", f"{decision.by}, {in_zone_of(decision.at, zone)}"),
        ("Confirmed by", confirmed),
    )
