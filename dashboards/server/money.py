"""Money as the pages show it."""

from __future__ import annotations

from dashboards.desk.index import Exposure
from dashboards.money import figures


def dollars(cents: int | None) -> str:
    """Cents as people read them: 1,600.00, a minus sign where it is negative, a dash where it is not known."""
    if cents is None:
        return "–"
    return f"{'−' if cents < 0 else ''}{figures(cents)}"


def exposed(exposure: Exposure) -> str:
    """What is owed, and what was paid too much: `45.00`, `−12.00`, `45.00 / −12.00`; empty where there is neither."""
    parts = (exposure.owed, -exposure.overpaid)
    return " / ".join(dollars(cents) for cents in parts if cents)
