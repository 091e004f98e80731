"""What a box won by its cards, beside what exact play expected of it on the way."""

from __future__ import annotations

from msgspec import Struct

from processors.detectors.shapes import Closed
from processors.play.boxes import STAKED, BoxPlay, main_wagers
from schemas.values import DEALER


class PlayedBox(Struct, frozen=True, gc=False):
    """One box of a round, in units of its main wager: what its cards were due, and its decisions."""

    won: float
    play: BoxPlay


def boxes(closed: Closed) -> list[PlayedBox] | None:
    """The boxes of a round; None where something about one of them cannot be said."""
    mains = main_wagers(closed.result.stakes)
    won: dict[int, int] = dict.fromkeys(mains, 0)
    for stake in closed.result.stakes:
        if stake.kind not in STAKED:
            continue
        if stake.due_cents is None or stake.seat not in won:
            return None
        won[stake.seat] += stake.due_cents
    seats = {hand.seat for name, hand in closed.round.hands.items() if name != DEALER and hand.cards}
    if seats != mains.keys():
        return None
    found = []
    for seat, main in mains.items():
        play = closed.play.boxes.get(seat)
        if play is None:
            return None
        found.append(PlayedBox(won[seat] / main.staked_cents, play))
    return found
