"""The roles about a doubled hand that several checks of the action cite."""

from __future__ import annotations

from processors.core.state import Hand
from processors.games.blackjack.action import is_doubled

ONE_CARD = ("action.one_card_on_double", "action.one_card_on_doubled_hand")


def lacks_its_double(hand: Hand) -> tuple[str, ...]:
    """The roles that give a doubled hand its one card; none where the hand did not double."""
    return (*ONE_CARD, "action.doubled_card_dealt") if is_doubled(hand) else ()
