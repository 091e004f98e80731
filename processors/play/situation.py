"""One decision as it stood at the table, and what each of its choices was worth."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from processors.games.totals import count, is_natural
from processors.play.composition import VALUES, values_of
from processors.play.dealer import holes_of
from processors.play.game import Game
from processors.play.hands import CHIPS, Choice, Held, Money, Play


class Situation(Struct, frozen=True, kw_only=True):
    """What is known when a hand is to be decided.

    cards: the hand's, in deal order. up: the dealer's up card. known: what is known of the hole card once the reader
    has spoken: None for nothing else, the Masque range (`small`, `medium`, `large`), or the card itself. split: the
    hand came of a split. hands: how many hands its box has. money: what the hand gains and loses.
    """

    cards: tuple[str, ...]
    up: str
    known: str | None = None
    split: bool = False
    hands: int = 1
    money: Money = CHIPS


def held(game: Game, situation: Situation) -> Held:
    """The hand of a situation as its play goes.

    Raises:
        KeyError: a card is not known.
    """
    cards = situation.cards
    values = values_of(cards)
    counted = count(cards)
    assert counted is not None  # values_of has refused unknown cards
    two = len(values) == 2
    original = two and (game.pays_large_split or not situation.split)
    return Held(
        *counted,
        first_two=two,
        pair=values[0] if two and values[0] == values[1] else 0,
        large=original and min(values) >= 10,
        split=situation.split,
        more_hands=max(game.hands_at_most - situation.hands, 0),
        money=situation.money,
    )


def worths(play: Play, situation: Situation) -> dict[Choice, float]:
    """Expected result of each lawful choice, the rest played best, in main wagers; `play` holds the cards unseen.

    Raises:
        KeyError: a card is not known.
        ValueError: the composition has no hole card of the kind known.
    """
    if is_natural(situation.cards) and not situation.split:
        return {"stand": play.game.odds_blackjack}
    up = values_of((situation.up,))[0]
    return play.against(up, holes_of(up, situation.known)).worths(held(play.game, situation))


def best(worth: dict[Choice, float]) -> Choice:
    """The choice of highest worth; the first of equals."""
    return max(worth, key=worth.__getitem__)


def hole_chances(play: Play, up: str, known: str | None = None) -> dict[int, float]:
    """The chance of each value of the hole card, by what is known of it and the cards unseen."""
    holes = holes_of(values_of((up,))[0], known)
    counts = {hole: play.composition.counts[hole - 2] for hole in holes}
    whole = sum(counts.values())
    return {hole: number / whole for hole, number in counts.items() if number}


def insurance_worth(play: Play, hole: str | None = None) -> float:
    """What a unit of insurance is worth under an ace, by the cards unseen or by a hole card that is known (8(a))."""
    wins = _ten_chance(play.shares, hole)
    return wins * play.game.odds_insurance - (1 - wins)


def even_money_worths(play: Play, hole: str | None = None) -> tuple[float, float]:
    """What a Blackjack under a dealer's ace is worth paid even money, and what if it waits (672a.8(e))."""
    return 1.0, (1 - _ten_chance(play.shares, hole)) * play.game.odds_blackjack


def _ten_chance(shares: Sequence[float], hole: str | None) -> float:
    if hole is not None:
        return float(values_of((hole,))[0] == 10)
    return shares[VALUES.index(10)]
