"""The other disputes about the same stakes, as one user may see them: every page that asks for money names them."""

from __future__ import annotations

from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.debts.decided import scope_of
from dashboards.debts.settling import Scope
from dashboards.desk.disputes import Dispute
from dashboards.web.console import Console
from dashboards.wording.money import settled_for

NAMELESS = "a dispute that is not shown"


class OtherDispute(Struct, frozen=True, kw_only=True):
    """A dispute about the same stakes; `id` is empty where the user may not see it, and `state` says how it stands.

    `settled` is what its decision moved, cents, + to the patron; 0 while none holds.
    """

    id: str
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


def others_about(console: Console, user: User, scope: Scope, but: str = "") -> tuple[OtherDispute, ...]:
    """The disputes about these stakes, without the one named `but`.

    Whoever decides disputes is told of one that is not theirs to see, without its name: it may have settled the debt.
    """
    found = []
    for one in console.desk.disputes():
        if one.id == but or not scope_of(one).overlaps(scope):
            continue
        theirs = is_theirs(console, user, one)
        if theirs or console.role(user).disputes:
            held = one.held_decision
            settled = held.amount_cents if held is not None else 0
            found.append(OtherDispute(id=one.id if theirs else "", state=state_of(one), settled=settled))
    return tuple(found)


def state_of(dispute: Dispute) -> str:
    """How a dispute stands, in words, with the amount of its decision."""
    decision = dispute.decision
    if decision is None:
        return "open, nothing is settled"
    told = f"{decision.ruling}, {settled_for(decision.amount_cents)}"
    return f"decided {told}" if not dispute.open else f"waits for a second person: {told}"


def _named(text: str | None) -> str:
    return (text or "").strip().lower()
