"""Evidence that stakes follow the count whatever order they come in: moods, drifts and progressions included.

Here the stakes are given and the cards are random. What the cards of one round do to the count, between two stakes,
owes nothing to the second stake under the null, unless it answers that round's result, of which the mean effect is
learnt. Two ways of looking, both over the rounds that are kept:

* step by step: how likely a stake is at the count it met, over its mean for the counts that the last round's cards
  could have led to; how stakes go with counts is learnt as the rounds go by, and counters are known beforehand;
* shoe by shoe: the sum of stakes times counts, by the standard deviation that a shuffle gives it (Gauss).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import exp, log, log2, sqrt

from msgspec import Struct

from processors.detectors.evidence.wealth import log_sum

_LOWEST, _WIDTH, _BINS = -5.0, 0.5, 25
_GRID = tuple(-3.4 + 0.4 * step for step in range(18))
_WEIGHTS = tuple(exp(-point * point / 2) / sum(exp(-x * x / 2) for x in _GRID) for point in _GRID)
_TILTS = (0.5, 1.0, 1.5)


class Stake(Struct, array_like=True, frozen=True, gc=False):
    """One round: the shoe, the true count at the stake and its variance, the stake, and the sign of its result."""

    shoe: int
    count: float
    variance: float
    cents: int
    result: int


class Learner(Struct, frozen=True):
    """How stakes are taken to go with counts: over so many bins, as if so many rounds had gone by chance, and slips."""

    width: int
    chance: float
    slips: float


class Ramp(Struct, frozen=True):
    """A counter known beforehand: his least stake up to a count, so many units more for each point, up to `top`."""

    begins: float
    units: float
    top: float
    spread: float
    slips: float


LEARNERS = (Learner(1, 1.0, 0.05), Learner(3, 2.0, 0.05), Learner(2, 1.0, 0.3))
RAMPS = (Ramp(1, 1, 8, 1.0, 0.15), Ramp(1, 2, 8, 1.0, 0.15), Ramp(0, 1, 8, 1.5, 0.4), Ramp(1, 1, 4, 1.0, 0.4))


def _level(cents: int) -> int:
    """A stake in half octaves; no stake lies apart from all."""
    return round(2 * log2(cents / 25)) if cents > 0 else -9


def _bin(count: float) -> int:
    return min(_BINS - 1, max(0, int((count - _LOWEST) / _WIDTH)))


class _Learnt:
    """Which stakes were seen at which counts."""

    def __init__(self) -> None:
        self.at: list[dict[int, int]] = [{} for _ in range(_BINS)]
        self.all: dict[int, int] = {}
        self.seen = 0

    def add(self, level: int, bin_: int) -> None:
        self.at[bin_][level] = self.at[bin_].get(level, 0) + 1
        self.all[level] = self.all.get(level, 0) + 1
        self.seen += 1

    def chance(self, by: Learner, level: int, bin_: int) -> float:
        anyhow = (self.all.get(level, 0) + 0.5) / (self.seen + 5)
        like, of = by.chance * anyhow, by.chance
        for near in range(max(0, bin_ - by.width), min(_BINS, bin_ + by.width + 1)):
            seen = self.at[near]
            if seen:
                weight = 1 - abs(near - bin_) / (by.width + 1)
                beside = seen.get(level - 1, 0) + seen.get(level + 1, 0)
                like += weight * (0.9 * seen.get(level, 0) + 0.05 * beside)
                of += weight * sum(seen.values())
        return (1 - by.slips) * like / of + by.slips * anyhow


def _ramp_chance(ramp: Ramp, level: int, least: int, bin_: int) -> float:
    count = _LOWEST + _WIDTH * (bin_ + 0.5)
    units = max(1.0, min(ramp.top, 1 + ramp.units * (count - ramp.begins)))
    away = (level - least - 2 * log2(units)) / ramp.spread
    return (1 - ramp.slips) * exp(-away * away / 2) / (2.5 * ramp.spread) + ramp.slips * 0.08


def log_step_evidence(stakes: Sequence[Stake]) -> float:
    """The log of the evidence of stakes step by step."""
    logs = [0.0] * (len(LEARNERS) + len(RAMPS))
    learnt, least = _Learnt(), 99
    moved: dict[int, tuple[int, float]] = {}
    before: Stake | None = None
    for one in stakes:
        level, bin_ = _level(one.cents), _bin(one.count)
        if before is not None and before.shoe == one.shoe and one.variance > before.variance:
            spread = sqrt(one.variance - before.variance)
            number, total = moved.get(before.result, (0, 0.0))
            middle = before.count + spread * total / (number + 10)
            moved[before.result] = number + 1, total + (one.count - before.count) / spread
            could: dict[int, float] = {}
            for point, weight in zip(_GRID, _WEIGHTS, strict=True):
                there = _bin(middle + spread * point)
                could[there] = could.get(there, 0.0) + weight
            for at, chance in enumerate(_chances(learnt, level, least)):
                mean = sum(weight * chance(there) for there, weight in could.items())
                logs[at] += log(chance(bin_) / mean)
        learnt.add(level, bin_)
        if one.cents:
            least = min(least, level)
        before = one
    return log_sum(logs) - log(len(logs))


def _chances(learnt: _Learnt, level: int, least: int) -> list[Callable[[int], float]]:
    """How likely the stake is at a count, by each way in which it may follow."""
    found: list[Callable[[int], float]] = [
        lambda bin_, by=by: learnt.chance(by, level, bin_)  # type: ignore[misc]
        for by in LEARNERS
    ]
    return found + [
        lambda bin_, ramp=ramp: _ramp_chance(ramp, level, min(least, level), bin_) for ramp in RAMPS
    ]


def log_shoe_evidence(stakes: Sequence[Stake]) -> float:
    """The log of the evidence of stakes shoe by shoe: one that is under way counts as far as it was dealt."""
    if not stakes:
        return 0.0
    mean = sum(one.cents for one in stakes) / len(stakes)
    shoes: dict[int, tuple[float, float, float]] = {}
    for one in stakes:
        total, variance, before = shoes.get(one.shoe, (0.0, 0.0, 0.0))
        over = one.cents - mean
        variance += over * over * one.variance + 2 * over * before
        shoes[one.shoe] = total + over * one.count, variance, before + over * one.variance
    scores = [total / sqrt(variance) for total, variance, _ in shoes.values() if variance > 1e-6]
    logs = [sum(tilt * score - tilt * tilt / 2 for score in scores) for tilt in _TILTS]
    return log_sum(logs) - log(len(logs))


def likeness(stakes: Sequence[Stake]) -> float:
    """The correlation of each stake with the one before, by their sizes' logarithms; 1 where all are alike."""
    sizes = [log(max(one.cents, 25)) for one in stakes]
    if len(sizes) < 3:
        return 1.0
    mean = sum(sizes) / len(sizes)
    spread = sum((size - mean) ** 2 for size in sizes)
    if spread < 1e-9:
        return 1.0
    return sum((one - mean) * (next_ - mean) for one, next_ in pairwise(sizes)) / spread
