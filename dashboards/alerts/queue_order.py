"""The order of the lines of alerts, as each person chose it, and the page's one clock.

The script of the page orders alike (static/js/order.js).
"""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from dashboards.accounts.preferences import CHOICES
from dashboards.queue.views import AlertRow
from dashboards.web.console import Console

ORDERS: Final[tuple[str, ...]] = CHOICES["queue_order"]
# Column -> the order after the first press of its heading, and the order after the second.
COLUMNS: Final[dict[str, tuple[str, str]]] = {
    "severity": ("severity", "severity"),
    "event": ("newest", "oldest"),
    "age": ("oldest", "newest"),
    "table": ("table", "table"),
    "dealer": ("dealer", "dealer"),
    "owed": ("money", "money"),
}
# Order -> what it puts first, in words.
SORTS: Final[dict[str, str]] = {
    "severity": "the gravest first, then the one that waits longest",
    "newest": "the newest event first",
    "oldest": "the oldest event that waits first",
    "money": "the largest money first, owed or overpaid; of a line the largest of its alerts",
    "table": "by table",
    "dealer": "by dealer",
}
_log = logging.getLogger("catwalk.console")


class Sorted(NamedTuple):
    """What of a line its place follows from: its lead, the ids of its alerts among all `rows`, its largest money."""

    lead: AlertRow
    alerts: Sequence[str]
    rows: Mapping[str, AlertRow]
    cents: int


def sort_key(order: str) -> Callable[[Sorted], tuple[float, str]]:
    """The key by which lines that stand gravest first are sorted anew."""
    match order:
        case "newest":
            return lambda line: (-line.lead.event_at.timestamp(), "")
        case "oldest":
            return lambda line: (waits_since([line.rows[one] for one in line.alerts]).timestamp(), "")
        case "money":
            return lambda line: (-float(line.cents), "")
        case "table":
            return lambda line: (0.0, line.lead.table)
        case "dealer":
            return lambda line: (0.0, line.lead.dealer or "\uffff")  # whoever is not known comes last
    return lambda _line: (0.0, "")


def waits_since(rows: Sequence[AlertRow]) -> dt.datetime:
    """The earliest event of the alerts of which a line speaks: the new ones; else those still open; else all."""
    fresh = [one for one in rows if one.status == "new"]
    spoken = fresh or [one for one in rows if one.status != "disposed"] or rows
    return min(one.event_at for one in spoken)


def sorted_by(column: str, order: str) -> str:
    """What `aria-sort` says of a column; empty where the lines are not in its order."""
    if order not in COLUMNS[column]:
        return ""
    rising = {"newest": column == "age", "oldest": column == "event"}
    return "ascending" if rising.get(order, order in ("table", "dealer")) else "descending"


def zone_of(console: Console, tables: Iterable[str]) -> str:
    """The time zone of the page's one clock: the property's, by the first of its tables that tells it; else UTC."""
    try:
        return next(
            (zone for zone in map(console.states.zone, list(dict.fromkeys(tables))[:3]) if zone), "UTC"
        )
    except Exception as error:  # whatever the store raises: the page stands without it
        _log.info("the zone of the alerts is not known: %s", error)
        return "UTC"
