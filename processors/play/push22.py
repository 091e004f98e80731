"""What a Push 22 wager is worth: the dealer's 22 by the suits of its cards."""

from __future__ import annotations

from math import prod

from processors.play.composition import VALUES, Composition, plus
from processors.play.dealer import stands
from processors.play.game import Game

Lines = dict[str, float]


def push22_lines(game: Game, composition: Composition) -> Lines:
    """The chance of each line of the paytable before any card lies; `composition` of whole decks, suits alike.

    A dealer Blackjack ends the round and pays nothing. The dealer is taken to draw out his hand.
    """
    suits: Lines = {"same_suit": 0.0, "same_colour": 0.0, "other": 0.0}
    hands: dict[tuple[tuple[int, ...], int, bool], float] = {((0,) * len(VALUES), 0, False): 1.0}
    while hands:
        longer: dict[tuple[tuple[int, ...], int, bool], float] = {}
        for (drawn, total, soft), chance in hands.items():
            for at, share in enumerate(_left(composition, drawn)):
                if not share:
                    continue
                more = (*drawn[:at], drawn[at] + 1, *drawn[at + 1 :])
                after, still = plus(total, soft, VALUES[at], game.dealer_limit)
                if stands(game, after, still):
                    if after == game.push_total:
                        _divide(suits, composition, more, chance * share)
                else:
                    key = (more, after, still)
                    longer[key] = longer.get(key, 0.0) + chance * share
        hands = longer
    return suits


def push22_worth(game: Game, composition: Composition) -> float:
    """Expected result of a unit on Push 22, by the paytable in force (11(c))."""
    lines = push22_lines(game, composition)
    pays = dict(game.push22)
    return sum(chance * pays[line] for line, chance in lines.items()) - (1 - sum(lines.values()))


def _left(composition: Composition, drawn: tuple[int, ...]) -> tuple[float, ...]:
    if composition.endless:
        return composition.shares
    whole = sum(composition.counts) - sum(drawn)
    return tuple((count - gone) / whole for count, gone in zip(composition.counts, drawn, strict=True))


def _divide(suits: Lines, composition: Composition, drawn: tuple[int, ...], chance: float) -> None:
    """Add a 22 of these values to the lines, each suit having a quarter of every value."""
    one = 4 * _all_in(composition, drawn, 4)
    colour = 2 * _all_in(composition, drawn, 2) - one
    suits["same_suit"] += chance * one
    suits["same_colour"] += chance * colour
    suits["other"] += chance * (1 - one - colour)


def _all_in(composition: Composition, drawn: tuple[int, ...], parts: int) -> float:
    """The chance that all cards lie in one given part, suit or colour, of the deck."""
    return prod(
        (count / parts - before) / (count - before) if not composition.endless else 1 / parts
        for count, number in zip(composition.counts, drawn, strict=True)
        for before in range(number)
    )
