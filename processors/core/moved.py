"""What the movements of one stake add up to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from processors.core.state import Move, Stake


class Moved(NamedTuple):
    """Cents in all: `won` by the patron beside the stake, and of the stake `collected` and `returned` at last."""

    won: int
    collected: int
    returned: int

    @property
    def patron_cents(self) -> int:
        """What the movements brought the patron, in cents."""
        return self.won - self.collected


def moved(cents: int, moves: Iterable[Move]) -> Moved:
    """The sums of the movements of a stake of so many cents.

    A stake that goes back after it was collected, or the other way round, counts where it lies at last (A42). The two
    halves of a surrendered stake both count.
    """
    won = collected = returned = 0
    for move in moves:
        match move.outcome:
            case "pay":
                won += move.cents
            case "take_back":
                won -= move.cents
            case "collect":
                collected += move.cents
                returned -= min(returned, move.cents, max(0, collected + returned - cents))
            case "return":
                returned += move.cents
                collected -= min(collected, move.cents, max(0, collected + returned - cents))
    return Moved(won, collected, returned)


def unplaced(stake: Stake) -> bool:
    """Whether money moved for a stake that nobody was seen to place."""
    return not stake.cents and bool(stake.moves) and stake.placed == stake.moves[0].sequence
