"""Decisions that follow the hole card while one dealer deals, and do not while others do.

For who knows the card alone, or from a device, it is the same whoever deals. So the null is wide: a player may follow
the hole card with nobody, or from any six such decisions on with all dealers alike, in most of the rounds and in any of
the ways of `KNOWERS`. The evidence is the chance of the hole cards for who follows them with this dealer only, over the
highest that the null reaches (universal inference: Wasserman, Ramdas and Balakrishnan, PNAS 117, 2020): as long as
nobody else has dealt to him, it is nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log
from operator import mul
from typing import Final

from msgspec import Struct, field

from processors.detectors.family import share_of
from processors.detectors.knowing.judged import KNOWERS
from processors.detectors.knowing.judged import RoundNote as Judged
from processors.detectors.mixture import Counts, Mixture, count, heaviest, leaning, weigh
from processors.detectors.weighty import MOST, WeightyRound, keep

TOGETHER: Final = 6
"""So many rounds that tell of the hole card are weighed together, or fewer if the dealer changes."""
SPEAKS: Final = 30.0
"""Evidence at which a pair is spoken of; before, it is followed at the table alone."""
_ALIKE = [at for at, knower in enumerate(KNOWERS) if knower.share > 0.5]
_HERS = [at for at in _ALIKE if KNOWERS[at].share >= 0.8]
_WEIGHTS = [KNOWERS[at].weight / sum(KNOWERS[one].weight for one in _HERS) for at in _HERS]
_STRETCH = 24
_LARGEST = 1e290  # as with `Mixture`: beyond it nothing is learnt
_PAIRS = 48
_PLAYERS = 24


class Fits(Struct, array_like=True):
    """Decisions that the hole card changes, those that it ordered, and how many any unseen card would have ordered."""

    asked: int = 0
    fits: int = 0
    chance: float = 0.0

    def add(self, more: Fits | Part) -> None:
        """Count these too."""
        self.asked += more.asked
        self.fits += more.fits
        self.chance += more.chance


class FitsTold(Struct, array_like=True, frozen=True):
    """Decisions with this dealer, and with others, since the beginning that weighs most; `later`: not the first.

    after: number of the last round before that beginning.
    """

    later: bool
    hers: Fits
    others: Fits
    after: int = 0


class Signals(Struct, array_like=True, frozen=True):
    """What is said of a pair: by how much the log of its evidence changed, its part of the level, what was decided.

    hers, others: with this dealer, and with others, since it was spoken of last. telling: the rounds with her that fit
    best, without table and place in the evidence. weighty: all at this table from which the evidence comes.
    """

    change: float
    share: float
    hers: Fits
    others: Fits
    telling: list[WeightyRound]
    weighty: FitsTold = field(default_factory=lambda: FitsTold(False, Fits(), Fits()))


class Part(Struct):
    """What a player decided since it was weighed last, while one dealer dealt.

    whole: products of the factors, by knower. best: the rounds, each weighed by its largest factor.
    """

    dealer: str
    whole: list[float] = field(default_factory=lambda: [1.0] * len(KNOWERS))
    asked: int = 0
    fits: int = 0
    chance: float = 0.0
    best: list[WeightyRound] = field(default_factory=list)


class Followed(Struct):
    """One dealer and one player at this table; `nth` pairs were followed up to this one.

    knows: that he follows the card while she deals. alike: by knower, how well it fits that he follows it with all
    dealers, from the best of its parts on. said: log of the evidence that was passed on. hers, others, telling: as in
    `Signals`. last: number of the last round with her that was weighed.
    """

    nth: int
    knows: Mixture = field(default_factory=lambda: leaning(_WEIGHTS))
    alike: list[float] = field(default_factory=lambda: [1.0] * len(_ALIKE))
    said: float | None = None
    hers: Fits = field(default_factory=Fits)
    others: Fits = field(default_factory=Fits)
    telling: list[WeightyRound] = field(default_factory=list)
    last: int = 0


class Signalling(Struct):
    """The players of a table, each with what is not weighed yet, and by player the dealers he is followed with."""

    parts: dict[str, Part] = field(default_factory=dict)
    pairs: dict[str, dict[str, Followed]] = field(default_factory=dict)
    count: int = 0


def follow(
    state: Signalling, dealer: str, player: str, judged: Judged, place: tuple[int, int]
) -> Iterator[tuple[str, Signals]]:
    """Take a round of a player that this dealer dealt; what is to be said, with each dealer's name.

    place: its number, and the event that closed it.
    """
    part = state.parts.get(player)
    if part is not None and part.dealer != dealer:
        if part.best:
            yield from _weighed(state, player, part)
        part = None
    if part is None:
        part = state.parts[player] = Part(dealer)
        if len(state.parts) > _PLAYERS:
            gone = next(iter(state.parts))
            del state.parts[gone]
            state.pairs.pop(gone, None)
    factors = judged.factors
    part.whole = list(map(mul, part.whole, factors))
    part.asked += judged.asked
    part.fits += judged.fits
    part.chance += judged.chance
    weight = round(log(max(factors)), 4)
    part.best.append(WeightyRound("", *place, 0, weight, judged.cents, judged.seats))
    if len(part.best) >= TOGETHER:
        yield from _weighed(state, player, part)
        state.parts[player] = Part(dealer)


def _weighed(state: Signalling, player: str, part: Part) -> Iterator[tuple[str, Signals]]:
    # Who was weighed last stands last, and the first is forgotten first.
    state.parts[player] = state.parts.pop(player)
    pairs = state.pairs[player] = state.pairs.pop(player, {})
    known = pairs.pop(part.dealer, None)
    if known is None:
        state.count += 1
        known = Followed(state.count)
    pairs[part.dealer] = known
    for dealer, pair in pairs.items():
        pair.alike = [
            min(max(1.0, before * part.whole[at]), _LARGEST)
            for at, before in zip(_ALIKE, pair.alike, strict=True)
        ]
        if dealer == part.dealer:
            passed, pair.last = part.best[-1].round - pair.last, part.best[-1].round
            counted = (part.asked, part.fits, part.chance, 0, 0, 0.0, passed)
            weigh(pair.knows, [part.whole[at] for at in _HERS], _STRETCH, len(part.best), counted)
            pair.hers.add(part)
            for one in part.best:
                if one.weight > 0:
                    keep(pair.telling, one, MOST)
        else:
            pair.others.add(part)
            count(pair.knows, (0, 0, 0.0, part.asked, part.fits, part.chance, 0))
        log_e = log(max(pair.knows.value(), 1e-300)) - log(max(pair.alike))
        if pair.said is None and log_e < log(SPEAKS):
            continue
        change = round(log_e - (pair.said or 0.0), 6)
        since = heaviest(pair.knows)
        hers, others = (_fits(since.counted[at:][:3]) for at in (0, 3))
        weighty = FitsTold(since.later, hers, others, int(pair.last - since.counted[6]))
        yield dealer, Signals(change, share_of(pair.nth), pair.hers, pair.others, pair.telling, weighty)
        pair.said = log_e
        pair.hers, pair.others, pair.telling = Fits(), Fits(), []
    while sum(map(len, state.pairs.values())) > _PAIRS:
        first = next(iter(state.pairs))
        del state.pairs[first][next(iter(state.pairs[first]))]
        if not state.pairs[first]:
            del state.pairs[first]


def _fits(counted: Counts) -> Fits:
    asked, fits, chance = counted
    return Fits(int(asked), int(fits), round(chance, 4))
