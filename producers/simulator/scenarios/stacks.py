"""Sessions of 670a.10 and 657a.8 in which one named thing goes wrong, put right or not."""

from __future__ import annotations

from collections.abc import Mapping

from producers.simulator.floor.session import Scenario, Session
from producers.simulator.scenarios.texts import TEXTS, CatalogueEntry
from producers.simulator.stacks.deviations import BREACHES, IRREGULARITIES, Deviation
from schemas.values import Ruleset

FIRST_ROUND, LAST_ROUND = 2, 6  # it happens in a random one of these
EVERY_ROUND = ("manual_shoe_657a8", "stub_not_counted")  # 657a.8(f) looks at five rounds in a row


class OneRound(Scenario):
    """One round takes the deviation of that name."""

    def __init__(self, name: str, rulesets: tuple[Ruleset, ...], text: CatalogueEntry) -> None:
        self.name, self.rulesets, self.summary, self.breaks = name, rulesets, text.summary, text.breaks
        self._round = 0

    def begin(self, session: Session) -> None:
        """Choose the round."""
        self._round = session.writer.rng.randint(FIRST_ROUND, LAST_ROUND)

    def irregularity(self, session: Session) -> str | None:
        """The deviation, in its round."""
        every = (session.setup.ruleset, self.name) == EVERY_ROUND
        return self.name if every or session.number + 1 == self._round else None


def _scenarios(known: Mapping[Ruleset, Mapping[str, Deviation]], prefix: str) -> dict[str, Scenario]:
    rulesets: dict[str, tuple[Ruleset, ...]] = {}
    for ruleset, deviations in known.items():
        for name in deviations:
            rulesets[name] = (*rulesets.get(name, ()), ruleset)
    return {prefix + name: OneRound(name, where, TEXTS[prefix + name]) for name, where in rulesets.items()}


STACK_IRREGULARITIES = _scenarios(IRREGULARITIES, "irregular_stacks_")
STACK_BREACHES = _scenarios(BREACHES, "stacks_")
