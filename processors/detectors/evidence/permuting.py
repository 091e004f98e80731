"""Evidence by permutation: a statistic held against the same statistic of shuffled data.

The share that the statistic of the data has in the sum over it and B shuffled copies, times B + 1, is an e-value, for
all are exchangeable under the null (soft-rank e-value: Ramdas and Wang, Hypothesis Testing with E-values, 2025;
Koning, "Post-hoc and anytime valid permutation and group invariance testing", 2023). It never exceeds B + 1.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from typing import TypeVar

from processors.detectors.evidence.wealth import log_sum

T = TypeVar("T")


def soft_rank(log_observed: float, log_shuffled: Sequence[float]) -> float:
    """The log e-value of a positive statistic among those of shuffled copies; all as logs."""
    return math.log(len(log_shuffled) + 1) + log_observed - log_sum((log_observed, *log_shuffled))


def draws(key: str) -> Iterator[float]:
    """Numbers in [0, 1) that follow from a key alone: four to each SHA-256 of the key and a counter."""
    counter = 0
    while True:
        digest = hashlib.sha256(f"{key}|{counter}".encode()).digest()
        for start in range(0, 32, 8):
            yield (int.from_bytes(digest[start : start + 8], "big") >> 11) / 2.0**53
        counter += 1


def shuffled(values: Sequence[T], numbers: Iterator[float]) -> list[T]:
    """The values in an order drawn uniformly by `numbers` (Fisher and Yates, Durstenfeld's form)."""
    result = list(values)
    for last in range(len(result) - 1, 0, -1):
        other = int(next(numbers) * (last + 1))
        result[last], result[other] = result[other], result[last]
    return result
