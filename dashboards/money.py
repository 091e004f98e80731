"""Money in figures: one form for the pages, the reports and the terminal."""

from __future__ import annotations


def figures(cents: int, currency: str = "") -> str:
    """`1,234.50`, whatever its sign, behind the currency's mark where one is given."""
    whole, rest = divmod(abs(cents), 100)
    return f"{currency}{whole:,}.{rest:02d}"
