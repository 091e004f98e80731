"""The queue as people read it: open alerts grouped by check, table and dealer, the gravest and oldest first."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from msgspec import Struct

from dashboards.desk.alerts import Alert
from dashboards.desk.index import Exposure
from schemas.findings import Severity

RANK: dict[Severity, int] = {"critical": 0, "major": 1, "minor": 2, "info": 3}
_LAST = dt.datetime.max.replace(tzinfo=dt.UTC)


class Group(Struct, frozen=True, kw_only=True):
    """Alerts of one check at one table under one dealer; `oldest` is that of its oldest unacknowledged one.

    `alerts` are ids, the gravest first, then the oldest; `exposure` their money.
    """

    check: str
    table: str
    dealer: str | None
    severity: Severity
    oldest: dt.datetime | None
    unacknowledged: int
    exposure: Exposure
    alerts: tuple[str, ...]


def grouped(alerts: Iterable[Alert]) -> tuple[Group, ...]:
    """Groups of alerts by severity, then age of the oldest unacknowledged one; those all acknowledged come last."""
    held: dict[tuple[str, str, str | None], list[Alert]] = {}
    for alert in alerts:
        held.setdefault((alert.finding.check, alert.finding.subject, alert.dealer), []).append(alert)
    return tuple(sorted((_group(*key, members) for key, members in held.items()), key=_order))


def _group(check: str, table: str, dealer: str | None, members: list[Alert]) -> Group:
    members = sorted(members, key=lambda alert: (RANK[alert.finding.severity], alert.raised_at, alert.id))
    exposure = Exposure()
    for alert in members:
        exposure = exposure.with_(alert.finding.money_cents)
    new = [alert.raised_at for alert in members if alert.status == "new"]
    return Group(
        check=check,
        table=table,
        dealer=dealer,
        severity=members[0].finding.severity,
        oldest=min(new, default=None),
        unacknowledged=len(new),
        exposure=exposure,
        alerts=tuple(alert.id for alert in members),
    )


def _order(group: Group) -> tuple[bool, int, dt.datetime, str, str, str]:
    unread = group.oldest is None
    return unread, RANK[group.severity], group.oldest or _LAST, group.table, group.check, group.dealer or ""
