"""Many e-values made into one, or into a list of discoveries, whatever their dependence."""

from __future__ import annotations

import math
from collections.abc import Sequence

from processors.detectors.evidence.wealth import log_sum


def weighted_mean(logs: Sequence[float], weights: Sequence[float]) -> float:
    """The log of the weighted mean of e-values: an e-value under any dependence.

    Up to domination it is the only symmetric way to merge e-values whose dependence is unknown (Vovk and Wang, Ann.
    Statist. 49, 2021). The weights sum to at most 1; what is missing stays unspent.
    """
    return log_sum(log + math.log(weight) for log, weight in zip(logs, weights, strict=True) if weight > 0.0)


def product(logs: Sequence[float]) -> float:
    """The log of the product: an e-value only if each is one given all before it."""
    return math.fsum(logs)


def e_bh(logs: Sequence[float], level: float) -> tuple[int, ...]:
    """Indices of the null hypotheses to reject so that at most a share `level` of them is true on average.

    The e-BH procedure (Wang and Ramdas, "False discovery rate control with e-values", J. R. Statist. Soc. B 84, 2022):
    the k largest, for the largest k whose k-th e-value is at least n / (level k); valid under any dependence.
    """
    ordered = sorted(range(len(logs)), key=lambda index: (-logs[index], index))
    least = math.log(len(logs) / level) if logs else 0.0
    rejected = 0
    for k, index in enumerate(ordered, start=1):
        if logs[index] + math.log(k) >= least:
            rejected = k
    return tuple(sorted(ordered[:rejected]))


def log_e_of_p(p: float) -> float:
    """The log of an e-value made of a p-value: (1 - p + p ln p) / (p ln^2 p), a mixture of k p^(k-1) over k.

    Shafer, Shen, Vereshchagin, Vovk, Statist. Sci. 26, 2011; Vovk and Wang, Ann. Statist. 49, 2021. It costs a factor
    of about ln^2 p against 1 / p.
    """
    if p >= 1.0:
        return math.log(0.5)
    if p <= 0.0:
        return math.inf
    log_p = math.log(p)
    if p > 0.999:  # the limit, where the two sides of the difference cancel: 1/2 + (1 - p) / 6 + ...
        return math.log(0.5 + (1.0 - p) / 6.0)
    return math.log(1.0 - p + p * log_p) - log_p - 2.0 * math.log(-log_p)
