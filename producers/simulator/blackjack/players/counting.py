"""The High-Low count that some patrons keep."""

from __future__ import annotations

from collections.abc import Iterable

WEIGHTS = {**dict.fromkeys("23456", 1), **dict.fromkeys("789", 0), **dict.fromkeys("TJQKA", -1)}
LEAST_DECKS = 0.5  # nobody reads a discard rack finer than half a deck


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
