"""How patrons bet and play: basic, random, counter and progressive; and who at a table plays how."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

from producers.simulator.blackjack.rules import Choice, Seen, total
from producers.simulator.blackjack.values import best_choice
from producers.simulator.floor.decks.deck import PhysicalShoe
from producers.simulator.floor.patrons import Patron
from producers.simulator.floor.setup import TableSetup

WEIGHTS = {**dict.fromkeys("23456", 1), **dict.fromkeys("789", 0), **dict.fromkeys("TJQKA", -1)}
LEAST_DECKS = 0.5  # nobody reads a discard rack finer than half a deck


class Basic:
    """Stakes as the patron usually does, plays what is worth most, seldom insures."""

    name = "basic"
    insurance_chance = 0.1
    even_money_chance = 0.3

    def __init__(self, patron: Patron, setup: TableSetup, rng: random.Random) -> None:
        self.patron = patron
        self.setup = setup
        self.rng = rng

    def stake(self) -> int:
        """Main wager of one box for the next round, cents; 0 sits the round out."""
        return self.patron.main_stake(self.rng, self.setup)

    def insures(self, _seen: Seen, /) -> bool:
        """Whether to take insurance."""
        return self.rng.random() < self.insurance_chance

    def insurance_stake(self, most: int) -> int:
        """Chips laid for insurance, at most `most`."""
        if self.rng.random() < 0.8:
            return most
        return self.rng.randint(1, most // self.setup.chip_cents) * self.setup.chip_cents

    def takes_even_money(self) -> bool:
        """Whether to be paid even money on a Blackjack."""
        return self.rng.random() < self.even_money_chance

    def double_stake(self, unit: int) -> int:
        """Chips laid for a double that is not free, at most `unit`."""
        return unit

    def choose(self, seen: Seen, choices: tuple[Choice, ...]) -> Choice:
        """One of `choices` for the hand."""
        return best_choice(self.setup.ruleset, seen, choices)

    def sees(self, cards: Iterable[str]) -> None:
        """Cards shown to the table."""

    def new_shoe(self, cards: int) -> None:
        """A freshly shuffled stack of so many cards is in the shoe."""

    def ends_round(self, net_cents: int) -> None:
        """The round's result for this patron; + is won."""


class Random(Basic):
    """Any choice the rules allow; stands on hands that few would touch."""

    name = "random"
    insurance_chance = even_money_chance = 0.5

    def stake(self) -> int:
        """As the patron usually does, and now and then nothing."""
        return 0 if self.rng.random() < 0.05 else self.patron.main_stake(self.rng, self.setup)

    def double_stake(self, unit: int) -> int:
        """The whole stake, or less."""
        chip = self.setup.chip_cents
        return self.rng.choice((unit, unit, max(chip, unit // 2 // chip * chip)))

    def choose(self, seen: Seen, choices: tuple[Choice, ...]) -> Choice:
        """Any choice; a hand of 18 or more is mostly left alone."""
        points, _ = total(seen.cards)
        if points >= 18 and "split" not in choices and self.rng.random() < 0.95:
            return "stand"
        return self.rng.choice(choices)


class HiLo:
    """Running count over the cards seen since the last shuffle."""

    def __init__(self) -> None:
        self.running = 0
        self.unseen = 52

    def restart(self, cards: int) -> None:
        """A new stack of `cards` cards is in the shoe."""
        self.running = 0
        self.unseen = cards

    def see(self, cards: Iterable[str]) -> None:
        """Count cards that were shown."""
        for card in cards:
            self.running += WEIGHTS[card[0]]
            self.unseen -= 1

    @property
    def true_count(self) -> float:
        """Running count for each deck not yet seen."""
        return self.running / max(self.unseen / 52, LEAST_DECKS)


class Counter(Basic):
    """Counts High-Low and raises the stake with the true count."""

    name = "counter"

    def __init__(self, patron: Patron, setup: TableSetup, rng: random.Random) -> None:
        super().__init__(patron, setup, rng)
        self.count = HiLo()

    def stake(self) -> int:
        """One unit, and two more for every point of true count above one, up to the patron's boldness."""
        units = max(1, min(self.patron.boldness, 1 + 2 * int(self.count.true_count - 1)))
        return self.setup.stake(self.patron.unit_cents * units)

    def insures(self, _seen: Seen, /) -> bool:
        """From a true count of three, where a third of the cards are tens."""
        return self.count.true_count >= 3

    def takes_even_money(self) -> bool:
        """As insurance."""
        return self.count.true_count >= 3

    def sees(self, cards: Iterable[str]) -> None:
        """Count them."""
        self.count.see(cards)

    def new_shoe(self, cards: int) -> None:
        """Begin again at nought."""
        self.count.restart(cards)


class Progressive(Basic):
    """Doubles the stake after each lost round, until the limit or a win."""

    name = "progressive"

    def __init__(self, patron: Patron, setup: TableSetup, rng: random.Random) -> None:
        super().__init__(patron, setup, rng)
        self.lost_rounds = 0

    def stake(self) -> int:
        """One unit, doubled for each round lost in a row."""
        return self.setup.stake(self.patron.unit_cents << min(self.lost_rounds, 10))

    def ends_round(self, net_cents: int) -> None:
        """Remember losses; a push changes nothing."""
        if net_cents:
            self.lost_rounds = self.lost_rounds + 1 if net_cents < 0 else 0


STRATEGIES: dict[str, type[Basic]] = {
    strategy.name: strategy for strategy in (Basic, Random, Counter, Progressive)
}
# Patrons of unknown habits play mostly well, sometimes at random; only a scenario brings counters.
USUAL = ("basic", "basic", "basic", "random", "random", "progressive")


class Players:
    """The strategies of all patrons who have played here, by pseudonym.

    `style` names the strategy of patrons not seen before; None draws one from the usual mixture. `own` is asked first
    for the strategy of a patron not seen before, who may play in a way of his own.
    """

    def __init__(self, setup: TableSetup, shoe: PhysicalShoe, rng: random.Random) -> None:
        self._setup, self._shoe, self._rng = setup, shoe, rng
        self._shoe_seen = 0
        self.style: str | None = None
        self.own: Callable[[Patron], Basic | None] = lambda _patron: None
        self.strategies: dict[str, Basic] = {}

    def strategy_of(self, patron: Patron) -> Basic:
        """The patron's strategy; a patron not seen before gets one."""
        strategy = self.strategies.get(patron.name)
        if strategy is None:
            strategy = self.own(patron)
            if strategy is None:
                made = STRATEGIES[self._rng.choice(USUAL) if self.style is None else self.style]
                strategy = made(patron, self._setup, self._rng)
            self.strategies[patron.name] = strategy
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
