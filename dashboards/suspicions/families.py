"""A family of detectors as people read it; whoever runs the console gives them."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct


class PatternFamily(Struct, frozen=True, kw_only=True):
    """Its null hypothesis, what it measures and promises, what else may explain an alarm, and what it cannot see.

    It raises a suspicion at evidence of `raised_at` and pages at `page_at`, None where it never does; at most `pages`
    false pages are expected of it over all tables and all shifts so far.
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


class PatternBudget(Struct, frozen=True, kw_only=True):
    """A budget of false pages and what it costs: `pages` a shift, `own` the families' with a budget of their own.

    `shifts` have paid for pages so far, at a property of `tables`. `is_set` says whether the settings say so.
    """

    pages: float
    own: str
    is_set: bool
    tables: int
    shifts: int
    families: tuple[PatternFamily, ...]

    @property
    def so_far(self) -> float:
        """False pages that are expected of all families in all shifts so far, at most."""
        return sum(family.pages for family in self.families)


class BudgetRefused(Exception):
    """A budget that cannot be divided; the message says why and what to write."""


AskBudget = Callable[[str, str], PatternBudget]
"""What a budget costs, written as the settings are (`2`, `pace=0.5`); two empty texts ask for the one that is set.

It raises BudgetRefused.
"""
