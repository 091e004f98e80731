"""Sequential ranks: evidence that needs no distribution, only that the order of the observations says nothing.

If observations are exchangeable, the rank of each among those so far, ties broken by a number drawn for it, is uniform
and independent of all ranks before (Vovk, Gammerman, Shafer, Algorithmic Learning in a Random World, 2nd ed., 2022,
ch. 8). Bets on such ranks multiply to a test martingale. What a covariate is that was known beforehand, such as the
true count when a stake is placed, may decide on which side to bet: the null is then that stakes do not follow it.
"""

from __future__ import annotations

import hashlib
import math
from bisect import bisect_right
from collections.abc import Sequence

from msgspec import Struct

SLOPES = (0.15, 0.4, 0.8)


class Ranks(Struct, gc=False):
    """How many of the observations so far lay below each edge, at or above the last; a state of fixed size."""

    counts: list[int]
    seen: int = 0


def begin_ranks(edges: Sequence[float]) -> Ranks:
    """No observation yet; `edges` ascend and divide the values into one bin more than there are edges."""
    return Ranks([0] * (len(edges) + 1))


def place(ranks: Ranks, edges: Sequence[float], value: float, tie: float) -> float:
    """Take one more observation; its rank among all so far as a number in [0, 1), uniform under the null.

    tie: a number in [0, 1) that depends on no observation (`tie_breaker`); it decides the place among equals.
    """
    bin_ = bisect_right(edges, value)
    ranks.counts[bin_] += 1
    ranks.seen += 1
    return (sum(ranks.counts[:bin_]) + tie * ranks.counts[bin_]) / ranks.seen


def tie_breaker(identity: str) -> float:
    """A number in [0, 1) that follows from an identity alone, so that a replay breaks every tie the same way."""
    return int.from_bytes(hashlib.sha256(identity.encode()).digest()[:6], "big") / 2.0**48


def log_rank_bets(slopes: Sequence[float], rank: float, lean: float = 1.0) -> list[float]:
    """Logs of the factors of bets that a uniform rank lies high (`lean` above 0) or low, by slope below 1."""
    return [math.log1p(slope * lean * (2.0 * rank - 1.0)) for slope in slopes]


def log_power_bets(powers: Sequence[float], rank: float) -> list[float]:
    """Logs of the factors of bets that ranks pile up near 0: k r^(k-1) for each power k in (0, 1)."""
    return [math.log(power) + (power - 1.0) * math.log(max(rank, 1e-12)) for power in powers]
