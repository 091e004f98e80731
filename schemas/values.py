"""The value types that event fields are made of, with the limits of the contract's JSON Schema."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from schemas.rulesets import Ruleset as Ruleset

RANKS = "23456789TJQKA"
SUITS = "cdhs"
JOKER = "Jo"
UNKNOWN = "??"
DEALER = "D"
BONUS = "bonus"

CARD_NAMES = (*(r + s for r in RANKS for s in SUITS), JOKER, UNKNOWN)
HAND_NAMES = (DEALER, *(f"{seat}.{n}" for seat in range(1, 10) for n in range(1, 10)))
SPOT_NAMES = (*HAND_NAMES, *(str(seat) for seat in range(1, 10)), BONUS)

if TYPE_CHECKING:
    Card = str
    Hand = str
    Spot = str
else:
    # Enumerations decode faster than patterns, and give interned strings.
    Card = Literal[CARD_NAMES]
    Hand = Literal[HAND_NAMES]
    Spot = Literal[SPOT_NAMES]

Cards = Annotated[tuple[Card, ...], Meta(max_length=1000)]
Text = Annotated[str, Meta(min_length=1, max_length=200)]
LongText = Annotated[str, Meta(max_length=2000)]
Count = Annotated[int, Meta(ge=0, le=1_000_000_000)]
Cents = Annotated[int, Meta(ge=0, le=100_000_000_000)]
Seat = Annotated[int, Meta(ge=1, le=9)]
# The years that the store holds, less a day at each end: within them a time may be written in any zone.
EARLIEST = dt.datetime(1900, 1, 2, tzinfo=dt.UTC)
LATEST = dt.datetime(2299, 12, 30, tzinfo=dt.UTC)
MOST = 2**63 - 1  # of what the contract counts without a limit: states and stores hold no greater number
Day = Annotated[dt.date, Meta(description="calendar day, YYYY-MM-DD")]
When = Annotated[dt.datetime, Meta(tz=True)]
# As in the contract, but in its ECMA sense: Python's `$` admits a last line feed, its `\d` any script.
HourMinute = Annotated[str, Meta(pattern=r"^[0-9]{2}:[0-9]{2}(?!\n)$")]
Hex64 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}(?!\n)$")]
Texts = Annotated[tuple[str, ...], Meta(max_length=200)]
TextMap = dict[str, str]
ChipCounts = dict[str, Annotated[int, Meta(ge=0)]]
SideWager = Literal[
    "push22", "match_dealer", "fortune_bonus", "progressive", "five_card_hand", "six_card_bonus"
]
SideWagers = tuple[SideWager, ...]
WagerKind = Literal["main", "insurance", "double", "split", SideWager]


def within_calendar(moment: dt.datetime) -> dt.datetime:
    """The moment, or the nearest from `EARLIEST` to `LATEST`: of what lies beyond, no zone and no span can be told."""
    return min(max(moment, EARLIEST), LATEST)
