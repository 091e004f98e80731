"""How likely a decision is for who knows the hole card, and for who does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import exp
from typing import Final, cast

from msgspec import Struct

from processors.core.state import Hand, Round
from processors.play.asked import MOST_ANSWERS, Asked, hand_of, situations
from processors.play.composition import ENDLESS
from processors.play.dealer import holes_of
from processors.play.game import Game
from processors.play.hands import Choice, PlayedHand, play_of

SLIP: Final = 0.04
"""How often who knows the card does anything at all."""
_PLAIN_SLIP = 0.15
_CLOSE = 0.04  # choices whose worths are this near, in wagers, are hard to tell apart


class Orders(Struct, frozen=True):
    """How likely one decision is for who knows each hole card, in the order of `holes_of`, and for who does not.

    card, ten: of who draws or stands by the card, or by whether it counts ten or more; None where he plays as others
    do. bold: of who follows the card in all. best: whether the hole card orders the decision.
    """

    card: tuple[float, ...] | None
    ten: tuple[float, ...] | None
    bold: tuple[float, ...]
    plain: float
    best: tuple[bool, ...]


@lru_cache(maxsize=4_096)
def orders(game: Game, up: int, light: str | None, hand: PlayedHand, kind: Choice) -> Orders | None:
    """How a decision follows the hole card; None where every hole card orders the same, or the rules do not have it."""
    play = play_of(game, ENDLESS)
    holes = holes_of(up, light)
    worths = [play.against(up, (hole,)).worths(hand) for hole in holes]
    if kind not in worths[0] or len(worths[0]) < 2:
        return None
    best = [max(worth, key=worth.__getitem__) for worth in worths]
    if len(set(best)) == 1:
        return None
    blind = play.against(up, holes).worths(hand)
    card = ten = None
    if kind in _DRAW_OR_STAND and _quiet(hand, blind):
        groups = [tuple(one for one in holes if (one >= 10) == (hole >= 10)) for hole in holes]
        card = tuple(_chance(worth, kind, SLIP, _DRAW_OR_STAND) for worth in worths)
        ten = tuple(
            _chance(play.against(up, group).worths(hand), kind, SLIP, _DRAW_OR_STAND) for group in groups
        )
    return Orders(
        card,
        ten,
        tuple(_chance(worth, kind, SLIP) for worth in worths),
        _chance(blind, kind, _PLAIN_SLIP),
        tuple(one == kind for one in best),
    )


_DRAW_OR_STAND: Final[tuple[Choice, ...]] = ("stand", "hit")


def _quiet(hand: PlayedHand, blind: dict[Choice, float]) -> bool:
    """Whether players draw to such a hand and stand on it alike, and do neither double nor split it."""
    stiff = 12 <= hand.total <= (18 if hand.soft else 17)
    return stiff and max(blind, key=blind.__getitem__) in _DRAW_OR_STAND


def _chance(worths: dict[Choice, float], kind: Choice, slip: float, among: Sequence[Choice] = ()) -> float:
    """How likely somebody is to choose who nearly always takes what is worth most, and slips at times."""
    choices = among or tuple(worths)
    most = max(worths[choice] for choice in choices)
    weights = {choice: exp((worths[choice] - most) / _CLOSE) for choice in choices}
    return slip / len(weights) + (1 - slip) * weights[kind] / sum(weights.values())


def decisions(game: Game, round_: Round, hand: Hand, up: int, light: str | None) -> Iterator[Orders]:
    """The decisions of a hand that the hole card changes, each with the cards that the hand then had."""
    if hand.decisions:
        known = _known(game, up, light)
        for asked in situations(game, round_, hand):
            found = known.of(asked) if asked is not None else None
            if found is not None:
                yield found


class _Known:
    """What was asked against one up card and light before; a key that holds the game would cost more than it saves."""

    __slots__ = ("_answers", "_game", "_light", "_up")

    def __init__(self, game: Game, up: int, light: str | None) -> None:
        self._game, self._up, self._light = game, up, light
        self._answers: dict[Asked, Orders | None] = {}

    def of(self, asked: Asked) -> Orders | None:
        """How the decision follows the hole card, if it does."""
        answers = self._answers
        if asked not in answers:
            if len(answers) >= MOST_ANSWERS:
                answers.clear()
            kind, values, split, hands, free = asked
            hand = hand_of(self._game, values, split, hands, free)
            answers[asked] = orders(self._game, self._up, self._light, hand, cast(Choice, kind))
        return answers[asked]


@lru_cache(maxsize=256)
def _known(game: Game, up: int, light: str | None) -> _Known:
    return _Known(game, up, light)
