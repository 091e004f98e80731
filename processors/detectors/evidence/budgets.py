"""Paying for the hypotheses tried: a stream's level is divided among them before their data is seen.

By the union bound a family of e-processes, each held against its own share of the level, raises a false alarm with a
probability of at most the level, even if nobody knows beforehand how many hypotheses will be tried (alpha spending with
a summable series: Foster and Stine, J. R. Statist. Soc. B 70, 2008).
"""

from __future__ import annotations

import math


def log_share(number: int) -> float:
    """The log of the share of the level that the `number`-th hypothesis tried has, counted from 1 as they come.

    Shares are 8 / ((number + 7) (number + 8)), and sum to 1 over all numbers: the first pays a factor of 9, the eighth
    about four times that, and after many the price grows with the square of the number.
    """
    return math.log(8) - math.log(number + 7) - math.log(number + 8)


def priced(log_e: float, *shares: float) -> float:
    """The log of the evidence that is left after the shares (as logs) of all choices made are paid."""
    return log_e + math.fsum(shares)
