"""The letter that tells a patron how a dispute was decided: the hand, what the record shows, the ruling, the law."""

from __future__ import annotations

import datetime as dt
from typing import Final

from msgspec import Struct

from dashboards.desk.disputes import Decision, Dispute
from dashboards.ledger.dispute_acts import Ruling
from dashboards.replayer.replay import Replay
from dashboards.reports.claims import ClaimedStakes, held_against
from dashboards.reports.dispute_report import UNKNOWN, concerns, hands_of, payouts_of
from dashboards.reports.hand_report import CitedClause, PaidRow, clauses_of
from dashboards.reports.printed_hands import PrintedHand
from dashboards.reports.round_facts import RoundSource, facts_of
from dashboards.reports.typesetting import typeset
from dashboards.reports.wording import dollars
from dashboards.wording.standing import Standing
from dashboards.wording.times import in_zone_of

TEMPLATE: Final = "letter.typ"
_RULINGS: Final[dict[Ruling, str]] = {
    "for the patron": "We have decided for you.",
    "for the house": "We have decided for the house.",
    "settled between": "We have settled the matter with you.",
    "withdrawn": "The claim was withdrawn.",
}


class LetterContent(Struct, frozen=True, kw_only=True):
    """Everything on the page; `hands` and `payouts` are empty where the store holds no such round."""

    title: str
    house: str
    written: str
    to: str
    about: str
    claim: str
    shows: str
    hands: tuple[PrintedHand, ...]
    payouts: tuple[PaidRow, ...]
    ruling: str
    money: str
    debt: str
    reason: str
    clauses: tuple[CitedClause, ...]


def letter(
    dispute: Dispute,
    decision: Decision,
    replay: Replay | None,
    source: RoundSource | None,
    standing: Standing = UNKNOWN,
    seated: str = "",
) -> bytes:
    """The letter as PDF, of a dispute that is decided; its date is that of the decision.

    `standing` is how the debt stands. `seated` is whom the record names at the seat in dispute: the letter is to them
    where the dispute names nobody.
    """
    content = letter_content(dispute, decision, replay, source, standing, seated)
    return typeset(TEMPLATE, content, decided_at(decision))


def letter_content(
    dispute: Dispute,
    decision: Decision,
    replay: Replay | None,
    source: RoundSource | None,
    standing: Standing = UNKNOWN,
    seated: str = "",
) -> LetterContent:
    """What stands in the letter; who decided is not told to the patron. `standing` is how the debt stands."""
    facts = facts_of(source) if source is not None else None
    zone = facts.zone if facts is not None else dt.UTC
    held = None
    if replay is not None:
        held = held_against(replay, dispute.seat, dispute.hand, dispute.patron)
    about = [one for one in source.findings if concerns(one, dispute.seat)] if source is not None else []
    return LetterContent(
        title=f"{dispute.id}, table {dispute.subject}, round {dispute.round}",
        house=(facts.property if facts is not None else "") or "",
        written=f"{decided_at(decision).astimezone(zone):%B %-d, %Y}",
        to=dispute.patron or seated,
        about=_about(dispute, replay, zone),
        claim=dispute.claim,
        shows=_shows(held, standing.owed),
        hands=hands_of(dispute, replay),
        payouts=payouts_of(held, replay),
        ruling=_RULINGS[decision.ruling],
        money=_money(decision.amount_cents),
        debt=_of_debt(dispute, standing),
        reason=decision.reason,
        clauses=clauses_of(about),
    )


def decided_at(decision: Decision) -> dt.datetime:
    """From when on the decision holds: of one that two people make, when the second confirmed it."""
    return decision.confirmed_at or decision.at


def _about(dispute: Dispute, replay: Replay | None, zone: dt.tzinfo) -> str:
    seat = f", seat {dispute.seat}" if dispute.seat else ""
    hand = f", hand {dispute.hand}" if dispute.hand else ""
    when = f", which began {in_zone_of(replay.steps[0].time, zone)}" if replay and replay.steps else ""
    return f"table {dispute.subject}, round {dispute.round}{seat}{hand}{when}"


def _of_debt(dispute: Dispute, standing: Standing) -> str:
    """What of the record's debt is ruled to be paid, and what is not, by which ruling; empty where it owes nothing."""
    owed, left = standing.owed, standing.to_pay
    if owed is None or owed <= 0 or left is None or standing.untold:
        return ""
    said = [f"Of the {dollars(owed)} that the record owes you, this decision pays {dollars(standing.here)}."]
    if standing.elsewhere:
        said.append(f"{dollars(standing.elsewhere)} was settled by another decision.")
    if standing.ruled_out:
        own = standing.ruled_out_by == (dispute.id,)
        by = "this decision" if own else f"the decision of {' and '.join(standing.ruled_out_by)}"
        said.append(f"{dollars(standing.ruled_out)} is not paid, by {by}.")
    if left:
        said.append(f"{dollars(left)} is still to be paid to you.")
    if standing.beyond_here > 0:
        said.append(f"{dollars(standing.beyond_here)} is paid beyond what the record owes.")
    return " ".join(said)


def _shows(held: ClaimedStakes | None, owed: int | None) -> str:
    if held is None:
        return "There is no record of this round."
    if not held.rows:
        return "The record holds no stake of yours in this round."
    if owed is None:
        return "The record does not show all that decides what was due."
    if owed > 0:
        return f"By the record {dollars(owed)} more was due to you than you were paid."
    if owed < 0:
        return f"By the record you were paid {dollars(-owed)} more than was due."
    return "By the record every stake of yours was settled as due."


def _money(cents: int) -> str:
    if cents > 0:
        return f"You are paid {dollars(cents)}."
    if cents < 0:
        return f"You are asked to pay back {dollars(-cents)}."
    return "No money moves."
