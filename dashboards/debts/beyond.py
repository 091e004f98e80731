"""Money beyond a debt: no debt is paid twice by disputes or closed alerts unless whoever pays says that it is meant."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import UNSET, Struct
from msgspec.structs import replace

from dashboards.accounts.accounts import User
from dashboards.debts.begun import number_of
from dashboards.debts.decided import scope_of_finding, settled_in
from dashboards.debts.of_alerts import RoundOfAlert
from dashboards.debts.seen import NAMELESS, NAMELESS_ALERT, is_theirs
from dashboards.debts.settling import Debt, Scope, SettledBy, beyond_debt, within
from dashboards.desk.alerts import Alert, Proposal
from dashboards.desk.decisions import Refused
from dashboards.desk.state import DeskState
from dashboards.ledger import acts
from dashboards.web.console import Console
from dashboards.wording.money import figures, settled_for
from schemas.findings import Finding


class BeyondDebt(Refused):
    """An act would pay the patron this many cents more than the record owes, and nobody said that it is meant.

    `told` is the reason without the way on.
    """

    def __init__(self, told: str, cents: int) -> None:
        super().__init__(f"{told}; if that is meant, say so and do it again")
        self.told = told
        self.cents = cents


class PaidFor(Struct, frozen=True, kw_only=True):
    """What money to a patron is for: the debts of the round (None: its record is not there) and the stakes in it.

    `finding` names the stake where an alert is closed.
    """

    debts: tuple[Debt, ...] | None
    scope: Scope
    finding: Finding | None = None


def require_meant(
    console: Console,
    user: User,
    state: DeskState,
    paid_for: PaidFor,
    others: Sequence[SettledBy],
    amount: int,
    meant: int,
) -> int:
    """The cents of the amount that are paid beyond the debt, behind what others settled.

    Raises:
        BeyondDebt: they are more than is meant.
    """
    cents = beyond_debt(paid_for.debts, paid_for.scope, others, amount, paid_for.finding)
    if cents > meant:
        called = {one.source: _called(console, user, one, state) for one in others}
        raise BeyondDebt(_why(paid_for.debts, paid_for.scope, others, called, cents), cents)
    return cents


def closing_meant(
    console: Console,
    user: User,
    state: DeskState,
    act: acts.OnAlert,
    before: Iterable[acts.OnAlert],
    of_round: RoundOfAlert | None,
) -> acts.OnAlert:
    """An act that closes an alert, with what it pays beyond the debt as found now; other acts as they are.

    An act that is undone may close an alert, too: then nobody is asked whether more than the debt is meant.

    The acts `before` it are written with it: what they pay is settled first. Nothing is beyond the debt where nothing
    is paid, and nothing is found to be where the round is not there.

    Raises:
        BeyondDebt: it pays the patron more beyond the debt than the act, or the proposal that it confirms, says.
        Refused: what it undoes paid the patron a debt that others have paid since.
    """
    alert = state.alerts[act.alert]
    closed_again = _closed_again(alert) if isinstance(act, acts.Undone) else None
    if isinstance(act, acts.Disposed | acts.ClosingProposed):
        amount, meant = act.money_cents or 0, act.beyond_cents or 0
    elif isinstance(act, acts.ClosingConfirmed) and alert.proposal is not None:
        amount = alert.proposal.money_cents or 0
        meant = max(act.beyond_cents or 0, alert.proposal.beyond_cents or 0)
    elif closed_again is not None:
        amount, meant = closed_again.money_cents or 0, closed_again.beyond_cents or 0
    else:
        return act
    if amount <= 0 or of_round is None:
        return act if isinstance(act, acts.Undone) else replace(act, beyond_cents=UNSET)
    scope = scope_of_finding(alert.finding, of_round.first)
    # Alerts of other numbers are of other rounds; of thousands that are closed few are left.
    same = number_of(alert)
    closed = [one for one in state.settled() if number_of(one) == same and one.id != alert.id]
    of_number = [one for one in before if number_of(state.alerts[one.alert]) == same]
    closed += _as_closed(state, of_number, max(console.clock(), state.last_time or alert.last_at), user.name)
    place = scope.subject, scope.first_sequence
    others = settled_in(place, state.disputes.values(), closed, of_round.begun)
    paid_for = PaidFor(debts=of_round.debts, scope=scope, finding=alert.finding)
    try:
        cents = require_meant(console, user, state, paid_for, others, amount, meant)
    except BeyondDebt as error:
        if isinstance(act, acts.Undone):
            raise Refused(f"{error.told}; if that is meant, close it again") from error
        raise
    if isinstance(act, acts.Undone):
        return act
    # A confirmation that says nothing leaves what was proposed: where that is beyond the debt no more, it says 0.
    proposed = alert.proposal.beyond_cents if alert.proposal is not None else None
    return replace(act, beyond_cents=cents or (0 if proposed else UNSET))


def money_of_closing(alert: Alert, act: acts.OnAlert) -> int:
    """The cents, + to the patron, with which an act closes an alert or proposes it; 0 where it does neither."""
    told: acts.OnAlert | Proposal | Alert | None = act
    if isinstance(act, acts.ClosingConfirmed):
        told = alert.proposal
    elif isinstance(act, acts.Undone):
        told = _closed_again(alert)
    if isinstance(told, acts.Disposed | acts.ClosingProposed | Proposal | Alert):
        return told.money_cents or 0
    return 0


def _closed_again(alert: Alert) -> Alert | None:
    """The alert as it was closed, where it is open and its last act, undone, closes it again."""
    was = alert.before
    return was if was is not None and was.closing_holds and not alert.closing_holds else None


def _as_closed(
    state: DeskState, written: Iterable[acts.OnAlert], at: dt.datetime, by: str
) -> Iterator[Alert]:
    """The alerts that these acts close, as they stand then."""
    for act in written:
        alert = state.alerts[act.alert]
        told = alert.proposal if isinstance(act, acts.ClosingConfirmed) else act
        if isinstance(act, acts.Undone) and (was := _closed_again(alert)) is not None:
            yield was
        elif isinstance(told, acts.Disposed | Proposal):
            beyond = act.beyond_cents if isinstance(act, acts.Disposed | acts.ClosingConfirmed) else UNSET
            yield replace(
                alert,
                status="disposed",
                disposition=told.disposition,
                money_cents=told.money_cents,
                beyond_cents=beyond or None,
                closed_by=by,
                closed_at=at,
            )


def _called(console: Console, user: User, one: SettledBy, state: DeskState) -> str:
    """What a user may be told of who settled something."""
    if one.ruling is None:
        return f"alert {one.source[:12]}" if console.sees(user, state.alerts[one.source]) else NAMELESS_ALERT
    return one.source if is_theirs(console, user, state.disputes[one.source]) else NAMELESS


def _why(
    debts: Sequence[Debt] | None,
    scope: Scope,
    others: Sequence[SettledBy],
    called: Mapping[str, str],
    cents: int,
) -> str:
    owed = [one.owed for one in map((debts or ()).__getitem__, within(debts or (), scope))]
    said = [one for one in owed if one is not None]
    if debts is None or len(said) < len(owed):
        record = "the record does not show what is owed"
    else:
        owes = sum(said)
        record = f"the record owes the patron {figures(owes, '$') if owes > 0 else 'nothing'}"
    paid = [
        f"{called[one.source]} settled {settled_for(one.amount)}"
        for one in others
        if one.amount > 0 and one.scope.overlaps(scope)
    ]
    before = f", and for the same stakes {' and '.join(paid)}" if paid else ""
    over = figures(cents, "$")
    return f"this pays {over} beyond the debt: {record}{before}"
