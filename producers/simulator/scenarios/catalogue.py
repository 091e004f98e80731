"""Every scenario by name: the ordinary session, irregularities put right, and one wrong at a time."""

from __future__ import annotations

from collections.abc import Mapping

from producers.simulator.blackjack.incidents.irregularities import IRREGULARITIES
from producers.simulator.scenarios.blackjack import SCENARIOS
from producers.simulator.scenarios.texts import TEXTS, CatalogueEntry
from producers.simulator.session import Scenario, Session
from producers.simulator.stacks import deviations
from schemas.values import Ruleset

PUT_RIGHT: dict[str, tuple[str, ...]] = IRREGULARITIES | {
    ruleset: tuple(names) for ruleset, names in deviations.IRREGULARITIES.items()
}
OFTEN = 0.1  # of the rounds
FIRST_ROUND, LAST_ROUND = 2, 6  # it happens in a random one of these
EVERY_ROUND = ("manual_shoe_657a8", "stub_not_counted")  # 657a.8(f) looks at five rounds in a row


class Irregular(Scenario):
    """Anything that the chapter has a rule for goes wrong now and then, and is put right."""

    summary = "Anything goes wrong now and then, and is put right."

    def irregularity(self, session: Session) -> str | None:
        """Any irregularity of the ruleset, in some rounds."""
        rng = session.writer.rng
        return rng.choice(PUT_RIGHT[session.setup.ruleset]) if rng.random() < OFTEN else None


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


def _scenarios(
    known: Mapping[Ruleset, Mapping[str, deviations.StackDeviation]], prefix: str
) -> dict[str, Scenario]:
    rulesets: dict[str, tuple[Ruleset, ...]] = {}
    for ruleset, named in known.items():
        for name in named:
            rulesets[name] = (*rulesets.get(name, ()), ruleset)
    return {prefix + name: OneRound(name, where, TEXTS[prefix + name]) for name, where in rulesets.items()}


STACK_IRREGULARITIES = _scenarios(deviations.IRREGULARITIES, "irregular_stacks_")
STACK_BREACHES = _scenarios(deviations.BREACHES, "stacks_")
_NAMED: dict[str, Scenario] = {**SCENARIOS, **STACK_IRREGULARITIES, **STACK_BREACHES}
CATALOGUE: dict[str, Scenario] = {
    "lawful": Scenario(),
    "irregular": Irregular(),
    **{name: _NAMED[name] for name in TEXTS},
}
