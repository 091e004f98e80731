"""A change at an unknown time: CUSUM and Shiryaev-Roberts with a stated average run length, and change at a level.

Both work on the logs of likelihood ratios or other e-values, one for each alternative. Under the null the sum over all
times of beginning exceeds a threshold c for the first time after c observations or more on average, and CUSUM, the
largest of these terms, lies below that sum (Page, Biometrika 41, 1954; Lorden, Ann. Math. Statist. 42, 1971; Pollak,
Ann. Statist. 15, 1987; Shin, Ramdas, Rinaldo, "E-detectors", New England J. Stat. Data Sci. 2, 2023). A detector that
may never raise a false alarm with more than some probability uses `Onsets` instead: a mixture over the times at which
the change may begin, which is an e-process and obeys Ville's inequality.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from processors.detectors.evidence.wealth import log_sum


class Cusum(Struct, gc=False):
    """Log of CUSUM by alternative, weights apart; their weighted mean's log; observations since the last beginning."""

    logs: list[float]
    weights: list[float]
    log_value: float = -math.inf
    observed: int = 0


def begin_cusum(weights: Sequence[float]) -> Cusum:
    """Nothing observed yet; the weights of the alternatives are positive."""
    total = math.fsum(weights)
    return Cusum([-math.inf] * len(weights), [math.log(weight / total) for weight in weights])


def add_to_cusum(cusum: Cusum, factors: Sequence[float]) -> float:
    """Take one observation's log factors; the log of the statistic.

    An alarm at log c comes, under the null, after at least c observations on average.
    """
    cusum.logs = [max(0.0, log) + factor for log, factor in zip(cusum.logs, factors, strict=True)]
    cusum.log_value = log_sum(log + weight for log, weight in zip(cusum.logs, cusum.weights, strict=True))
    cusum.observed += 1
    return cusum.log_value


class Onsets(Struct, gc=False):
    """Log wealth by alternative of all bettors that have begun; its sum with what waits, now and at its highest."""

    logs: list[float]
    weights: list[float]
    log_e: float = 0.0
    log_peak: float = 0.0
    observed: int = 0


def begin_onsets(weights: Sequence[float]) -> Onsets:
    """One unit that waits; the weights of the alternatives are positive."""
    total = math.fsum(weights)
    return Onsets([-math.inf] * len(weights), [math.log(weight / total) for weight in weights])


def add_to_onsets(onsets: Onsets, factors: Sequence[float]) -> float:
    """Take one observation's log factors; the log of the e-process.

    Of the unit, 1 / (n (n + 1)) begins to bet at the n-th observation and 1 / (n + 1) still waits after it: a change at
    the n-th observation costs a factor of n (n + 1), and none costs more than is waiting.
    """
    onsets.observed += 1
    n = onsets.observed
    share = -math.log(n) - math.log(n + 1)
    onsets.logs = [
        log_sum((log, weight + share)) + factor
        for log, weight, factor in zip(onsets.logs, onsets.weights, factors, strict=True)
    ]
    onsets.log_e = log_sum((*onsets.logs, -math.log(n + 1)))
    onsets.log_peak = max(onsets.log_peak, onsets.log_e)
    return onsets.log_e
