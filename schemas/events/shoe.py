"""Shuffle, cut, cover card, and the life of a shoe."""

from typing import Literal

from msgspec import UNSET, UnsetType

from schemas.payload import Payload
from schemas.values import Card, Cards, Count, Seat, Spot, Text


class ShuffleStarted(Payload, frozen=True):
    """The cards of a batch begin to be shuffled."""

    batch: Text
    method: Literal["manual", "device"]


class ShuffleCompleted(Payload, frozen=True):
    """The shuffle is done; counted is the card count that a counting device reports."""

    batch: Text
    method: Literal["manual", "device"]
    counted: Count | UnsetType = UNSET


class ShufflerLoaded(Payload, frozen=True):
    """Batch put into the shuffler."""

    batch: Text


class ShufflerUnloaded(Payload, frozen=True):
    """Batch taken out of the shuffler."""

    batch: Text


class ReshuffleOrdered(Payload, frozen=True):
    """A floorperson orders a reshuffle."""

    staff: Text
    reason: Text


class CutOffered(Payload, frozen=True):
    """The stack is offered to this seat for the cut."""

    seat: Seat


class CutRefused(Payload, frozen=True):
    """The seat declines the cut."""

    seat: Seat


class CutMade(Payload, frozen=True):
    """Seat or D puts the cover card in with that many cards above it; those go to the bottom."""

    by: Spot
    cards_on_top: Count
    stack: Count


class RecutOrdered(Payload, frozen=True):
    """A floorperson orders a recut."""

    staff: Text
    reason: Text


class CoverCardInserted(Payload, frozen=True):
    """The dealer's insertion after the cut."""

    cards_below: Count
    stack: Count


class ShoeLoaded(Payload, frozen=True):
    """The stack enters the dealing shoe; shoe counts up per table."""

    shoe: Count
    batch: Text
    cards: Count


class CardBurned(Payload, frozen=True):
    """First card to the discard rack."""

    card: Card
    reason: Literal["load", "new_dealer", "reload"]


class CoverCardReached(Payload, frozen=True):
    """The cover card comes out before a card of this spot.

    As the first card of a round it belongs to the spot its successor goes to.
    """

    at: Spot


class ShoeEmptied(Payload, frozen=True):
    """The rest of the shoe, in draw order, goes to the discard rack."""

    cards: Cards


class StackShuffledFromRack(Payload, frozen=True):
    """Mid-round reload: the rack becomes the new stack (followed by cut, shoe_loaded, card_burned)."""

    cards: Count
