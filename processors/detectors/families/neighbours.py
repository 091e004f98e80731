"""Cards that lie side by side in an order, and bets that they come one after the other more often than by chance."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import log, log1p

from schemas.values import RANKS, SUITS, UNKNOWN

ODDS = (1.5, 4.0, 40.0)
_LOGS = tuple(log(ratio) for ratio in ODDS)
_LESS = tuple(ratio - 1.0 for ratio in ODDS)


def ratios_of(factors: list[float], p: float, hit: bool) -> None:
    """Add to the log factors, by ratio of odds, what one card says whose chance of being a neighbour was `p`."""
    for index, less in enumerate(_LESS):
        factors[index] += (_LOGS[index] if hit else 0.0) - log1p(p * less)


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
