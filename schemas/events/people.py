"""The table, and the people at it."""

from typing import Literal

from msgspec import UNSET, UnsetType

from schemas.payload import Payload
from schemas.values import Cents, Count, Day, HourMinute, Ruleset, Seat, SideWagers, Text, TextMap, Texts

Matter = Literal[
    "layout", "rules_submission", "shoe_location", "shuffler", "self_shuffling_device", "signage", "box_location",
    "preshuffled_decks",
]  # fmt: skip


class TableConfigured(Payload, frozen=True):
    """The dated rules submission and equipment of the table, in force from this event on.

    paytables: side wager -> line, e.g. {"push22":"A"}. chip_cents: smallest chip. readings: ambiguity id of
    docs/readings.md -> reading name. layout: what the layout and table carry: name, wager_area, side_area,
    payouts, blackjack_3_2, insurance_2_1, draw_16_stand_17, push_22, no_surrender, range_areas,
    range_small, range_medium, range_large, drop_and_tip_boxes, card_reader, masque_reader, discard_rack.
    """

    ruleset: Ruleset
    property: Text
    pit: Text
    seats: Count
    decks: Count
    batches: Count
    shuffler: Literal["none", "batch", "continuous", "self_shuffling"]
    shuffler_counts: bool
    side_wagers: SideWagers
    paytables: TextMap
    even_money: bool
    settle_order: Literal["collect_then_pay", "seat_by_seat"]
    pickup_order: Literal["seats_descending", "seats_ascending", "losers_first"]
    dealer_cards: Literal["last", "first"]
    bust_collection: Literal["immediate", "at_settlement"]
    boxes_per_player: Count
    min_cents: Cents
    max_cents: Cents
    chip_cents: Cents
    gaming_day_start: HourMinute
    timezone: Text
    readings: TextMap | UnsetType = UNSET
    layout: Texts | UnsetType = UNSET
    cameras: Texts | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Refuse a side wager named twice.

        Raises:
            ValueError: which the decoder reports with its path.
        """
        if len(set(self.side_wagers)) != len(self.side_wagers):
            raise ValueError("a side wager is named twice in `side_wagers`")


class ApprovalRecorded(Payload, frozen=True):
    """A bureau approval on file for the table."""

    matter: Matter
    reference: Text
    approved_on: Day


class GamingDayStarted(Payload, frozen=True):
    """First event of the accounting day."""

    gaming_day: Day


class TableOpened(Payload, frozen=True):
    """Table open for gaming."""


class TableIdle(Payload, frozen=True):
    """Open, but no gaming activity."""


class TableClosed(Payload, frozen=True):
    """Table closed for gaming."""


class DealerArrived(Payload, frozen=True):
    """A dealer takes the table."""

    staff: Text


class DealerLeft(Payload, frozen=True):
    """The dealer leaves."""

    staff: Text


class FloorpersonAssigned(Payload, frozen=True):
    """The floorperson answerable for the table."""

    staff: Text


class FloorpersonNotified(Payload, frozen=True):
    """The dealer called a floorperson or above."""

    matter: Text
    staff: Text


class PlayerArrived(Payload, frozen=True):
    """Player is a house pseudonym, never a name."""

    seat: Seat
    player: Text


class PlayerLeft(Payload, frozen=True):
    """The player leaves the seat."""

    seat: Seat
    player: Text


class PlayerRequest(Payload, frozen=True):
    """A request the rules give a player."""

    seat: Seat
    wish: Literal["face_up_spread", "reshuffle", "see_cards", "second_card", "late_card", "dead_hand"]
