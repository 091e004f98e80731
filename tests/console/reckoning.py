"""The formulas of a workbook reckoned anew from its cells, by a reader that knows the forms that are written alone."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import openpyxl

_SUM = re.compile(r"=SUM\(([A-Z]+)(\d+):([A-Z]+)(\d+)\)")
_SUM_IF = re.compile(r'=SUMIF\(([A-Z]+)(\d+):([A-Z]+)(\d+),"([<>])0"\)')
_CELL = re.compile(r"='([^']+)'!([A-Z]+\d+)")


class Reckoned:
    """A workbook as its formulas make it, whatever values they were written with."""

    def __init__(self, file: bytes) -> None:
        self.book = openpyxl.load_workbook(io.BytesIO(file))
        self.held = openpyxl.load_workbook(io.BytesIO(file), data_only=True)

    def formulas(self) -> Iterator[tuple[str, str]]:
        """Sheet and cell of each formula."""
        for sheet in self.book.worksheets:
            for row in sheet.iter_rows():
                for cell in row:
                    if isinstance(cell.value, str) and cell.value.startswith("="):
                        yield sheet.title, cell.coordinate

    def value(self, sheet: str, cell: str) -> Decimal:
        """A number, or what a formula makes; an empty cell is 0, as it is for whoever opens the file."""
        written = self.book[sheet][cell].value
        if not isinstance(written, str):
            return _exact(written)
        if found := _SUM.fullmatch(written):
            return sum(self._range(sheet, *found.groups()), Decimal())
        if found := _SUM_IF.fullmatch(written):
            *area, sign = found.groups()
            cells = self._range(sheet, *area)
            return sum((one for one in cells if (one > 0 if sign == ">" else one < 0)), Decimal())
        if found := _CELL.fullmatch(written):
            return self.value(*found.groups())
        if written == "=0":
            return Decimal()
        raise AssertionError(f"{sheet} {cell} has a formula of another form: {written}")

    def written(self, sheet: str, cell: str) -> Decimal:
        """What a formula was written with, as a program shows it that reckons nothing."""
        return _exact(self.held[sheet][cell].value)

    def column(self, sheet: str, name: str) -> str:
        """The letter of the column with this head."""
        return next(cell.column_letter for cell in self.book[sheet][1] if cell.value == name)

    def row(self, sheet: str, title: str) -> int:
        """The row that begins with this title, the last of them."""
        return max(int(cell.row) for cell in self.book[sheet]["A"] if cell.value == title)

    def at(self, sheet: str, title: str, name: str) -> Decimal:
        """What stands in the row of this title under this head."""
        return self.value(sheet, f"{self.column(sheet, name)}{self.row(sheet, title)}")

    def _range(self, sheet: str, left: str, top: str, right: str, bottom: str) -> list[Decimal]:
        rows = self.book[sheet][f"{left}{top}:{right}{bottom}"]
        return [self.value(sheet, cell.coordinate) for row in rows for cell in row]


def _exact(written: Any) -> Decimal:
    # A workbook holds binary numbers: cents, and hundredths of hours, are what people read of them.
    return Decimal() if written is None else Decimal(str(round(written, 2)))
