"""Evidence that stakes follow the count, if any order of the same stakes is as likely as another.

Then the rank of each stake among those so far is uniform and independent of all before (Vovk, Gammerman, Shafer,
Algorithmic Learning in a Random World, 2nd ed., 2022, ch. 8). Bets on it, chosen by where the count stands among those
so far, multiply to a test martingale.
"""

from __future__ import annotations

from math import log

from msgspec import Struct, field

from processors.detectors.evidence.ranks import tie_breaker

EDGES = (0.5, 0.6, 0.7, 0.8, 0.9)
SLIPS = (0.05, 0.3)
SLOPES = (0.4, 0.8)
BETS = len(EDGES) * len(SLIPS) + len(SLOPES)
_LEARNT = 4  # rounds before anything is bet
_STEP = log(1.15)
_COUNTS = 49


class Order(Struct, gc=False):
    """How many stakes there were of each size, a bin for 15 %, and how many counts, a bin for a quarter."""

    stakes: dict[int, int] = field(default_factory=dict)
    counts: list[int] = field(default_factory=lambda: [0] * _COUNTS)
    seen: int = 0


def size_of(cents: int) -> int:
    """The bin of a stake; 0 for none."""
    return 1 + max(0, round(log(cents / 100) / _STEP)) if cents > 0 else 0


def bets(order: Order, cents: int, count: float, identity: str) -> list[float]:
    """Take a stake and the true count it was placed at; the factor of each bet, 1 on average under the null.

    A bet is that the stake is among the largest when the count is, from an edge on, with slips; or a slope.
    """
    bin_ = size_of(cents)
    order.stakes[bin_] = order.stakes.get(bin_, 0) + 1
    at = min(_COUNTS - 1, max(0, int(4 * (count + 6))))
    order.counts[at] += 1
    order.seen += 1
    if order.seen <= _LEARNT:
        return [1.0] * BETS
    below = sum(number for one, number in order.stakes.items() if one < bin_)
    rank = (below + tie_breaker(identity) * order.stakes[bin_]) / order.seen
    place = (sum(order.counts[:at]) + 0.5 * order.counts[at]) / order.seen
    found = []
    for edge in EDGES:
        fits = (rank >= edge) / (1 - edge) if place > edge else (rank < edge) / edge
        found += [slip + (1 - slip) * fits for slip in SLIPS]
    return found + [1 + slope * (2 * place - 1) * (2 * rank - 1) for slope in SLOPES]
