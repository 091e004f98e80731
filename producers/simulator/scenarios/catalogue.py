"""Every scenario by name: the ordinary session, irregularities put right, and one wrong at a time."""

from __future__ import annotations

from producers.simulator.blackjack.incidents import irregularities
from producers.simulator.floor.session import Scenario, Session
from producers.simulator.floor.setup import BLACKJACK
from producers.simulator.scenarios.blackjack import SCENARIOS
from producers.simulator.scenarios.stacks import STACK_BREACHES, STACK_IRREGULARITIES, OneRound
from producers.simulator.stacks import deviations as stack_deviations

PUT_RIGHT: dict[str, tuple[str, ...]] = {
    **irregularities.IRREGULARITIES,
    **{ruleset: tuple(names) for ruleset, names in stack_deviations.IRREGULARITIES.items()},
}
OFTEN = 0.1  # of the rounds


class Irregular(Scenario):
    """Anything that the chapter has a rule for goes wrong now and then, and is put right."""

    summary = "Anything goes wrong now and then, and is put right."

    def irregularity(self, session: Session) -> str | None:
        """Any irregularity of the ruleset, in some rounds."""
        rng = session.writer.rng
        return rng.choice(PUT_RIGHT[session.setup.ruleset]) if rng.random() < OFTEN else None


def _blackjack_irregularities() -> dict[str, Scenario]:
    found: dict[str, Scenario] = {}
    for name in dict.fromkeys(name for ruleset in BLACKJACK for name in PUT_RIGHT[ruleset]):
        rulesets = tuple(ruleset for ruleset in BLACKJACK if name in PUT_RIGHT[ruleset])
        summary = (irregularities.irregularity_named(name).__doc__ or name).split("\n")[0]
        found[f"irregular_{name}"] = OneRound(name, rulesets, summary)
    return found


CATALOGUE: dict[str, Scenario] = {
    "lawful": Scenario(),
    "irregular": Irregular(),
    **_blackjack_irregularities(),
    **STACK_IRREGULARITIES,
    **SCENARIOS,
    **STACK_BREACHES,
}
