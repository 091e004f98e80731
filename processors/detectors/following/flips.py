"""The true counts of a stretch of rounds, as they were and as they might as well have been.

The true count at a wager changes from round to round by steps that lean neither way: it is a martingale, whatever the
players do. What a round's cards add beyond what is expected of a round with this result and this number of cards would
have come with the other sign as easily. So each round's part is turned, in 1,024 ways that form a group, and the true
count is followed anew. Over a group the share of the way that was seen, in any positive score at all, is exactly an
e-value (Ramdas and Wang, Hypothesis Testing with E-values, 2025; Koning, "Post-hoc and anytime valid permutation and
group invariance testing", 2023; Hemerik and Goeman, "Exact testing with random permutations", TEST 27, 2018).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Places = NDArray[np.intp]

MOST: Final = 48
"""Rounds of one stretch at most: 47 of them are turned, for the last one's cards come after the last stake."""
WAYS: Final = 1024
FEW: Final = 256
"""The first so many ways are a group as well; they do where nothing speaks for a pattern yet."""
LOWEST, HIGHEST, TO_ONE = -8, 8, 4
BINS: Final = (HIGHEST - LOWEST) * TO_ONE
MIDDLES: Final[tuple[float, ...]] = tuple(LOWEST + (place + 0.5) / TO_ONE for place in range(BINS))
"""True counts by quarters; what lies beyond either end counts as the end."""


def _columns() -> list[int]:
    """For each of 63 rounds 10 bits, no two alike: a in GF(64), and four bits of a^3.

    So within any two rounds all four patterns of signs are equally frequent, as if coins were tossed (the dual of a BCH
    code: MacWilliams and Sloane, The Theory of Error-Correcting Codes, 1977, chapter 7).
    """

    def times(one: int, other: int) -> int:
        product = 0
        while other:
            if other & 1:
                product ^= one
            one <<= 1
            if one & 64:
                one ^= 0b1000011
            other >>= 1
        return product

    return [a | (times(a, times(a, a)) & 15) << 6 for a in range(1, 64)]


def _signs() -> Numbers:
    """Rounds by ways: 1 or -1; the first way leaves all as it was."""
    shared = np.bitwise_count(np.array(_columns())[:, None] & np.arange(WAYS)[None, :])
    return np.asarray(1.0 - 2.0 * (shared & 1), dtype=np.float64)


SIGNS: Final = _signs()


def counts(
    start: float, decks: Sequence[float], known: Sequence[float], turned: Sequence[float], ways: int
) -> Places:
    """The true count at each wager, rounds by ways, as the place of its quarter; the first way is what was seen.

    start: true count at the first wager. decks: decks left at each wager. known, turned: what the cards of each round
    add to the running count as expected, and beyond that; those of the last round are not used.
    """
    rounds = len(decks)
    steps = SIGNS[: rounds - 1, :ways] * np.asarray(turned[: rounds - 1])[:, None]
    steps += np.asarray(known[: rounds - 1])[:, None]
    steps /= np.asarray(decks[1:])[:, None]
    paths = np.empty((rounds, ways))
    paths[0] = start
    for round_ in range(rounds - 1):  # row by row: a good deal faster than numpy's cumsum along this axis
        np.add(paths[round_], steps[round_], out=paths[round_ + 1])
    paths -= LOWEST
    paths *= TO_ONE
    np.clip(paths, 0, BINS - 1, out=paths)
    return paths.astype(np.intp)


def evidence(scores: Sequence[Numbers]) -> list[float]:
    """The e-value of the first way by each fit: its score over the mean of all, given by their logs by way."""
    logs = np.stack(scores)
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    shares = weights[:, 0] / weights.sum(axis=1)
    return [float(share) * weights.shape[1] for share in shares]
