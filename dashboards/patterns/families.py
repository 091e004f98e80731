"""A family of detectors as people read it; whoever runs the console gives them."""

from __future__ import annotations

from msgspec import Struct


class PatternFamily(Struct, frozen=True, kw_only=True):
    """Its null hypothesis, what it measures and promises, what else may explain an alarm, and what it cannot see.

    It raises a suspicion at evidence of `raised_at` and pages at `page_at`, None where it never does; at most `pages`
    false pages are expected of it over all tables.
    """

    name: str
    about: tuple[str, ...]
    null: str
    statistic: str
    bound: str
    innocent: tuple[str, ...]
    blind: tuple[str, ...]
    raised_at: float
    page_at: float | None
    pages: float

    @property
    def title(self) -> str:
        """Its name as a person says it."""
        return self.name.replace("_", " ").capitalize()
