"""Whether cases of some groups succeed more often than others, when nobody knows how often they should.

Universal inference (Wasserman, Ramdas, Balakrishnan, Proc. Natl. Acad. Sci. 117, 2020): a mixture of alternatives, each
a fixed set of rates, over the highest likelihood that one rate for all groups can reach. For the true rate the ratio is
a test martingale, and the highest likelihood is no smaller than the true one's: so the ratio is an e-process whatever
the rate is. It follows from the counts alone, so one may compute it at any times.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from processors.detectors.evidence.wealth import log_sum


def log_e_of_groups(
    won: Sequence[float], lost: Sequence[float], alternatives: Sequence[Sequence[float]]
) -> float:
    """The log of the e-process that one rate serves all groups.

    won, lost: by group; cases that depend on one another may count as parts that sum to one case. alternatives: of
    each, the rate of every group; all have the same weight.
    """
    wins, losses = math.fsum(won), math.fsum(lost)
    total = wins + losses
    if not total:
        return 0.0
    highest = sum(part * math.log(part / total) for part in (wins, losses) if part > 0.0)
    logs = [
        sum([w * hit + n * miss for w, n, (hit, miss) in zip(won, lost, _logs(tuple(rates)), strict=True)])
        for rates in alternatives
    ]
    return log_sum(logs) - math.log(len(logs)) - highest


@lru_cache(maxsize=256)
def _logs(rates: tuple[float, ...]) -> tuple[tuple[float, float], ...]:
    """The logs of the chances of winning and losing, by group."""
    return tuple((math.log(rate), math.log1p(-rate)) for rate in rates)


def tilted(rate: float, odds: float) -> float:
    """A rate whose odds are multiplied."""
    return odds * rate / (1.0 - rate + odds * rate)
