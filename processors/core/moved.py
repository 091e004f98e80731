"""What the movements of one stake add up to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from processors.core.state import Move, Stake


class Moved(NamedTuple):
    """Cents in all: `won` by the patron beside the stake, and of the stake `collected` and `returned` at last.

    staked: the stake; of one that nobody was seen to place, what it must have been for these movements.
    """

    won: int
    collected: int
    returned: int
    staked: int

    @property
    def kept(self) -> int:
        """The rest of a stake of which a part was returned, and nothing else moved: else the rest is the patron's."""
        only_returned = self.returned and not self.collected and self.won <= 0
        return max(0, self.staked - self.returned) if only_returned else 0

    @property
    def patron_cents(self) -> int:
        """What the movements brought the patron, in cents: what was returned beyond the stake is gained."""
        return self.won - self.collected + max(0, self.returned - self.staked) - self.kept


def moved(cents: int, moves: Iterable[Move]) -> Moved:
    """The sums of the movements of a stake of so many cents.

    A stake that goes back after it was collected, or the other way round, counts where it lies at last (A42); what was
    returned beyond the stake is the first to be collected again. The two halves of a surrendered stake both count.
    """
    moves = tuple(moves)
    cents = cents or max(_sum(moves, "collect"), _sum(moves, "return"))
    won = collected = returned = 0
    for move in moves:
        match move.outcome:
            case "pay":
                won += move.cents
            case "take_back":
                won -= move.cents
            case "collect":
                beyond = min(move.cents, max(0, returned - cents))
                returned -= beyond
                taken = move.cents - beyond
                collected += taken
                returned -= min(returned, taken, max(0, collected + returned - cents))
            case "return":
                returned += move.cents
                collected -= min(collected, move.cents, max(0, collected + returned - cents))
    return Moved(won, collected, returned, cents)


def _sum(moves: Iterable[Move], outcome: str) -> int:
    return sum(move.cents for move in moves if move.outcome == outcome)


def unplaced(stake: Stake) -> bool:
    """Whether money moved for a stake that nobody was seen to place."""
    return not stake.cents and bool(stake.moves) and stake.placed == stake.moves[0].sequence
