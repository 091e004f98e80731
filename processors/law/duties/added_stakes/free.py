"""Which doubles and splits are free."""

from __future__ import annotations

from processors.core.state import Hand
from processors.games.blackjack.rules import BlackjackRules
from processors.games.totals import POINTS, count


def is_free_double(hand: Hand, rules: BlackjackRules) -> bool | None:
    """Whether a double on the hand's two cards is free: hard 9, 10 or 11; None if a card is unknown."""
    counted = count(hand.cards[:2])
    if counted is None:
        return None
    return not counted[1] and counted[0] in rules.free_doubles


def is_free_split(hand: Hand, rules: BlackjackRules) -> bool | None:
    """Whether splitting from this hand is free: any pair but ten-values; None if a card is unknown."""
    points = POINTS.get(hand.cards[0]) if hand.cards else None
    if points is None:
        return None
    return rules.profile.free_bets and points != 10
