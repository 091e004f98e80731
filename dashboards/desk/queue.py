"""The queue as people read it: open alerts, those that are one thing in a group, the gravest and oldest first.

A group speaks of the alerts that nobody has acknowledged yet; where there is none, of all it holds.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from msgspec import Struct

from dashboards.desk.alerts import Alert
from dashboards.desk.index import Key
from schemas.check_names import current
from schemas.findings import Severity

RANK: dict[Severity, int] = {"critical": 0, "major": 1, "minor": 2, "info": 3}
_LAST = dt.datetime.max.replace(tzinfo=dt.UTC)


class Largest(NamedTuple):
    """The largest money of several alerts, in cents, 0 for none: owed to a patron, and paid too much by the house."""

    owed: int = 0
    overpaid: int = 0


class AlertGroup(Struct, frozen=True, kw_only=True):
    """Alerts that are one thing: of one check in one round, or suspicions of one check against the same people.

    `check`, `table` and `dealer` are those of `lead`.

    `lead` is the id of the newest unacknowledged alert, which lends a line title and time; `severity` is the gravest
    of the unacknowledged ones. Where all are acknowledged, both are those of all. `oldest` is the earliest event of the
    unacknowledged ones. `largest` is over all members. `alerts` are ids, the gravest first, then the oldest.
    """

    check: str
    table: str
    dealer: str | None
    severity: Severity
    lead: str
    oldest: dt.datetime | None
    unacknowledged: int
    largest: Largest
    alerts: tuple[str, ...]


class HeldGroup(NamedTuple):
    """A group, the alerts of which it was made, and what orders it among others: no two are equal in that."""

    members: list[Alert]
    group: AlertGroup
    order: tuple[bool, int, dt.datetime, Key]


def grouped(
    alerts: Iterable[tuple[Key, Alert]], known: Mapping[Key, HeldGroup] = MappingProxyType({})
) -> dict[Key, HeldGroup]:
    """Groups of alerts by severity, then age of the oldest unacknowledged one; those all acknowledged come last.

    Each alert is given with its key. Of the groups that are `known`, those whose members are the same are not made
    anew: an alert that changes is another object. The answer does not depend on what is known.
    """
    members: dict[Key, list[Alert]] = {}
    for key, alert in alerts:
        members.setdefault(key, []).append(alert)
    # The known ones in their order first: nearly all stand as they are to stand, which costs a sort the least.
    keys = [*filter(members.__contains__, known), *(key for key in members if key not in known)]
    found = [_held(key, members[key], known.get(key)) for key in keys]
    return {one.order[-1]: one for one in sorted(found, key=_order)}


def proven(alert: Alert) -> bool:
    """Whether the finding stands as it is: of alerts of one moment such a one speaks for a line."""
    return alert.finding.verdict == "breached"


def largest_of(alerts: Iterable[Alert]) -> Largest:
    """The largest money that is owed, and the largest that was paid too much: neither hides the other."""
    cents = [alert.finding.money_cents for alert in alerts]
    return Largest(max([0, *cents]), max([0, *(-one for one in cents)]))


def _held(key: Key, members: list[Alert], known: HeldGroup | None) -> HeldGroup:
    if known is not None and known.members == members:
        return known
    group = _group(members)
    order = group.oldest is None, RANK[group.severity], group.oldest or _LAST, key
    return HeldGroup(members, group, order)


def _group(members: Sequence[Alert]) -> AlertGroup:
    if len(members) > 1:  # most stand alone, and there are thousands
        members = sorted(members, key=_graver)
    new = [alert for alert in members if alert.status == "new"]
    spoken = new or members
    lead = max(spoken, key=_newer) if len(spoken) > 1 else spoken[0]
    return AlertGroup(
        check=current(lead.finding.check),
        table=lead.finding.subject,
        dealer=lead.dealer,
        severity=spoken[0].finding.severity,
        lead=lead.id,
        oldest=min((alert.arose_at for alert in new), default=None),
        unacknowledged=len(new),
        largest=largest_of(members),
        alerts=tuple(alert.id for alert in members),
    )


def _graver(alert: Alert) -> tuple[int, dt.datetime, dt.datetime, str]:
    return RANK[alert.finding.severity], alert.arose_at, alert.raised_at, alert.id


def _newer(alert: Alert) -> tuple[dt.datetime, bool, str]:
    return alert.raised_at, proven(alert), alert.id


def _order(held: HeldGroup) -> tuple[bool, int, dt.datetime, Key]:
    return held.order
