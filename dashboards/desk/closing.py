"""Closing an alert by two: one person proposes it, another confirms or declines it; until then the alert is open."""

from __future__ import annotations

import datetime as dt

from dashboards.desk.alerts import Alert, Proposal, Refusal
from dashboards.ledger import acts
from dashboards.wording.copying import copied
from schemas.findings import Finding

SAME_PERSON = "the second person is someone else"
WAITS = "its closing waits for a second person, who confirms or declines it"
NOTHING_WAITS = "no closing of it waits for a second person"


def needs_two(finding: Finding) -> bool:
    """Whether the alert of a finding is closed by two people."""
    return finding.severity == "critical"


def why_not(alert: Alert, act: acts.OfClosing, actor: str) -> str | None:
    """Why this person cannot do this to the closing of an alert as it stands; None if they can."""
    if isinstance(act, acts.ClosingProposed):
        if alert.proposal is not None:
            return WAITS
        return None if needs_two(alert.finding) else "one person closes it: no second one has to confirm"
    if alert.proposal is None:
        return NOTHING_WAITS
    if isinstance(act, acts.ClosingWithdrawn):
        by = alert.proposal.by
        return None if by == actor else f"only {by} may withdraw it; whoever does not agree declines it"
    return SAME_PERSON if alert.proposal.by == actor else None


def after_closing(
    alert: Alert, act: acts.OfClosing | acts.Disposed, record: acts.DeskRecord
) -> dict[str, object]:
    """The fields of an alert that an act upon its closing changes; `why_not` has nothing against it."""
    if isinstance(act, acts.Disposed):
        return _closed(act, record.actor, record.time) | {"second_auditor": act.second_auditor}
    if isinstance(act, acts.ClosingProposed):
        return _OFF_SHELF | {"status": "awaiting", "proposal": _proposal(alert, act, record), "refusal": None}
    waits = alert.proposal
    if waits is None:
        return {}
    if isinstance(act, acts.ClosingConfirmed):
        return _closed(waits, waits.by, record.time) | {
            "second_auditor": record.actor,
            "confirmed_at": record.time,
        }
    if isinstance(act, acts.ClosingDeclined):
        return _as_before(waits) | {"refusal": Refusal(by=record.actor, at=record.time, reason=act.reason)}
    return _as_before(waits)


_OFF_SHELF: dict[str, object] = {"shelved_until": None, "shelved_for": None}


def _proposal(alert: Alert, act: acts.ClosingProposed, record: acts.DeskRecord) -> Proposal:
    said = {"disposition": act.disposition, "note": act.note, "money_cents": act.money_cents}
    return copied(Proposal, alert, by=record.actor, at=record.time, **said)


def _closed(told: acts.Disposed | Proposal, by: str, at: dt.datetime) -> dict[str, object]:
    return _OFF_SHELF | {
        "status": "disposed",
        "disposition": told.disposition,
        "note": told.note,
        "money_cents": told.money_cents,
        "closed_by": by,
        "closed_at": at,
        "proposal": None,
        "refusal": None,
    }


def _as_before(waits: Proposal) -> dict[str, object]:
    return {
        "status": waits.status,
        "shelved_until": waits.shelved_until,
        "shelved_for": waits.shelved_for,
        "proposal": None,
    }
