"""How far the first deal has come: the boxes it goes to, the cards they hold, and what their players asked for."""

from __future__ import annotations

from processors.core.state import Round
from schemas.events import PlayerRequest
from schemas.values import DEALER

_FIRST_HANDS = {seat: f"{seat}.1" for seat in range(1, 10)}


def wagered_boxes(round_: Round) -> list[str]:
    """The first hands of the seats with a main wager that was down before the first card, by seat."""
    first = round_.first_card
    boxes = [
        _FIRST_HANDS[stake.seat]
        for stake in round_.stakes.values()
        if stake.kind == "main" and stake.cents and (first is None or stake.placed < first)
    ]
    boxes.sort()
    return boxes


def wagered_late(round_: Round, box: str) -> bool:
    """Whether the main wager of a box was placed after the first card."""
    first = round_.first_card
    return first is not None and any(
        stake.kind == "main" and stake.cents and stake.placed > first and _FIRST_HANDS[stake.seat] == box
        for stake in round_.stakes.values()
    )


def held(round_: Round, spot: str) -> int:
    """How many cards a hand has."""
    hand = round_.hands.get(spot)
    return len(hand.cards) if hand is not None else 0


def called_dead(round_: Round, spot: str) -> bool:
    """Whether the hand was called dead."""
    hand = round_.hands.get(spot)
    return hand is not None and hand.voided is not None


def deal_is_over(round_: Round) -> bool:
    """Whether the dealer has his second card, with which the first deal ends."""
    dealer = round_.hands.get(DEALER)
    return dealer is not None and len(dealer.cards) >= 2


def wished(round_: Round, seat: int, wish: str) -> bool:
    """Whether the player of a seat asked for this in the round."""
    return any(entry.data.seat == seat and entry.data.wish == wish for entry in round_.told(PlayerRequest))
