"""Whether patrons lose or win more of the rounds called void than of a table's other rounds.

Each round called void is compared with the latest others of as many boxes, up to `MOST_BESIDE`; none is used twice. The
ratio is an e-variable whatever share patrons lose, as long as these rounds have the same (Turner, Ly and Gruenwald,
Generic E-variables for exact sequential k-sample tests, 2024). The shares below say where the alternatives lie: a share
that is wrong costs power, and no promise.

The stated numbers lie above the share in every Blackjack ruleset, counted in 7,200 rounds of simulated patrons; a table
whose patrons play worse is above them, and its own share then counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

from msgspec import Struct, field

from processors.detectors.calling.results import LOST, MOST_BOXES, OUTCOMES, WON, CardsResult
from processors.detectors.evidence.groups import tilted

_PRIOR = 40  # rounds at the stated number that stand before a table's own
BOUNDS: Final[dict[tuple[int, int], tuple[float, ...]]] = {
    LOST: (0.60, 0.62, 0.63, 0.66, 0.69),
    (-2, -2): (0.60, 0.42, 0.30, 0.25, 0.20),
    WON: (0.42, 0.48, 0.46, 0.44, 0.44),
    (2, 2): (0.42, 0.31, 0.20, 0.14, 0.12),
}
"""Of rounds by boxes, the share that patrons lost at most; lost at every box; won; won at every box."""
MOST_BESIDE: Final = 2
"""Other rounds that one round called void is compared with."""
MOST_WAITING: Final = 40
"""Other rounds of so many boxes that wait to be compared with; older ones are counted without."""
MORE_LOST: Final = (4.0, 20.0, 100.0)
MORE_EVERYWHERE: Final = (1.0, 20.0)
"""Alternatives: the odds of a result in question, and of every box among such results, are so many times as high."""
ALTERNATIVES: Final = len(MORE_LOST) * len(MORE_EVERYWHERE)


def _none() -> list[int]:
    return [0] * MOST_BOXES


def _no_rounds() -> list[list[int]]:
    return [[] for _ in range(MOST_BOXES)]


class SharesSoFar(Struct):
    """The rounds of a table by boxes, and how many of them had each of the results that `BOUNDS` names.

    waiting: by boxes, the outcomes of rounds that are not counted yet, oldest first.
    """

    rounds: list[int] = field(default_factory=_none)
    counts: list[list[int]] = field(default_factory=lambda: [_none() for _ in BOUNDS])
    waiting: list[list[int]] = field(default_factory=_no_rounds)

    def take(self, seen: CardsResult) -> None:
        """Keep a round that nobody called void."""
        waiting = self.waiting[seen.boxes - 1]
        waiting.append(seen.outcome)
        if len(waiting) > MOST_WAITING:
            self._count(seen.boxes - 1, waiting.pop(0))

    def beside(self, boxes: int) -> tuple[int, ...]:
        """The latest other rounds of so many boxes that wait, for one comparison: how many lost everywhere to won."""
        waiting = self.waiting[boxes - 1]
        compared_with = [waiting.pop() for _ in waiting[-MOST_BESIDE:]]
        for outcome in compared_with:
            self._count(boxes - 1, outcome)
        return tuple(map(compared_with.count, OUTCOMES))

    def _count(self, at: int, outcome: int) -> None:
        self.rounds[at] += 1
        for counts, outcomes in zip(self.counts, BOUNDS, strict=True):
            counts[at] += outcome in outcomes

    def chances(self, boxes: int) -> tuple[float, ...]:
        """The highest chance of each result with so many boxes, in the order of `BOUNDS`, by the rounds counted."""
        at = boxes - 1
        return tuple(
            max(most[at], (counts[at] + _PRIOR * most[at]) / (self.rounds[at] + _PRIOR))
            for counts, most in zip(self.counts, BOUNDS.values(), strict=True)
        )


def factors_of(outcome: int, some: float, everywhere: float) -> list[float]:
    """The likelihood ratios of a result, by alternative: 2 if it is in question at every box, 1 if in sum, else 0.

    some, everywhere: the chances of at least 1, and of 2. A result never says more for the alternative than a greater
    one: so chances that are lower than these leave no factor a higher mean.
    """
    everywhere = min(everywhere, some)
    part = everywhere / some
    found = []
    for odds in MORE_LOST:
        more = tilted(some, odds)
        for odds_everywhere in MORE_EVERYWHERE:
            whole = tilted(part, odds_everywhere) if part < 1.0 else 1.0
            at_every = more * whole / everywhere
            in_sum = more * (1.0 - whole) / (some - everywhere) if part < 1.0 else at_every
            neither = min((1.0 - more) / (1.0 - some), in_sum)
            found.append((neither, in_sum, at_every)[outcome])
    return found


def compared(outcome: int, some: float, everywhere: float, beside: Sequence[int]) -> list[float]:
    """What a round called void says beside others, by alternative; without others nothing.

    outcome: as of `factors_of`. beside: the number of others by outcome.
    """
    whole = 1 + sum(beside)
    ratios = [factors_of(each, some, everywhere) for each in range(len(beside))]
    found = []
    for of in zip(*ratios, strict=True):
        # A likelihood over that of the mean of both: all rounds have the mean alike, so none gains for both.
        over = [whole / (ratio + whole - 1) for ratio in of]
        found.append(of[outcome] * over[outcome] * prod(map(pow, over, beside)))
    return found
