"""What a row of cards can be as one hand: every total it may have, `??` standing for any card.

Cards are value classes: ace 1, 2 to 9, ten-value 10, and 0 for a card that cannot be read.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, NamedTuple

from processors.games.totals import POINTS
from schemas.values import UNKNOWN

UNREAD = 0
ACE = 1
TEN = 10
EVERY_VALUE = tuple(range(1, 11))
BUST = 22
"""Total of a player's hand over 21, whatever it was."""

ROWS_KEPT = 4096
"""Rows of cards of which a process keeps what they can be: pairs and the longer hands of late."""

Values = tuple[int, ...]
_VALUE_OF_CARD: dict[str, int] = {card: ACE if points == 11 else points for card, points in POINTS.items()}
_VALUE_OF_CARD[UNKNOWN] = UNREAD


def value_of(card: str) -> int:
    """Value class of a card; 0 for `??`."""
    return _VALUE_OF_CARD[card]


def values_of(cards: Iterable[str]) -> Values:
    """Value classes of cards; 0 for `??`."""
    return tuple(map(_VALUE_OF_CARD.__getitem__, cards))


class HandReading(NamedTuple):
    """One thing a player's cards can be."""

    first: int
    """Value of the first card: all hands of a split share it."""
    total: int
    """At most 21, or `BUST`."""
    natural: bool
    """Two cards, ace and ten-value: a Blackjack if the hand comes from no split."""
    large: bool
    """Two cards from ten to ace: 685a.7(n)(1)."""


_State = tuple[int, int, bool, bool]  # first, sum with aces as 1, an ace among them, only large cards


def total_of(low: int, ace: bool, limit: int = 21) -> int:
    """Total of cards that sum to `low` with aces as 1, an ace counting 11 while the limit allows it."""
    if ace and low == 2 and limit > 21:
        return 22  # ace-ace: only the dealer of 685a counts both as 11 (685a.3(d)(3))
    return low + 10 if ace and low + 10 <= limit else low


def _grow(states: set[_State], value: int, drawn: bool) -> set[_State]:
    """The states after one more card; a drawn one (third or later) needs a total below 21 (7(j))."""
    values = (value,) if value else EVERY_VALUE
    return {
        (first or card, low + card, ace or card == ACE, large and card in (ACE, TEN))
        for first, low, ace, large in states
        if not drawn or total_of(low, ace) < 21
        for card in values
    }


def _readings(states: set[_State], count: int) -> tuple[HandReading, ...]:
    found = set()
    for first, low, ace, large in states:
        total = total_of(low, ace)
        found.add(
            HandReading(first, min(total, BUST), count == 2 and ace and total == 21, count == 2 and large)
        )
    return tuple(sorted(found))


_DEALT: set[_State] = {(0, 0, False, True)}


@lru_cache(maxsize=ROWS_KEPT)
def readings(values: Values) -> tuple[HandReading, ...]:
    """Everything these cards, in deal order, can be as a finished hand; empty if none may hold them."""
    states = _DEALT
    for count, value in enumerate(values):
        states = _grow(states, value, drawn=count > 1)
    return _readings(states, len(values)) if len(values) > 1 else ()


class Stretch(NamedTuple):
    """Cards of the rack from `start` up to `end` that can be one player's hand."""

    start: int
    end: int
    readings: tuple[HandReading, ...]


def stretches(values: Values, start: int) -> list[Stretch]:
    """Every hand that can begin at this place of the rack, shortest first."""
    if UNREAD not in values:
        return _read_stretches(values, start)
    states, found = _DEALT, []
    for place in range(start, len(values)):
        count = place - start
        states = _grow(states, values[place], drawn=count > 1)
        if not states:
            break
        if count:
            found.append(Stretch(start, place + 1, _readings(states, count + 1)))
    return found


def _read_stretches(values: Values, start: int) -> list[Stretch]:
    """The same where all cards are read: each row of cards has one reading."""
    found: list[Stretch] = []
    for end in range(start + 2, len(values) + 1):
        read = readings(values[start:end])
        if not read:
            break
        found.append(Stretch(start, end, read))
        if read[0].total >= 21:
            break
    return found


DealerKind = Literal["blackjack", "short", "settled", "drawn"]


class DealerReading(NamedTuple):
    """One thing the dealer's cards can be.

    kind: `blackjack`; `short`, two cards on which he draws, which no live hand and no open Push 22 may face; `drawn`,
    drawn out, which one of them must face; `settled`, which may face anything.
    """

    kind: DealerKind
    total: int
    """At most 22; 23 for more."""
    ace_up: bool
    ten_up: bool


@lru_cache(maxsize=ROWS_KEPT)
def dealer_readings(values: Values, limit: int, stands: int, always_draws: bool) -> tuple[DealerReading, ...]:
    """Everything these cards, in deal order, can be as the dealer's hand; empty if none may hold them."""
    states = {(0, 0, False)}
    for value in values:
        states = {
            (up or card, low + card, ace or card == ACE)
            for up, low, ace in states
            if total_of(low, ace, limit) < stands
            for card in ((value,) if value else EVERY_VALUE)
        }
    found = set()
    for up, low, ace in states:
        total = total_of(low, ace, limit)
        kind = _dealer_kind(total, len(values), stands, always_draws)
        if kind:
            found.add(DealerReading(kind, min(total, 23), up == ACE, up == TEN))
    return tuple(sorted(found))


def _dealer_kind(total: int, count: int, stands: int, always_draws: bool) -> DealerKind | None:
    if count < 2 or (total < stands and (count > 2 or always_draws)):
        return None
    if count == 2:
        return "short" if total < stands else "blackjack" if total == 21 else "settled"
    return "settled" if always_draws else "drawn"
