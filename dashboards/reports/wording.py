"""Money and lists as reports write them."""

from __future__ import annotations

from collections.abc import Iterable

from dashboards.wording.money import figures


def dollars(cents: int | None, unknown: str = "not known") -> str:
    """`$1,234.50`, a minus sign before the currency."""
    if cents is None:
        return unknown
    return f"{'−' if cents < 0 else ''}{figures(cents, '$')}"


def signed(cents: int | None, unknown: str = "–") -> str:
    """Money with its sign: `+$30.00`, `−$30.00`, `$0.00`."""
    if cents is None:
        return unknown
    return f"+{dollars(cents)}" if cents > 0 else dollars(cents)


def listed(words: Iterable[str], empty: str = "none") -> str:
    """Words in one line."""
    return ", ".join(words) or empty
