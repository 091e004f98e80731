"""Hands that a round's end finds on the table, and what the discard rack lacks by them."""

from __future__ import annotations

from processors.core.state import Round, spot_named
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
