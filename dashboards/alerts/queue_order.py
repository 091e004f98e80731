"""The order of the lines of alerts, as each person chose it, and the page's one clock.

The script of the page orders alike (static/js/order.js).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Final

from dashboards.accounts.preferences import CHOICES
from dashboards.alerts.views import AlertRow
from dashboards.web.console import Console

ORDERS: Final[tuple[str, ...]] = CHOICES["queue_order"]
# Heading of a column -> the order it asks for first, and the one it asks for when that is there.
COLUMNS: Final[dict[str, tuple[str, str]]] = {
    "Severity": ("severity", "severity"),
    "Age": ("newest", "oldest"),
    "Table": ("table", "table"),
    "Dealer": ("dealer", "dealer"),
    "Money": ("money", "money"),
}
_log = logging.getLogger("catwalk.console")


def sort_key(order: str) -> Callable[[AlertRow, int], tuple[float, str]]:
    """The key by which lines that stand gravest first are sorted anew: of a line's lead, and its largest money."""
    match order:
        case "newest":
            return lambda lead, _: (-lead.raised_at.timestamp(), "")
        case "oldest":
            return lambda lead, _: (lead.raised_at.timestamp(), "")
        case "money":
            return lambda _, cents: (-float(cents), "")
        case "table":
            return lambda lead, _: (0.0, lead.table)
        case "dealer":
            return lambda lead, _: (0.0, lead.dealer or "\uffff")  # whoever is not known comes last
    return lambda _lead, _cents: (0.0, "")


def sorted_by(heading: str, order: str) -> str:
    """What `aria-sort` says of a column; empty where the lines are not in its order."""
    if order not in COLUMNS[heading]:
        return ""
    return "ascending" if order in ("newest", "table", "dealer") else "descending"


def zone_of(console: Console, tables: Iterable[str]) -> str:
    """The time zone of the page's one clock: the property's, by the first of its tables that tells it; else UTC."""
    try:
        return next(
            (zone for zone in map(console.states.zone, list(dict.fromkeys(tables))[:3]) if zone), "UTC"
        )
    except Exception as error:  # whatever the store raises: the page stands without it
        _log.info("the zone of the alerts is not known: %s", error)
        return "UTC"
