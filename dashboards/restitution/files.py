"""A restitution as CSV and as a workbook: the lines with their totals, and what cannot be decided."""

from __future__ import annotations

import csv
import io
from typing import Any, Final

import xlsxwriter
from msgspec import Struct

from dashboards.restitution.claims import UNDATED, Claim, Restitution, Undecided, last_time
from dashboards.revenue.filing.delimited import TOTAL, decimal, safe

MONEY: Final = frozenset({"stake", "paid", "due", "owed", "owed_if_void"})
SUMMED: Final = ("owed", "owed_if_void")
_MONEY = "#,##0.00;[Red]-#,##0.00"


def as_csv(made: Restitution) -> str:
    """The lines and a last row `total`, money in dollars; what cannot be decided follows with its own heads."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    names = Claim.__struct_fields__
    writer.writerow(names)
    for line in made.lines:
        writer.writerow(_text(name, getattr(line, name)) for name in names)
    totals = {name: decimal(sum(getattr(one, name) for one in made.lines)) for name in SUMMED}
    writer.writerow([TOTAL, *(totals.get(name, "") for name in names[1:])])
    if made.undecided:
        writer.writerow([])
        writer.writerow(Undecided.__struct_fields__)
        for one in made.undecided:
            writer.writerow(_text(name, getattr(one, name)) for name in Undecided.__struct_fields__)
    return text.getvalue()


def _text(name: str, value: Any) -> str:
    if value is None:
        return ""
    if name in MONEY:
        return decimal(value)
    if name == "time":
        return f"{value:%Y-%m-%dT%H:%M:%SZ}"
    return safe("; ".join(value) if name == "missing" else str(value))


def as_workbook(made: Restitution) -> bytes:
    """A sheet of the lines, whose totals are formulas, and one of what cannot be decided; the same bytes each time."""
    held = io.BytesIO()
    book = xlsxwriter.Workbook(
        held, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    )
    # The time a file is made is part of its bytes: that of the last round it names is.
    book.set_properties({"title": made.cause[:250], "created": last_time(made) or UNDATED})
    _sheet(book, "restitution", Claim, made.lines, SUMMED)
    _sheet(book, "undecided", Undecided, made.undecided, ())
    book.close()
    return held.getvalue()


def _sheet(
    book: Any,
    title: str,
    form: type[Struct],
    rows: tuple[Claim, ...] | tuple[Undecided, ...],
    summed: tuple[str, ...],
) -> None:
    sheet = book.add_worksheet(title)
    head = book.add_format({"bold": True, "bottom": 1})
    money = book.add_format({"num_format": _MONEY})
    total = book.add_format({"num_format": _MONEY, "bold": True, "top": 1})
    for column, name in enumerate(form.__struct_fields__):
        sheet.write_string(0, column, name, head)
        for row, one in enumerate(rows, 1):
            value = getattr(one, name)
            if name in MONEY:
                sheet.write_number(row, column, value / 100, money)
            elif isinstance(value, int):
                sheet.write_number(row, column, value)
            elif value is not None:
                sheet.write_string(row, column, _text(name, value).removeprefix("'"))
        if name in summed and rows:
            letter = chr(ord("A") + column)
            whole = sum(getattr(one, name) for one in rows) / 100
            sheet.write_formula(
                len(rows) + 1, column, f"=SUM({letter}2:{letter}{len(rows) + 1})", total, whole
            )
    if summed:
        sheet.write_string(len(rows) + 1, 0, TOTAL, head)
    sheet.freeze_panes(1, 0)
    sheet.set_column(0, len(form.__struct_fields__) - 1, 14)
