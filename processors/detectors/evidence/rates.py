"""Bets on how often something happens: likelihood ratios against a stated rate, which may change from case to case.

An alternative multiplies the odds of the null by a ratio (exponential tilting; Wald, Sequential Analysis, 1947). A
mixture over ratios needs no guess of the effect (Robbins, Ann. Math. Statist. 41, 1970).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from processors.detectors.evidence.logs import plain

MORE_OFTEN = (1.5, 2.0, 4.0, 8.0, 30.0)
"""Ratios of odds that between them lose little against any effect from half as often again to thirty times as often."""


def log_ratios(odds: Sequence[float], p: float, hits: int, of: int = 1) -> list[float]:
    """Logs of the likelihood ratios of `hits` among `of` independent cases, by ratio of odds.

    `p` is the null's probability of a hit in each case. Ratios above 1 test that it is at most `p`, ratios below 1 that
    it is at least `p`; both together test that it is `p`.
    """
    return [hits * math.log(ratio) - of * math.log1p(p * (ratio - 1.0)) for ratio in odds]


def rate_ratios(odds: Sequence[float], p: float, hits: int, of: int = 1) -> list[float]:
    """The likelihood ratios whose logs `log_ratios` gives, each a finite number."""
    return [plain(one) for one in log_ratios(odds, p, hits, of)]
