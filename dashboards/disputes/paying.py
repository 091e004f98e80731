"""Decisions that move money: no debt is paid twice by two disputes unless whoever decides says that it is meant."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Sequence

from msgspec.structs import replace

from dashboards.accounts.accounts import User
from dashboards.debts.begun import Begun, begun_of_closed, begun_with
from dashboards.debts.beyond import PaidFor, require_meant
from dashboards.debts.decided import closings_of_no_round, in_round, scope_of, settled_in
from dashboards.debts.seen import NAMELESS, is_theirs
from dashboards.debts.settling import Debt, Scope, SettledBy, settle, within
from dashboards.desk.decisions import permit_on_dispute
from dashboards.desk.disputes import Dispute
from dashboards.desk.state import DeskState
from dashboards.disputes.rounds import ShownRound, shown_round
from dashboards.ledger import acts as desk_acts
from dashboards.ledger import dispute_acts as acts
from dashboards.web.console import Console
from dashboards.wording.standing import Standing

Paying = acts.DisputeDecided | acts.DisputeConfirmed


def debts_of(shown: ShownRound | None) -> tuple[Debt, ...] | None:
    """The debts of a round, one for each stake; None where its record is not there."""
    if shown is None or not shown.replay.steps:
        return None
    players = {one.number: one.player for one in shown.replay.steps[-1].felt.seats}
    return tuple(
        Debt(
            seat=row.seat,
            hand=row.hand,
            player=players.get(row.seat) or None,
            owed=row.owed_cents,
            kind=row.kind,
        )
        for row in shown.replay.payouts
    )


def standing_of(
    debts: Sequence[Debt] | None,
    scope: Scope,
    settled: Iterable[SettledBy],
    own: str,
    unnamed: Collection[str],
) -> Standing:
    """How the debt of some stakes stands, in view of the dispute `own`; those `unnamed` have no name there."""
    places = within(debts or (), scope)
    left = settle(debts or (), settled)
    mine = [left[at] for at in places]
    owed = [(debts or ())[at].owed for at in places]
    shares = [one for debt in mine for one in debt.shares]
    by = dict.fromkeys(one.ruled_out_by for one in mine if one.ruled_out)
    return Standing(
        owed=None if debts is None or None in owed else sum(one or 0 for one in owed),
        here=sum(one.part for one in shares if one.settled_by.source == own),
        elsewhere=sum(one.part for one in shares if one.settled_by.source != own),
        ruled_out=sum(one.ruled_out for one in mine),
        ruled_out_by=tuple(NAMELESS if one in unnamed else one for one in by),
        beyond=sum(one.beyond for one in shares),
        beyond_here=sum(one.beyond for one in shares if one.settled_by.source == own),
        untold=next(
            (
                share.settled_by.amount
                for share in shares
                if not share.told and share.settled_by.source == own
            ),
            0,
        ),
    )


def standing_at(
    console: Console, user: User, shown: ShownRound | None, scope: Scope, own: str = ""
) -> Standing:
    """How the debt of some stakes stands now, with the names that this user may know."""
    place, closed = (scope.subject, scope.first_sequence), console.desk.look(DeskState.settled)
    mine = in_round(console.desk.disputes(), place)
    rounds: Begun = {}
    if shown is not None:
        number = shown.stored.subject, shown.stored.number
        rounds = begun_of_closed(console.records, closed, number, shown.stored.first)
    settled = settled_in(place, mine, closed, rounds)
    unnamed = {dispute.id for dispute in mine if not is_theirs(console, user, dispute)}
    return standing_of(debts_of(shown), scope, settled, own, unnamed)


def stands(console: Console, user: User, dispute: Dispute, shown: ShownRound | None) -> Standing:
    """How the debt of a dispute stands now, with the names that this user may know."""
    return standing_at(console, user, shown, scope_of(dispute), dispute.id)


def pay(console: Console, user: User, seen: Dispute, act: Paying) -> Dispute:
    """Write a decision, or the confirmation of one, unless it pays beyond the debt and does not say so.

    What the act says is paid beyond the debt is what is found to be when it is written.

    Raises:
        BeyondDebt: the act says that less is meant to be paid beyond the debt.
        Unknown, Conflict, Refused: it was not done, and why.
        DeskUnavailable: it was not done.
    """
    shown = shown_round(console, user, seen.subject, seen.round, seen.first_sequence)
    debts = debts_of(shown)
    rounds: Begun = {}
    if shown is not None:  # of every alert: one may be closed by the time at which it is decided
        number = shown.stored.subject, shown.stored.number
        rounds = begun_with(console.records, number, shown.stored.first)

    def decide(state: DeskState, at: dt.datetime) -> list[desk_acts.Act]:
        permit_on_dispute(state.disputes, act, user.name, at)
        dispute = state.disputes[act.dispute]
        scope = scope_of(dispute)
        other = (told for told in state.disputes.values() if told.id != dispute.id)
        amount, closed = _amount(dispute, act), state.settled()
        others = (
            *settled_in((scope.subject, scope.first_sequence), other, closed, rounds),
            *closings_of_no_round(closed, rounds, dispute, amount),
        )
        known = dispute.decision.beyond_cents if dispute.decision is not None else 0
        paid_for, meant = PaidFor(debts=debts, scope=scope), max(act.beyond_cents, known)
        cents = require_meant(console, user, state, paid_for, others, amount, meant)
        return [replace(act, beyond_cents=cents)]

    console.desk.decide(user.name, decide)
    return console.desk.dispute(act.dispute) or seen


def _amount(dispute: Dispute, act: Paying) -> int:
    if isinstance(act, acts.DisputeDecided):
        return act.amount_cents
    return dispute.decision.amount_cents if dispute.decision is not None else 0
