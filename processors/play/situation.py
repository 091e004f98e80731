"""A hand as it stood at the table when it was to be decided."""

from __future__ import annotations

from msgspec import Struct

from processors.games.totals import count
from processors.play.composition import values_of
from processors.play.game import Game
from processors.play.hands import CHIPS, Money, PlayedHand


class Situation(Struct, frozen=True, kw_only=True):
    """A hand that is to be decided.

    cards: the hand's, in deal order. split: the hand came of a split. hands: how many hands its box has. money: what
    the hand gains and loses.
    """

    cards: tuple[str, ...]
    split: bool = False
    hands: int = 1
    money: Money = CHIPS


def held(game: Game, situation: Situation) -> PlayedHand:
    """The hand of a situation as its play goes.

    Raises:
        KeyError: a card is not known.
    """
    cards = situation.cards
    values = values_of(cards)
    counted = count(cards, game.player_limit)
    assert counted is not None  # values_of has refused unknown cards
    two = len(values) == 2
    original = two and (game.pays_large_split or not situation.split)
    return PlayedHand(
        *counted,
        first_two=two,
        pair=values[0] if two and values[0] == values[1] else 0,
        large=original and min(values) >= 10,
        split=situation.split,
        more_hands=max(game.hands_at_most - situation.hands, 0),
        money=situation.money,
    )
