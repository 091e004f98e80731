"""What goes wrong at the tables of a demonstration: mostly nothing, now and then something, put right or not."""

from __future__ import annotations

from collections.abc import Callable

from producers.simulator import irregularities, stack_deviations
from producers.simulator.blackjack import BlackjackEngine
from producers.simulator.blackjack_incidents import Incident
from producers.simulator.scenarios_money import MONEY
from producers.simulator.scenarios_play import PLAY
from producers.simulator.scenarios_rack import RACK
from producers.simulator.scenarios_slips import Slip
from producers.simulator.session import Scenario, Session
from schemas.values import Ruleset

EVERY = 15  # rounds from one breach of a table to its next
PATIENCE = 6  # rounds in which a breach waits for its occasion, before another is tried
PUT_RIGHT = 0.06  # chance that something goes wrong in a round and is put right as the regulations order


class Lapses(Scenario):
    """Lawful play, irregularities put right, and now and then a breach."""

    summary = "lawful play with a breach now and then"

    def __init__(self) -> None:
        self._next = 0
        self._slip: Slip | None = None
        self._tried = 0

    def begin(self, session: Session) -> None:
        """The first breaches of a floor come soon, one table after the other."""
        self._next = 2 + session.setup.number % 5
        self._tried = session.setup.number

    def irregularity(self, session: Session) -> str | None:
        """What is put right in the next round; a stack game's breaches come this way too."""
        number, ruleset, rng = session.number + 1, session.setup.ruleset, session.writer.rng
        if session.setup.is_blackjack:
            wanted = self._slip is None and rng.random() < PUT_RIGHT
            return rng.choice(irregularities.IRREGULARITIES[ruleset]) if wanted else None
        if number >= self._next:
            self._next = number + EVERY
            return self._another(sorted(stack_deviations.BREACHES[ruleset]))
        wanted = rng.random() < PUT_RIGHT
        return rng.choice(sorted(stack_deviations.IRREGULARITIES[ruleset])) if wanted else None

    def after_round(self, session: Session) -> None:
        """At a blackjack table a breach is made ready, and waits for an occasion."""
        engine, number = session.engine, session.number + 1
        if not isinstance(engine, BlackjackEngine):
            return
        if self._slip is not None and (self._slip.happened or number >= self._next + PATIENCE):
            self._next = number + (EVERY if self._slip.happened else 1)
            self._slip = None
            engine.install(Incident())
        if self._slip is None and number >= self._next:
            wrongs = breaches(session.setup.ruleset)
            self._slip = wrongs[self._another(sorted(wrongs))]()
            engine.install(self._slip)

    def _another(self, names: list[str]) -> str:
        # A step without a common divisor goes through them all, and neighbours in the alphabet are not alike.
        self._tried += 1
        return names[self._tried * 7919 % len(names)]


def breaches(ruleset: Ruleset) -> dict[str, Callable[[], Slip]]:
    """Breaches of a blackjack ruleset that any table gives an occasion for, by name."""
    return {
        name: wrong.how
        for name, wrong in (MONEY | PLAY | RACK).items()
        if ruleset in wrong.rulesets
        and not wrong.setup
        and not wrong.habits
        and not wrong.how().occasion.side
    }
