"""A tray between two counts: what it should hold by all that moved chips, and what was counted (465a.36(b))."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from dashboards.accounts.visibility import DenyList
from dashboards.reader import cash, revenue
from dashboards.reader.question import Reader
from dashboards.revenue.behind import scopes_of
from dashboards.revenue.places import Places
from dashboards.revenue.wanted import WantedRevenue

EVERY = 100_000  # of a table's gaming day: all of its events


class Interval(Struct, frozen=True, kw_only=True):
    """From one count of a tray to the next; money in cents.

    `moves` are fills, credits and chips sold in between, each with what it added to the tray. `win` is what the
    settlements of the `rounds` in between brought; `unseen` was staked in them with an outcome that nobody saw.
    """

    begins: cash.SlipRow
    ends: cash.SlipRow
    moves: tuple[cash.SlipRow, ...]
    rounds: int
    win: int
    unseen: int

    @property
    def expected(self) -> int:
        """What the tray should hold at the end."""
        return self.begins.cents + sum(one.cents for one in self.moves) + self.win

    @property
    def residual(self) -> int:
        """What was counted beyond it; below 0 where less was counted."""
        return self.ends.cents - self.expected

    def moved(self, *types: str) -> int:
        """What the moves of these types added to the tray."""
        return sum(one.cents for one in self.moves if one.type in types)


def intervals_of(rows: Sequence[cash.SlipRow], wins: Sequence[revenue.RoundWin]) -> tuple[Interval, ...]:
    """The intervals of one table's gaming day, in order, out of its events and its rounds.

    A count that a later one replaces ends none.
    """
    standing = sorted((one for one in rows if one.stands), key=lambda one: one.sequence)
    counts = [one for one in standing if one.type == "inventory_counted"]
    found = []
    for begins, ends in pairwise(counts):
        inside = range(begins.sequence, ends.sequence)
        dealt = [one for one in wins if one.first_sequence in inside]
        found.append(
            Interval(
                begins=begins,
                ends=ends,
                moves=tuple(one for one in standing if one.sequence in inside and one not in counts),
                rounds=len(dealt),
                win=sum(one.win_cents for one in dealt),
                unseen=sum(one.unknown_cents for one in dealt),
            )
        )
    return tuple(found)


def intervals(
    reader: Reader, wanted: WantedRevenue, places: Places, withheld: DenyList
) -> tuple[Interval, ...]:
    """The intervals of the table's gaming day that is wanted; none of several tables or days, or of a part of a day.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    is_one = wanted.table and wanted.period == "day" and not wanted.splits_tables
    if not is_one or ("table", wanted.table) in withheld:
        return ()
    sheet = (cash.sheet(wanted.day, wanted.table),)
    rows = cash.slips(wanted.first, wanted.day, "tray", sheet, most=EVERY).ask(reader)
    scopes = scopes_of(wanted, places, withheld, "win")
    return intervals_of(rows, [one for scope in scopes for one in revenue.wins(scope).ask(reader)])
