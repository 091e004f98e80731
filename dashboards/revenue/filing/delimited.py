"""The report as CSV by RFC 4180: exact decimals, and no cell that a spreadsheet would take for a formula."""

from __future__ import annotations

import csv
import io
from typing import Any

from dashboards.revenue.filing.line import MONEY, RevenueLine, RevenueReport

TOTAL = "total"
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def safe(text: str) -> str:
    """The text as a cell that is read and not reckoned: an apostrophe before what begins like a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def decimal(cents: int | None) -> str:
    """Cents as an exact decimal, `-1234.50`; empty where it is not known."""
    if cents is None:
        return ""
    whole, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{whole}.{rest:02d}"


def as_csv(report: RevenueReport) -> str:
    """All lines and, last, the row `total`; money and hours with two decimals, what is not known empty."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(RevenueLine.__struct_fields__)
    for line in report.lines:
        writer.writerow(_cells(line, safe(line.key)))
    writer.writerow(_cells(report.total, TOTAL))
    return text.getvalue()


def _cells(line: RevenueLine, key: str) -> list[str]:
    return [key, *(_cell(name, getattr(line, name)) for name in RevenueLine.__struct_fields__[1:])]


def _cell(name: str, value: Any) -> str:
    if value is None:
        return ""
    if name in MONEY:
        return decimal(value)
    if name == "hours":
        return f"{value:.2f}"
    return "; ".join(value) if name == "lacks" else str(value)
