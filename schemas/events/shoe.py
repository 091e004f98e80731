"""Shuffle, cut, cover card, and the life of a shoe."""

from typing import Literal

from msgspec import UNSET, UnsetType

from schemas.payload import Payload
from schemas.values import Card, Cards, Count, Seat, Spot, Text


class ShuffleStarted(Payload):
    """The cards of a batch begin to be shuffled."""

    batch: Text
    method: Literal["manual", "device"]


class ShuffleCompleted(Payload):
    """The shuffle is done; counted is the card count that a counting device reports."""

    batch: Text
    method: Literal["manual", "device"]
    counted: Count | UnsetType = UNSET


class ShufflerLoaded(Payload):
    """Batch put into the shuffler."""

    batch: Text


class ShufflerUnloaded(Payload):
    """Batch taken out of the shuffler."""

    batch: Text


class ReshuffleOrdered(Payload):
    """A floorperson orders a reshuffle."""

    staff: Text
    reason: Text


class CutOffered(Payload):
    """The stack is offered to this seat for the cut."""

    seat: Seat


class CutRefused(Payload):
    """The seat declines the cut."""

    seat: Seat


class CutMade(Payload):
    """Seat or D puts the cover card in with that many of the stack's cards above it; those go to the bottom."""

    by: Spot
    cards_on_top: Count
    stack: Count


class RecutOrdered(Payload):
    """A floorperson orders a recut."""

    staff: Text
    reason: Text


class CoverCardInserted(Payload):
    """The dealer's insertion after the cut."""

    cards_below: Count
    stack: Count


class ShoeLoaded(Payload):
    """The stack enters the dealing shoe; shoe counts up per table."""

    shoe: Count
    batch: Text
    cards: Count


class CardBurned(Payload):
    """First card to the discard rack."""

    card: Card
    reason: Literal["load", "new_dealer", "reload"]


class CoverCardReached(Payload):
    """The cover card comes out before a card of this spot.

    As the first card of a round it belongs to the spot its successor goes to.
    """

    at: Spot


class ShoeEmptied(Payload):
    """The rest of the shoe, in draw order, goes to the discard rack."""

    cards: Cards


class StackShuffledFromRack(Payload):
    """Mid-round reload: the rack becomes the new stack (followed by cut, shoe_loaded, card_burned)."""

    cards: Count
