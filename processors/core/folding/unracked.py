"""Hands in the rack: dealt hands that the rack lacks, and cards in the rack that nobody saw dealt."""

from __future__ import annotations

from processors.core.state import Round, spot_named
from schemas.events import StackDelivered, StackDispensed
from schemas.values import DEALER


def not_racked(round_: Round) -> tuple[str, ...]:
    """The words of the rack that a round lacks at its end: one for each hand, if the dealer's, the last, is among them.

    A rack that took the dealer's hand was alive: what it lacks of the others is one matter (A69).
    """
    dealers = round_.hands.get(DEALER)
    if dealers is not None and dealers.racked is not None:
        return (f"hands in the rack of round {round_.number}",)
    return unracked(round_)


def unracked(round_: Round) -> tuple[str, ...]:
    """The words of the rack that a round lacks: one for each hand that never reached it."""
    return tuple(
        f"the cards of {spot_named(hand.name)} in the rack of round {round_.number}"
        for hand in round_.unracked
    )


def shown_beyond(round_: Round) -> dict[str, list[str]]:
    """The hands of which rack or showdown have more cards than shoe and layout told, with all the cards there."""
    stacks = {one.sequence: len(one.data.cards) for one in round_.told(StackDispensed, StackDelivered)}
    found: dict[str, list[str]] = {}
    for name, hand in round_.hands.items():
        cards = max(hand.racked_cards, hand.cards, key=len)
        came = (sequence for sequence in hand.sequences if not hand.is_shown_at(sequence))
        if len(cards) > sum(stacks.get(sequence, 1) for sequence in came):
            found[name] = cards
    return found
