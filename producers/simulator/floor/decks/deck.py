"""Physical cards: fresh decks, the dealing shoe with its cover card, the discard rack, sealed hole cards."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable
from dataclasses import dataclass, field

from schemas.values import JOKER, RANKS, SUITS


def fresh_cards(decks: int, joker: bool = False) -> list[str]:
    """`decks` decks in the order of a new pack, by suit and rank, each with its joker if it has one."""
    pack = [rank + suit for suit in SUITS for rank in RANKS]
    return ([*pack, JOKER] if joker else pack) * decks


def seal(card: str, nonce: str) -> str:
    """The seal of a face-down card: SHA-256 hex of `<card>|<nonce>`."""
    return hashlib.sha256(f"{card}|{nonce}".encode()).hexdigest()


def nonce_from(rng: random.Random) -> str:
    """A fresh nonce of 32 hex digits."""
    return f"{rng.getrandbits(128):032x}"


def cut(stack: list[str], cards_on_top: int) -> list[str]:
    """The stack, first card on top, after `cards_on_top` cards above the cover card went to the bottom."""
    return stack[cards_on_top:] + stack[:cards_on_top]


@dataclass(slots=True)
class PhysicalShoe:
    """The dealing shoe and the discard rack beside it, for one batch at a time.

    `order` is the whole load in draw order, `rack` the discard rack, bottom card first. `cards_below` is the
    number of cards behind the cover card, or None where none was put in.
    """

    number: int = 0
    batch: str = ""
    order: list[str] = field(default_factory=list)
    drawn: int = 0
    cards_below: int | None = None
    cover_reached: bool = False
    rack: list[str] = field(default_factory=list)

    def load(self, batch: str, order: Iterable[str], cards_below: int | None = None) -> None:
        """Put a stack into the shoe, first card of `order` to be drawn first; the rack stays as it is."""
        self.number += 1
        self.batch = batch
        self.order = list(order)
        self.drawn = 0
        self.cards_below = cards_below
        self.cover_reached = False

    @property
    def remaining(self) -> int:
        """Number of cards still in the shoe."""
        return len(self.order) - self.drawn

    @property
    def cover_due(self) -> bool:
        """Whether the cover card comes out before the next card; set `cover_reached` when it has."""
        return self.cards_below is not None and not self.cover_reached and self.remaining <= self.cards_below

    def draw(self) -> str:
        """Take the next card.

        Raises:
            IndexError: the shoe is empty; the table has to reload it from the rack.
        """
        card = self.order[self.drawn]
        self.drawn += 1
        return card

    def to_rack(self, cards: Iterable[str]) -> None:
        """Lay cards on the discard rack, the first of them lowest."""
        self.rack.extend(cards)

    def empty(self) -> list[str]:
        """Move the rest of the shoe to the rack and return it, in draw order."""
        rest = self.order[self.drawn :]
        self.drawn = len(self.order)
        self.rack.extend(rest)
        return rest

    def take_rack(self) -> list[str]:
        """Lift all cards off the rack, bottom card first."""
        cards, self.rack = self.rack, []
        return cards
