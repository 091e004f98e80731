"""Money moved, and hands and rounds brought to an end."""

from typing import Literal

from msgspec import UNSET, UnsetType

from schemas.payload import Payload
from schemas.values import Cents, Hand, Seat, SideWager, Text

SettledKind = Literal["main", "insurance", "double", "split", "lammer", SideWager]
"""What money moves for."""


class WagerSettled(Payload, frozen=True):
    """Money moved for one stake.

    pay = winnings handed over (the stake goes back with them), collect = stake taken, return = stake given
    back. A lammer pays its unit.
    """

    seat: Seat
    kind: SettledKind
    outcome: Literal["pay", "collect", "return"]
    cents: Cents
    hand: Hand | UnsetType = UNSET
    odds: Text | UnsetType = UNSET


class WinningsTakenBack(Payload, frozen=True):
    """Winnings that were paid wrongly go back to the house, all or a part; the stake stays where it lies."""

    seat: Seat
    kind: SettledKind
    cents: Cents
    hand: Hand | UnsetType = UNSET


class HandVoided(Payload, frozen=True):
    """Hand called dead."""

    hand: Hand
    reason: Text


class HandContinued(Payload, frozen=True):
    """Played on as decided, by order of the floor (685a.12(h))."""

    hand: Hand
    staff: Text


class RoundVoided(Payload, frozen=True):
    """The whole round is void."""

    reason: Text


class RoundEnded(Payload, frozen=True):
    """The round is over."""
