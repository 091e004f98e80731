"""The table as an account: net win by the counts of 601a.9(c), and why there is none where one is missing."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field

from dashboards.reader.cash import AccountRow, DropRow
from dashboards.revenue.figures import add, apportioned
from dashboards.revenue.tax import rate_of
from schemas.amounts import amount

NOTHING_MOVED = "no count and no drop"
# What is rounded together: seconds to hundredths of an hour, taxes to cents.
_STATED = (
    ("seconds", "hour_hundredths", 36),
    ("state_millionths", "state_tax_cents", 1_000_000),
    ("local_millionths", "local_tax_cents", 1_000_000),
)


@dataclass(slots=True)
class Account:
    """What moved at one or more tables in one or more gaming days, in cents.

    `sheets` counts days of tables (of `tables`, on `days`), `proven` those of them whose counts give a net win, which
    is `net_cents` in all.
    `dropped` counts those of which every box was counted. `drop_cents` is what the count room found, `sold_cents`
    the chips that the tables sold for it, where that was asked for (`knows_sold`). `corrections` counts what a
    later count or slip replaced: it is in no sum. `why` says what the others lack, with how many they are.
    `untaxed` of the proven days have a date before any rate. Taxes are in millionths of a cent and hours in seconds
    until `apportion` states them. A table that was not opened, and at which nothing moved, is no sheet: nothing of
    it is missing.
    """

    sheets: int = 0
    proven: int = 0
    opened: int = 0
    closed: int = 0
    opening_cents: int = 0
    closing_cents: int = 0
    fill_cents: int = 0
    credit_cents: int = 0
    currency_cents: int = 0
    check_cents: int = 0
    voucher_cents: int = 0
    sold_cents: int = 0
    net_cents: int = 0
    untaxed: int = 0
    state_millionths: int = 0
    local_millionths: int = 0
    state_tax_cents: int = 0
    local_tax_cents: int = 0
    boxes: int = 0
    boxes_counted: int = 0
    dropped: int = 0
    corrections: int = 0
    seconds: int = 0
    hour_hundredths: int = 0
    why: dict[str, int] = field(default_factory=dict)
    tables: set[str] = field(default_factory=set)
    days: set[dt.date] = field(default_factory=set)
    knows_sold: bool = True

    @property
    def counted(self) -> bool:
        """Whether every day of every table has its net win."""
        return self.sheets > 0 and self.proven == self.sheets

    @property
    def drop_cents(self) -> int:
        """Currency, counter checks and vouchers that the count room found."""
        return self.currency_cents + self.check_cents + self.voucher_cents

    @property
    def drop_is_counted(self) -> bool:
        """Whether each day of a table had a box that was counted, and no other that was not."""
        return 0 < self.sheets == self.dropped

    def add(self, sheet: AccountRow, drop: DropRow | None) -> None:
        """Add one table's gaming day."""
        lacks = lacking(sheet, drop)
        if lacks == NOTHING_MOVED and drop is None and not _moved(sheet):
            return
        self.sheets += 1
        self.tables.add(sheet.subject)
        self.days.add(sheet.gaming_day)
        self.opened += bool(sheet.openings) and sheet.begins_well
        self.closed += bool(sheet.closings) and sheet.closings >= sheet.openings
        add(self, sheet, ("opening_cents", "closing_cents", "fill_cents", "credit_cents", "boxes", "seconds"))
        self.corrections += sheet.corrections + (0 if drop is None else drop.corrections)
        self.sold_cents += sheet.cash_cents + sheet.check_cents + sheet.voucher_cents
        if drop is not None:
            self.boxes_counted += drop.boxes
            self.dropped += drop.boxes >= sheet.boxes
            add(self, drop, ("currency_cents", "check_cents", "voucher_cents"))
        if lacks:
            self.why[lacks] = self.why.get(lacks, 0) + 1
            return
        self.proven += 1
        net = net_win(sheet, drop)
        self.net_cents += net
        state, local = rate_of(sheet.gaming_day, "state"), rate_of(sheet.gaming_day, "local")
        if state is None or local is None:
            self.untaxed += 1
            return
        self.state_millionths += net * state.part
        self.local_millionths += net * local.part

    @property
    def lacks(self) -> tuple[str, ...]:
        """What the net win lacks, in words, each with the tables or days that lack it where there are several."""
        return tuple(f"{why}{self._told(times)}" for why, times in sorted(self.why.items()))

    def _told(self, times: int) -> str:
        """So many of all tables, of all days of one table, or of all days of several."""
        if self.sheets == 1:
            return ""
        tables = len(self.tables)
        unit = (
            "days"
            if tables == 1
            else "tables"
            if len(self.days) == 1
            else f"days of {amount(tables, 'table')} together"
        )
        if times < self.sheets:
            return f": {times:,} of {self.sheets:,} {unit}"
        return f": both {unit}" if times == 2 and tables * len(self.days) == 2 else f": all {times:,} {unit}"

    @property
    def tax_cents(self) -> int | None:
        """State tax and local share of the net win; None where a net win or a rate is missing."""
        return self.state_tax_cents + self.local_tax_cents if self.counted and not self.untaxed else None


def apportion(accounts: Sequence[Account]) -> None:
    """State hours in hundredths and taxes in cents, whole ones that add up to those of the accounts' sum."""
    for exact, stated, whole in _STATED:
        found = apportioned([getattr(one, exact) for one in accounts], whole)
        for one, value in zip(accounts, found, strict=True):
            setattr(one, stated, value)


def _moved(sheet: AccountRow) -> int:
    """Whether the table was open or chips moved: not nought."""
    moved = (sheet.fill_cents, sheet.credit_cents, sheet.cash_cents, sheet.check_cents, sheet.voucher_cents)
    return sum(moved) + sheet.seconds


def net_win(sheet: AccountRow, drop: DropRow | None) -> int:
    """Net win by 601a.9(c), cents: closing inventory + credits + drop - opening inventory - fills."""
    dropped = 0 if drop is None else drop.currency_cents + drop.check_cents + drop.voucher_cents
    return sheet.closing_cents + sheet.credit_cents + dropped - sheet.opening_cents - sheet.fill_cents


def lacking(sheet: AccountRow, drop: DropRow | None) -> str:
    """What the net win of a gaming day lacks; empty where nothing."""
    if not sheet.openings and not sheet.closings:
        return NOTHING_MOVED if not sheet.boxes else "no count of the inventory"
    if not sheet.openings or not sheet.begins_well:
        return "no opening count"
    if sheet.closings < sheet.openings:
        return "no closing count yet"
    if sheet.closings > sheet.openings:
        return "more closing counts than opening ones"
    if not sheet.boxes and drop is None:
        return "no drop box taken yet"
    if drop is None or drop.boxes < sheet.boxes:
        return "drop box not counted yet"
    return ""
