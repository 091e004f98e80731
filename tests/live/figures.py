"""Figures that a test found on its way; the end of the run shows them, and a file of results keeps them."""

from __future__ import annotations

_told: list[tuple[str, object]] = []


def tell(what: str, figure: object) -> None:
    """Keep a figure of the test that runs."""
    _told.append((what, figure))


def told() -> list[tuple[str, object]]:
    """What has been told since this was last asked."""
    figures = list(_told)
    _told.clear()
    return figures
