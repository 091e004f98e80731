"""Tables at which the patron who came first plays or stakes in his own way, and the others as simulated patrons do."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from producers.simulator.blackjack.rules import Choice, Seen, total
from producers.simulator.blackjack.strategies import Basic
from producers.simulator.blackjack.table import BlackjackTable
from producers.simulator.blackjack.values import best_choice
from producers.simulator.blackjack_engine import BlackjackEngine
from producers.simulator.floor.patrons import Patron
from producers.simulator.floor.setup import Habits, TableSetup, usual_setup
from producers.simulator.session import Scenario, Session, simulate_table
from schemas.values import Ruleset

STAYING = Habits(arrives=0.0, leaves=0.0, idles=0.0, preshuffled=0.0, boxes_two=0.0, sits_out=0.0)
Made = Callable[[Patron, TableSetup, random.Random, BlackjackTable], Basic]


class Flat(Basic):
    """One unit in every round."""

    def stake(self) -> int:
        return self.patron.unit_cents


class Knower(Flat):
    """Draws, stands and insures by the hole card in a share of the rounds, plainly in the others."""

    def __init__(
        self, patron: Patron, setup: TableSetup, rng: random.Random, table: BlackjackTable, share: float = 0.9
    ) -> None:
        super().__init__(patron, setup, rng)
        self.table, self.share = table, share
        self.knows = False

    def stake(self) -> int:
        self.knows = self.rng.random() < self.share
        return super().stake()

    def insures(self, _seen: Seen, /) -> bool:
        return self.knows and self.table.hole is not None and self.table.hole[0] in "TJQK"

    def choose(self, seen: Seen, choices: tuple[Choice, ...]) -> Choice:
        plain = super().choose(seen, choices)
        points, soft = total(seen.cards)
        hole = self.table.hole or seen.hole
        if not self.knows or plain not in ("stand", "hit") or not 12 <= points <= (18 if soft else 17):
            return plain
        return best_choice(self.setup.ruleset, replace(seen, hole=hole), ("stand", "hit"))


class Joined(Scenario):
    """A session in which the patron who comes first plays as made for him."""

    def __init__(self, made: Made) -> None:
        self._made = made

    def begin(self, session: Session) -> None:
        engine = session.engine
        assert isinstance(engine, BlackjackEngine)
        table, players = engine.table, engine.table.players
        plain = players.strategy_of

        def strategy_of(patron: Patron) -> Basic:
            if not players.strategies:
                made = self._made(patron, session.setup, session.writer.rng, table)
                made.new_shoe(len(session.shoe.order))
                players.strategies[patron.name] = made
            return plain(patron)

        players.strategy_of = strategy_of  # type: ignore[method-assign]  # a player of the test plays


def played(made: Made, seed: int, rounds: int, ruleset: Ruleset = "free_bet_672a") -> list[bytes]:
    """The lines of such a table."""
    setup = usual_setup(
        ruleset, "T-1", habits=STAYING, boxes_per_player=1, patrons=(2, 2), max_cents=1_000_000
    )
    return list(simulate_table(setup, rounds, seed, Joined(made)))
