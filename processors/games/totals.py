"""Point counts: aces 11, turned to 1 one by one while the sum exceeds the limit (3(d)(3) of each chapter)."""

from __future__ import annotations

from collections.abc import Sequence

from schemas.values import CARD_NAMES, JOKER, UNKNOWN

POINTS: dict[str, int] = {
    card: 11 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0])
    for card in CARD_NAMES
    if card not in (JOKER, UNKNOWN)
}


def count(cards: Sequence[str], limit: int) -> tuple[int, bool] | None:
    """Total and whether it is soft (an ace still counts 11); None when a card is not known.

    `limit` is the players' or the dealer's in force: above it an ace counts 1.
    """
    total = aces = 0
    for card in cards:
        points = POINTS.get(card)
        if points is None:
            return None
        if points == 11:
            aces += 1
        total += points
    while total > limit and aces:
        total -= 10
        aces -= 1
    return total, aces > 0


def is_ten(card: str) -> bool:
    """Whether the card counts ten."""
    return POINTS.get(card) == 10


def is_natural(cards: Sequence[str]) -> bool:
    """Whether two cards are an ace and a ten-value card (1, Blackjack); the caller knows how they were dealt."""
    return len(cards) == 2 and {POINTS.get(cards[0]), POINTS.get(cards[1])} == {10, 11}


def is_large(card: str) -> bool:
    """Whether the card is in the Large range, ten-values and aces (685a.1)."""
    return POINTS.get(card, 0) >= 10


def range_of(card: str) -> str | None:
    """The Masque range of a card: small 2-5, medium 6-9, large (685a.3(e)); None when it is not known."""
    points = POINTS.get(card)
    if points is None:
        return None
    return "small" if points <= 5 else "medium" if points <= 9 else "large"
