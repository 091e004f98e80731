"""Decks from their arrival to the washed stack."""

from schemas.payload import Payload
from schemas.values import Count, Seat, Text, When


class DecksReceived(Payload, frozen=True):
    """Decks reach the table as one batch."""

    batch: Text
    decks: Count
    cards: Count
    back_colour: Text
    design: Text
    opened_at: When
    preinspected: bool
    preshuffled: bool


class DecksRemoved(Payload, frozen=True):
    """The batch leaves the table."""

    batch: Text
    cards: Count


class CardsInspected(Payload, frozen=True):
    """The dealer looks the cards over."""

    batch: Text
    staff: Text
    defects: Count


class InspectionVerified(Payload, frozen=True):
    """The floorperson confirms the inspection."""

    batch: Text
    staff: Text


class CardsSpread(Payload, frozen=True):
    """Spread on the layout."""

    batch: Text
    face_up: bool
    in_sequence: bool


class PlayerViewingGiven(Payload, frozen=True):
    """The first player at the table may look."""

    batch: Text
    seat: Seat


class CardsWashed(Payload, frozen=True):
    """Mixed face down by hand."""

    batch: Text


class CardsStacked(Payload, frozen=True):
    """Squared into one stack."""

    batch: Text
    cards: Count
