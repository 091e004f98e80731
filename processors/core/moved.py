"""What the movements of one stake add up to."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from processors.core.state import Move, Stake
from schemas.events import WagerSettled


class Moved(NamedTuple):
    """Cents in all: `won` by the patron beside the stake, `taken` by the house, and what `lies` still of the stake.

    taken: below 0 what the house gave beyond the stake.
    staked: the stake; of one that nobody was seen to place, what it must have been for these movements.
    """

    won: int
    taken: int
    lies: int
    staked: int

    @property
    def kept(self) -> int:
        """The rest of a stake of which a part was returned, and nothing else moved: else the rest is the patron's."""
        return self.lies if self.lies < self.staked and not self.taken and self.won <= 0 else 0

    @property
    def patron_cents(self) -> int:
        """What the movements brought the patron, in cents: what was returned beyond the stake is gained."""
        return self.won - self.taken - self.kept


def moved(cents: int, moves: Iterable[Move]) -> Moved:
    """The sums of the movements of a stake of so many cents.

    The chips are followed: what is collected or returned is first of what still lies of the stake. Whatever is
    collected beyond that the patron gives, and whatever is returned beyond that the house: so a stake counts where it
    lies at last (A42), and whoever collects or returns too much and puts it right has moved nothing.
    """
    moves = tuple(moves)
    cents = lies = cents or largest_run(moves)
    won = taken = 0
    for move in moves:
        match move.outcome:
            case "pay":
                won += move.cents
            case "take_back":
                won -= move.cents
            case "collect":
                lies -= min(lies, move.cents)
                taken += move.cents
            case "return":
                of_the_stake = min(lies, move.cents)
                lies -= of_the_stake
                taken -= move.cents - of_the_stake
    return Moved(won, taken, lies, cents)


def largest_run(moves: Iterable[Move | WagerSettled]) -> int:
    """The most that was collected, or returned, in a row: moved to and fro, the same chips count once."""
    of_stake = (move for move in moves if move.outcome in ("collect", "return"))
    runs = groupby(of_stake, key=lambda move: move.outcome)
    return max((sum(move.cents for move in run) for _, run in runs), default=0)


def unplaced(stake: Stake) -> bool:
    """Whether money moved for a stake that nobody was seen to place."""
    return not stake.cents and bool(stake.moves) and stake.placed == stake.moves[0].sequence
