"""How often patrons lose or win a round, at most: by stated numbers, or by a table's own rounds where these say more.

The numbers lie above the share in every Blackjack ruleset, counted in 7,200 rounds of simulated patrons; a table whose
patrons play worse is above them, and its own share then counts.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct, field

from processors.detectors.calling.results import LOST, MOST_BOXES, WON, CardsResult
from processors.detectors.evidence.groups import tilted

_PRIOR = 40  # rounds at the stated number that stand before a table's own
BOUNDS: Final[dict[tuple[int, int], tuple[float, ...]]] = {
    LOST: (0.60, 0.62, 0.63, 0.66, 0.69),
    (-2, -2): (0.60, 0.42, 0.30, 0.25, 0.20),
    WON: (0.42, 0.48, 0.46, 0.44, 0.44),
    (2, 2): (0.42, 0.31, 0.20, 0.14, 0.12),
}
"""Of rounds by boxes, the share that patrons lost at most; lost at every box; won; won at every box."""
MORE_LOST: Final = (4.0, 20.0, 100.0)
MORE_EVERYWHERE: Final = (1.0, 20.0)
"""Alternatives: the odds of a result in question, and of every box among such results, are so many times as high."""
ALTERNATIVES: Final = len(MORE_LOST) * len(MORE_EVERYWHERE)


def _none() -> list[int]:
    return [0] * MOST_BOXES


class SharesSoFar(Struct):
    """The rounds of a table by boxes, and how many of them had each of the results that `BOUNDS` names."""

    rounds: list[int] = field(default_factory=_none)
    counts: list[list[int]] = field(default_factory=lambda: [_none() for _ in BOUNDS])

    def take(self, seen: CardsResult) -> None:
        """Count a round that nobody called void."""
        self.rounds[seen.boxes - 1] += 1
        for counts, outcomes in zip(self.counts, BOUNDS, strict=True):
            counts[seen.boxes - 1] += seen.outcome in outcomes

    def chances(self, boxes: int) -> tuple[float, ...]:
        """The highest chance of each result that the null allows with so many boxes, in the order of `BOUNDS`."""
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
