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
_MONEY = "#,##0.00;[Red]-#,##0.00"
_HEADER = 120  # letters of a page's header, of which Excel takes 255 in all; each `&` counts twice
_WIDTH = 13  # characters: $99,999,999.99
_EMPTY_NAME = "(none named)"


def as_workbook(reports: Sequence[RevenueReport]) -> bytes:
    """A workbook of reports of the same gaming days, a sheet for each by its division; the same bytes each time.

    A total is the formula of its column's sum and holds the sum, so that it can be read without reckoning; a total that
    is not known is empty. The band is no sum and is written as it is.
    """
    held = io.BytesIO()
    book = xlsxwriter.Workbook(
        held, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    )
    # The time a file is made is part of its bytes: that of what it reports is.
    book.set_properties(
        {"title": _title(reports[0]), "created": dt.datetime.combine(reports[0].last, dt.time())}
    )
    for report in reports:
        _sheet(book, report)
    book.close()
    return held.getvalue()


def _title(report: RevenueReport) -> str:
    return f"Revenue of {report.property}, {report.first} to {report.last}"


def _at_most(text: str, most: int) -> str:
    """The text, cut where it is too long."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _sheet(book: Any, report: RevenueReport) -> None:
    sheet = book.add_worksheet(f"by {report.by}")
    bold = {"bold": True}
    formats = {name: book.add_format({"num_format": _form(name)}) for name in NAMES}
    totals = {name: book.add_format({"num_format": _form(name), "top": 1} | bold) for name in NAMES}
    head = book.add_format({"bottom": 1, "text_wrap": True} | bold)
    for column, name in enumerate(NAMES):
        sheet.write_string(0, column, name, head)
        for row, line in enumerate(report.lines, 1):
            _write(sheet, row, column, getattr(line, name), name, formats[name])
        _total(sheet, len(report.lines) + 1, column, report.total, totals[name])
    sheet.freeze_panes(1, 1)
    sheet.set_column(0, len(NAMES) - 1, _WIDTH)
    sheet.set_column(len(NAMES) - 1, len(NAMES) - 1, 3 * _WIDTH)
    sheet.set_landscape()
    sheet.repeat_rows(0)
    sheet.repeat_columns(0)
    sheet.set_header(f"&L{_at_most(_title(report), _HEADER).replace('&', '&&')}&Rby {report.by}")
    sheet.set_footer("&Rpage &P of &N")


def _form(name: str) -> str:
    if name in MONEY:
        return _MONEY
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


def _total(sheet: Any, row: int, column: int, total: RevenueLine, form: Any) -> None:
    name, value = NAMES[column], getattr(total, NAMES[column])
    if name == "key":
        sheet.write_string(row, column, TOTAL, form)
    elif value is None or name in ("lacks", "band_95") or row == 1:
        _write(sheet, row, column, value, name, form)
    else:
        first, last = xl_rowcol_to_cell(1, column), xl_rowcol_to_cell(row - 1, column)
        sheet.write_formula(
            row, column, f"=SUM({first}:{last})", form, value / 100 if name in MONEY else value
        )
