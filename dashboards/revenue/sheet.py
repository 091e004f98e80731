"""A statement as CSV by RFC 4180: exact decimals, and no cell that a spreadsheet would take for a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from dashboards.revenue.statement import Statement, StatementLine

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
COLUMNS = (
    "from", "to", "by", "name", "hours", "rounds", "hands", "void_rounds", "handle", "payout", "win_settled",
    "win_percent", "theo", "theo_percent", "theo_handle", "theo_win", "difference", "band_95", "z", "outside_band",
    "errors", "judged_stakes", "theo_errors", "luck",
    "side_handle", "side_win", "lammers", "unknown_stakes", "unknown_cents", "opening", "fills", "credits",
    "closing", "currency", "counter_checks", "vouchers", "drop", "sold_at_table", "net_win",
    "unexplained", "hold_percent",
)  # fmt: skip


def safe(text: str) -> str:
    """The text as a cell that is read and not reckoned: an apostrophe before what begins like a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def decimal(cents: int | None) -> str:
    """Cents as an exact decimal, `-1234.50`; empty where it is not known."""
    if cents is None:
        return ""
    whole, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{whole}.{rest:02d}"


def as_csv(made: Statement) -> str:
    """All lines of the statement and, last, their total."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for line in (*made.lines, made.total):
        writer.writerow(_cells(made, line))
    return text.getvalue()


def _cells(made: Statement, line: StatementLine) -> Iterable[str]:
    wanted, figures = made.wanted, line.figures
    seconds = None if line.account is None else line.account.seconds
    return (
        wanted.first.isoformat(), wanted.day.isoformat(), wanted.by, safe(line.label),
        "" if seconds is None else decimal(seconds // 36),
        str(figures.rounds), str(figures.hands), str(figures.void), decimal(figures.handle_cents),
        decimal(figures.paid_cents), decimal(figures.win_cents), decimal(line.win_share), decimal(figures.theo_cents),
        decimal(line.theo_share), decimal(figures.covered_handle_cents), decimal(figures.covered_win_cents),
        decimal(figures.difference_cents), decimal(figures.band_cents),
        "" if figures.z is None else f"{figures.z:.2f}",
        "" if figures.band_cents is None else "yes" if figures.outside else "no",
        decimal(figures.error_cents), str(figures.judged),
        decimal(None if figures.luck_cents is None else figures.covered_error_cents), decimal(figures.luck_cents),
        decimal(figures.side_handle_cents), decimal(figures.side_win_cents),
        decimal(figures.lammer_cents), str(figures.unknown), decimal(figures.unknown_cents), *_counts(line),
    )  # fmt: skip


def _counts(line: StatementLine) -> tuple[str, ...]:
    account = line.account
    if account is None:
        return ("",) * 12
    counted = account.drop_is_counted
    parts = (account.currency_cents, account.check_cents, account.voucher_cents, account.drop_cents)
    return (
        decimal(account.opening_cents), decimal(account.fill_cents), decimal(account.credit_cents),
        decimal(account.closing_cents), *(decimal(part if counted else None) for part in parts),
        decimal(account.sold_cents if account.knows_sold else None),
        decimal(account.net_cents if account.counted else None),
        decimal(line.unexplained_cents), decimal(line.hold),
    )  # fmt: skip
