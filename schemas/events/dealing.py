"""Cards from the shoe to the discard rack."""

from typing import Literal

from msgspec import UNSET, UnsetType

from schemas.payload import Payload
from schemas.values import Card, Cards, Count, Hand, Hex64, Seat, Spot, Text


class CardDrawn(Payload, frozen=True):
    """The shoe gives up its next card.

    "??" where the shoe may not or cannot tell; seal: SHA-256 of "<card>|<nonce>", opened at the reveal.
    """

    card: Card
    from_hand: Literal["shoe_side", "other"] | UnsetType = UNSET
    seal: Hex64 | UnsetType = UNSET


class CardPlaced(Payload, frozen=True):
    """The card drawn last reaches a hand."""

    hand: Spot
    card: Card
    face_up: bool
    sideways: bool | UnsetType = UNSET
    by_hand: Literal["shoe_side", "other"] | UnsetType = UNSET


class CardExposed(Payload, frozen=True):
    """A card is seen that should not be."""

    card: Card
    where: Literal["in_shoe", "drawn_in_error", "hole", "stub"]


class CardRefused(Payload, frozen=True):
    """The player will not take the exposed card."""

    seat: Seat


class CardsHandled(Payload, frozen=True):
    """Somebody other than the dealer touches cards."""

    by: Literal["player", "spectator"]
    hand: Hand


class StartingPositionSet(Payload, frozen=True):
    """Where dealing starts (stack games)."""

    position: Spot
    method: Text


class StackDispensed(Payload, frozen=True):
    """The automated shoe gives up one stack."""

    cards: Cards


class StackDelivered(Payload, frozen=True):
    """The stack reaches a position or D."""

    position: Spot
    cards: Cards
    face_up: bool


class StubRemoved(Payload, frozen=True):
    """The undealt rest leaves the shoe."""

    cards: Count | UnsetType = UNSET


class StubCounted(Payload, frozen=True):
    """Counted by the dealer on the layout."""

    cards: Count
    face_down: bool


class MisdealDetermined(Payload, frozen=True):
    """The dealer finds whether the cards were misdealt."""

    misdealt: bool


class CardsTucked(Payload, frozen=True):
    """Cards kept under a wager until it is decided."""

    hand: Hand
    under: Literal["main", "push22"]


class CardsRacked(Payload, frozen=True):
    """Cards enter the discard rack, bottom card first. Cards of no hand use spot D with their reason."""

    hand: Spot
    cards: Cards
    reason: Literal[
        "settled", "bust", "blackjack", "surrender", "void", "refused", "boxed", "accidental", "stub", "unwagered",
        "other",
    ]  # fmt: skip
