"""A dealer who pays hands wrongly more often than honest dealers do: for patrons, for the house, or both ways.

One wrong payment is a breach of the regulation and a human error. What makes a pattern is how often it happens to one
dealer, over all tables where she deals.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from math import exp, log, log1p, sqrt
from typing import Final

from msgspec import Struct, field

from processors.core.state import seat_of
from processors.detectors.family import LEVEL, AtTable, Family, OfEntity, register
from processors.detectors.favouring.lots import too_much
from processors.detectors.mixture import (
    Mixture,
    fresh,
    heaviest,
    left,
    since_heaviest,
    standing_of,
    weigh,
    weighed,
)
from processors.detectors.shapes import Alarm, Closed, Contribution, EvidenceStanding, Happened, Observation
from processors.detectors.weighty import WeightyRound, events_of, keep, rows_of
from schemas.amounts import verb
from schemas.events import DealerLeft

HONEST: Final = 1 / 1000
"""Null: the chance that a hand is mispaid, given all before it, is at most this in each direction."""
ALTERNATIVES: Final = {0.008: 0.45, 0.025: 0.3, 0.1: 0.25}
"""Rates of hands mispaid, each with its weight."""
WEIGHTS: Final = {"for_patrons": 0.7, "for_house": 0.22, "careless": 0.08}
"""The share of the level of each variant: paid too much or not collected, the other way, and both together."""
SIZES: Final = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Sizes of a stake by the table's mean, each to the next: where money matters, a hand is mispaid so much more often."""
_BETWEEN: Final = [sqrt(one * other) for one, other in pairwise(SIZES)]
_MOST = 0.5
_BY_COUNT = 0.8  # of the weight; the rest is on rates that grow with the stake
_TOGETHER = 10  # rounds that went well are passed on together
_STRETCH = 25  # rounds: she may begin with any such stretch


class Bad(Struct, array_like=True, frozen=True):
    """A mispaid hand: the size of its stake, what the patron got too much (minus: too little) in cents, its seat."""

    size: int
    cents: int
    seat: int = 0


class Note(Struct, array_like=True, frozen=True):
    """Rounds of one dealer: those that went well together, and one that did not if there is any.

    well, quiet: how many rounds went well, and how many hands of each size they had. good, bad: of the round that did
    not go well, how many hands of each size were right, and those that were not.
    """

    well: int
    quiet: list[int]
    good: list[int]
    bad: list[Bad]


def _none() -> list[int]:
    return [0] * len(SIZES)


class AtOneTable(Struct):
    """The mean stake of a hand at the table so far; a dealer's rounds that went well and are not passed on yet."""

    hands: int = 0
    cents: int = 0
    dealer: str = ""
    well: int = 0
    quiet: list[int] = field(default_factory=_none)


def _mixture() -> Mixture:
    weights = ALTERNATIVES.values()
    return fresh([_BY_COUNT * one for one in weights] + [(1 - _BY_COUNT) * one for one in weights])


class OfDealer(Struct):
    """One dealer: the evidence, and by variant the rounds with hands mispaid that weigh most.

    `well` rounds in a row had no hand mispaid: their hands, by size, are weighed together.
    """

    for_patrons: Mixture = field(default_factory=_mixture)
    for_house: Mixture = field(default_factory=_mixture)
    careless: Mixture = field(default_factory=_mixture)
    well: int = 0
    good: list[int] = field(default_factory=_none)
    rounds: dict[str, list[WeightyRound]] = field(default_factory=dict)


def _closed(state: AtOneTable, closed: Closed) -> Iterator[Contribution]:
    if not (closed.dealer and closed.whole):
        return
    if state.dealer != closed.dealer:
        yield from _passed_on(state)
        state.dealer = closed.dealer
    good, bad = _none(), []
    for seat, staked, wrong in settled(closed):
        mean = state.cents / state.hands if state.hands else staked
        size = size_of(staked / mean) if mean else SIZES.index(1.0)
        if wrong:
            bad.append(Bad(size, wrong, seat))
        else:
            good[size] += 1
        state.hands += 1
        state.cents += staked
    if bad:
        yield from _passed_on(state, good, bad)
    elif any(good):
        state.well += 1
        state.quiet = [before + more for before, more in zip(state.quiet, good, strict=True)]
        if state.well >= _TOGETHER:
            yield from _passed_on(state)


def _relieved(state: AtOneTable, happened: Happened) -> Iterator[Contribution]:
    """The dealer leaves: what is known of her goes before her to another table."""
    yield from _passed_on(state)


def _passed_on(
    state: AtOneTable, good: list[int] | None = None, bad: list[Bad] | None = None
) -> list[Contribution]:
    if not (state.well or bad):
        return []
    note = Note(state.well, state.quiet, good or _none(), bad or [])
    state.well, state.quiet = 0, _none()
    return [Contribution({"dealer": state.dealer}, note)]


def size_of(ratio: float) -> int:
    """The size of a stake, as its place in `SIZES`: the nearest by ratio."""
    return bisect_right(_BETWEEN, ratio)


def settled(closed: Closed) -> list[tuple[int, int, int]]:
    """Of each hand: its seat, the cents staked on it, and what its patron got too much (minus: too little), in cents.

    A hand of which something cannot be said is left out. What lies at a seat belongs to the seat's first hand. A stake
    that never moved counts only where the law charges the round with it: else its word may be lost.
    """
    charged = closed.round.breached
    hands: dict[str, tuple[int, int] | None] = {}
    for stake in closed.result.stakes:
        name = stake.hand or f"{stake.seat}.1"
        before = hands.get(name, (0, 0))
        wrong = too_much(stake, charged=charged)
        if before is None or wrong is None:
            hands[name] = None
        else:
            hands[name] = before[0] + stake.staked_cents, before[1] + wrong
    return [(seat, *known) for name, known in hands.items() if known is not None and (seat := seat_of(name))]


def _weigh(state: OfDealer, seen: Observation, note: Note, share: float) -> Iterator[Alarm]:
    state.well += note.well
    state.good = [before + more for before, more in zip(state.good, note.quiet, strict=True)]
    if not note.bad:
        if state.well >= left(state.careless, _STRETCH):
            _settle(state)
        return
    _settle(state)
    over = [hand for hand in note.bad if hand.cents > 0]
    under = [hand for hand in note.bad if hand.cents < 0]
    more, less = sum(hand.cents for hand in over), -sum(hand.cents for hand in under)
    counted = (sum(note.good) + len(note.bad), len(over), more, len(under), less)
    for variant, bad, mixture in (
        ("for_patrons", over, state.for_patrons),
        ("for_house", under, state.for_house),
        ("careless", note.bad, state.careless),
    ):
        good = list(note.good)
        for hand in note.bad:
            good[hand.size] += hand not in bad
        factors = ratios(good, bad, _honest(variant))
        value, weight = weighed(mixture, factors, _STRETCH, 1, counted)
        evidence = value * WEIGHTS[variant] * share
        if bad:
            place = seen.subject, seen.round, seen.sequence, mixture.rounds
            seats = tuple(sorted({hand.seat for hand in bad if hand.seat}))
            # Errors of both ways do not cancel out.
            cents = sum(abs(hand.cents) if variant == "careless" else hand.cents for hand in bad)
            wrong = WeightyRound(*place, weight, cents, seats)
            keep(state.rounds.setdefault(variant, []), wrong)
        if bad and evidence >= 1 / LEVEL and (variant != "careless" or _both_ways(mixture)):
            yield _alarm(variant, mixture, state.rounds[variant], seen, evidence)


def _settle(state: OfDealer) -> None:
    """Weigh the rounds that went well since the last that did not."""
    if state.well:
        one_way, both = _went_well(state.good)
        counted = (sum(state.good), 0, 0, 0, 0)
        weigh(state.for_patrons, one_way, _STRETCH, state.well, counted)
        weigh(state.for_house, one_way, _STRETCH, state.well, counted)
        weigh(state.careless, both, _STRETCH, state.well, counted)
        state.well, state.good = 0, _none()


def _went_well(good: list[int]) -> tuple[list[float], list[float]]:
    """The likelihood ratios of hands that were paid rightly: for errors of one way, and of both."""
    return ratios(good, [], HONEST), ratios(good, [], 2 * HONEST)


def _both_ways(mixture: Mixture) -> bool:
    """Whether a quarter of the errors that are told go the way of the fewer: else the other variants say it."""
    _, over, _, under, _ = heaviest(mixture).counted or [0] * 5
    return 4 * min(over, under) >= over + under


def _honest(variant: str) -> float:
    return 2 * HONEST if variant == "careless" else HONEST


def ratios(good: list[int], bad: list[Bad], honest: float) -> list[float]:
    """The likelihood ratios of some hands, by alternative: by one rate, and by rates that grow with the stake.

    A rate that is not above the honest one is no alternative: such a hand then says nothing.
    """
    found = []
    for sizes in ((1.0,) * len(SIZES), SIZES):
        for p in ALTERNATIVES:
            rates = [min(_MOST, p * size) for size in sizes]
            told = sum(
                count * (log1p(-rate) - log1p(-honest))
                for rate, count in zip(rates, good, strict=True)
                if count and rate > honest
            )
            told += sum(log(max(1.0, rates[hand.size] / honest)) for hand in bad)
            found.append(exp(told))
    return found


_SAID = {
    "for_patrons": "paid too much, or not collected",
    "for_house": "paid too little, or collected wrongly",
    "careless": "mispaid one way or the other",
}


def _alarm(
    variant: str, mixture: Mixture, wrong: list[WeightyRound], seen: Observation, evidence: float
) -> Alarm:
    dealer, since = seen.whom["dealer"], heaviest(mixture)
    hands, over, over_cents, under, under_cents = since.counted
    count = {"for_patrons": over, "for_house": under}.get(variant, over + under)
    cents = {"for_patrons": over_cents, "for_house": -under_cents}.get(variant, over_cents - under_cents)
    allowed = hands * _honest(variant)
    most = since_heaviest(mixture, wrong)
    per = "2 in 1,000" if variant == "careless" else "1 in 1,000"
    return Alarm(
        variant=variant,
        about={"dealer": dealer},
        e_value=evidence,
        sequences=events_of(most, seen.subject),
        expected={"hands_mispaid_at_most": per, "by_chance": round(allowed, 2)},
        observed={
            "hands": hands,
            "for_patrons": over,
            "for_patrons_cents": over_cents,
            "for_house": under,
            "for_house_cents": under_cents,
            "rounds": rows_of(most),
        },
        message=f"Of {since.of('hand', hands)} that dealer {dealer} settled, {count} {verb(count, 'was')} "
        f"{_SAID[variant]} (${abs(cents) / 100:,.2f} {'to patrons' if cents >= 0 else 'to the house'}); "
        f"at {per}, chance allows {allowed:.2g}.",
    )


def _standing(state: OfDealer, whom: dict[str, str], share: float) -> Iterator[EvidenceStanding]:
    one_way, both = _went_well(state.good)
    for variant, mixture in (
        ("for_patrons", state.for_patrons),
        ("for_house", state.for_house),
        ("careless", state.careless),
    ):
        careless = variant == "careless"
        yield standing_of(
            mixture,
            variant,
            {"dealer": whom["dealer"]},
            WEIGHTS[variant] * share,
            due=not careless or _both_ways(mixture),
            weighty=state.rounds.get(variant, ()),
            untaken=both if careless else one_way,
            more=state.well,
        )


register(
    Family(
        name="dealer_mispay",
        variants=tuple(WEIGHTS),
        about=("dealer",),
        null="at most 1 mispaid hand in 1,000 each way",
        statistic="Hands settled and hands mispaid, by direction: what the cards were due against what was paid, "
        "collected or returned, of all stakes of a hand together. By count, and by money: as if hands were mispaid "
        "the more often the larger the stake.",
        bound="Likelihood ratios against three rates, each by count and by money, from the dealer's first round and "
        "from any stretch of 25 (Ville). Three variants share the level (35 : 11 : 4), and so do the dealers of a "
        "table's stream: the n-th has 1/(n(n+1)) of it.",
        innocent=(
            "a new dealer, or a new side wager or paytable that was trained wrongly",
            "one rule that the dealer reads otherwise: look whether all rounds are of one kind",
            "a patron who is paid what he was owed from an earlier round",
            "a console that loses words of settlements: a stake that was collected then looks left lying",
        ),
        blind=(
            "rounds that are void, could not be decided, or are known to lack a word of a device",
            "payments that are right by the cards although the cards were not dealt rightly",
            "rounds in which the dealer changed; stack games",
            "a dealer who mispays no more often than 1 hand in 1,000",
        ),
        cost="One look at each stake of a round; three mixtures of six rates: under 9 kB a dealer.",
        table=AtTable(state=AtOneTable, closed=_closed, reads=(DealerLeft,), happened=_relieved),
        entity=OfEntity(state=OfDealer, note=Note, weigh=_weigh, standing=_standing),
    )
)
