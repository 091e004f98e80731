"""What the shoe may give next: the cards nobody has seen, by value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from processors.games.totals import POINTS

VALUES = tuple(range(2, 12))  # an ace is 11
IN_A_DECK = (4,) * 8 + (16, 4)


class Composition(Struct, frozen=True):
    """How many cards of each value, 2 to 10 and the ace, nobody has seen; of an endless shoe only their shares count.

    The dealer's hand is dealt from it without replacement, a player's further cards with: docs/play.md says what that
    leaves out, and how little it is.
    """

    counts: tuple[int, ...]
    endless: bool = False

    @property
    def shares(self) -> tuple[float, ...]:
        """The chance of each value as the next card."""
        whole = sum(self.counts)
        return tuple(count / whole for count in self.counts)

    def without(self, values: Iterable[int]) -> Composition:
        """The composition when these values were seen as well; an endless one stays as it is."""
        if self.endless:
            return self
        counts = list(self.counts)
        for value in values:
            counts[value - 2] -= 1
        return Composition(tuple(counts), self.endless)


ENDLESS = Composition(IN_A_DECK, endless=True)
"""An endless shoe: only shares count, and a choice depends on nothing that was dealt before."""


def values_of(cards: Sequence[str]) -> tuple[int, ...]:
    """Values of known cards, an ace as 11.

    Raises:
        KeyError: a card is not known.
    """
    return tuple(POINTS[card] for card in cards)


def plus(total: int, soft: bool, value: int, limit: int) -> tuple[int, bool]:
    """A count with one more card; aces turn to 1 one by one above the limit (3(d)(3) of each chapter)."""
    aces = soft + (value == 11)
    total += value
    while total > limit and aces:
        total -= 10
        aces -= 1
    return total, aces > 0
