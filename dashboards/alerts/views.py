"""An alert as one user may see it: without the fields that are hidden from the role."""

from __future__ import annotations

import datetime as dt
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from dashboards.accounts.roles import Role
from dashboards.desk.alerts import Alert, Proposal, Refusal
from dashboards.desk.decisions import UNDO_WITHIN
from dashboards.desk.queue import Largest, proven
from dashboards.wording.copying import copied
from dashboards.wording.money import dollars
from dashboards.wording.titles import bare_doubt, title_of, unseen
from schemas.check_names import current
from schemas.findings import Finding


class AlertView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An alert on its way to a browser; what is empty, or hidden from the role, is left out.

    Money is in cents, patron's view: + the house owes. `missing` is what was not seen to prove it. `undo_until` is
    there as long as the last act may be undone.
    """

    id: str
    version: int
    status: str
    severity: str
    verdict: str
    check: str
    cites: tuple[str, ...]
    table: str
    sequence: int
    message: str
    money_cents: int
    decided_at: dt.datetime
    raised_at: dt.datetime
    last_act: str
    last_actor: str
    last_at: dt.datetime
    round: int | None = None
    seat: int | None = None
    hand: str | None = None
    dealer: str | None = None
    expected: Any = None
    observed: Any = None
    about: dict[str, str | int] | None = None
    because_of: str | None = None
    missing: tuple[str, ...] = ()
    owner: str | None = None
    acknowledged_by: str | None = None
    shelved_until: dt.datetime | None = None
    shelved_for: str | None = None
    disposition: str | None = None
    note: str | None = None
    closed_by: str | None = None
    second_auditor: str | None = None
    confirmed_at: dt.datetime | None = None
    proposal: Proposal | None = None
    refusal: Refusal | None = None
    settled_cents: int | None = None
    cases: tuple[str, ...] = ()
    undo_until: dt.datetime | None = None


class AlertRow(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An alert as a line of a list: as little as that needs, for there are thousands; what is empty is left out.

    `owed` is in dollars as people read them, patron's view: + the house owes; `cents` is the same money, by which a
    script finds the largest of several without reading figures. `by` did the last act, at `at`;
    `proposed_by` wants it closed, which waits for a second person. `unproven` is anything but a breach.
    """

    id: str
    severity: str
    check: str
    table: str
    message: str
    raised_at: dt.datetime
    version: int = 1
    status: str = "new"
    round: int | None = None
    seat: int | None = None
    hand: str | None = None
    dealer: str | None = None
    owed: str = ""
    cents: int = 0
    unproven: bool = False
    owner: str | None = None
    proposed_by: str = ""
    act: str = ""
    by: str = ""
    at: dt.datetime | None = None
    until: dt.datetime | None = None


_NOTHING: dict[str, Any] = {
    field.name: field.default
    for field in msgspec.structs.fields(AlertView)
    if field.default is not msgspec.NODEFAULT
}


def money_of(largest: Largest, alerts: int) -> str:
    """The largest money of so many alerts: `45.00`, or `up to 45.00 / −12.00` of several; empty where there is none.

    The script of the alerts writes the same of the alerts that its line holds.
    """
    parts = " / ".join(dollars(cents) for cents in (largest.owed, -largest.overpaid) if cents)
    return f"up to {parts}" if parts and alerts > 1 else parts


def without_cards(finding: Finding) -> str:
    """A finding for who sees no cards: its check, its clauses and its money; its own words name hands and totals."""
    owed = finding.money_cents
    money = "no money"
    if owed:
        money = f"{dollars(abs(owed))} {'owed to the patron' if owed > 0 else 'paid too much'}"
    cites = f" ({', '.join(finding.cites)})" if finding.cites else ""
    return f"{current(finding.check)}{cites}: {', '.join(filter(None, (money, bare_doubt(finding))))}"


def row(alert: Alert, role: Role) -> AlertRow:
    """The alert as a line of a list, without what is hidden from the role."""
    shown = view(alert, role)
    cents, acted = alert.finding.money_cents, alert.version > 1
    return copied(
        AlertRow,
        shown,
        hand=None if shown.hand == str(shown.seat) else shown.hand,
        owed=dollars(cents) if cents else "",
        cents=cents,
        unproven=not proven(alert),
        proposed_by=alert.proposal.by if alert.proposal is not None else "",
        act=alert.last_act if acted else "",
        by=alert.last_actor if acted else "",
        at=alert.last_at if acted else None,
        until=alert.shelved_until,
    )


def view(alert: Alert, role: Role) -> AlertView:
    """The alert without the fields that are hidden from the role."""
    finding = alert.finding
    whole = copied(
        AlertView,
        alert,
        severity=finding.severity,
        verdict=finding.verdict,
        check=current(finding.check),
        cites=finding.cites,
        table=finding.subject,
        sequence=finding.sequence,
        message=title_of(finding) if role.sees_cards else without_cards(finding),
        money_cents=finding.money_cents,
        round=finding.round,
        seat=None if finding.seat is UNSET else finding.seat,
        hand=None if finding.hand is UNSET else finding.hand,
        expected=finding.expected,
        observed=finding.observed,
        about=None if finding.about is UNSET else finding.about,
        because_of=None if finding.because_of is UNSET else finding.because_of,
        missing=unseen(finding),
        settled_cents=alert.money_cents,
        undo_until=None if alert.before is None else alert.last_at + UNDO_WITHIN,
    )
    return msgspec.structs.replace(whole, **{name: _NOTHING[name] for name in role.hidden})
