"""What the desk settled of debts: by decisions of disputes that hold, and where alerts were closed with an amount."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from dashboards.debts.begun import Begun, first_before
from dashboards.debts.settling import Scope, SettledBy
from dashboards.desk.alerts import Alert
from dashboards.desk.disputes import Dispute
from processors.core.state import seat_of
from schemas.findings import Finding
from schemas.values import DEALER

RoundPlace = tuple[str, int]  # table, first event of the round


def scope_of(dispute: Dispute) -> Scope:
    """The stakes a dispute is about."""
    seat = dispute.seat or (seat_of(dispute.hand) if dispute.hand else None)
    return Scope(
        subject=dispute.subject,
        first_sequence=dispute.first_sequence,
        seat=seat,
        hand=dispute.hand,
        patron=dispute.patron,
    )


def scope_of_finding(finding: Finding, first_sequence: int) -> Scope:
    """The stakes that a finding of the round that began with this event is about; a dealer's hand is about all."""
    hand = finding.hand if isinstance(finding.hand, str) and finding.hand != DEALER else None
    seat = finding.seat if isinstance(finding.seat, int) else seat_of(hand) if hand is not None else None
    return Scope(subject=finding.subject, first_sequence=first_sequence, seat=seat, hand=hand)


def decided(disputes: Iterable[Dispute]) -> tuple[SettledBy, ...]:
    """The decisions that hold; a decision that waits for a second person settled nothing, nor one opened again.

    A decision holds while its opening waits for a second person.
    """
    found = []
    for one in disputes:
        held = one.held_decision
        if held is None:
            continue
        hidden = {("patron", one.patron or ""), ("dealer", one.review.dealer or "")}
        settled = SettledBy(
            source=one.id,
            scope=scope_of(one),
            ruling=held.ruling,
            said=held.ruling,
            amount=held.amount_cents,
            at=held.confirmed_at or held.at,
            by=held.by,
            withheld_with=frozenset(hidden | {("alert", alert) for alert in one.alerts}),
        )
        found.append(settled)
    return tuple(found)


def closings(alerts: Iterable[Alert], rounds: Begun) -> tuple[SettledBy, ...]:
    """What was settled when alerts were closed, in the rounds of these numbers.

    An alert whose closing waits for a second person settled nothing, nor one that was opened again. A closing holds
    while the opening of the alert waits for a second person. `rounds` has every round of each number: an alert is of
    the last that began before its event.
    """
    found = []
    for one in alerts:
        finding, at = one.finding, one.confirmed_at or one.closed_at
        if not one.closing_holds or not one.money_cents or at is None or not isinstance(finding.round, int):
            continue
        first = first_before(rounds.get((finding.subject, finding.round), ()), finding.sequence)
        if first is None:
            continue
        hidden = {("alert", one.id), ("dealer", one.dealer or ""), ("table", finding.subject)}
        settled = SettledBy(
            source=one.id,
            scope=scope_of_finding(finding, first),
            ruling=None,
            said=f"alert closed as {one.disposition}",
            amount=one.money_cents,
            at=at,
            by=one.closed_by or "",
            withheld_with=frozenset(hidden),
            finding=finding,
            meant=one.beyond_cents or 0,
        )
        found.append(settled)
    return tuple(found)


def in_round(disputes: Iterable[Dispute], place: RoundPlace) -> list[Dispute]:
    """The disputes of one round."""
    return [dispute for dispute in disputes if (dispute.subject, dispute.first_sequence) == place]


def settled_in(
    place: RoundPlace, disputes: Iterable[Dispute], alerts: Iterable[Alert], rounds: Begun
) -> tuple[SettledBy, ...]:
    """What these disputes and closed alerts settled in one round; `rounds` has every round of its number."""
    told = (*decided(in_round(disputes, place)), *closings(alerts, rounds))
    return tuple(one for one in told if (one.scope.subject, one.scope.first_sequence) == place)


def by_round(settled: Iterable[SettledBy]) -> Mapping[RoundPlace, list[SettledBy]]:
    """What was settled, by its round."""
    rounds: dict[RoundPlace, list[SettledBy]] = defaultdict(list)
    for one in settled:
        rounds[one.scope.subject, one.scope.first_sequence].append(one)
    return rounds
