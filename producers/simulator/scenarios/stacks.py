"""Sessions of 670a.10 and 657a.8 in which one named thing goes wrong, put right or not."""

from __future__ import annotations

from collections.abc import Mapping

from producers.simulator.floor.session import Scenario, Session
from producers.simulator.stacks.deviations import BREACHES, CITES, DOCS, IRREGULARITIES, Deviation
from schemas.values import Ruleset

FIRST_ROUND, LAST_ROUND = 2, 6  # it happens in a random one of these
EVERY_ROUND = ("manual_shoe_657a8", "stub_not_counted")  # 657a.8(f) looks at five rounds in a row


class OneRound(Scenario):
    """One round takes an irregularity of that name; `breaks` says what of the text it violates, if anything."""

    def __init__(
        self, name: str, rulesets: tuple[Ruleset, ...], summary: str, breaks: tuple[str, ...] = ()
    ) -> None:
        self.name, self.rulesets, self.summary, self.breaks = name, rulesets, summary, breaks
        self._round = 0

    def begin(self, session: Session) -> None:
        """Choose the round."""
        self._round = session.writer.rng.randint(FIRST_ROUND, LAST_ROUND)

    def irregularity(self, session: Session) -> str | None:
        """The irregularity, in its round."""
        every = (session.setup.ruleset, self.name) == EVERY_ROUND
        return self.name if every or session.number + 1 == self._round else None


def _scenarios(known: Mapping[Ruleset, Mapping[str, Deviation]], prefix: str) -> dict[str, Scenario]:
    found: dict[str, Scenario] = {}
    for name in dict.fromkeys(name for deviations in known.values() for name in deviations):
        rulesets = tuple(ruleset for ruleset, deviations in known.items() if name in deviations)
        breaks = tuple(cite for ruleset in rulesets for cite in CITES[ruleset].get(name, ()))
        found[prefix + name] = OneRound(name, rulesets, DOCS[name], breaks)
    return found


STACK_IRREGULARITIES = _scenarios(IRREGULARITIES, "irregular_stacks_")
STACK_BREACHES = _scenarios(BREACHES, "stacks_")
