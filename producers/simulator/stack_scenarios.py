"""Sessions of 670a.10 and 657a.8 in which one named thing goes wrong, put right or not."""

from __future__ import annotations

from producers.simulator.session import Scenario, Session
from producers.simulator.stack_deviations import BREACHES, CITES, IRREGULARITIES
from schemas.values import Ruleset

FIRST_ROUND, LAST_ROUND = 2, 6  # it happens in a random one of these


class StackScenario(Scenario):
    """One round deviates. `cites` are provisions of which a finding should name one; none if it is put right."""

    def __init__(self, deviation: str, rulesets: tuple[Ruleset, ...], summary: str) -> None:
        self.deviation = deviation
        self.rulesets = rulesets
        self.summary = summary
        self.cites = {ruleset: CITES[ruleset].get(deviation, ()) for ruleset in rulesets}
        self._round = 0

    def begin(self, session: Session) -> None:
        """Choose the round."""
        self._round = session.writer.rng.randint(FIRST_ROUND, LAST_ROUND)

    def irregularity(self, session: Session) -> str | None:
        """The deviation, in its round."""
        return self.deviation if session.number + 1 == self._round else None


class Anything(Scenario):
    """Now and then anything goes wrong that the sections know of, and is put right."""

    summary = "every lawful irregularity now and then"
    rulesets: tuple[Ruleset, ...] = ("fortune_670a10", "manual_shoe_657a8")

    def irregularity(self, session: Session) -> str | None:
        """Any irregularity, in one round of ten."""
        rng = session.writer.rng
        if rng.random() >= 0.1:
            return None
        return rng.choice(sorted(IRREGULARITIES[session.setup.ruleset]))


def _named() -> dict[str, Scenario]:
    found: dict[str, Scenario] = {"stacks_irregular": Anything()}
    for kind, what in ((IRREGULARITIES, "put right"), (BREACHES, "a breach")):
        for name in dict.fromkeys(name for deviations in kind.values() for name in deviations):
            rulesets = tuple(ruleset for ruleset, deviations in kind.items() if name in deviations)
            summary = f"{name.replace('_', ' ')}: {what}"
            found[f"stacks_{name}"] = StackScenario(name, rulesets, summary)
    return found


STACK_SCENARIOS: dict[str, Scenario] = _named()
