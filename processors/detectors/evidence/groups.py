"""Whether cases of some groups succeed more often than others, when nobody knows how often they should.

Universal inference (Wasserman, Ramdas, Balakrishnan, Proc. Natl. Acad. Sci. 117, 2020): a mixture of alternatives, each
a fixed set of rates, over the highest likelihood that one rate for all groups can reach. For the true rate the ratio is
a test martingale, and the highest likelihood is no smaller than the true one's: so the ratio is an e-process whatever
the rate is. It follows from the counts alone, so one may compute it at any times.

Cases before a change dilute those after it. So the evidence is also taken from later starts on, each with a weight of
its own; the weights sum to one. A start that is given up takes its weight with it, which can only lower the evidence.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from msgspec import Struct, field

from processors.detectors.evidence.budgets import log_share
from processors.detectors.evidence.logs import log_sum

MOST_STARTS: Final = 12
_WHOLE, _LATER = math.log(0.75), math.log(0.25)
"""The weights, as logs, of the beginning and of all later starts."""


class Start(Struct, array_like=True, frozen=True, gc=False):
    """A later start: its number, from 1, and what had been won and lost by then, by group."""

    number: int
    won: tuple[float, ...]
    lost: tuple[float, ...]


class Groups(Struct):
    """Cases won and lost in two groups, the others and those in question, and the later starts that are kept."""

    won: list[float] = field(default_factory=lambda: [0.0, 0.0])
    lost: list[float] = field(default_factory=lambda: [0.0, 0.0])
    starts: list[Start] = field(default_factory=list)
    begun: int = 0

    def start(self) -> None:
        """Begin anew beside what goes on: of the starts before, those are kept whose ages lie most evenly."""
        self.begun += 1
        self.starts.append(Start(self.begun, tuple(self.won), tuple(self.lost)))
        if len(self.starts) > MOST_STARTS:
            ages = [self.begun + 1 - one.number for one in self.starts]
            inner = range(1, len(ages) - 1)
            del self.starts[min(inner, key=lambda at: ages[at - 1] / ages[at + 1])]


class Since(NamedTuple):
    """Evidence, as a log, over all starts, and what was won and lost since the start that has most of it.

    later: that start is not the beginning. number: that of the start, 0 for the beginning.
    """

    log_e: float
    won: list[float]
    lost: list[float]
    later: bool
    number: int = 0


def since_any_start(groups: Groups, alternatives: Sequence[Sequence[float]]) -> Since:
    """The e-process that one rate serves both groups, from the beginning (weight 3/4) and from later starts."""
    logs = [_WHOLE + log_e_of_groups(groups.won, groups.lost, alternatives)]
    most, began = logs[0], None
    for one in groups.starts:
        won, lost = _since(groups, one)
        log_e = _LATER + log_share(one.number) + log_e_of_groups(won, lost, alternatives)
        logs.append(log_e)
        if log_e > most:
            most, began = log_e, one
    if began is None:
        return Since(log_sum(logs), groups.won, groups.lost, False)
    return Since(log_sum(logs), *_since(groups, began), True, began.number)


def _since(groups: Groups, start: Start) -> tuple[list[float], list[float]]:
    """What was won and lost since a start, by group."""
    (others_won, these_won), (won_by_others, won_by_these) = groups.won, start.won
    (others_lost, these_lost), (lost_by_others, lost_by_these) = groups.lost, start.lost
    won = [others_won - won_by_others, these_won - won_by_these]
    return won, [others_lost - lost_by_others, these_lost - lost_by_these]


def log_e_of_groups(
    won: Sequence[float], lost: Sequence[float], alternatives: Sequence[Sequence[float]]
) -> float:
    """The log of the e-process that one rate serves both groups.

    won, lost: by group; cases that depend on one another may count as parts that sum to one case. alternatives: of
    each, the rate of either group; all have the same weight.
    """
    (others_won, these_won), (others_lost, these_lost) = won, lost
    wins, losses = others_won + these_won, others_lost + these_lost
    total = wins + losses
    if not total:
        return 0.0
    highest = sum([part * math.log(part / total) for part in (wins, losses) if part > 0.0])
    logs = [
        others_won * win + others_lost * lose + (these_won * hit + these_lost * miss)
        for win, lose, hit, miss in _logs(tuple(map(tuple, alternatives)))
    ]
    return log_sum(logs) - math.log(len(logs)) - highest


@lru_cache(maxsize=256)
def _logs(alternatives: tuple[tuple[float, ...], ...]) -> list[tuple[float, float, float, float]]:
    """Of each alternative, the logs of the chances of winning and losing: of the others, then of those in question."""
    return [
        (math.log(others), math.log1p(-others), math.log(these), math.log1p(-these))
        for others, these in alternatives
    ]


def tilted(rate: float, odds: float) -> float:
    """A rate whose odds are multiplied."""
    return odds * rate / (1.0 - rate + odds * rate)
