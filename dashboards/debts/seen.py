"""The other disputes and closed alerts of the same stakes, as a user who asks for money reads them."""

from __future__ import annotations

import logging

from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.debts.begun import begun_of_closed
from dashboards.debts.decided import closings, scope_of
from dashboards.debts.settling import Scope
from dashboards.desk.disputes import Dispute
from dashboards.desk.state import DeskState
from dashboards.web.console import Console
from dashboards.wording.money import settled_for

_log = logging.getLogger("catwalk.console")
NAMELESS = "a dispute that is not shown"
NAMELESS_ALERT = "an alert that is not shown"


class OtherSettlement(Struct, frozen=True, kw_only=True):
    """A dispute about the same stakes, or an alert of them that was closed with an amount; `state` says how it stands.

    `name` is what it is called, `path` its page: empty where the user may not see it. `settled` is what its decision or
    its closing moved: cents, + to the patron; 0 while no decision holds.
    """

    name: str
    path: str
    state: str
    settled: int


def is_theirs(console: Console, user: User, dispute: Dispute) -> bool:
    """Whether the dispute is there for this user."""
    reads = console.role(user).reads_disputes
    if reads == "none":
        return False
    review = dispute.review
    if reads == "own" and user.name not in (_named(review.requested_by), _named(review.supervisor)):
        return False
    of_it = {("table", dispute.subject), ("dealer", review.dealer or ""), ("patron", dispute.patron or "")}
    of_it |= {("alert", alert) for alert in dispute.alerts}
    return console.desk.withheld_from(user.name).isdisjoint(of_it)


def others_about(
    console: Console, user: User, scope: Scope, number: int, but: str = ""
) -> tuple[OtherSettlement, ...]:
    """The disputes about these stakes of a round of this number, and its alerts closed with an amount, without `but`.

    Whoever decides disputes is told of one that is not theirs to see, without its name: it may have settled the debt.
    """
    role, found = console.role(user), []
    for one in console.desk.disputes():
        if one.id == but or not scope_of(one).overlaps(scope):
            continue
        theirs = is_theirs(console, user, one)
        if theirs or role.disputes:
            held = one.held_decision
            told = OtherSettlement(
                name=one.id if theirs else NAMELESS[0].upper() + NAMELESS[1:],
                path=f"/disputes/{one.id}" if theirs else "",
                state=state_of(one),
                settled=held.amount_cents if held is not None else 0,
            )
            found.append(told)
    if role.reads_disputes == "none" or not role.hidden.isdisjoint(("disposition", "settled_cents")):
        return tuple(found)
    closed = [one for one in console.desk.look(DeskState.settled) if one.id != but]
    try:
        rounds = begun_of_closed(console.records, closed, (scope.subject, number), scope.first_sequence)
    except Exception as error:  # whatever the store raises: the disputes are known without it
        _log.warning("closed alerts of %s round %s cannot be told apart: %s", scope.subject, number, error)
        return tuple(found)
    for told_of in closings(closed, rounds):
        alert = console.desk.alert(told_of.source)
        if told_of.scope.overlaps(scope) and alert is not None and console.sees(user, alert):
            state = f"{told_of.said}, {settled_for(told_of.amount)}"
            name = f"Alert {alert.id[:12]}"
            found.append(
                OtherSettlement(name=name, path=f"/alerts/{alert.id}", state=state, settled=told_of.amount)
            )
    return tuple(found)


def state_of(dispute: Dispute) -> str:
    """How a dispute stands, in words, with the amount of its decision."""
    decision = dispute.decision
    if decision is None:
        return "open, nothing is settled"
    told = f"{decision.ruling}, {settled_for(decision.amount_cents)}"
    if dispute.open:
        return f"waits for a second person: {told}"
    return (
        f"decided {told}{'; its opening waits for a second person' if dispute.reopening is not None else ''}"
    )


def _named(text: str | None) -> str:
    return (text or "").strip().lower()
