"""The chip tray: what it should hold by the ledger since its last count, and what each count found against that."""

from __future__ import annotations

import datetime as dt

from msgspec import Struct
from msgspec.structs import replace

from dashboards.reader import tables
from dashboards.reader.question import Reader
from processors.core.moved import moved
from processors.core.state import Round, Table
from schemas.events import InventoryCounted
from schemas.events.codec import decode


class Counted(Struct, frozen=True):
    """One count, in cents; `expected` None for the first that is known, and for one that was `replaced` (A74)."""

    sequence: int
    at: dt.datetime
    moment: str
    slip: str
    cents: int
    expected: int | None
    replaced: bool = False

    @property
    def difference(self) -> int | None:
        """What was found more than expected."""
        return None if self.expected is None else self.cents - self.expected


class Tray(Struct, frozen=True):
    """The tray now: the last count and all that moved since, in cents; counts, the newest first.

    The last count stands: nothing can have replaced it.
    """

    counted: tuple[Counted, ...]
    won_cents: int
    fill_cents: int
    credit_cents: int
    sold_cents: int

    @property
    def expected_cents(self) -> int:
        """What it should hold now."""
        return self.counted[0].cents + self.won_cents + self.fill_cents - self.credit_cents - self.sold_cents


def tray_of(reader: Reader, table: Table) -> Tray | None:
    """The tray of a table; None where it was never counted."""
    rows = tables.counts(table.subject).ask(reader)[::-1]
    if not rows:
        return None
    anew = {row.sequence for row in tables.told_anew(table.subject, rows[0].sequence).ask(reader)}
    counted = [row.sequence for row in rows if row.sequence not in anew]
    moved = {row.bucket: row for row in tables.moved(table.subject, counted, anew).ask(reader)}
    won = {row.bucket: row.net_cents for row in tables.won(table.subject, counted).ask(reader)}

    def since(bucket: int) -> tuple[int, int, int, int]:
        row = moved.get(bucket)
        money = (row.fill_cents, row.credit_cents, row.sold_cents) if row is not None else (0, 0, 0)
        return (-won.get(bucket, 0), *money)

    found: list[Counted] = []
    last: Counted | None = None
    for row in rows:
        data = decode(row.line.encode()).data
        assert isinstance(data, InventoryCounted), "the reader asks for counts alone"
        told = Counted(row.sequence, row.time, data.moment, data.slip, data.cents, None, row.sequence in anew)
        if not told.replaced:
            if last is not None:
                expected = Tray((last,), *since(counted.index(row.sequence))).expected_cents
                told = replace(told, expected=expected)
            last = told
        found.append(told)
    won_cents, *money = since(len(counted))
    return Tray(tuple(reversed(found)), won_cents + _under_way(table.round), *money)


def _under_way(round_: Round | None) -> int:
    """What the house has won by the settlements of a round that has not ended, cents."""
    if round_ is None:
        return 0
    stakes = sum(moved(stake.cents, stake.moves).patron_cents for stake in round_.stakes.values())
    return -stakes - sum(moved(0, lammer.moves).patron_cents for lammer in round_.lammers)
