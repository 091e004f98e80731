"""A mixture of likelihood ratios that looks for a pattern from the beginning, and for one that began at any round.

Under the null each factor has a mean of at most 1 given all before it, so each product is a test supermartingale, and
so is a weighted sum of products; it reaches 1 / level with a chance of at most the level, at whatever time one looks
(Ville 1939; Shafer, Shen, Vereshchagin and Vovk 2011, Test martingales, Bayes factors and p-values). Half of the
weight stands on patterns from the beginning, half on those that begin with the k-th stretch of rounds after the first,
in proportion to 1 / ((k + 1) ln^2 (k + 1)) (Shiryaev 1963; the sum of these is 2.11).

What an alarm tells is counted from the beginning that weighs most. Of each alternative only the heaviest later
beginning is kept: all its products grow by the same factors, so that only a new beginning can pass it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from operator import add, mul, sub
from typing import NamedTuple

from msgspec import Struct, field

from processors.detectors.shapes import About, EvidenceStanding
from processors.detectors.weighty import Kept, WeightyRound, heaviest_since
from schemas.amounts import amount

_SUM = 2.11
_WHOLE = 0.5
_LARGEST = 1e290  # beyond it nothing is learnt; a float ends at 1e308
_HIGH = 1e200  # from here on one round may pass the largest number

Counts = list[int | float]


class Beginning(Struct, array_like=True, frozen=True):
    """A later beginning: the rounds before it, and what was counted in them."""

    rounds: int
    counted: Counts


class Mixture(Struct):
    """The products for each alternative: from the beginning, and from later rounds; `weights` are for those to come.

    `begun` is the stretch of rounds that began last.
    counted: sums of what the family counts.
    starts: the beginnings that weigh most for an alternative.
    before_heaviest: of each alternative, the rounds before that beginning.
    parts: of each alternative, the part of that beginning in the products from later rounds.
    """

    whole: list[float] = field(default_factory=list)
    since: list[float] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    rounds: int = 0
    begun: int = 0
    highest: float = 0.0
    counted: Counts = field(default_factory=list)
    starts: list[Beginning] = field(default_factory=list)
    before_heaviest: list[int] = field(default_factory=list)
    parts: list[float] = field(default_factory=list)

    def value(self, factors: Sequence[float] = ()) -> float:
        """The evidence now; `factors` are those of rounds that were not taken yet."""
        if not factors:
            return sum(self.whole) + sum(self.since)
        since = self.since or [0.0] * len(self.whole)
        return float(sum(map(mul, map(add, self.whole, since), factors)))


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


def weigh(
    mixture: Mixture,
    factors: Sequence[float],
    stretch: int = 1,
    rounds: int = 1,
    counted: Sequence[float] = (),
) -> float:
    """Take the likelihood ratios, by alternative, of a round, or of some rounds together; the evidence then.

    A pattern may begin with the first rounds that are taken in any stretch of so many: longer stretches cost less
    weight, and find a beginning later. counted: what is to be told of these rounds, as numbers that are summed.
    Where `rounds` is 0, more is told of the rounds taken last.
    """
    if not mixture.since:
        mixture.since = [0.0] * len(factors)
    begun = mixture.rounds // stretch
    if begun > mixture.begun and rounds:
        _begin(mixture, begun)
    mixture.rounds += rounds
    if counted:
        count(mixture, counted)
    whole = mixture.whole = list(map(mul, mixture.whole, factors))
    since = mixture.since = list(map(mul, mixture.since, factors))
    value: float = sum(map(add, whole, since))
    if value > mixture.highest:
        mixture.highest = value
        if value > _LARGEST:
            mixture.whole = [min(one, _LARGEST) for one in whole]
            mixture.since = [min(one, _LARGEST) for one in since]
            mixture.highest = value = _LARGEST
    return value


def weighed(
    mixture: Mixture,
    factors: Sequence[float],
    stretch: int = 1,
    rounds: int = 1,
    counted: Sequence[float] = (),
) -> tuple[float, float]:
    """As `weigh`: the evidence then, and the log of the factor by which these rounds raised it.

    A pattern that may begin with them is no part of the factor.
    """
    before = mixture.value()
    begins = rounds and mixture.rounds // stretch > mixture.begun
    after = mixture.value(factors) if begins or before > _HIGH else 0.0
    evidence = weigh(mixture, factors, stretch, rounds, counted)
    return evidence, log_ratio(after or evidence, before)


def log_ratio(after: float, before: float) -> float:
    """The log of the ratio of two values of evidence, to four digits; 0 where either is too small for a number."""
    return round(log(after) - log(before), 4) if after > 0 and before > 0 else 0.0


def since_heaviest(mixture: Mixture, rounds: Sequence[Kept]) -> list[Kept]:
    """The ten heaviest of the rounds since the beginning that weighs most; they are placed by the mixture's rounds."""
    return heaviest_since(rounds, mixture.rounds - heaviest(mixture).rounds)


def count(mixture: Mixture, counted: Sequence[float]) -> None:
    """Add to what is told of the rounds weighed last, or of those to come."""
    mixture.counted = list(map(add, mixture.counted, counted)) if mixture.counted else list(counted)


def _begin(mixture: Mixture, begun: int) -> None:
    """Let a pattern begin with the next rounds; of each alternative the beginning that weighs most is kept."""
    mixture.begun = begun
    since, parts, before = mixture.since, mixture.parts, mixture.before_heaviest
    if not parts:
        parts[:], before[:] = [0.0] * len(since), [0] * len(since)
    part = 1 / (_SUM * (begun + 1) * log(begun + 1) ** 2)
    won = False
    for at, weight in enumerate(mixture.weights):
        value = since[at]
        new, most = part * weight, parts[at] * value
        since[at] = value = value + new
        if new > most:
            most, before[at], won = new, mixture.rounds, True
        parts[at] = most / value
    if won:
        kept = [one for one in mixture.starts if one.rounds in before]
        mixture.starts = [*kept, Beginning(mixture.rounds, mixture.counted)]


class RoundsTold(NamedTuple):
    """The rounds whose evidence weighs most, up to now, and what was counted in them.

    later: they begin after the first round.
    """

    later: bool
    rounds: int
    counted: Counts

    @property
    def the(self) -> str:
        """What stands before a number of the stretch in a sentence; nothing where it is all there is."""
        return "the latest " if self.later else ""

    def of(self, noun: str, number: float | None = None) -> str:
        """How many rounds it has, or other things: `the latest 6 shoes`, `the latest shoe`, `1 shoe`."""
        several = self.rounds if number is None else number
        return f"the latest {noun}" if self.later and several == 1 else f"{self.the}{amount(several, noun)}"

    def part(self, some: float, noun: str, number: float | None = None) -> str:
        """Some of these: `7 of the latest 74 rounds`; of a single one all: `the latest round`."""
        whole = self.of(noun, number)
        return whole if (self.rounds if number is None else number) == 1 else f"{some} of {whole}"


def how_often(number: float) -> str:
    """So often: `once`, `9 times`."""
    return "once" if number == 1 else f"{number} times"


def heaviest(mixture: Mixture, among: Sequence[int] | None = None) -> RoundsTold:
    """The stretch from the beginning that weighs most for any alternative; `among`: places of those that count."""
    places = range(len(mixture.whole)) if among is None else among
    if mixture.parts:
        parts, since = mixture.parts, mixture.since
        most = max(places, key=lambda at: parts[at] * since[at])
        if parts[most] * since[most] > max(mixture.whole[at] for at in places):
            start = next(one for one in mixture.starts if one.rounds == mixture.before_heaviest[most])
            before = start.counted or [0] * len(mixture.counted)
            counted = list(map(sub, mixture.counted, before))
            return RoundsTold(True, mixture.rounds - start.rounds, counted)
    return RoundsTold(False, mixture.rounds, mixture.counted)


def left(mixture: Mixture, stretch: int) -> int:
    """How many rounds the stretch under way still has."""
    return stretch - mixture.rounds % stretch


def standing_of(
    mixture: Mixture,
    variant: str,
    about: About,
    share: float,
    *,
    due: bool = True,
    weighty: Sequence[WeightyRound] = (),
    untaken: Sequence[float] = (),
    more: int = 0,
) -> EvidenceStanding:
    """The evidence of a variant about a subject now, of which the variant has this share.

    weighty: its rounds that weigh most, placed by the mixture's rounds. untaken: the likelihood ratios of `more` rounds
    that were not taken yet.
    """
    value, rounds = mixture.value(untaken), mixture.rounds + more
    return EvidenceStanding(
        variant=variant,
        about=about,
        e_value=value * share,
        highest=max(mixture.highest, value) * share,
        rounds=rounds,
        due=due,
        weighty=weighty,
        mark=rounds,
    )
