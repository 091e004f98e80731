"""The decisions of a hand as its player met them: the choice, and the cards that he saw."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from processors.core.state import Hand, Round
from processors.games.totals import POINTS
from processors.play.composition import VALUES
from processors.play.game import Game
from processors.play.hands import CHIPS, LAMMER, PlayedHand
from processors.play.situation import Situation, held

MOST_ANSWERS: Final = 256
"""So many decisions against one up card and light are remembered with their answers."""
Asked = tuple[str, tuple[int, ...], bool, int, bool]
"""A decision: the choice, the hand's cards by value, whether it came of a split, its box's hands, and if it is free."""
_SUITED = {value: {10: "T", 11: "A"}.get(value, str(value)) + "s" for value in VALUES}


def situations(game: Game, round_: Round, hand: Hand) -> Iterator[Asked | None]:
    """Each decision of a hand with what its player saw; None where a card is not known, or there was none to make."""
    if not (hand.decisions and hand.cards) or len(hand.cards) != len(hand.sequences):
        return  # where a card lies of which the hand knows nothing else, nothing tells what its player saw
    values = [POINTS.get(card, 0) for card in hand.cards]
    alone = hand.parent is None and hand.split_at is None
    children = (
        []
        if alone
        else [one.split_at for one in round_.hands.values() if one.parent and one.seat == hand.seat]
    )
    free = game.free_splits and hand.parent is not None and values[0] != 10
    for kind, at in hand.decisions:
        seen: tuple[int, ...] = (values[0], values[0])  # the cards of a split: a pair is of one value
        if kind != "split":
            seen = tuple([value for value, laid in zip(values, hand.sequences, strict=True) if laid < at])
        split = hand.parent is not None or (hand.split_at is not None and hand.split_at < at)
        if len(seen) < 2 or 0 in seen or (len(seen) == 2 and seen[0] + seen[1] == 21 and not split):
            yield None
            continue
        yield (
            kind,
            seen,
            split,
            1 if alone else 1 + sum(one is not None and one < at for one in children),
            free,
        )


def hand_of(game: Game, values: tuple[int, ...], split: bool, hands: int, free: bool) -> PlayedHand:
    """A hand as its play goes, by the values of its cards."""
    cards = tuple(_SUITED[value] for value in values)
    asked = Situation(cards=cards, split=split, hands=hands, money=LAMMER if free else CHIPS)
    return held(game, asked)
