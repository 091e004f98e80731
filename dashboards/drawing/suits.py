"""The four suits as paths in a box of ten by ten: no font is needed, every screen and page shows the same."""

from __future__ import annotations

from types import MappingProxyType

from dashboards.drawing.scene import Card

SUIT_PATHS = MappingProxyType(
    {
        "h": "M5 9.6C2.6 7.2 .2 5.3 .2 3A2.45 2.45 0 0 1 5 2.2A2.45 2.45 0 0 1 9.8 3C9.8 5.3 7.4 7.2 5 9.6Z",
        "d": "M5 .2L8.8 5L5 9.8L1.2 5Z",
        "s": "M5 .2C7.4 2.6 9.8 4.3 9.8 6.3A2.2 2.2 0 0 1 5.6 7.3C5.7 8.4 6.1 9.2 7 9.8L3 9.8"
        "C3.9 9.2 4.3 8.4 4.4 7.3A2.2 2.2 0 0 1 .2 6.3C.2 4.3 2.6 2.6 5 .2Z",
        "c": "M5 .2A2.2 2.2 0 0 1 7 3.9A2.2 2.2 0 1 1 5.6 7C5.7 8.3 6.1 9.2 7 9.8L3 9.8"
        "C3.9 9.2 4.3 8.3 4.4 7A2.2 2.2 0 1 1 3 3.9A2.2 2.2 0 0 1 5 .2Z",
    }
)
SUIT_WORDS = MappingProxyType({"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"})
RANK_WORDS = MappingProxyType(
    {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "10"} | {r: r for r in "23456789"}
)


def spoken(card: str) -> str:
    """The card in words: `queen of spades`, `joker`, `a card not known`."""
    if card == "Jo":
        return "joker"
    if card[1:] not in SUIT_WORDS or card[0] not in RANK_WORDS:
        return "a card not known"
    return f"{RANK_WORDS[card[0]]} of {SUIT_WORDS[card[1]]}"


def spoken_card(card: Card) -> str:
    """A card in words as it lies: one that lies face down has no name."""
    return spoken(card.name) if card.face_up else "a card face down"
