"""How a round of Blackjack came out by the cards, whatever was then done with its stakes."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from processors.detectors.shapes import Closed
from schemas.values import DEALER

MOST_BOXES: Final = 5
"""Rounds of as many boxes or more are counted together."""
OUTCOMES: Final = (-2, -1, 0, 1, 2)
"""As of `CardsResult`."""
LOST: Final = (-1, -2)
WON: Final = (1, 2)


class CardsResult(Struct, frozen=True):
    """What the cards had decided for the patrons of a round, all stakes together.

    boxes: how many had stakes, `MOST_BOXES` for more. outcome: 0 where patrons neither won nor lost, 1 they won, 2 and
    so at every box, minus for losses. cents: won. seats: those that won where patrons won, that lost where they lost.
    """

    boxes: int
    outcome: int
    cents: int
    seats: tuple[int, ...] = ()


def result_by_cards(closed: Closed) -> CardsResult | None:
    """The result of a round; None unless the hole card was shown, before any call, and every stake was decided.

    None for stack games, too, which have no totals, and for rounds of which something is missing.
    """
    round_, result = closed.round, closed.result
    shown, called = round_.hole_revealed, round_.voided
    own = result.hands.get(DEALER)
    if (
        not closed.ended
        or shown is None
        or own is None
        or not isinstance(own.total, int)
        or not result.stakes
    ):
        return None
    if called is not None and called < shown:
        return None
    if result.missing or result.words_missing or result.inferred or round_.unheard:
        return None
    won: dict[int, int] = {}
    for stake in result.stakes:
        if stake.due_cents is None:
            return None
        won[stake.seat] = won.get(stake.seat, 0) + stake.due_cents
    cents = sum(won.values())
    way = (cents > 0) - (cents < 0)
    seats = tuple(sorted(seat for seat, one in won.items() if one * way > 0))
    boxes = min(len(won), MOST_BOXES)
    return CardsResult(boxes, 2 * way if len(seats) == len(won) else way, cents, seats)
