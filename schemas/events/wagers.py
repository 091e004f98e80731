"""Stakes before they are decided."""

from typing import Literal

from msgspec import UNSET, UnsetType

from schemas.payload import Payload
from schemas.values import Cents, Count, Hand, Seat, Text, WagerKind


class RoundStarted(Payload, frozen=True):
    """Betting opens; round counts up per table and never repeats."""

    round: Count


class WagerPlaced(Payload, frozen=True):
    """New stake of one kind; hand names it where a seat has several."""

    seat: Seat
    kind: WagerKind
    cents: Cents
    hand: Hand | UnsetType = UNSET
    player: Text | UnsetType = UNSET
    free_unit: bool | UnsetType = UNSET


class WagerAltered(Payload, frozen=True):
    """A stake on the layout changes size."""

    seat: Seat
    kind: WagerKind
    from_cents: Cents
    to_cents: Cents
    by: Literal["player", "dealer", "spectator"]
    hand: Hand | UnsetType = UNSET


class WagerMoved(Payload, frozen=True):
    """A stake is laid on other cards, or on its own."""

    kind: WagerKind
    from_hand: Hand
    to_hand: Hand


class WagerRefused(Payload, frozen=True):
    """The house declines a wager."""

    seat: Seat
    reason: Literal["mid_shoe_entry", "limit", "other"]


class CashWagerCalled(Payload, frozen=True):
    """Spoken wager with cash."""

    seat: Seat
    cents: Cents
    confirmed: bool


class CashConverted(Payload, frozen=True):
    """That cash becomes chips."""

    seat: Seat
    cents: Cents


class BettingClosed(Payload, frozen=True):
    """The dealer says that no more bets are taken."""

    announced: bool


class SystemWagersLocked(Payload, frozen=True):
    """The system takes no further wagers."""

    system: Literal["progressive", "five_card_hand"]


class SystemWagersCounted(Payload, frozen=True):
    """Chips collected against wagers the system accepted."""

    system: Literal["progressive", "five_card_hand"]
    accepted: Count
    chips: Count


class ChipsToInventory(Payload, frozen=True):
    """The chips of the system's wagers go into the table inventory."""

    system: Literal["progressive", "five_card_hand"]
    chips: Count
    cents: Cents
