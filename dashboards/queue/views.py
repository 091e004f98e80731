"""An alert as one user may see it: without the fields that are hidden from the role."""

from __future__ import annotations

import datetime as dt
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from dashboards.accounts.roles import Role
from dashboards.desk.alerts import Alert, Proposal, Refusal
from dashboards.desk.decisions import UNDO_WITHIN
from dashboards.desk.index import key_of
from dashboards.desk.queue import Largest, proven
from dashboards.ledger.acts import RisenFrom
from dashboards.wording.copying import copied
from dashboards.wording.money import owed
from dashboards.wording.short_titles.title import short_title
from dashboards.wording.titles import bare_doubt, title_of, unseen
from schemas.check_names import current
from schemas.findings import Finding
from schemas.integrity import INTEGRITY
from schemas.provisions import PROVISIONS


class AlertView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An alert on its way to a browser; what is empty, or hidden from the role, is left out.

    `title` is one short line, `message` the whole sentence. Money is in cents, patron's view: + the house owes.
    `missing` is what was not seen to prove it. `undo_until` is there as long as the last act may be undone. `said_now`
    is there where the record, read anew, gives the finding otherwise: in these words, or not at all. `again` says
    what a suspicion rose from that people had cleared.
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
    title: str
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
    beyond_cents: int | None = None
    cases: tuple[str, ...] = ()
    undo_until: dt.datetime | None = None
    again: RisenFrom | None = None
    said_now: tuple[str, ...] | None = None


class AlertRow(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An alert as a line of a list: as little as that needs, for there are thousands; what is empty is left out.

    `title` is its message in one short line, left out where it would be the same. `owed` is its money in words,
    `owed to patron $400.00`; `cents` is the same (patron's view: + the house owes), by which a script finds the largest
    of several. `group` is the same for alerts that are one thing; `event_at` is when the deciding event was; `player`
    is a patron whom the finding names. `by` did the last act, at `at`. `proposed_by` wants it closed, or where it
    `reopens` open again, and a second person has to agree. `closed_by` closed it, and `confirmed_by` was that second
    person, where there had to be one; `declined` says who declined the last proposal, and why. `unproven` is anything
    but a breach.
    """

    id: str
    severity: str
    check: str
    table: str
    message: str
    raised_at: dt.datetime
    event_at: dt.datetime
    group: str
    title: str | None = None
    version: int = 1
    status: str = "new"
    round: int | None = None
    seat: int | None = None
    hand: str | None = None
    dealer: str | None = None
    player: str | None = None
    owed: str = ""
    cents: int = 0
    cites: tuple[str, ...] = ()
    unproven: bool = False
    owner: str | None = None
    proposed_by: str = ""
    reopens: bool = False
    closed_by: str | None = None
    confirmed_by: str | None = None
    declined: str | None = None
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
    """The largest money of so many alerts, empty where there is none.

    `owed to patron $45.00`; of several `owed to patron up to $45.00, overpaid up to $12.00`.

    The script of the alerts writes the same of the alerts that its line holds.
    """
    parts = ", ".join(owed(cents) for cents in (largest.owed, -largest.overpaid) if cents)
    return parts.replace("$", "up to $") if alerts > 1 else parts


def without_cards(finding: Finding) -> str:
    """A finding for who sees no cards: the duty, its clauses and its money; its own words name hands and totals."""
    money = owed(finding.money_cents) or "no money"
    cites = f" ({', '.join(finding.cites)})" if finding.cites else ""
    return f"{duty_of(finding)}{cites}: {', '.join(filter(None, (money, bare_doubt(finding))))}"


def titled(finding: Finding, role: Role) -> str:
    """A finding in one line for a role: who sees no cards reads the duty, since a title names hands and totals."""
    return short_title(finding) if role.sees_cards else without_cards(finding)


def duty_of(finding: Finding) -> str:
    """What the rule asks, in our own words and without the names of checks: the first duty that is cited."""
    for cited in finding.cites:
        if cited in INTEGRITY:
            return INTEGRITY[cited].rstrip(".")
        whole = next((name for name in PROVISIONS if name == cited or name.startswith(f"{cited}#")), None)
        if whole is not None:
            return PROVISIONS[whole].duty.rstrip(".")
    words = current(finding.check).replace(".", " ").replace("_", " ")
    return words[:1].upper() + words[1:]


def row(alert: Alert, role: Role) -> AlertRow:
    """The alert as a line of a list, without what is hidden from the role."""
    shown = view(alert, role)
    cents, acted = alert.finding.money_cents, alert.version > 1
    return copied(
        AlertRow,
        shown,
        title=None if shown.title == shown.message else shown.title,
        hand=None if shown.hand == str(shown.seat) else shown.hand,
        player=_player(shown) if role.sees_cards else None,
        owed=owed(cents),
        group=key_of(alert),
        event_at=alert.decided_at,
        cents=cents,
        unproven=not proven(alert),
        proposed_by=shown.proposal.by if shown.proposal is not None else "",
        reopens=shown.proposal is not None and shown.proposal.reopens,
        confirmed_by=shown.second_auditor if shown.confirmed_at is not None else None,
        declined=None if shown.refusal is None else f"{shown.refusal.by}: {shown.refusal.reason}",
        act=alert.last_act if acted else "",
        by=alert.last_actor if acted else "",
        at=alert.last_at if acted else None,
        until=alert.shelved_until,
    )


def _player(shown: AlertView) -> str | None:
    named = (shown.about or {}).get("player")
    return None if named is None else str(named)


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
        title=titled(finding, role) if alert.again is None else f"Again: {titled(finding, role)}",
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
