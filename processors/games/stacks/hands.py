"""The stack games: who was dealt what, what a void round owes, and where the cards are racked."""

from __future__ import annotations

from processors.core.state import Round
from schemas.rounds import Settlement
from schemas.values import BONUS, DEALER, UNKNOWN


def due(round_: Round, cents: int) -> Settlement | None:
    """What a stake is due under the dealing section alone: all of it back when the round is void.

    Other sections decide who wins: for a round that is not void the answer is None (670a.10(e), 657a.8(h)).
    """
    return Settlement("return", cents) if round_.voided is not None else None


def expected_rack(round_: Round, dealer_first: bool, pickup_order: str) -> tuple[str, ...] | None:
    """The cards in rack order: the stub first, then unwagered stacks unseen, then the hands as configured.

    None when the stub's size or the positions' order is not known (670a.10(d), (f); 657a.8(e), (g)).
    """
    stub = [entry for entry in round_.racked if entry.reason == "stub"]
    if not stub or round_.voided is not None:
        return None
    cards = [UNKNOWN] * len(stub[0].cards)
    wagered = {stake.seat for stake in round_.stakes.values() if stake.kind == "main"}
    hands = sorted(round_.hands.values(), key=lambda hand: hand.name)
    unwagered = [hand for hand in hands if hand.seat and hand.seat not in wagered]
    for hand in sorted(unwagered, key=lambda hand: hand.racked or 0):
        cards += [UNKNOWN] * len(hand.cards)
    played = [hand for hand in hands if hand.seat in wagered]
    if pickup_order != "seats_ascending":
        played.reverse()
    if pickup_order == "losers_first":
        played.sort(key=lambda hand: hand.racked or 0)
    bonus = [hand for hand in hands if hand.name == BONUS]
    dealer = [hand for hand in hands if hand.name == DEALER]
    order = [*dealer, *played] if dealer_first else [*played, *dealer]
    if bonus:
        order = sorted([*order, *bonus], key=lambda hand: hand.racked or bonus[0].racked or 0)
    for hand in order:
        cards += hand.cards
    return tuple(cards)
