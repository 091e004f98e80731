"""What was seen to move for a stake, and what it did to the patron."""

from __future__ import annotations

from collections.abc import Mapping

from processors.core.moved import moved
from processors.core.state import Move
from schemas.rounds import Outcome, Settlement


def observed(cents: int, moves: list[Move]) -> Settlement | None:
    """The settlement a stake's movements amount to, by what they brought the patron; None when nothing moved.

    A surrender shows a collect of one half and a return of the other: it counts as the collect. Returns alone count as
    one. Winnings that are taken back whole leave the stake with the patron, to whom it went with them.
    """
    if not moves:
        return None
    if len(moves) == 1:
        return Settlement(_LIES[moves[0].outcome], moves[0].cents)
    sums = moved(cents, moves)
    returned = max(0, sums.staked - sums.lies - sums.taken)  # what the patron has back at last
    if returned and not sums.won and sums.taken <= 0:
        return Settlement("return", returned)
    brought = sums.patron_cents
    if brought:
        return Settlement("pay", brought) if brought > 0 else Settlement("collect", -brought)
    back = cents or returned
    return Settlement("return", back) if back else None


_LIES: Mapping[str, Outcome] = {
    "pay": "pay",
    "collect": "collect",
    "return": "return",
    "take_back": "collect",
}
"""What one movement alone amounts to."""
