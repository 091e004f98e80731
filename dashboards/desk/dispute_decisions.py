"""Whether an act upon a dispute may be written: the version that was seen, how it stands, and who acts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from dashboards.desk.decisions import Conflict, Refused, Unknown
from dashboards.desk.disputes import Dispute, why_not_second
from dashboards.ledger import dispute_acts as acts


def permit_on_dispute(
    disputes: Mapping[str, Dispute], act: acts.OnDispute, actor: str, at: dt.datetime
) -> acts.OnDispute:
    """The act, if it may be written now.

    Raises:
        Unknown, Conflict, Refused: it may not, and why.
    """
    dispute = disputes.get(act.dispute)
    if dispute is None:
        raise Unknown(f"no dispute {act.dispute}")
    if isinstance(act, acts.DisputePrinted):
        if act.version > dispute.version:
            raise Refused("there is no such version of it")
        return act
    if dispute.version != act.version:
        raise Conflict(dispute, at)
    if why := why_not_second(dispute, act, actor):
        raise Refused(why)
    match act:
        case acts.DisputeReopened():
            if dispute.open:
                raise Refused("it is open")
        case acts.DisputeReviewed() | acts.DisputeDecided():
            _permit_change(dispute, act)
        case acts.DisputeLinked() if act.value in (dispute.alerts if act.kind == "alert" else dispute.cases):
            raise Refused(f"the {act.kind} belongs to it already")
    return act


def _permit_change(dispute: Dispute, act: acts.DisputeReviewed | acts.DisputeDecided) -> None:
    if dispute.status == "awaiting a second":
        raise Refused("its decision waits for a second person, who confirms or declines it")
    if not dispute.open:
        raise Refused("it is decided; open it again first")
    if isinstance(act, acts.DisputeReviewed):
        begun, ended = act.review.begun_at, act.review.ended_at
        if begun is not None and ended is not None and ended < begun:
            raise Refused("a review ends after it begins")
    elif act.ruling in ("for the house", "withdrawn") and act.amount_cents > 0:
        raise Refused(f"a dispute decided {act.ruling} pays the patron nothing")
