"""Test martingales: the wealth of bettors who bet against a null hypothesis, and what a high wealth proves.

Several bettors begin with one unit together, each staking on another alternative (a mixture: Robbins, Ann. Math.
Statist. 41, 1970). Under the null no bet gains on average, so the joint wealth is an e-process, and by Ville's
inequality it ever reaches 1/a with a probability of at most a (Ville, Etude critique de la notion de collectif, 1939;
Ramdas, Grünwald, Vovk, Shafer, Statist. Sci. 38, 2023). One may stop, or go on, whenever one likes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from msgspec import Struct

LARGEST = 690.0
"""Largest log of an e-value that `plain` writes out: e^690 is still a number in every reader of JSON."""


def log_sum(logs: Iterable[float]) -> float:
    """The log of the sum of numbers that are given by their logs."""
    values = list(logs)
    largest = max(values, default=-math.inf)
    if math.isinf(largest):
        return largest
    return largest + math.log(sum(math.exp(value - largest) for value in values))


def plain(log_e: float) -> float:
    """An e-value out of its log, capped so that it stays a finite number."""
    return math.exp(min(log_e, LARGEST))


class Wealth(Struct, gc=False):
    """Log of each bettor's wealth, their weights included; log of the sum now and at its highest; bets made."""

    logs: list[float]
    log_e: float = 0.0
    log_peak: float = 0.0
    bets: int = 0


def begin(weights: Sequence[float]) -> Wealth:
    """One unit, divided among the bettors by their weights; all weights are positive."""
    total = math.log(math.fsum(weights))
    return Wealth([math.log(weight) - total for weight in weights])


def settle(wealth: Wealth, factors: Sequence[float]) -> float:
    """Multiply each bettor's wealth by the factor whose log is given; the log of the joint wealth.

    The caller owes that each factor is at least 0, was fixed before what it pays for, and is at most 1 on average under
    the null.
    """
    logs = wealth.logs
    for index, factor in enumerate(factors):
        logs[index] += factor
    largest = max(logs)
    if largest == -math.inf:
        wealth.log_e = largest
    else:
        wealth.log_e = largest + math.log(sum([math.exp(one - largest) for one in logs]))
    wealth.bets += 1
    if wealth.log_e > wealth.log_peak:
        wealth.log_peak = wealth.log_e
    return wealth.log_e
