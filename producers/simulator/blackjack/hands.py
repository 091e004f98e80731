"""Hands and boxes on the layout of one round, with the chips and lammers that lie on them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from producers.simulator.blackjack.rules import is_blackjack, total
from producers.simulator.blackjack.strategies import Basic
from producers.simulator.floor.patrons import Patron

Lammer = Literal["free_double", "free_split"]
State = Literal["open", "blackjack", "even_money", "surrendered", "bust", "dead"]


@dataclass(slots=True)
class SimulatedHand:
    """One player hand: its cards in deal order and what lies on it, in cents."""

    name: str
    seat: int
    number: int
    cash: int
    cards: list[str] = field(default_factory=list)
    double: int = 0
    lammers: list[Lammer] = field(default_factory=list)
    state: State = "open"
    settled: bool = False
    racked: bool = False

    @property
    def points(self) -> int:
        """Point count of the hand."""
        return total(self.cards)[0]

    @property
    def doubled(self) -> bool:
        """Whether the hand was doubled, by chips or by a lammer."""
        return self.double > 0 or "free_double" in self.lammers

    @property
    def live(self) -> bool:
        """Whether the dealer's count still decides this hand."""
        return self.state == "open" and not self.settled


@dataclass(slots=True)
class BettingBox:
    """One betting area: a patron's main wager, its side wager and the hands that grow from it."""

    seat: int
    patron: Patron
    strategy: Basic
    unit: int
    side: int
    hands: list[SimulatedHand] = field(default_factory=list)
    side_open: bool = False
    insurance: int = 0
    frozen: bool = False

    @property
    def first(self) -> SimulatedHand:
        """The hand `x.1`."""
        return self.hands[0]

    @property
    def split(self) -> bool:
        """Whether the box was split."""
        return len(self.hands) > 1

    @property
    def has_blackjack(self) -> bool:
        """Whether the two cards dealt first are a Blackjack."""
        return not self.split and is_blackjack(self.first.cards)

    def hand_after_split(self, parent: SimulatedHand, cash: int) -> SimulatedHand:
        """The new hand that takes the second card of `parent`."""
        number = len(self.hands) + 1
        hand = SimulatedHand(f"{self.seat}.{number}", self.seat, number, cash, [parent.cards.pop()])
        self.hands.append(hand)
        return hand
