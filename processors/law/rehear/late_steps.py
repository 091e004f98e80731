"""Steps of the dealer whose words may be late: one that does not come later stays what the text makes of it (A69)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from processors.core.state import Logged, said, seat_of, spot_named
from processors.law.rehear.lost_wagers import Supposed
from schemas import events as e
from schemas.values import DEALER, UNKNOWN


def supposed(log: Sequence[Logged], at: int, spots: set[str]) -> Iterator[Supposed]:
    """The steps about these hands that may have been taken before event `at`."""
    if not any(said(log, e.HoleCardRevealed)):
        yield Supposed(at, e.HoleCardRevealed(card=UNKNOWN), "the reveal of the hole card")
    for spot in sorted(spots - {DEALER}):
        if _surrendered(log[:at], spot):
            laid = e.WagerMoved(kind="main", from_hand=spot, to_hand=spot)
            yield Supposed(at, laid, f"the wager of {spot_named(spot)} laid on its cards")
        if _plays_push22(log[:at], spot) and type(log[at].data) is not e.WagerSettled:
            tucked = e.CardsTucked(hand=spot, under="push22")
            yield Supposed(at, tucked, f"the cards of {spot_named(spot)} tucked under its wager")


def _surrendered(log: Sequence[Logged], spot: str) -> bool:
    return any((one.hand, one.kind) == (spot, "surrender") for one in said(log, e.PlayerDecision))


def _plays_push22(log: Sequence[Logged], spot: str) -> bool:
    return any((one.seat, one.kind) == (seat_of(spot), "push22") for one in said(log, e.WagerPlaced))
