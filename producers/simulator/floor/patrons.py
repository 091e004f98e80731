"""Patrons at a simulated table: who sits where, and what they stake before the cards."""

from __future__ import annotations

import random
from dataclasses import dataclass

from producers.simulator.floor.setup import TableSetup
from schemas.values import SideWager

# Chips each system or spot takes; the progressive takes one chip of a dollar.
SIDE_STAKES: dict[SideWager, tuple[int, ...]] = {
    "push22": (500, 500, 1000, 2500),
    "match_dealer": (500, 500, 1000, 2500),
    "fortune_bonus": (100, 300, 500, 500, 1000, 2500),  # an Envy lammer comes with $5 or more
    "progressive": (100,),
    "five_card_hand": (200,),
    "six_card_bonus": (500, 500, 1000),
}
# A patron has chips for four hands doubled at the largest stake, insurance and side wagers.
STAKES_AT_HAND = 10
REMEMBERED = 50


@dataclass(slots=True)
class Patron:
    """One patron under a house pseudonym, with the adjacent boxes that the patron plays.

    `boldness` is the largest multiple of the unit ever staked, `side_appetite` the chance of each side wager
    in a round. `waiting` marks a patron who may not enter before the reshuffle (6(b)).
    """

    name: str
    seats: tuple[int, ...]
    unit_cents: int
    boldness: int = 4
    side_appetite: float = 0.3
    waiting: bool = False

    def main_stake(self, rng: random.Random, setup: TableSetup) -> int:
        """A main stake in cents, within the table's limits and in its chips."""
        return setup.stake(self.unit_cents * rng.choice((1, 1, 1, 2, 2, self.boldness)))

    def side_stakes(self, rng: random.Random, setup: TableSetup) -> list[tuple[SideWager, int]]:
        """The side wagers of one box in this round, in cents."""
        return [
            (kind, rng.choice(SIDE_STAKES[kind]))
            for kind in setup.side_wagers
            if rng.random() < self.side_appetite
        ]

    def chips_wanted(self, setup: TableSetup) -> int:
        """Chips in cents with which no decision of a round fails for money."""
        most = min(setup.max_cents, self.unit_cents * self.boldness)
        return (most * STAKES_AT_HAND + 10_000) * len(self.seats)


class PatronPool:
    """Where patrons come from: new ones under fresh pseudonyms, now and then one who was here before."""

    def __init__(self, rng: random.Random, setup: TableSetup) -> None:
        self._rng = rng
        self._setup = setup
        self._born = 0
        self.absent: list[Patron] = []

    def arrive(self, free: list[int]) -> Patron:
        """A patron for one of the free seats, or for two adjacent ones where the house lets them."""
        rng, setup = self._rng, self._setup
        seat = rng.choice(free)
        seats: tuple[int, ...] = (seat,)
        if setup.boxes_per_player > 1 and seat + 1 in free and rng.random() < setup.habits.boxes_two:
            seats = (seat, seat + 1)
        if self.absent and rng.random() < 0.3:
            patron = self.absent.pop(rng.randrange(len(self.absent)))
            patron.seats, patron.waiting = seats, False
            return patron
        self._born += 1
        units = [unit for unit in (1000, 1500, 2500, 5000, 10_000) if unit >= setup.min_cents]
        return Patron(
            name=f"P-{setup.number:02d}-{self._born:03d}",
            seats=seats,
            unit_cents=rng.choice(units[:4]),
            boldness=rng.choice((2, 3, 4)),
            side_appetite=rng.choice((0.0, 0.2, 0.4, 0.7)),
        )

    def leave(self, patron: Patron) -> None:
        """Remember a patron who has left, and forget who left long ago."""
        self.absent = [*self.absent[-REMEMBERED:], patron]
