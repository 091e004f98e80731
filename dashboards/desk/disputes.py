"""Disputes as they stand: the fold of what was done to each, with its history and its due date."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Literal

import msgspec
from msgspec import Struct

from dashboards.casebook.worked_on import ActEntry, WorkedOn, acted, begun
from dashboards.ledger import dispute_acts as acts
from dashboards.wording.copying import copied

Status = Literal["open", "awaiting a second", "decided"]
Due = Literal["in time", "due soon", "overdue", "decided"]


OPENING_WAITS = "its opening waits for a second person, who confirms or declines it"
# Acts that leave what was proposed and answered as it is.
_BESIDE = acts.DisputeNoted | acts.DisputeLinked | acts.DisputeReviewed
_DECLINING = acts.DisputeDeclined | acts.DisputeReopeningDeclined


class DisputeTerms(Struct, frozen=True, kw_only=True):
    """What a property has set for its disputes.

    A dispute is to be decided within `days` of its opening, and is due soon `soon_days` before that is over; a
    decision that moves more than `two_from_cents` is made by two.
    """

    days: int = 30
    soon_days: int = 7
    two_from_cents: int = 100_000


DisputeEntry = ActEntry[acts.DisputeAct]


class Decision(Struct, frozen=True, kw_only=True):
    """A decision: its ruling, amount and reason, who decided, and who confirmed it where two have to.

    `beyond_cents` of the amount are meant to be paid though the record owes no more.
    """

    ruling: acts.Ruling
    amount_cents: int
    reason: str
    by: str
    at: dt.datetime
    confirmed_by: str | None = None
    confirmed_at: dt.datetime | None = None
    beyond_cents: int = 0


class Reopening(Struct, frozen=True, kw_only=True):
    """What one person proposes: that a dispute which two have decided is open again."""

    reason: str
    by: str
    at: dt.datetime


class Dispute(WorkedOn[acts.DisputeAct], frozen=True, kw_only=True):
    """A dispute as it stands: money in cents, patron's view.

    While `reopening` waits for a second person the decision holds.
    """

    status: Status = "open"
    subject: str
    round: int
    first_sequence: int
    seat: int | None
    hand: str | None
    sequence: int | None
    claim: str
    claimed_cents: int
    patron: str | None
    review: acts.Review
    due: dt.datetime
    two_from_cents: int
    alerts: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    decision: Decision | None = None
    reopening: Reopening | None = None

    @property
    def open(self) -> bool:
        """Whether someone still has to decide, or to confirm."""
        return self.status != "decided"

    @property
    def held_decision(self) -> Decision | None:
        """The decision that holds; None while there is none, or while it waits for a second person."""
        return None if self.open else self.decision

    @property
    def decided_by_two(self) -> bool:
        """Whether a second person has confirmed the decision that holds."""
        held = self.held_decision
        return held is not None and held.confirmed_by is not None

    @property
    def waiting(self) -> Decision | Reopening | None:
        """What somebody proposed and a second person has yet to confirm or decline."""
        return self.reopening or (self.decision if self.status == "awaiting a second" else None)

    @property
    def standing(self) -> str:
        """Its status in words, with the opening that waits for a second person."""
        return f"{self.status}, its opening awaits a second" if self.reopening is not None else self.status

    @property
    def declined(self) -> DisputeEntry | None:
        """The last word of a second person, where it was against what another proposed; None once more was decided."""
        last = next((one for one in reversed(self.history) if not isinstance(one.act, _BESIDE)), None)
        declined = last is not None and isinstance(last.act, _DECLINING)
        return last if declined else None

    def days_left(self, at: dt.datetime) -> int:
        """Days until it is due, a day begun counted as one; when they are over, 0 and then whole days below it."""
        day = dt.timedelta(days=1)
        return -((at - self.due) // day)

    def due_at(self, at: dt.datetime, terms: DisputeTerms) -> Due:
        """How it stands with its due date."""
        if not self.open:
            return "decided"
        if at > self.due:
            return "overdue"
        return "due soon" if self.due - at <= dt.timedelta(days=terms.soon_days) else "in time"


def dispute_id(number: int) -> str:
    """Id of the dispute opened as the so many-th of a desk."""
    return f"DIS-{number:04d}"


def opened(entry: DisputeEntry, act: acts.DisputeOpened) -> Dispute:
    """A dispute as it is opened."""
    return begun(Dispute, act.dispute, entry, alerts=(act.alert,) if act.alert is not None else ())


def after(dispute: Dispute, entry: DisputeEntry, act: acts.OnDispute) -> Dispute:
    """The dispute behind an act upon it."""
    return acted(dispute, entry, _fields(dispute, entry, act))


def _fields(dispute: Dispute, entry: DisputeEntry, act: acts.OnDispute) -> dict[str, object] | None:
    match act:
        case acts.DisputeReviewed():
            return {"review": act.review}
        case acts.DisputeLinked(kind="alert"):
            return {"alerts": tuple(dict.fromkeys((*dispute.alerts, act.value)))}
        case acts.DisputeLinked():
            return {"cases": tuple(dict.fromkeys((*dispute.cases, act.value)))}
        case acts.DisputeDecided():
            alone = abs(act.amount_cents) <= dispute.two_from_cents
            decision = copied(Decision, act, by=entry.actor, at=entry.at)
            return {"decision": decision, "status": "decided" if alone else "awaiting a second"}
        case acts.DisputeConfirmed():
            held = dispute.decision
            if held is not None:
                held = msgspec.structs.replace(
                    held,
                    confirmed_by=entry.actor,
                    confirmed_at=entry.at,
                    beyond_cents=act.beyond_cents or held.beyond_cents,
                )
            return {"decision": held, "status": "decided"}
        case acts.DisputeReopeningProposed():
            return {"reopening": Reopening(reason=act.reason, by=entry.actor, at=entry.at)}
        case acts.DisputeReopeningDeclined() | acts.DisputeReopeningWithdrawn():
            return {"reopening": None}
        case (
            acts.DisputeDeclined()
            | acts.DisputeWithdrawn()
            | acts.DisputeReopened()
            | acts.DisputeReopeningConfirmed()
        ):
            return {"decision": None, "reopening": None, "status": "open"}
        case acts.DisputeNoted():
            return {}
        case acts.DisputePrinted():
            return None


def why_not_second(dispute: Dispute, act: acts.OnDispute, actor: str) -> str | None:
    """Why this person cannot propose the opening of what two decided, or answer what waits; None for any other act."""
    if isinstance(act, acts.DisputeReopeningProposed):
        return _why_not_proposed(dispute)
    if not isinstance(act, acts.OfSecond):
        return None
    waiting, reopens = dispute.waiting, isinstance(act, acts.OfDisputeReopening)
    if waiting is None or isinstance(waiting, Reopening) != reopens:
        return f"there is no {'opening' if reopens else 'decision'} that waits for a second person"
    if isinstance(act, acts.DisputeWithdrawn | acts.DisputeReopeningWithdrawn):
        return (
            None
            if waiting.by == actor
            else f"only {waiting.by} may withdraw it; whoever does not agree declines it"
        )
    return "the second person is someone else" if waiting.by == actor else None


def _why_not_proposed(dispute: Dispute) -> str | None:
    if dispute.reopening is not None:
        return OPENING_WAITS
    if dispute.open:
        return "it is open"
    return None if dispute.decided_by_two else "one person has decided it: no second one has to confirm"


def by_due_date(disputes: Iterable[Dispute]) -> tuple[Dispute, ...]:
    """Open ones first, those due earliest before all others; then the decided ones, the last decided first."""
    every = tuple(disputes)
    waiting = sorted((one for one in every if one.open), key=lambda one: (one.due, one.id))
    done = sorted((one for one in every if not one.open), key=lambda one: (one.last_at, one.id), reverse=True)
    return (*waiting, *done)
