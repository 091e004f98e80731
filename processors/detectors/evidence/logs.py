"""Evidence as logs: sums of what is too small or too large for a float, and numbers that stay finite."""

from __future__ import annotations

import math
from collections.abc import Iterable

LARGEST = 690.0
"""Largest log of an e-value that `plain` writes out: e^690 is still a number in every reader of JSON."""


def log_sum(logs: Iterable[float]) -> float:
    """The log of the sum of numbers that are given by their logs."""
    values = list(logs)
    largest = max(values, default=-math.inf)
    if math.isinf(largest):
        return largest
    return largest + math.log(sum([math.exp(value - largest) for value in values]))


def plain(log_e: float) -> float:
    """An e-value out of its log, capped so that it stays a finite number."""
    return math.exp(min(log_e, LARGEST))
