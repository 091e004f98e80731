"""Closing an alert by two: one person proposes it, another confirms or declines it; until then the alert is open.

What two have closed, two open again in the same way; until the second confirms, what the first two said of it stands.
"""

from __future__ import annotations

import datetime as dt

from msgspec import UNSET

from dashboards.desk.alerts import Alert, Proposal, Refusal
from dashboards.ledger import acts
from dashboards.wording.copying import copied
from schemas.findings import Finding

SAME_PERSON = "the second person is someone else"
_PEOPLE = frozenset({"dealer", "player"})

_Proposing = acts.ClosingProposed | acts.ReopeningProposed
_Withdrawing = acts.ClosingWithdrawn | acts.ReopeningWithdrawn


def needs_two(finding: Finding) -> bool:
    """Whether the alert of a finding is closed by two people."""
    return finding.severity == "critical"


def closed_by_two(alert: Alert) -> bool:
    """Whether a second person has confirmed that it is closed as it is."""
    return not alert.open and alert.confirmed_at is not None


def is_cleared(alert: Alert) -> bool:
    """Whether a suspicion is closed as innocent: as no error, or about a person as a fault of a sensor."""
    finding = alert.finding
    if alert.open or finding.verdict != "suspected" or not finding.check.startswith("pattern."):
        return False
    about = finding.about if isinstance(finding.about, dict) else {}
    of_person = not _PEOPLE.isdisjoint(about)
    return alert.disposition == "no error" or (alert.disposition == "sensor fault" and of_person)


def waits(alert: Alert) -> str:
    """Why nothing else can be done to an alert while a second person is to say something."""
    what = "its opening" if alert.proposal is not None and alert.proposal.reopens else "its closing"
    return f"{what} waits for a second person, who confirms or declines it"


def why_not(alert: Alert, act: acts.OfTwo, actor: str) -> str | None:
    """Why this person cannot do this to the closing of an alert, or to its opening, as it stands; None if they can."""
    waiting, reopens = alert.proposal, isinstance(act, acts.OfReopening)
    if isinstance(act, _Proposing):
        if waiting is not None:
            return waits(alert)
        if reopens:
            return None if closed_by_two(alert) else _not_by_two(alert)
        return None if needs_two(alert.finding) else "one person closes it: no second one has to confirm"
    if waiting is None or waiting.reopens != reopens:
        return f"no {'opening' if reopens else 'closing'} of it waits for a second person"
    if isinstance(act, _Withdrawing):
        return (
            None
            if waiting.by == actor
            else f"only {waiting.by} may withdraw it; whoever does not agree declines it"
        )
    return SAME_PERSON if waiting.by == actor else None


def _not_by_two(alert: Alert) -> str:
    return (
        "it is open" if alert.open else "one person has closed it: no second one has to confirm that it opens"
    )


def after_closing(
    alert: Alert, act: acts.OfTwo | acts.Disposed, record: acts.DeskRecord
) -> dict[str, object]:
    """The fields of an alert that an act upon its closing or opening changes; `why_not` has nothing against it."""
    if isinstance(act, acts.Disposed):
        return _closed(act, record.actor, record.time) | {"second_auditor": act.second_auditor}
    if isinstance(act, _Proposing):
        return _OFF_SHELF | {"status": "awaiting", "proposal": _proposal(alert, act, record), "refusal": None}
    waiting = alert.proposal
    if waiting is None:
        return {}
    match act:
        case acts.ClosingConfirmed():
            second: dict[str, object] = {"second_auditor": record.actor, "confirmed_at": record.time}
            beyond = waiting.beyond_cents if act.beyond_cents is UNSET else act.beyond_cents or None
            return _closed(waiting, waiting.by, record.time) | second | {"beyond_cents": beyond}
        case acts.ReopeningConfirmed():
            return opened_again(alert, waiting.note)
        case acts.ClosingDeclined() | acts.ReopeningDeclined():
            refusal = Refusal(by=record.actor, at=record.time, reason=act.reason, reopens=waiting.reopens)
            return _as_before(waiting) | {"refusal": refusal}
        case _:
            return _as_before(waiting)


def opened_again(alert: Alert, reason: str) -> dict[str, object]:
    """The fields of a closed alert that is open again: what it was closed as is in its history."""
    nothing: dict[str, object] = dict.fromkeys(_OF_CLOSED)
    status = "acknowledged" if alert.acknowledged_by else "new"
    return nothing | _OFF_SHELF | {"status": status, "note": reason}


_OFF_SHELF: dict[str, object] = {"shelved_until": None, "shelved_for": None}
_OF_CLOSED = (
    "disposition", "closed_by", "closed_at", "second_auditor", "confirmed_at", "money_cents", "beyond_cents",
    "proposal", "refusal",
)  # fmt: skip


def _proposal(alert: Alert, act: _Proposing, record: acts.DeskRecord) -> Proposal:
    if isinstance(act, acts.ReopeningProposed):
        said: dict[str, object] = {
            "note": act.reason,
            "reopens": True,
            "money_cents": None,
            "beyond_cents": None,
            "disposition": "",
        }
    else:
        said = {"disposition": act.disposition, "note": act.note, "money_cents": act.money_cents}
        said |= {"beyond_cents": act.beyond_cents or None}
    return copied(Proposal, alert, by=record.actor, at=record.time, **said)


def _closed(told: acts.Disposed | Proposal, by: str, at: dt.datetime) -> dict[str, object]:
    return _OFF_SHELF | {
        "status": "disposed",
        "disposition": told.disposition,
        "note": told.note,
        "money_cents": told.money_cents,
        "beyond_cents": told.beyond_cents or None,
        "closed_by": by,
        "closed_at": at,
        "proposal": None,
        "refusal": None,
    }


def _as_before(waiting: Proposal) -> dict[str, object]:
    return {
        "status": waiting.status,
        "shelved_until": waiting.shelved_until,
        "shelved_for": waiting.shelved_for,
        "proposal": None,
    }
