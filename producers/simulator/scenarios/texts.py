"""The catalogue's texts: each scenario's name, one sentence about it, and the provisions it breaks."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from importlib import resources

from producers.simulator.floor.setup import BLACKJACK
from schemas.values import Ruleset

_CHAPTERS: dict[str, Ruleset] = {"590": "free_bet_590", "672a": "free_bet_672a", "685a": "down_under_685a"}


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """A row of `scenarios.csv`; `breaks` are ids of provisions or `integrity.*`."""

    summary: str
    breaks: tuple[str, ...]

    @property
    def blackjack_rulesets(self) -> tuple[Ruleset, ...]:
        """The blackjack rulesets whose provisions it breaks; all three where it breaks the record alone."""
        chapters = {cited.split(".", 1)[0] for cited in self.breaks}
        return tuple(found for name, found in _CHAPTERS.items() if name in chapters) or BLACKJACK


with resources.files(__package__).joinpath("scenarios.csv").open(encoding="utf-8") as file:
    TEXTS = {
        row["name"]: CatalogueEntry(row["summary"], tuple(row["breaks"].split()))
        for row in csv.DictReader(file)
    }
