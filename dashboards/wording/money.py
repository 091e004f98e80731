"""Money in figures: one form for the pages, the reports and the terminal."""

from __future__ import annotations


def figures(cents: int, currency: str = "") -> str:
    """`1,234.50`, whatever its sign, behind the currency's mark where one is given."""
    whole, rest = divmod(abs(cents), 100)
    return f"{currency}{whole:,}.{rest:02d}"


def dollars(cents: int | None) -> str:
    """Cents as people read them: 1,600.00, a minus sign where it is negative, a dash where it is not known."""
    if cents is None:
        return "–"
    return f"{'−' if cents < 0 else ''}{figures(cents)}"
