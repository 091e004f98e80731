"""The dealer's hand: its total, its Blackjack, and how sure the record is of either."""

from __future__ import annotations

from msgspec import Struct

from processors.core.state import Round
from processors.games.blackjack.rules import BlackjackRules
from processors.games.totals import POINTS, count, is_natural, is_ten, range_of
from schemas.values import DEALER

RED = "dh"


class Dealer(Struct, frozen=True):
    """The dealer's hand as far as the record shows it; None where it does not."""

    cards: tuple[str, ...]
    up: str | None
    shown: bool
    total: int | None
    soft: bool
    blackjack: bool | None


def dealer_of(round_: Round, rules: BlackjackRules) -> Dealer:
    """The dealer's hand now: `shown` once the hole card is turned up, `total` only then."""
    hand = round_.hands.get(DEALER)
    cards = tuple(hand.cards) if hand is not None else ()
    up = next((card for index, card in enumerate(cards) if index != round_.hole_index), None)
    shown = round_.hole_revealed is not None
    counted = count(cards, rules.dealer_limit) if shown else None
    return Dealer(
        cards=cards,
        up=up,
        shown=shown,
        total=counted[0] if counted else None,
        soft=counted[1] if counted else False,
        blackjack=_blackjack(round_, cards, up, shown),
    )


def _blackjack(round_: Round, cards: tuple[str, ...], up: str | None, shown: bool) -> bool | None:
    """Whether the dealer has Blackjack: by the hole card once it shows, before that by up card and reader."""
    if shown and len(cards) >= 2:
        both = (cards[0], cards[1])
        return None if POINTS.get(both[0]) is None or POINTS.get(both[1]) is None else is_natural(both)
    if up is None:
        return None
    if POINTS.get(up, 10) < 10:
        return False
    result = round_.reader[1] if round_.reader is not None else None
    if result in ("blackjack", "no_blackjack"):
        return result == "blackjack"
    return False if result in ("small", "medium") else None


def insurance_wins(round_: Round, dealer: Dealer) -> bool | None:
    """Whether insurance wins: a ten-value hole card under an ace (8(a)); None while that is not known."""
    if dealer.shown:
        hole = dealer.cards[round_.hole_index] if round_.hole_index < len(dealer.cards) else None
        return None if hole is None or range_of(hole) is None else is_ten(hole)
    return dealer.blackjack


def push22_line(cards: tuple[str, ...]) -> str:
    """The best line of the Push 22 paytable for a dealer 22: one suit, one colour, or other (12(c), 11(c))."""
    suits = {card[1] for card in cards}
    if len(suits) == 1:
        return "same_suit"
    if len({suit in RED for suit in suits}) == 1:
        return "same_colour"
    return "other"
