"""What the desk settled of debts: by decisions of disputes that hold, and where alerts were closed with an amount."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

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
            meant=held.beyond_cents,
            round=one.round,
        )
        found.append(settled)
    return tuple(found)


def closings(alerts: Iterable[Alert], rounds: Begun) -> tuple[SettledBy, ...]:
    """What was settled when alerts were closed, in the rounds of these numbers.

    An alert whose closing waits for a second person settled nothing, nor one that was opened again. A closing holds
    while the opening of the alert waits for a second person. `rounds` has every round of each number: an alert is of
    the last that began before its event, and of the first of all where each began behind it.
    """
    found = []
    for one in alerts:
        first = _first_of(one, rounds)
        if first is not None and (told := _closing(one, first)) is not None:
            found.append(told)
    return tuple(found)


def closings_apart(alerts: Iterable[Alert], rounds: Begun) -> tuple[SettledBy, ...]:
    """What was paid when alerts were closed whose findings name a seat or hand and no round that is on record.

    `rounds` has every round of each number. The scope begins with the finding's event: it is of no round.
    """
    told = (
        _closing(one, one.finding.sequence)
        for one in alerts
        if names_place(one.finding) and _first_of(one, rounds) is None
    )
    return tuple(one for one in told if one is not None)


def closings_of_no_round(
    alerts: Iterable[Alert], rounds: Begun, dispute: Dispute, amount: int
) -> list[SettledBy]:
    """What was paid for the round of a dispute when alerts were closed that are of no round on record.

    They name its number, or no number where the dispute was opened with them. The closing of an alert with which it was
    opened, of the same amount, tells of the same money and is not among them.
    """
    found, of_round = [], dispute.first_sequence
    for one in closings_apart(alerts, rounds):
        opened_with = one.source in dispute.alerts
        here = one.round == dispute.round or (one.round is None and opened_with)
        if one.scope.subject == dispute.subject and here and not (opened_with and one.amount == amount):
            found.append(replace(one, scope=replace(one.scope, first_sequence=of_round)))
    return found


def names_place(finding: Finding) -> bool:
    """Whether a finding names a patron's seat or hand."""
    scope = scope_of_finding(finding, finding.sequence)
    return scope.seat is not None or scope.hand is not None


def _first_of(alert: Alert, rounds: Begun) -> int | None:
    finding = alert.finding
    if not isinstance(finding.round, int):
        return None
    firsts = rounds.get((finding.subject, finding.round), ())
    before = first_before(firsts, finding.sequence)
    # A start may be told late, behind an event of its round: then the round is the next of its number.
    return before if before is not None else min(firsts, default=None)


def _closing(alert: Alert, first_sequence: int) -> SettledBy | None:
    """What was settled when an alert was closed; None where its closing does not hold, or no money was named."""
    finding, at = alert.finding, alert.confirmed_at or alert.closed_at
    if not alert.closing_holds or not alert.money_cents or at is None:
        return None
    hidden = {("alert", alert.id), ("dealer", alert.dealer or ""), ("table", finding.subject)}
    return SettledBy(
        source=alert.id,
        scope=scope_of_finding(finding, first_sequence),
        ruling=None,
        said=f"alert closed as {alert.disposition}",
        amount=alert.money_cents,
        at=at,
        by=alert.closed_by or "",
        withheld_with=frozenset(hidden),
        finding=finding,
        meant=alert.beyond_cents or 0,
        round=finding.round,
    )


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
