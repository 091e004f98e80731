"""What was seen to move for a stake, and what it did to the patron."""

from __future__ import annotations

from processors.core.state import Move
from schemas.rounds import Settlement


def observed(cents: int, moves: list[Move]) -> Settlement | None:
    """The settlement a stake's movements amount to; None when nothing moved.

    A surrender shows a collect of one half and a return of the other: it counts as the collect. A return after
    a collect of the same stake reverses it (A42).
    """
    if not moves:
        return None
    if len(moves) == 1:
        return Settlement(moves[0].outcome, moves[0].cents)
    sums: dict[str, int] = {}
    for move in moves:
        sums[move.outcome] = sums.get(move.outcome, 0) + move.cents
    if "pay" in sums:
        return Settlement("pay", sums["pay"])
    collected, returned = sums.get("collect", 0), sums.get("return", 0)
    taken = collected - min(returned, max(0, collected + returned - cents))
    if collected and taken > 0:
        return Settlement("collect", taken)
    if returned or (collected == 0 and "return" in sums):
        return Settlement("return", returned)
    return Settlement("collect", collected)


def patron_result(cents: int, moves: list[Move]) -> int:
    """What the movements of one stake did to the patron, in cents: winnings less stakes lost."""
    result = observed(cents, moves)
    return result.patron_cents if result is not None else 0
