"""Whether an act on an alert or a dispute may be written: the version its actor saw, the state and the time decide."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Mapping

from dashboards.casebook.case import Case
from dashboards.desk.alerts import Alert, Change
from dashboards.desk.closing import closed_by_two, needs_two, waits, why_not
from dashboards.desk.disputes import OPENING_WAITS, Dispute, why_not_second
from dashboards.desk.state import DeskState
from dashboards.ledger import acts, dispute_acts

UNDO_WITHIN = dt.timedelta(seconds=10)
LONGEST_SHELF = dt.timedelta(hours=24)
LONGEST_CRITICAL_SHELF = dt.timedelta(hours=8)  # the length of a shift


class Refused(Exception):
    """An act that is not written; `why` is for the one who tried."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


# What is written for an act that is permitted, decided on the newest state and on what the same append holds before it;
# raises Refused where nothing is.
AsWritten = Callable[[DeskState, acts.OnAlert, Collection[acts.OnAlert]], acts.OnAlert]


OfEach = tuple[Change | Refused, ...]  # what became of several acts, in order


def as_it_is(_state: DeskState, act: acts.OnAlert, _before: Collection[acts.OnAlert]) -> acts.OnAlert:
    """The act itself."""
    return act


class UnknownToDesk(Refused):
    """There is no such alert, dispute or case."""


class ActConflict(Refused):
    """Someone else was faster: the alert, dispute or case is no longer what the actor saw."""

    def __init__(self, now: Alert | Dispute | Case, at: dt.datetime) -> None:
        ago = max(0, int((at - now.last_at).total_seconds()))
        super().__init__(f"{_DONE.get(now.last_act, 'Changed by')} {now.last_actor} {ago} s ago")


_DONE = {
    "acknowledged": "Taken by",
    "assigned": "Assigned by",
    "shelved": "Shelved by",
    "unshelved": "Taken off the shelf by",
    "disposed": "Closed by",
    "closing_proposed": "Closing proposed by",
    "closing_confirmed": "Closed by",
    "closing_declined": "Closing declined by",
    "closing_withdrawn": "Closing withdrawn by",
    "reopened": "Opened again by",
    "reopening_proposed": "Opening proposed by",
    "reopening_confirmed": "Opened again by",
    "reopening_declined": "Opening declined by",
    "reopening_withdrawn": "Opening withdrawn by",
    "added_to_case": "Put to a case by",
    "noted": "Noted by",
    "undone": "Undone by",
    "dispute_noted": "Noted by",
    "dispute_decided": "Decided by",
    "dispute_confirmed": "Confirmed by",
    "dispute_declined": "Declined by",
    "dispute_withdrawn": "Decision withdrawn by",
    "dispute_reopened": "Opened again by",
    "dispute_reopening_proposed": "Opening proposed by",
    "dispute_reopening_confirmed": "Opened again by",
    "dispute_reopening_declined": "Opening declined by",
    "dispute_reopening_withdrawn": "Opening withdrawn by",
    "removed_from_case": "Taken out of a case by",
    "case_assigned": "Assigned by",
    "case_noted": "Noted by",
    "case_member_added": "Added to by",
    "case_waiting": "Put to wait by",
    "case_closed": "Closed by",
    "case_reopened": "Opened again by",
    "case_attached": "Added to by",
}


def permit(state: DeskState, act: acts.OnAlert, actor: str, at: dt.datetime) -> acts.OnAlert:
    """The act, if it may be written now.

    Raises:
        Unknown, Conflict, Refused: it may not, and why.
    """
    alert = state.alerts.get(act.alert)
    if alert is None:
        raise UnknownToDesk(f"no alert {act.alert}")
    if alert.version != act.version:
        raise ActConflict(alert, at)
    if isinstance(act, acts.Undone):
        _permit_undo(alert, actor, at)
    elif isinstance(act, acts.OfReopening):
        if why := why_not(alert, act, actor):
            raise Refused(why)
    elif isinstance(act, acts.Reopened):
        if alert.status == "awaiting":
            raise Refused(waits(alert))
        if alert.open:
            raise Refused("it is open")
        if closed_by_two(alert):
            raise Refused("two have closed it: one proposes to open it again, another confirms")
    elif not alert.open and not isinstance(act, _WHILE_CLOSED):
        raise Refused("it is closed; open it again first")
    elif isinstance(act, acts.OfClosing):
        if why := why_not(alert, act, actor):
            raise Refused(why)
    elif alert.status == "awaiting" and not isinstance(act, _WHILE_AWAITING):
        raise Refused(waits(alert))
    else:
        _permit_open(alert, act, at)
    return act


_WHILE_CLOSED = acts.AddedToCase | acts.RemovedFromCase | acts.Noted
_WHILE_AWAITING = acts.Assigned | _WHILE_CLOSED


def _permit_open(alert: Alert, act: acts.OnAlert, at: dt.datetime) -> None:
    match act:
        case acts.Acknowledged() if alert.status == "acknowledged":
            raise Refused(f"already acknowledged by {alert.acknowledged_by}")
        case acts.Assigned() if act.to == alert.owner:
            raise Refused(f"it is {act.to}'s already")
        case acts.Shelved():
            _permit_shelf(alert, act, at)
        case acts.Unshelved() if alert.status != "shelved":
            raise Refused("it is not on the shelf")
        case acts.Returned() if alert.shelved_until is None or at < alert.shelved_until:
            raise Refused("its time on the shelf is not over")
        case acts.Disposed() if act.second_auditor is not None:
            raise Refused("nobody names the second person: they confirm it from a sign-in of their own")
        case acts.Disposed() if needs_two(alert.finding):
            raise Refused("a critical alert is closed by two: one proposes it, another confirms")


def _permit_shelf(alert: Alert, act: acts.Shelved, at: dt.datetime) -> None:
    critical = alert.finding.severity == "critical"
    longest = LONGEST_CRITICAL_SHELF if critical else LONGEST_SHELF
    if not at < act.until <= at + longest:
        why = ", the length of a shift, as it is critical" if critical else ""
        raise Refused(
            f"the end of shelving lies within the next {longest.total_seconds() / 3600:g} hours{why}"
        )


def _permit_undo(alert: Alert, actor: str, at: dt.datetime) -> None:
    if alert.before is None:
        raise Refused("there is nothing to undo")
    if alert.last_actor != actor:
        raise Refused(f"only {alert.last_actor} may undo that")
    if at - alert.last_at > UNDO_WITHIN:
        raise Refused(f"that is more than {UNDO_WITHIN.total_seconds():g} s ago")


def permit_on_dispute(
    disputes: Mapping[str, Dispute], act: dispute_acts.OnDispute, actor: str, at: dt.datetime
) -> dispute_acts.OnDispute:
    """The act, if it may be written now.

    Raises:
        Unknown, Conflict, Refused: it may not, and why.
    """
    dispute = disputes.get(act.dispute)
    if dispute is None:
        raise UnknownToDesk(f"no dispute {act.dispute}")
    if isinstance(act, dispute_acts.DisputePrinted):
        if act.version > dispute.version:
            raise Refused("there is no such version of it")
        return act
    if dispute.version != act.version:
        raise ActConflict(dispute, at)
    if why := why_not_second(dispute, act, actor):
        raise Refused(why)
    match act:
        case dispute_acts.DisputeReopened():
            _permit_reopening(dispute)
        case dispute_acts.DisputeReviewed() | dispute_acts.DisputeDecided():
            _permit_change(dispute, act)
        case dispute_acts.DisputeLinked() if act.value in (
            dispute.alerts if act.kind == "alert" else dispute.cases
        ):
            raise Refused(f"the {act.kind} belongs to it already")
    return act


def _permit_reopening(dispute: Dispute) -> None:
    if dispute.open:
        raise Refused("it is open")
    if dispute.reopening is not None:
        raise Refused(OPENING_WAITS)
    if dispute.decided_by_two:
        raise Refused("two have decided it: one proposes to open it again, another confirms")


def _permit_change(dispute: Dispute, act: dispute_acts.DisputeReviewed | dispute_acts.DisputeDecided) -> None:
    if dispute.status == "awaiting a second":
        raise Refused("its decision waits for a second person, who confirms or declines it")
    if not dispute.open:
        raise Refused("it is decided; open it again first")
    if isinstance(act, dispute_acts.DisputeReviewed):
        begun, ended = act.review.begun_at, act.review.ended_at
        if begun is not None and ended is not None and ended < begun:
            raise Refused("a review ends after it begins")
    elif act.ruling in ("for the house", "withdrawn") and act.amount_cents > 0:
        raise Refused(f"a dispute decided {act.ruling} pays the patron nothing")


def due(state: DeskState, at: dt.datetime) -> tuple[acts.Returned, ...]:
    """What brings back the alerts whose time on the shelf is over, the earliest first."""
    over = [
        (alert.shelved_until, alert.id, alert.version)
        for alert in map(state.alerts.__getitem__, state.shelf)
        if alert.shelved_until is not None and alert.shelved_until <= at
    ]
    return tuple(acts.Returned(alert=alert, version=version) for _, alert, version in sorted(over))
