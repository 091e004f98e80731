"""Money as the pages show it."""

from __future__ import annotations

from dashboards.desk.queue import Largest
from dashboards.money import figures


def dollars(cents: int | None) -> str:
    """Cents as people read them: 1,600.00, a minus sign where it is negative, a dash where it is not known."""
    if cents is None:
        return "–"
    return f"{'−' if cents < 0 else ''}{figures(cents)}"


def money_of(largest: Largest, alerts: int) -> str:
    """The largest money of so many alerts: `45.00`, or `up to 45.00 / −12.00` of several; empty where there is none.

    The script of the alerts writes the same of the alerts that its line holds.
    """
    parts = " / ".join(dollars(cents) for cents in (largest.owed, -largest.overpaid) if cents)
    return f"up to {parts}" if parts and alerts > 1 else parts
