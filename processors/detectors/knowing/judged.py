"""The factors of one round: how well each knower fits the hole card, over his mean for all that might lie there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from operator import mul
from typing import Final, Literal

from msgspec import Struct

from processors.core.state import Round, Table
from processors.detectors.knowing.orders import SLIP, Orders
from processors.games.totals import POINTS
from processors.play.composition import IN_A_DECK
from processors.play.dealer import holes_of
from schemas.values import DEALER


class Knower(Struct, frozen=True):
    """An alternative: in which share of the rounds somebody knows the hole card, and what he uses it for.

    by: "card", he draws or stands by it where plain players do either; "ten", he does so by whether it counts ten or
    more; "bold", he makes every play that it orders, also one that gives him away, as a split of tens or a card to a
    hard 19; "" plays as others do. insures: he insures just the dealer's Blackjacks. weight: of its evidence.
    """

    share: float
    by: Literal["card", "ten", "bold", ""] = "card"
    insures: bool = True
    weight: float = 0.06


KNOWERS: Final = (
    Knower(0.95, weight=0.4),
    Knower(0.7, weight=0.24),
    Knower(0.35),
    Knower(0.8, by="ten"),
    Knower(0.85, insures=False),
    Knower(0.9, by=""),
    Knower(0.95, by="bold"),
    Knower(0.5, by="bold"),
)
_PLAIN_INSURES = 0.1


class RoundNote(Struct, array_like=True, frozen=True):
    """One round of a player: the factor of each alternative, and for people how his decisions fit the hole card.

    asked: decisions that the hole card changes. fits: those that it orders. chance: how many any other unseen card in
    its place would have ordered on average. seats, cents: where he plays, and his main wagers there.
    """

    factors: tuple[float, ...]
    asked: int
    fits: int
    chance: float
    seats: tuple[int, ...] = ()
    cents: int = 0


def unseen(table: Table, round_: Round) -> tuple[int, ...]:
    """The cards nobody had seen when the hole card was turned up, it included, by value 2 to 11."""
    batch = table.batches.get(table.shoe.batch)
    decks = batch.decks if batch is not None else 6
    counts = [decks * count for count in IN_A_DECK]
    for card, number in table.shoe.out.items():
        if card in POINTS:
            counts[POINTS[card] - 2] -= number
    for card in round_.hands[DEALER].cards[1:]:
        if card in POINTS:
            counts[POINTS[card] - 2] += 1
    return tuple(max(count, 0) for count in counts)


def judged(
    counts: Sequence[int],
    up: int,
    hole: int,
    light: str | None,
    insured: bool | None,
    asked: Sequence[Orders],
) -> RoundNote | None:
    """The factors of a round: how well each alternative fits the hole card, by all that might have lain there.

    counts: unseen cards by value, the hole card among them. insured: None where it was not offered. A factor is 1 on
    average over the hole cards, whatever was decided.
    """
    holes = holes_of(up, light)
    blackjack = up == 11 and hole == 10
    if hole not in holes and not blackjack:
        return None
    ten = counts[8] / sum(counts)
    weights = [counts[one - 2] for one in holes]
    whole = sum(weights)
    at = -1 if blackjack else holes.index(hole)
    fit: dict[str, _Fit | None] = {}
    if asked and not blackjack:
        fit = {
            "card": _fit(
                [(one.card, one.plain) for one in asked if one.card is not None], weights, whole, at
            ),
            "ten": _fit([(one.ten, one.plain) for one in asked if one.ten is not None], weights, whole, at),
            "bold": _fit([(one.bold, one.plain) for one in asked], weights, whole, at),
        }
    factors = []
    for share, by, insures in _KNOWERS:
        factor = 1.0
        if insured is not None and insures:
            share, factor = _after_insurance(share, insured, blackjack, ten)
        told = fit.get(by)
        if told is not None:
            otherwise, known, mean = told
            plain = (1 - share) * otherwise
            factor *= (plain + share * known) / (plain + share * mean)
        factors.append(round(factor, 6))
    fits, chance = 0, 0.0
    if not blackjack:
        for one in asked:
            fits += one.best[at]
            chance += sum(compress(weights, one.best)) / whole
    number = 0 if blackjack else len(asked)
    if insured is not None:
        number += 1
        fits += insured == blackjack
        chance += ten if insured else 1 - ten
    return RoundNote(tuple(factors), number, fits, round(chance, 4)) if number else None


_KNOWERS = [(one.share, one.by, one.insures) for one in KNOWERS]


def _after_insurance(share: float, insured: bool, blackjack: bool, ten: float) -> tuple[float, float]:
    """The share of knowing that is left after the wager on a ten beneath the ace, and the factor."""
    plain = (1 - share) * (_PLAIN_INSURES if insured else 1 - _PLAIN_INSURES)
    fits, fails = share * (1 - SLIP / 2), share * SLIP / 2
    with_ten = plain + (fits if insured else fails)
    without = plain + (fails if insured else fits)
    this = with_ten if blackjack else without
    return (this - plain) / this, this / (ten * with_ten + (1 - ten) * without)


_Fit = tuple[float, float, float]
"""How likely the decisions are: for who does not know the card, for who knows this one, and on average for all."""


def _fit(
    by: Sequence[tuple[tuple[float, ...], float]], weights: Sequence[int], whole: int, hole: int
) -> _Fit | None:
    """None where no decision tells of the card. whole: sum of the weights."""
    if not by:
        return None
    known, plain = by[0]
    for chances, otherwise in by[1:]:
        plain *= otherwise
        known = tuple(map(mul, known, chances))
    return plain, known[hole], sum(map(mul, weights, known)) / whole
