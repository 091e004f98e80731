"""The report as a workbook: a sheet for each division, numbers as numbers, and totals that are reckoned anew."""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Sequence
from typing import Any, Final

import xlsxwriter
from xlsxwriter.utility import xl_rowcol_to_cell

from dashboards.revenue.filing.delimited import TOTAL
from dashboards.revenue.filing.line import MONEY, RevenueLine, RevenueReport

NAMES: Final = RevenueLine.__struct_fields__
MONEY_FORM: Final = "#,##0.00;[Red]-#,##0.00"  # dollars
_HEADER = 120  # letters of a page's header, of which Excel takes 255 in all; each `&` counts twice
_WIDTH = 13  # characters: $99,999,999.99
_EMPTY_NAME = "(none named)"


def as_workbook(reports: Sequence[RevenueReport]) -> bytes:
    """A workbook of reports of the same gaming days, a sheet for each by its division; the same bytes each time.

    A total is the formula of its column's sum and holds the sum, so that it can be read without reckoning; a total that
    is not known is empty. The band is no sum and is written as it is.
    """
    held = io.BytesIO()
    title = f"Revenue of {reports[0].property}, {reports[0].first} to {reports[0].last}"
    # The time a file is made is part of its bytes: that of what it reports is.
    book = new_book(held, title, dt.datetime.combine(reports[0].last, dt.time()))
    for report in reports:
        sheet = new_sheet(book, f"by {report.by}", NAMES, title)
        write_report(book, sheet, report)
        sheet.set_column(len(NAMES) - 1, len(NAMES) - 1, 3 * _WIDTH)
    book.close()
    return held.getvalue()


def new_book(held: io.BytesIO, title: str, created: dt.datetime) -> Any:
    """A workbook that is written to `held`; no text in it becomes a formula or a link."""
    book = xlsxwriter.Workbook(
        held, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    )
    book.set_properties({"title": title, "created": created})
    return book


def new_sheet(book: Any, name: str, heads: Sequence[str], title: str, frozen: int = 1) -> Any:
    """A sheet with its heads, which stand still as the first columns do, and with the title on each printed page."""
    sheet = book.add_worksheet(name)
    head = book.add_format({"bottom": 1, "text_wrap": True, "bold": True})
    for column, text in enumerate(heads):
        sheet.write_string(0, column, text, head)
    sheet.freeze_panes(1, frozen)
    sheet.set_column(0, len(heads) - 1, _WIDTH)
    sheet.set_landscape()
    sheet.repeat_rows(0)
    sheet.repeat_columns(0, frozen - 1)
    sheet.set_header(f"&L{_at_most(title, _HEADER).replace('&', '&&')}&R{name}")
    sheet.set_footer("&Rpage &P of &N")
    return sheet


def _at_most(text: str, most: int) -> str:
    """The text, cut where it is too long."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def write_report(book: Any, sheet: Any, report: RevenueReport, top: int = 1, left: int = 0) -> int:
    """Write the lines of a report and, behind them, its total, from this row and column on; the next free row."""
    for column, name in enumerate(NAMES, left):
        form = book.add_format({"num_format": _form(name)})
        for row, line in enumerate(report.lines, top):
            _write(sheet, row, column, getattr(line, name), name, form)
        of_total = book.add_format({"num_format": _form(name), "top": 1, "bold": True})
        _total(sheet, (top, top + len(report.lines)), column, name, getattr(report.total, name), of_total)
    return top + len(report.lines) + 1


def _form(name: str) -> str:
    if name in MONEY:
        return MONEY_FORM
    return "0.00" if name == "hours" else "@" if name in ("key", "lacks") else "#,##0"


def _write(sheet: Any, row: int, column: int, value: Any, name: str, form: Any) -> None:
    if value is None:
        sheet.write_blank(row, column, None, form)
    elif name == "lacks":
        sheet.write_string(row, column, "; ".join(value), form)
    elif name == "key":
        sheet.write_string(row, column, value or _EMPTY_NAME, form)
    else:
        sheet.write_number(row, column, value / 100 if name in MONEY else value, form)


def _total(sheet: Any, rows: tuple[int, int], column: int, name: str, value: Any, form: Any) -> None:
    """Write the total of a column below its lines, which begin with the first of `rows` and end before the second."""
    first, below = rows
    if name == "key":
        sheet.write_string(below, column, TOTAL, form)
    elif value is None or name in ("lacks", "band_95") or first == below:
        _write(sheet, below, column, value, name, form)
    else:
        write_sum(sheet, rows, column, value / 100 if name in MONEY else value, form)


def write_sum(sheet: Any, rows: tuple[int, int], column: int, value: float, form: Any) -> None:
    """Write the sum of a column below its rows, as a formula that holds its value."""
    first, below = rows
    cells = f"{xl_rowcol_to_cell(first, column)}:{xl_rowcol_to_cell(below - 1, column)}"
    sheet.write_formula(below, column, f"=SUM({cells})", form, value)
