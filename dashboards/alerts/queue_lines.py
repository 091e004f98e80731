"""The lines of the list of alerts: what their cells say before any script runs (static/js/rows.js writes alike)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

from dashboards.alerts.queue_order import Sorted, sort_key, waits_since
from dashboards.desk.queue import AlertGroup, Largest
from dashboards.queue.open_queue import OpenQueue
from dashboards.queue.views import AlertRow
from dashboards.wording.money import figures
from dashboards.wording.times import age, zone_called

T = TypeVar("T")


class QueueLine(Struct, frozen=True, kw_only=True):
    """One line of the list: alerts that are one thing; words, time and place are those of `lead`.

    `others` are the rest of its alerts. `age` is how long ago the event of the longest waiting one was; `money` is the
    largest of all of them.
    """

    lead: AlertRow
    others: tuple[AlertRow, ...]
    severity: str
    age: str
    money: str
    status: str
    tag: str

    @property
    def title(self) -> str:
        """What happened, of the alert that the line speaks of."""
        return said(self.lead)


def said(row: AlertRow) -> str:
    """What happened, in the fewest words that the alert has."""
    return row.title or row.message


def in_order(alerts: Iterable[AlertRow], queue: OpenQueue, order: str) -> list[AlertGroup]:
    """Groups of these alerts of a queue in an order."""
    groups, rows = queue.regrouped(alerts), queue.rows
    if order == "severity":
        return groups  # as they stand
    key = sort_key(order)
    return sorted(
        groups,
        key=lambda group: key(Sorted(rows[group.lead], group.alerts, rows, max(group.largest))),
    )


def line_of(group: AlertGroup, rows: Mapping[str, AlertRow], now: dt.datetime, zone: str) -> QueueLine:
    """The line of a group as it stands now, its times in the zone of this name."""
    lead, members = rows[group.lead], [rows[one] for one in group.alerts]
    return QueueLine(
        lead=lead,
        others=tuple(one for one in members if one.id != group.lead),
        severity=group.severity,
        age=age(now, waits_since(members)),
        money=money_in_line(group.largest, len(members)),
        status=status_of(lead, members, clock_by(zone, now)),
        tag=tag_of(lead, members),
    )


def money_in_line(largest: Largest, alerts: int) -> str:
    """The largest money of so many alerts as a cell has room for it.

    `owed 45.00`; of several `owed up to 45.00, overpaid up to 12.00`; a dash where there is none.
    """
    most = " up to" if alerts > 1 else ""
    parts = (("owed", largest.owed), ("overpaid", largest.overpaid))
    return ", ".join(f"{side}{most} {figures(cents)}" for side, cents in parts if cents) or "–"


def status_of(lead: AlertRow, rows: Sequence[AlertRow], written: Callable[[dt.datetime], str]) -> str:
    """State of the alerts of a line in a few words."""
    awaiting = sum(one.status == "awaiting" for one in rows)
    if awaiting and lead.status != "new":
        if awaiting < len(rows):
            return f"{awaiting} of {len(rows)} wait for second"
        proposer = _the_only(one.proposed_by for one in rows)
        wants = "would reopen" if all(one.reopens for one in rows) else "proposes"
        return f"Waits for second; {proposer} {wants}" if proposer else "Waits for second"
    word = {"new": "New", "acknowledged": "Ack", "shelved": "Shelved", "disposed": "Closed"}[lead.status]
    alike = sum(one.status == lead.status for one in rows)
    if alike < len(rows):
        return f"{alike} of {len(rows)} {word.lower()}"
    if lead.status == "disposed":
        closers = [_the_only(one.closed_by for one in rows), _the_only(one.confirmed_by for one in rows)]
        return f"{word} by {', '.join(filter(None, closers))}" if closers[0] else word
    until = _the_only(one.until for one in rows) if lead.status == "shelved" else None
    if until is not None:
        return f"{word} to {written(until)}"
    whose = _the_only(one.owner for one in rows)
    return f"{word} {whose}" if whose else word


def _the_only(values: Iterable[T | None]) -> T | None:
    """The value that all have; None where they differ."""
    found = set(values)
    return next(iter(found)) if len(found) == 1 else None


def tag_of(lead: AlertRow, rows: Sequence[AlertRow]) -> str:
    """The class that dresses the state: what is new, and what waits for a second person, stands out."""
    if lead.status == "new":
        return "tag fresh"
    return "tag wait" if any(one.status == "awaiting" for one in rows) else ""


def clock_by(zone_name: str, now: dt.datetime) -> Callable[[dt.datetime], str]:
    """Writes a moment of a line: `21:14:03`; of another day `20 Nov 21:14`, of another year `20 Nov 2025`."""
    zone = zone_called(zone_name)
    today = now.astimezone(zone)

    def written(at: dt.datetime) -> str:
        here = at.astimezone(zone)
        if here.date() == today.date():
            return f"{here:%H:%M:%S}"
        return f"{here:%-d %b %H:%M}" if here.year == today.year else f"{here:%-d %b %Y}"

    return written


def on_another_day(lines: Iterable[QueueLine], zone_name: str, now: dt.datetime) -> bool:
    """Whether the event of any of these lines was on another day than today, so that its time needs a date."""
    zone = zone_called(zone_name)
    today = now.astimezone(zone).date()
    return any(one.lead.event_at.astimezone(zone).date() != today for one in lines)
