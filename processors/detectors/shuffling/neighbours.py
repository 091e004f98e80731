"""Cards that lie side by side in an order, and bets that they come one after the other more often than by chance."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import exp, log, log1p

from schemas.values import RANKS, SUITS, UNKNOWN

ODDS = (1.5, 4.0, 40.0)
_STEPS = 200
_MOST = 250.0  # of what one round says, as a log: the largest float lies beyond e^700
_MISSES = [
    tuple(-log1p(min(step + 1, _STEPS) / _STEPS * (ratio - 1.0)) for ratio in ODDS)
    for step in range(_STEPS + 1)
]
_HITS = [tuple(miss + log(ratio) for miss, ratio in zip(row, ODDS, strict=True)) for row in _MISSES]


class Bets:
    """Bets of one round that the card after another is one of its neighbours, with hits and what chance allows."""

    __slots__ = ("_large", "_middle", "_small", "chance", "hits")

    def __init__(self) -> None:
        self._small = self._middle = self._large = self.chance = 0.0
        self.hits = 0

    def bet(self, p: float, hit: bool) -> None:
        """Take one card, whose chance of being a neighbour was `p`.

        The chance is taken up to the next of `_STEPS`: then the bets are no better than fair.
        """
        small, middle, large = (_HITS if hit else _MISSES)[int(p * _STEPS) if p < 1.0 else _STEPS]
        self._small += small
        self._middle += middle
        self._large += large
        self.chance += p
        self.hits += hit

    def factors(self) -> list[float]:
        """The likelihood ratios of all cards taken, by ratio of odds."""
        return [exp(min(_MOST, one)) for one in (self._small, self._middle, self._large)]


def _near() -> dict[str, tuple[str, ...]]:
    """The cards of the same rank, and of the same suit and the rank beside, of every card."""
    ranks = "A" + RANKS.replace("A", "") + "A"
    near: dict[str, set[str]] = {rank + suit: set() for rank in RANKS for suit in SUITS}
    for suit in SUITS:
        for one, other in pairwise(ranks):
            near[one + suit].add(other + suit)
            near[other + suit].add(one + suit)
        for rank in RANKS:
            near[rank + suit].update(rank + other for other in SUITS)
    return {card: tuple(sorted(cards)) for card, cards in near.items()}


NEAR = _near()


@lru_cache(maxsize=64)
def followers(order: str) -> dict[str, tuple[str, ...]]:
    """Of every card of an order, the cards that lie behind its copies."""
    found: dict[str, set[str]] = {}
    for at in range(0, len(order) - 2, 2):
        card, behind = order[at : at + 2], order[at + 2 : at + 4]
        if UNKNOWN not in (card, behind):
            found.setdefault(card, set()).add(behind)
    return {card: tuple(sorted(cards)) for card, cards in found.items()}


@lru_cache(maxsize=32)
def either_way(order: str, reverse: str) -> dict[str, tuple[str, ...]]:
    """Of every card of an order, given both ways, the cards that lie beside its copies."""
    one, other = followers(order), followers(reverse)
    return {
        card: tuple(sorted({*one.get(card, ()), *other.get(card, ())})) for card in one.keys() | other.keys()
    }
