"""On whom the mispaid hands of a round fall: evidence that asks for nothing but who had how many hands and stakes.

Given that so many hands of a round were mispaid, a dealer who treats all alike mispays each set of that many hands
with a chance in proportion to the product of their weights (conditional Bernoulli: Chen, Dempster and Liu, Biometrika
81, 1994). How often she mispays cancels out, as does why she does so on that day.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, log
from typing import Final

from msgspec import Struct

POWERS: Final = (0.0, 0.5, 1.0)
"""Null: a hand is mispaid in proportion to its stake to one of these powers: not at all, somewhat, or in proportion."""
TOLERATED: Final = 1.1
"""Null: one player's hands have at most these odds beside the others': he may win, or lose, a little more often."""
FAVOURS: Final = (200.0, 8.0)
"""Alternatives: how much greater the odds of the favoured player's hands are."""


class Lot(Struct, frozen=True):
    """Hands of one round among which some were mispaid: stakes in cents, whose they are, and what each got too much."""

    cents: tuple[int, ...]
    players: tuple[str, ...]
    wrong: tuple[int, ...]

    @property
    def mispaid(self) -> int:
        """How many of the hands got too much."""
        return sum(wrong > 0 for wrong in self.wrong)

    def got(self, player: str) -> list[int]:
        """What each mispaid hand of a player got too much."""
        return [wrong for wrong, of in zip(self.wrong, self.players, strict=True) if of == player and wrong]


def log_factors(lot: Lot, player: str) -> list[float]:
    """Logs of the likelihood ratios that a player is favoured, by power of the stake and then by favour.

    Each is 1 on average at most where his hands are mispaid with no more than the tolerated odds.
    """
    hits, his = lot.mispaid, len(lot.got(player))
    factors = []
    for power in POWERS:
        weights = [max(cents, 1) ** power for cents in lot.cents]
        null = _sets(_favoured(weights, lot.players, player, TOLERATED), hits)
        factors += [
            his * log(favour / TOLERATED)
            + log(null / _sets(_favoured(weights, lot.players, player, favour), hits))
            for favour in FAVOURS
        ]
    return factors


def share(lot: Lot, player: str) -> float:
    """How many of the mispaid hands are a player's on average, if they fall on all hands alike."""
    return lot.mispaid * lot.players.count(player) / len(lot.players)


def _favoured(weights: Sequence[float], players: Sequence[str], player: str, favour: float) -> list[float]:
    scale = fsum(weights)
    return [
        weight / scale * (favour if of == player else 1.0)
        for weight, of in zip(weights, players, strict=True)
    ]


def _sets(weights: Sequence[float], size: int) -> float:
    """The sum over all sets of so many hands of the products of their weights."""
    sums = [1.0] + [0.0] * size
    for weight in weights:
        for at in range(size, 0, -1):
            sums[at] += weight * sums[at - 1]
    return sums[size]
