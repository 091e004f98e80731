"""Evidence that stakes follow the count, if any order of the same stakes is as likely as another.

Then the rank of each stake among those so far, ties broken at random, is uniform and independent of all before (Vovk,
Gammerman, Shafer, Algorithmic Learning in a Random World, 2nd ed., 2022, ch. 8). Bets on it, chosen by where the count
stands among those so far, multiply to a test martingale; so do their means over all ways to break the ties, which need
no random number and make nothing of stakes that are all alike.
"""

from __future__ import annotations

from math import log, sqrt
from statistics import NormalDist

from msgspec import Struct, field

CORRELATIONS = (0.3, 0.5, 0.7, 0.9)
"""How closely stakes may follow the count: the Gaussian copulas that are bet on."""
BETS = len(CORRELATIONS)
_SLIPS = 0.02  # the part of a bet that is never risked
_LEARNT = 4  # rounds before anything is bet
_STEP = log(1.15)
_COUNTS = 49
_END = 1e-9
_NORMAL = NormalDist()


class Order(Struct, gc=False):
    """How many stakes there were of each size, a bin for 15 %, and how many counts, a bin for a quarter."""

    stakes: dict[int, int] = field(default_factory=dict)
    counts: list[int] = field(default_factory=lambda: [0] * _COUNTS)
    seen: int = 0


def size_of(cents: int) -> int:
    """The bin of a stake; 0 for none."""
    return 1 + max(0, round(log(cents / 100) / _STEP)) if cents > 0 else 0


def bets(order: Order, cents: int, count: float) -> list[float]:
    """Take a stake and the true count it was placed at; the factor of each bet, 1 on average under the null.

    A bet is the density of the rank if ranks of stakes and counts go together as normal numbers so correlated do, over
    the ranks that stakes alike leave open.
    """
    bin_ = size_of(cents)
    order.stakes[bin_] = order.stakes.get(bin_, 0) + 1
    at = min(_COUNTS - 1, max(0, int(4 * (count + 6))))
    order.counts[at] += 1
    order.seen += 1
    if order.seen <= _LEARNT:
        return [1.0] * BETS
    low = sum(number for one, number in order.stakes.items() if one < bin_) / order.seen
    width = order.stakes[bin_] / order.seen
    place = (sum(order.counts[:at]) + 0.5 * order.counts[at]) / order.seen
    leans = _NORMAL.inv_cdf(min(0.999, max(0.001, place)))
    begins = _NORMAL.inv_cdf(low) if low > _END else -9.0
    ends = _NORMAL.inv_cdf(low + width) if low + width < 1 - _END else 9.0
    found = []
    for by in CORRELATIONS:
        rest = sqrt(1 - by * by)
        chance = _NORMAL.cdf((ends - by * leans) / rest) - _NORMAL.cdf((begins - by * leans) / rest)
        found.append(_SLIPS + (1 - _SLIPS) * chance / width)
    return found
