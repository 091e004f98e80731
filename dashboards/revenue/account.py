"""The table as an account: net win by the counts of 601a.9(c), and why there is none where one is missing."""

from __future__ import annotations

from dataclasses import dataclass

from dashboards.reader.cash import AccountRow, DropRow
from dashboards.revenue.figures import add

NOTHING_MOVED = "no count and no drop"


@dataclass(slots=True)
class Account:
    """What moved at one or more tables in one or more gaming days, in cents.

    `sheets` counts days of tables, `proven` those of them whose counts give a net win, which is `net_cents` in all.
    `drop_cents` is what the count room found, `sold_cents` the chips that the tables sold for it, where that was asked
    for (`knows_sold`). `why` says what the others lack, with how many they are.
    """

    sheets: int = 0
    proven: int = 0
    opening_cents: int = 0
    closing_cents: int = 0
    fill_cents: int = 0
    credit_cents: int = 0
    currency_cents: int = 0
    check_cents: int = 0
    voucher_cents: int = 0
    sold_cents: int = 0
    net_cents: int = 0
    boxes: int = 0
    boxes_counted: int = 0
    seconds: int = 0
    why: dict[str, int] | None = None
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
        """Whether every box that left was counted, and one left each day."""
        return self.boxes > 0 and self.boxes_counted >= self.boxes >= self.sheets

    def add(self, sheet: AccountRow, drop: DropRow | None) -> None:
        """Add one table's gaming day."""
        self.sheets += 1
        add(self, sheet, ("opening_cents", "closing_cents", "fill_cents", "credit_cents", "boxes", "seconds"))
        self.sold_cents += sheet.cash_cents + sheet.check_cents + sheet.voucher_cents
        if drop is not None:
            self.boxes_counted += drop.boxes
            add(self, drop, ("currency_cents", "check_cents", "voucher_cents"))
        lacks = lacking(sheet, drop)
        if lacks:
            self.why = (self.why or {}) | {lacks: (self.why or {}).get(lacks, 0) + 1}
            return
        self.proven += 1
        self.net_cents += net_win(sheet, drop)


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
