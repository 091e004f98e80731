"""Suspicions that page and those that wait in the list, by the budget of false pages that the settings give.

One rule for a console on one machine and for each of a property's: a suspicion pages once the most evidence that there
was for it reaches what its family's share of the budget buys after the shifts so far.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable
from math import inf

from dashboards.ledger.acts import Raised
from dashboards.suspicions.families import BudgetRefused, PatternBudget, PatternFamily
from dashboards.suspicions.suspicions import evidence_of
from deploy.errors import UserError
from deploy.settings import Settings
from processors.detectors import families as _registered  # noqa: F401 - importing registers every family
from processors.detectors.family import FAMILIES, LEVEL
from processors.detectors.paging import Budget, BudgetError, budget_of, shift_of
from schemas.findings import Finding

Evidence = Callable[[Finding], float]


class Paging:
    """Lets through what pages; a suspicion below its family's evidence waits until that is reached."""

    def __init__(self, budget: Budget, tables: Callable[[], int]) -> None:
        """`tables` says how many tables the property has, as far as is known."""
        self._budget, self._tables = budget, tables
        self._waiting: dict[str, Raised] = {}
        self._shifts: set[int] = set()

    @property
    def waits(self) -> bool:
        """Whether any suspicion waits."""
        return bool(self._waiting)

    @property
    def waiting(self) -> tuple[Finding, ...]:
        """The suspicions that wait."""
        return tuple(one.finding for one in self._waiting.values())

    @property
    def shifts(self) -> int:
        """How many shifts have paid for pages so far; at least one."""
        return max(1, len(self._shifts))

    def heard(self, at: dt.datetime) -> None:
        """Something asked for an alert at this time of the record."""
        self._shifts.add(shift_of(at))

    def forget(self) -> None:
        """Let nothing wait any more: all is told again, by another version of the fold."""
        self._waiting.clear()

    def pages(self, raised: Raised, evidence: float | None = None) -> bool:
        """Whether this alert calls somebody now, with the evidence that it was raised with or has by now."""
        self.heard(raised.decided_at)
        finding = raised.finding
        page_at = self.page_at(finding)
        if max(evidence_of(finding), evidence or 0.0) >= page_at:
            self._waiting.pop(finding.finding_id, None)
            return True
        self._waiting.setdefault(finding.finding_id, raised)
        return False

    def page_at(self, finding: Finding) -> float:
        """The evidence at which what this finding suspects pages now."""
        return self._budget.pages_at(finding, self._tables(), self.shifts)

    def grown(self, evidence: Evidence) -> list[Raised]:
        """Those that waited and page now; `evidence` says how much there was at most for what a finding suspects."""
        return [one for one in list(self._waiting.values()) if self.pages(one, evidence(one.finding))]

    def paged(self, raised: Iterable[Raised]) -> list[Raised]:
        """Of these alerts those that call somebody now."""
        raised = list(raised)
        for one in raised:
            self.heard(one.decided_at)
        return [one for one in raised if self.pages(one)]

    def families(self) -> dict[str, PatternFamily]:
        """The families as the console shows them, each with its price."""
        return self._priced(self._budget)

    def asked(self, pages: str, own: str) -> PatternBudget:
        """What a budget costs, written as the settings are; the one that is set, where nothing is written.

        Raises:
            BudgetRefused: it cannot be divided so.
        """
        is_set = not pages and not own
        budget = self._budget if is_set else _budget_written(pages, own)
        return PatternBudget(
            pages=budget.pages,
            own=", ".join(f"{name}={number:g}" for name, number in sorted(budget.families.items())),
            is_set=is_set,
            tables=max(1, self._tables()),
            shifts=self.shifts,
            families=tuple(self._priced(budget).values()),
        )

    def _priced(self, budget: Budget) -> dict[str, PatternFamily]:
        tables, shifts = self._tables(), self.shifts
        prices = {name: budget.price(family, tables, shifts) for name, family in FAMILIES.items()}
        return {
            name: PatternFamily(
                name=name,
                about=family.about,
                null=family.null,
                statistic=family.statistic,
                bound=family.bound,
                innocent=family.innocent,
                blind=family.blind,
                raised_at=1 / LEVEL,
                page_at=prices[name].page_at,
                pages=prices[name].pages,
            )
            for name, family in sorted(FAMILIES.items())
        }


def _budget_written(pages: str, own: str) -> Budget:
    try:
        number = float(pages or "1")
        if not 0 <= number < inf:
            raise BudgetRefused(f"“{pages}” is no number of pages: write 1 or 0.5")
        return budget_of(number, _words(own))
    except BudgetError as error:
        raise BudgetRefused(str(error)) from error
    except ValueError as error:
        raise BudgetRefused(f"“{pages}” is no number of pages: write 1 or 0.5") from error


def _words(text: str) -> list[str]:
    return [one.strip() for one in text.split(",") if one.strip()]


def budget_in(settings: Settings) -> Budget:
    """The budget that the settings say.

    Raises:
        UserError: it cannot be divided so.
    """
    try:
        return budget_of(settings.pattern_pages, _words(settings.pattern_pages_of))
    except BudgetError as error:
        raise UserError("setting pattern_pages_of", str(error), "write pace=0.2, counting=0") from error
