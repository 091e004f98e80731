"""A mixture of likelihood ratios that looks for a pattern from the beginning, and for one that began at any round.

Under the null each factor has a mean of at most 1 given all before it, so each product is a test supermartingale, and
so is a weighted sum of products; it reaches 1 / level with a chance of at most the level, at whatever time one looks
(Ville 1939; Shafer, Shen, Vereshchagin and Vovk 2011, Test martingales, Bayes factors and p-values). Half of the
weight stands on patterns from the beginning, half on those that begin with the k-th stretch of rounds after the first,
in proportion to 1 / ((k + 1) ln^2 (k + 1)) (Shiryaev 1963; the sum of these is 2.11).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from operator import add, mul

from msgspec import Struct, field

from processors.detectors.shapes import About, EvidenceStanding

_SUM = 2.11
_WHOLE = 0.5
_LARGEST = 1e290  # beyond it nothing is learnt; a float ends at 1e308


class Mixture(Struct):
    """The products for each alternative: from the beginning, and from later rounds; `weights` are for those to come.

    `begun` is the stretch of rounds that began last.
    """

    whole: list[float] = field(default_factory=list)
    since: list[float] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    rounds: int = 0
    begun: int = 0
    highest: float = 0.0

    def value(self, factors: Sequence[float] = ()) -> float:
        """The evidence now; `factors` are those of rounds that were not taken yet."""
        if not factors:
            return sum(self.whole) + sum(self.since)
        since = self.since or [0.0] * len(self.whole)
        return float(sum(map(mul, map(add, self.whole, since), factors)))

    def peak(self, factors: Sequence[float] = ()) -> float:
        """The most evidence there was, with what `value` says of these factors."""
        return max(self.highest, self.value(factors))


def fresh(weights: int | Sequence[float]) -> Mixture:
    """A mixture that has seen nothing, of so many alternatives, or of alternatives with these weights (sum 1)."""
    shares = [1 / weights] * weights if isinstance(weights, int) else weights
    return Mixture(whole=[_WHOLE * share for share in shares], weights=[(1 - _WHOLE) * w for w in shares])


def leaning(weights: Sequence[float]) -> Mixture:
    """A mixture that has seen nothing, whose alternatives have these weights (sum 1) from the beginning alone.

    From later rounds on each has the same.
    """
    mixture = fresh(len(weights))
    mixture.whole = [sum(mixture.whole) * weight for weight in weights]
    return mixture


def weigh(mixture: Mixture, factors: Sequence[float], stretch: int = 1, rounds: int = 1) -> float:
    """Take the likelihood ratios, by alternative, of a round, or of some rounds together; the evidence then.

    A pattern may begin with the first rounds that are taken in any stretch of so many: longer stretches cost less
    weight, and find a beginning later.
    """
    begun = mixture.rounds // stretch
    mixture.rounds += rounds
    if not mixture.since:
        mixture.since = [0.0] * len(factors)
    whole, since = mixture.whole, mixture.since
    if begun > mixture.begun:
        mixture.begun = begun
        part = 1 / (_SUM * (begun + 1) * log(begun + 1) ** 2)
        since[:] = [one + part * weight for one, weight in zip(since, mixture.weights, strict=True)]
    whole[:] = map(mul, whole, factors)
    since[:] = map(mul, since, factors)
    value: float = sum(map(add, whole, since))
    if value > mixture.highest:
        mixture.highest = value
        if value > _LARGEST:
            mixture.whole = [min(one, _LARGEST) for one in whole]
            mixture.since = [min(one, _LARGEST) for one in since]
            mixture.highest = value = _LARGEST
    return value


def left(mixture: Mixture, stretch: int) -> int:
    """How many rounds the stretch under way still has."""
    return stretch - mixture.rounds % stretch


def standing_of(mixture: Mixture, variant: str, about: About, share: float) -> EvidenceStanding:
    """The evidence of a variant about a subject now, of which the variant has this share."""
    return EvidenceStanding(
        variant=variant,
        about=about,
        e_value=mixture.value() * share,
        highest=mixture.highest * share,
        rounds=mixture.rounds,
    )
