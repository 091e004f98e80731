"""The month's report as a workbook: a sheet for each part, this month and the month before below one another."""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from dashboards.monthly.figures import AlertCounts, DisputeCounts, MonthFigures, MonthReport
from dashboards.monthly.found import Irregularity, TableDevices
from dashboards.revenue.filing.delimited import TOTAL
from dashboards.revenue.filing.line import MONEY
from dashboards.revenue.filing.workbook import (
    MONEY_FORM,
    NAMES,
    new_book,
    new_sheet,
    write_report,
    write_sum,
)
from dashboards.wording.times import in_utc

NO_DESK: Final = "there is no desk"
NO_DAY: Final = "rounds of no gaming day, which are in no sum of money"
NOT_SEALED: Final = "the month is not sealed"
NOT_TOLD: Final = "not told: there is no desk, or it is withheld in part"
_COMPARED: Final = ("sealed", "now", "sealed_money", "money_now")
_MONEY: Final = frozenset({"owed", "overpaid", "money", "sealed_money", "money_now"})
_LISTED: Final = 40  # characters of a column of sentences
_TEXTS: Final = frozenset({"check", "duty", "clauses", "why"})
_OF_CHECK: Final = tuple(
    name for name in Irregularity.__struct_fields__ if name not in ("check", "duty", "clauses")
)
_FAILED: Final = ("failures", "rounds", "undecided")
Cell = str | int | float | None


class _Block(Struct, frozen=True):
    """Lines under one another; `of` are the first cells of their total, `sums` the heads of the columns it adds up.

    Without `sums` the lines have no total.
    """

    lines: tuple[tuple[Cell, ...], ...]
    of: tuple[str, ...] = ()
    sums: tuple[str, ...] = ()


def as_workbook(report: MonthReport) -> bytes:
    """The report as a workbook; the same records and the same desk are always the same bytes.

    Counts are numbers and money is dollars. A total is the formula of its column's sum and holds the sum. What is owed
    by findings has no total, since a stake may be in two lines, and neither has the number of tables.
    """
    held, months = io.BytesIO(), (report.month, report.before)
    title = f"{report.property}, {report.month.month}"
    book = new_book(held, title, dt.datetime.combine(report.month.revenue.last, dt.time()))
    sheet, row = new_sheet(book, "days", ("month", *NAMES), title, frozen=2), 1
    for one in months:
        end = write_report(book, sheet, one.revenue, row, left=1)
        for line in range(row, end):
            sheet.write_string(line, 0, one.month)
        row = end
    for name, field in (("irregularities", "irregularities"), ("faults of the record", "faults")):
        blocks = [_found(one, getattr(one, field)) for one in months]
        _sheet(book, name, ("month", *Irregularity.__struct_fields__), blocks, title)
    _sheet(book, "alerts", ("month", "field", "name", "count"), _of_both(months, _alerts), title)
    _sheet(book, "disputes", ("month", "field", "name", "count", "money"), _of_both(months, _disputes), title)
    _sheet(
        book, "devices", ("month", *TableDevices.__struct_fields__), [_devices(one) for one in months], title
    )
    _sheet(book, "sealed", ("month", "of", "figure", *_COMPARED), _of_both(months, _sealed), title)
    _sheet(book, "not known", ("month", "of", "rounds", "why"), _of_both(months, _not_known), title)
    book.close()
    return held.getvalue()


def _of_both(months: Sequence[MonthFigures], blocks: Any) -> list[_Block]:
    return [block for one in months for block in blocks(one)]


def _found(month: MonthFigures, found: Sequence[Irregularity]) -> _Block:
    lines = tuple(
        (
            month.month,
            one.check,
            one.duty,
            "; ".join(one.clauses),
            *(getattr(one, name) for name in _OF_CHECK),
        )
        for one in found
    )
    return _Block(lines, (month.month, TOTAL), ("proven", "by_one_reading", "not_proven", "suspected"))


def _alerts(month: MonthFigures) -> Iterator[_Block]:
    counts: AlertCounts | None = month.alerts
    if counts is None:
        yield _Block(((month.month, NO_DESK),))
        return
    yield _counted(month.month, "raised", counts.raised)
    yield _counted(month.month, "closed", counts.closed)
    yield _Block(((month.month, "open", None, counts.open),))


def _disputes(month: MonthFigures) -> Iterator[_Block]:
    counts: DisputeCounts | None = month.disputes
    if counts is None:
        yield _Block(((month.month, NO_DESK),))
        return
    yield _Block(tuple((month.month, name, None, getattr(counts, name)) for name in ("opened", "open")))
    yield _counted(month.month, "decided", counts.decided)
    yield _Block(
        tuple((month.month, name, None, None, getattr(counts, name)) for name in ("paid", "returned"))
    )


def _counted(month: str, field: str, counts: Mapping[str, int]) -> _Block:
    """Counts by name, with their total; the total alone is 0 where there are none."""
    lines = tuple((month, field, name, count) for name, count in counts.items())
    return _Block(lines, (month, field, TOTAL), ("count",)) if lines else _Block(((month, field, TOTAL, 0),))


def _devices(month: MonthFigures) -> _Block:
    lines = tuple(
        (month.month, one.table, *(getattr(one, name) for name in _FAILED)) for one in month.devices
    )
    return _Block(lines, (month.month, TOTAL), _FAILED)


def _sealed(month: MonthFigures) -> Iterator[_Block]:
    """Who sealed gaming days and the month, and each changed figure of the month: money apart from counts and hours."""
    yield _Block(
        tuple(
            (month.month, str(one.first), f"sealed by {one.by}, {in_utc(one.at)}")
            for one in month.days_sealed
        )
    )
    if month.sealed is None:
        yield _Block(((month.month, NOT_SEALED if month.tells_seal else NOT_TOLD),))
        return
    seal = month.sealed.seal
    yield _Block(((month.month, f"sealed by {seal.by}", in_utc(seal.at)),))
    yield _Block(
        tuple(
            (
                month.month,
                one.key or TOTAL,
                one.figure,
                *((None, None) if one.figure in MONEY else ()),
                one.sealed,
                one.now,
            )
            for one in month.sealed.changed
        )
    )


def _not_known(month: MonthFigures) -> Iterator[_Block]:
    dayless = tuple((month.month, table, rounds, NO_DAY) for table, rounds in month.dayless.items())
    yield _Block(dayless, (month.month, TOTAL), ("rounds",))
    yield _Block(
        tuple((month.month, line.key, None, why) for line in month.revenue.lines for why in line.lacks)
    )


def _sheet(book: Any, name: str, heads: Sequence[str], blocks: Sequence[_Block], title: str) -> None:
    sheet, row = new_sheet(book, name, heads, title, frozen=2), 1
    forms = [book.add_format({"num_format": _form(head)}) for head in heads]
    of_total = [book.add_format({"num_format": _form(head), "top": 1, "bold": True}) for head in heads]
    for column, head in enumerate(heads):
        if head in _TEXTS:
            sheet.set_column(column, column, _LISTED)
    for block in blocks:
        first = row
        for row, line in enumerate(block.lines, first):
            for column, cell in enumerate(line):
                _write(sheet, (row, column), cell, heads[column], forms[column])
        row = first + len(block.lines)
        if not block.lines or not block.sums:
            continue
        for column, head in enumerate(heads):
            if column < len(block.of):
                sheet.write_string(row, column, block.of[column], of_total[column])
            elif head in block.sums:
                cells = [one for line in block.lines if isinstance(one := line[column], int)]
                write_sum(sheet, (first, row), column, sum(cells), of_total[column])
            else:
                sheet.write_blank(row, column, None, of_total[column])
        row += 1


def _form(head: str) -> str:
    return MONEY_FORM if head in _MONEY else "#,##0"


def _write(sheet: Any, place: tuple[int, int], cell: Cell, head: str, form: Any) -> None:
    if isinstance(cell, str):
        sheet.write_string(*place, cell)
    elif cell is not None:
        sheet.write_number(*place, cell / 100 if head in _MONEY else cell, form)
