"""The patrons at a blackjack table as they think: one strategy a patron, fed with the cards that all can see."""

from __future__ import annotations

import random
from collections.abc import Iterable

from producers.simulator.blackjack.players.strategies import STRATEGIES, Basic, usual_strategy
from producers.simulator.floor.decks.deck import PhysicalShoe
from producers.simulator.floor.patrons import Patron
from producers.simulator.floor.setup import TableSetup


class Players:
    """The strategies of all patrons who have played here, by pseudonym.

    `style` names the strategy of patrons not seen before; None draws one from the usual mixture.
    """

    def __init__(self, setup: TableSetup, shoe: PhysicalShoe, rng: random.Random) -> None:
        self._setup, self._shoe, self._rng = setup, shoe, rng
        self._shoe_seen = 0
        self.style: str | None = None
        self.strategies: dict[str, Basic] = {}

    def strategy_of(self, patron: Patron) -> Basic:
        """The patron's strategy; a patron not seen before gets one."""
        strategy = self.strategies.get(patron.name)
        if strategy is None:
            made = STRATEGIES[self.style] if self.style is not None else usual_strategy(self._rng)
            strategy = self.strategies[patron.name] = made(patron, self._setup, self._rng)
            strategy.new_shoe(len(self._shoe.order))
        return strategy

    def see(self, cards: Iterable[str]) -> None:
        """Show cards to every patron."""
        for strategy in self.strategies.values():
            strategy.sees(cards)

    def notice_shoe(self) -> None:
        """Let every patron begin to count anew where the shoe was loaded since the last round."""
        if self._shoe.number != self._shoe_seen or self._setup.reshuffles_itself:
            self._shoe_seen = self._shoe.number
            for strategy in self.strategies.values():
                strategy.new_shoe(len(self._shoe.order))
