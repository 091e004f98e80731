"""Inventory, fills, credits, drop: the table as an account."""

from typing import Literal

from msgspec import UNSET, UnsetType

from schemas.payload import Payload
from schemas.values import Cents, ChipCounts, Seat, Text, Texts


class InventoryCounted(Payload, frozen=True):
    """Table Inventory Slip; chips: denomination in cents -> number."""

    moment: Literal["opening", "closing", "shift"]
    slip: Text
    staff: Texts
    cents: Cents
    chips: ChipCounts | UnsetType = UNSET


class FillReceived(Payload, frozen=True):
    """Cage to table."""

    slip: Text
    cents: Cents
    chips: ChipCounts | UnsetType = UNSET


class CreditSent(Payload, frozen=True):
    """Table to cage."""

    slip: Text
    cents: Cents
    chips: ChipCounts | UnsetType = UNSET


class ChipsBought(Payload, frozen=True):
    """Into the drop box, chips out."""

    seat: Seat
    cents: Cents
    tender: Literal["cash", "counter_check", "voucher"]
    player: Text | UnsetType = UNSET


class ChipsExchanged(Payload, frozen=True):
    """Equal value both ways (colour up)."""

    seat: Seat
    cents: Cents


class DropBoxRemoved(Payload, frozen=True):
    """The drop box leaves the table."""

    box: Text


class DropCounted(Payload, frozen=True):
    """Count room result for the box."""

    box: Text
    currency_cents: Cents
    counter_check_cents: Cents
    voucher_cents: Cents


class TokeReceived(Payload, frozen=True):
    """Dealer gratuity to the tip box."""

    cents: Cents
