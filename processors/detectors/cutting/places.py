"""The place of one cut or cover card among those before it, and how it goes with a count of cards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, sqrt
from statistics import NormalDist, correlation
from typing import Final

from msgspec import Struct

from processors.detectors.mixture import Mixture

CORRELATIONS: Final = {0.45: 0.1, 0.75: 0.225, 0.92: 0.1, -0.45: 0.1, -0.75: 0.225, -0.92: 0.1}
SIDES: Final = {1: 0.075, -1: 0.075}
"""Alternatives with their weights: how closely a place goes with a count, or that it tells on which side that is."""
NOTHING: Final = (1.0,) * (len(CORRELATIONS) + len(SIDES))
SHIFTS: Final = (0.5, 1.0, 1.8, -0.5, -1.0, -1.8)
"""Alternatives: by how many standard deviations the count of a part of the shoe is off in the mean."""
_RANKED, _ENOUGH = 4, 6
_CLIP = 3.0
_FARTHEST = 2.0
_PLAIN = 0.85
_WHOLE = 0.85
_NORMAL = NormalDist()


class Act(Struct, array_like=True, frozen=True):
    """One cut, or cover card: its shoe, its place as a share of the stack, and a count to hold it against.

    count: High-Low in standard deviations, above 0 for small cards.
    """

    shoe: int
    place: float
    count: float


def begun(weights: Iterable[float]) -> Mixture:
    """A mixture with these weights that mostly looks for a pattern from the beginning."""
    shares = list(weights)
    return Mixture(whole=[_WHOLE * one for one in shares], weights=[(1 - _WHOLE) * one for one in shares])


def weights(parts: Iterable[float]) -> list[float]:
    """The weights of all alternatives of `ratios` for each of some parts."""
    return [part * one for part in parts for one in (*CORRELATIONS.values(), *SIDES.values())]


def standard(tags: Sequence[int | None], *parts: tuple[int, int]) -> list[float]:
    """The counts of parts of a shoe's cards, each from one place to another, in standard deviations.

    The cards of the whole shoe are given: under the null a part is drawn from them without replacement. Cards that were
    not read are None.
    """
    known = len(tags) - tags.count(None)
    if known < 2:
        return [0.0] * len(parts)
    small, large = tags.count(1), tags.count(-1)
    mean = (small - large) / known
    variance = (small + large) / known - mean * mean
    counts = []
    for first, end in parts:
        part = tags[max(0, first) : max(0, end)]
        size = len(part) - part.count(None)
        spread = variance * size * (known - size) / (known - 1)
        away = (part.count(1) - part.count(-1) - size * mean) / sqrt(spread) if spread > 0 else 0.0
        counts.append(round(max(-_CLIP, min(_CLIP, away)), 3))
    return counts


def rank(before: Sequence[float], place: float) -> float:
    """Where a place lies among those before it, as a normal deviation."""
    lower = sum(one < place for one in before) + sum(one == place for one in before) / 2
    return _NORMAL.inv_cdf((lower + 0.5) / (len(before) + 1))


def usual(habit: tuple[float, float], before: Sequence[float], place: float) -> float:
    """By how much a place is off the person's usual one, in standard deviations of those before it.

    habit: mean and deviation of people's places, which count as one more place until enough are known. From then on it
    is the mean of the place's own deviation and of its rank's: so one strange place does not hide the next ones.
    """
    known = len(before)
    mean, spread, more = habit[0], habit[1], 1 if known < _ENOUGH else 0
    number = known + more
    middle = (sum(before) + more * mean) / number
    variance = sum((one - middle) ** 2 for one in before) + more * (spread**2 + (mean - middle) ** 2)
    variance = variance / number if more else variance / (number - 1)
    if variance <= 0.0:
        return 0.0
    off = max(-_FARTHEST, min(_FARTHEST, (place - middle) / sqrt(variance * (1 + 1 / number))))
    return off if known < _RANKED else (off + rank(before, place)) / 2


def ratios(off: float, known: int, count: float) -> list[float]:
    """How much likelier the count is where the place goes with it than where it does not, by alternative.

    off: the place as `usual` gives it, out of so many known before. Under the null the count is normal whatever the
    place is, so each ratio has a mean of 1 for any habit of cutting.
    """
    factors = []
    for one in CORRELATIONS:
        sure = one * sqrt((known + 1) / (known + 2))
        rest = 1.0 - sure * sure
        factors.append(exp((count * count - (count - sure * off) ** 2 / rest) / 2) / sqrt(rest))
    plain = _PLAIN * min(1.0, abs(off) / 0.6)
    for side in SIDES:
        together = side * off * count
        factors.append(1.0 + plain if together > 0 else 1.0 - plain if together < 0 else 1.0)
    return factors


def correlation_of(acts: Sequence[Act]) -> float:
    """Of places and counts; 0 where either is always the same."""
    places, counts = [one.place for one in acts], [one.count for one in acts]
    return correlation(places, counts) if min(len(set(places)), len(set(counts))) > 1 else 0.0
