"""Every scenario by name: the ordinary session, irregularities put right, and one wrong at a time."""

from __future__ import annotations

from producers.simulator.blackjack.incidents.irregularities import IRREGULARITIES
from producers.simulator.floor.session import Scenario, Session
from producers.simulator.scenarios.blackjack import SCENARIOS
from producers.simulator.scenarios.stacks import STACK_BREACHES, STACK_IRREGULARITIES
from producers.simulator.scenarios.texts import TEXTS
from producers.simulator.stacks import deviations

PUT_RIGHT: dict[str, tuple[str, ...]] = {
    **IRREGULARITIES,
    **{ruleset: tuple(names) for ruleset, names in deviations.IRREGULARITIES.items()},
}
OFTEN = 0.1  # of the rounds


class Irregular(Scenario):
    """Anything that the chapter has a rule for goes wrong now and then, and is put right."""

    summary = "Anything goes wrong now and then, and is put right."

    def irregularity(self, session: Session) -> str | None:
        """Any irregularity of the ruleset, in some rounds."""
        rng = session.writer.rng
        return rng.choice(PUT_RIGHT[session.setup.ruleset]) if rng.random() < OFTEN else None


_NAMED: dict[str, Scenario] = {**SCENARIOS, **STACK_IRREGULARITIES, **STACK_BREACHES}
CATALOGUE: dict[str, Scenario] = {
    "lawful": Scenario(),
    "irregular": Irregular(),
    **{name: _NAMED[name] for name in TEXTS},
}
