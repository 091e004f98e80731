"""Which suspicions call somebody at once: a budget of false pages for a property, divided among the families.

A family's evidence ever reaches e on an honest table's stream with a chance of at most 1 / e, however long the table
plays (Ville 1939). So where it pages at e, at most `tables / e` false pages are expected over all time so far. The
budget is pages a shift: after k shifts k times as many are paid for, and the evidence that pages is the k-th part. What
waited then pages later: when its evidence has grown, or when enough shifts have paid for it. The families' expectations
add up, whatever depends on what.

Shifts are counted by the record's times alone: a span of eight hours of UTC counts once something in it asked for an
alert. So whoever reads the same findings, in whatever order, comes to the same count.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from math import inf
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from processors.detectors.family import FAMILIES, LEVEL, Family
from schemas.findings import Finding

PATTERN: Final = "pattern."
SHIFT: Final = dt.timedelta(hours=8)
_BEGINNING: Final = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)
NOTHING: Final[Mapping[str, float]] = MappingProxyType({})


class Price(Struct, frozen=True, kw_only=True):
    """What a family's pages cost: it pages at evidence of `page_at`; so far at most `pages` false ones are expected.

    `page_at` is None for a family that never pages; `raised_at` is the evidence at which it raises a suspicion at all.
    """

    family: str
    pages: float
    page_at: float | None
    raised_at: float


class BudgetError(ValueError):
    """A budget that cannot be divided; the message says why."""


class Budget(Struct, frozen=True):
    """False pages allowed a shift, and those of families with a budget of their own; the others share what is left."""

    pages: float = 1.0
    families: Mapping[str, float] = NOTHING

    def price(self, family: Family, tables: int, shifts: int = 1) -> Price:
        """What the family's pages cost at a property of so many tables, in so many shifts together."""
        own = {name: pages for name, pages in self.families.items() if name in FAMILIES}
        others = len(FAMILIES) - len(own)
        share = own.get(family.name, max(0.0, self.pages - sum(own.values())) / max(1, others))
        raised_at = 1 / LEVEL
        tables = max(1, tables)
        page_at = max(raised_at, tables / (share * max(1, shifts))) if share > 0 else None
        return Price(
            family=family.name,
            pages=0.0 if page_at is None else tables / page_at,
            page_at=page_at,
            raised_at=raised_at,
        )

    def pages_at(self, finding: Finding, tables: int, shifts: int = 1) -> float:
        """The evidence at which what this finding suspects pages; 0 for one that is no suspicion of a family."""
        family = FAMILIES.get(finding.check.split(".")[1]) if finding.check.startswith(PATTERN) else None
        if family is None or finding.verdict != "suspected":
            return 0.0
        page_at = self.price(family, tables, shifts).page_at
        return inf if page_at is None else page_at


ONE_PAGE: Final = Budget()


def shift_of(at: dt.datetime) -> int:
    """The number of the span of eight hours in which a moment lies."""
    return (at - _BEGINNING) // SHIFT


def budget_of(pages: float, families: Iterable[str]) -> Budget:
    """The budget that settings say; `families` are written `pace=0.2`, and 0 lets a family wait in the list always.

    Raises:
        BudgetError: a name that is no family, a number that is none, or more for families than there is in all.
    """
    own: dict[str, float] = {}
    for text in families:
        name, equals, number = text.partition("=")
        if name not in FAMILIES:
            raise BudgetError(f"“{name}” is no family of detectors; there are {', '.join(sorted(FAMILIES))}")
        try:
            own[name] = float(number)
        except ValueError:
            raise BudgetError(f"“{text}” says no number of pages: write {name}=0.2") from None
        if not equals or not 0 <= own[name] < inf:
            raise BudgetError(f"“{text}” says no number of pages: write {name}=0.2")
    if sum(own.values()) > pages * (1 + 1e-9):
        raise BudgetError(f"families are given {sum(own.values()):g} pages, and there are {pages:g} in all")
    return Budget(pages, own)
