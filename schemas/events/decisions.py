"""What players decide, and what the dealer shows and announces."""

from typing import Literal

from msgspec import UNSET, UnsetType

from schemas.payload import Payload
from schemas.values import Card, Cards, Count, Hand, Seat, Spot, Text


class InsuranceOffered(Payload, frozen=True):
    """The dealer offers insurance."""


class EvenMoneyOffered(Payload, frozen=True):
    """The dealer offers even money to the seat."""

    seat: Seat


class EvenMoneyTaken(Payload, frozen=True):
    """The seat takes even money."""

    seat: Seat


class HoleCardRead(Payload, frozen=True):
    """What the device showed."""

    device: Literal["card_reader", "masque_reader"]
    result: Literal["blackjack", "no_blackjack", "small", "medium", "large"]


class DealerHandPositioned(Payload, frozen=True):
    """Where the dealer's hand is laid (685a)."""

    area: Literal["small", "medium", "large"]


class HoleCardRevealed(Payload, frozen=True):
    """Turned face up; nonce opens the seal."""

    card: Card
    nonce: Text | UnsetType = UNSET


class PlayerDecision(Payload, frozen=True):
    """A split moves the hand's second card to new_hand."""

    hand: Hand
    kind: Literal["hit", "stand", "double", "split", "surrender"]
    new_hand: Hand | UnsetType = UNSET


class LammerPlaced(Payload, frozen=True):
    """The dealer lays a lammer beside the hand."""

    hand: Hand
    kind: Literal["free_double", "free_split", "envy"]


class LammerCollected(Payload, frozen=True):
    """The dealer takes the lammer back."""

    hand: Hand
    kind: Literal["free_double", "free_split", "envy"]


class BlackjackAnnounced(Payload, frozen=True):
    """The dealer announces a Blackjack."""

    hand: Hand


class DealerTotalAnnounced(Payload, frozen=True):
    """The dealer announces the total of the dealer hand."""

    total: Count


class HandRevealed(Payload, frozen=True):
    """Face-down poker hand shown."""

    position: Spot
    cards: Cards
