"""Suspicions that page and those that wait in the list, by the budget of false pages that the settings give."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dashboards.ledger.acts import Raised
from dashboards.patterns.families import PatternFamily
from deploy.errors import UserError
from deploy.settings import Settings
from processors.detectors import families as _registered  # noqa: F401 - importing registers every family
from processors.detectors.family import FAMILIES
from processors.detectors.paging import Budget, BudgetError, budget_of
from schemas.findings import Finding

Evidence = Callable[[Finding], float]


class Paging:
    """Lets through what pages; a suspicion below its family's evidence waits until its evidence has grown so far."""

    def __init__(self, budget: Budget, tables: Callable[[], int]) -> None:
        """`tables` says how many tables the property has, as far as is known."""
        self._budget, self._tables = budget, tables
        self._waiting: dict[str, Raised] = {}

    @property
    def waits(self) -> bool:
        """Whether any suspicion waits."""
        return bool(self._waiting)

    def pages(self, raised: Raised, evidence: float | None = None) -> bool:
        """Whether this alert calls somebody now, with the evidence that it was raised with or has by now."""
        finding = raised.finding
        page_at = self._budget.pages_at(finding, self._tables())
        if evidence is None:
            evidence = finding.e_value if isinstance(finding.e_value, float) else 0.0
        if evidence >= page_at:
            self._waiting.pop(finding.finding_id, None)
            return True
        self._waiting.setdefault(finding.finding_id, raised)
        return False

    def grown(self, evidence: Evidence) -> list[Raised]:
        """Those that waited and page now; `evidence` says how much there was at most for what a finding suspects."""
        return [one for one in list(self._waiting.values()) if self.pages(one, evidence(one.finding))]

    def paged(self, raised: Iterable[Raised]) -> list[Raised]:
        """Of these alerts those that call somebody now."""
        return [one for one in raised if self.pages(one)]

    def families(self) -> dict[str, PatternFamily]:
        """The families as the console shows them, each with its price."""
        tables = self._tables()
        return {
            name: PatternFamily(
                name=name,
                about=family.about,
                null=family.null,
                statistic=family.statistic,
                bound=family.bound,
                innocent=family.innocent,
                blind=family.blind,
                raised_at=1 / family.level,
                page_at=self._budget.price(family, tables).page_at,
                pages=self._budget.price(family, tables).pages,
            )
            for name, family in sorted(FAMILIES.items())
        }


def budget_in(settings: Settings) -> Budget:
    """The budget that the settings say.

    Raises:
        UserError: it cannot be divided so.
    """
    words = [one.strip() for one in settings.pattern_pages_of.split(",") if one.strip()]
    try:
        return budget_of(settings.pattern_pages, words)
    except BudgetError as error:
        raise UserError("setting pattern_pages_of", str(error), "write pace=0.2, counting=0") from error
