"""Betting on the mean of bounded observations, whatever their distribution.

If the mean of an observation in [0, 1] is at most m, given all that came before, then 1 + f (x - m) / m with a share f
in [0, 1) fixed beforehand is a fair or losing bet. A mixture over f is the convex-combination e-process of Waudby-Smith
and Ramdas ("Estimating means of bounded random variables by betting", J. R. Statist. Soc. B 86, 2024).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

SHARES = (0.05, 0.15, 0.35, 0.7)
"""Shares of the largest bet that cannot lose all: small ones for slight effects, large ones for plain ones."""


def log_bets(shares: Sequence[float], x: float, mean: float, lean: float = 1.0) -> list[float]:
    """Logs of the factors of bets on an observation, by share.

    x: what was seen, in [0, 1]. mean: the null's mean, in (0, 1). lean: in [-1, 1], fixed before `x`; above 0 the bet
    is that `x` lies above the mean and tests "at most", below 0 the other way; its size scales the bet, 0 is no bet.
    """
    scale = lean * (x - mean) / (mean if lean > 0 else 1.0 - mean)
    return [math.log1p(share * scale) for share in shares]


def scaled(x: float, low: float, high: float) -> float:
    """An observation in [low, high] as a number in [0, 1]."""
    return (x - low) / (high - low)
