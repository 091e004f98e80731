"""Money as people read it."""

from __future__ import annotations


def dollars(cents: int | None) -> str:
    """Cents as people read them: 1,600.00, a minus sign where it is negative, a dash where it is not known."""
    if cents is None:
        return "–"
    whole, rest = divmod(abs(cents), 100)
    return f"{'−' if cents < 0 else ''}{whole:,}.{rest:02d}"
