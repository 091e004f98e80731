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
    box = [] if alone else [one for one in round_.hands.values() if one.seat == hand.seat]
    splits = [at for one in box for kind, at in one.decisions if kind == "split"]
    # A hand bears the event of its latest split alone, so the hands that came of it go by their numbers.
    from_it = iter(sorted((one for one in box if one.parent == hand.name), key=lambda one: one.name))
    free = game.free_splits and hand.parent is not None and values[0] != 10
    split = hand.parent is not None
    for kind, at in hand.decisions:
        seen: tuple[int, ...]
        if kind == "split":
            other = next(from_it, None)
            seen = (values[0], POINTS.get(other.cards[0], 0) if other is not None and other.cards else 0)
        else:
            seen = tuple([value for value, laid in zip(values, hand.sequences, strict=True) if laid < at])
        if _cannot_be(kind, seen, split):
            yield None
        else:
            yield (kind, seen, split, 1 + sum(one < at for one in splits), free)
        split = split or kind == "split"


def _cannot_be(kind: str, seen: tuple[int, ...], split: bool) -> bool:
    """Whether no rule has such a decision: an unknown card, a Blackjack, a split of two values."""
    if len(seen) < 2 or 0 in seen:
        return True
    two = len(seen) == 2
    return two and (seen[0] != seen[1] if kind == "split" else seen[0] + seen[1] == 21 and not split)


def hand_of(game: Game, values: tuple[int, ...], split: bool, hands: int, free: bool) -> PlayedHand:
    """A hand as its play goes, by the values of its cards."""
    cards = tuple(_SUITED[value] for value in values)
    asked = Situation(cards=cards, split=split, hands=hands, money=LAMMER if free else CHIPS)
    return held(game, asked)
