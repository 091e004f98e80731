"""A restitution as CSV and as a workbook: the lines with their totals either way, and what cannot be decided."""

from __future__ import annotations

import csv
import datetime as dt
import io
from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import Struct
from xlsxwriter.utility import xl_col_to_name

from dashboards.debts.seen import NAMELESS_ALERT
from dashboards.restitution.claims import (
    NOT_SHOWN,
    UNDATED,
    Claim,
    DecidedApart,
    Restitution,
    Ruled,
    Undecided,
    last_time,
)
from dashboards.revenue.filing.delimited import TOTAL, decimal, safe
from dashboards.revenue.filing.workbook import MONEY_FORM, new_book
from dashboards.wording.money import settled_for

SUMMED: Final = ("owed", "owed_if_void", "settled", "to_pay", "ruled_out", "beyond")
MONEY: Final = frozenset({"stake", "paid", "due", "decided", "without_stake", *SUMMED})
# All that decisions moved, by where it stands; the last is their sum.
MOVED: Final = ("settled", "beyond", "without_stake", "paid")
TO_PATRONS: Final = "to patrons"
TO_HOUSE: Final = "to the house"
APART: Final = "without stake"
PAID: Final = "paid in all"


def as_csv(made: Restitution, zone: dt.tzinfo) -> str:
    """The lines, then what is the patrons', what is the house's and a last row `total`, the one less the other.

    Money is in dollars, times are of the zone, with their offset. With heads of their own follow, where there is any,
    what decisions moved at no stake of the record, and what cannot be decided. Of gaming days the sums of all money
    that decisions moved stand between the two.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    names = Claim.__struct_fields__
    writer.writerow(names)
    for line in made.lines:
        writer.writerow(_text(name, getattr(line, name), zone) for name in names)
    writer.writerows(_sums(made, names, SUMMED))
    if made.without_stake:
        names = DecidedApart.__struct_fields__
        writer.writerows(([], names))
        for apart in made.without_stake:
            writer.writerow(_text(name, getattr(apart, name), zone) for name in names)
        writer.writerows(_sums(made, names, ("without_stake",)))
    if made.tells_of_all_money:
        writer.writerows(([], (PAID, *MOVED), *_sums(made, ("", *MOVED), MOVED)))
    if made.undecided:
        writer.writerow([])
        writer.writerow(Undecided.__struct_fields__)
        for one in made.undecided:
            writer.writerow(_text(name, getattr(one, name), zone) for name in Undecided.__struct_fields__)
    return text.getvalue()


def _sums(made: Restitution, names: Sequence[str], summed: Sequence[str]) -> Iterator[list[str]]:
    """Three rows under these columns: what is the patrons', what is the house's, the one less the other; dollars."""
    ways = {name: made.both_ways(name) for name in summed}
    for title, cents in (
        (TO_PATRONS, {name: one.to_patrons for name, one in ways.items()}),
        (TO_HOUSE, {name: -one.to_house for name, one in ways.items()}),
        (TOTAL, {name: one.to_patrons - one.to_house for name, one in ways.items()}),
    ):
        yield [title, *(decimal(cents[name]) if name in cents else "" for name in names[1:])]


def ruling_of(one: Ruled) -> str:
    """What was ruled, as files and papers call it."""
    return "claim withdrawn" if one.ruling == "withdrawn" else one.ruling


def round_words(one: DecidedApart) -> str:
    """Table and round; a closed alert may name no round, and who may not see it is told the table alone."""
    if one.round is None:
        return one.subject if one.why == NOT_SHOWN else f"{one.subject}, no round"
    return f"{one.subject}, {one.round}"


def source_of(one: Ruled) -> str:
    """The dispute, or the beginning of the alert's id."""
    return one.dispute or (
        f"Alert {one.alert[:12]}" if one.alert and one.alert != NAMELESS_ALERT else NAMELESS_ALERT
    )


def ruling_words(one: Ruled, zone: dt.tzinfo) -> str:
    """What was decided, in words: by what, the ruling, the amount, when, and by whom where that may be said."""
    by = f" by {one.by}" if one.by is not None else ""
    when = f"{one.time.astimezone(zone):%Y-%m-%d %H:%M}"
    return f"{source_of(one)}: {ruling_of(one)}, {settled_for(one.amount)}, {when}{by}"


def _text(name: str, value: Any, zone: dt.tzinfo) -> str:
    if value is None:
        return ""
    if name in MONEY:
        return decimal(value)
    if name == "time":
        return str(value.astimezone(zone).isoformat(timespec="seconds"))
    if name == "disputes":
        return safe("; ".join(ruling_words(one, zone) for one in value))
    return safe("; ".join(value) if name == "missing" else str(value))


def as_workbook(made: Restitution, zone: dt.tzinfo) -> bytes:
    """Sheets of the lines and of what cannot be decided; of gaming days also of money at no stake and all that moved.

    Totals are formulas that hold their values; the same bytes each time.
    """
    held = io.BytesIO()
    # The time a file is made is part of its bytes, so that the file bears the last time it tells of.
    book = new_book(held, made.cause[:250], last_time(made) or UNDATED)
    _sheet(book, "restitution", Claim, made.lines, zone)
    if made.lines:
        _totals(book, made, "restitution", Claim, len(made.lines), SUMMED)
    _sheet(book, "undecided", Undecided, made.undecided, zone)
    if made.tells_of_all_money:
        _sheet(book, APART, DecidedApart, made.without_stake, zone)
        if made.without_stake:
            _totals(book, made, APART, DecidedApart, len(made.without_stake), ("without_stake",))
        _paid(book, made)
    book.close()
    return held.getvalue()


def _sheet(
    book: Any,
    title: str,
    form: type[Struct],
    rows: tuple[Claim, ...] | tuple[Undecided, ...] | tuple[DecidedApart, ...],
    zone: dt.tzinfo,
) -> None:
    sheet = book.add_worksheet(title)
    head = book.add_format({"bold": True, "bottom": 1})
    money = book.add_format({"num_format": MONEY_FORM})
    for column, name in enumerate(form.__struct_fields__):
        sheet.write_string(0, column, name, head)
        for row, one in enumerate(rows, 1):
            value = getattr(one, name)
            if name in MONEY and value is not None:
                sheet.write_number(row, column, value / 100, money)
            elif isinstance(value, int):
                sheet.write_number(row, column, value)
            elif value is not None:
                sheet.write_string(row, column, _text(name, value, zone).removeprefix("'"))
    sheet.freeze_panes(1, 0)
    sheet.set_column(0, len(form.__struct_fields__) - 1, 14)


def _totals(
    book: Any, made: Restitution, title: str, form: type[Struct], rows: int, summed: Sequence[str]
) -> None:
    sheet = book.get_worksheet_by_name(title)
    head, total = _formats(book)
    last = rows + 1
    for row, name in enumerate((TO_PATRONS, TO_HOUSE, TOTAL), last):
        sheet.write_string(row, 0, name, head)
    for name in summed:
        column = form.__struct_fields__.index(name)
        letter = xl_col_to_name(column)
        cells, ways = f"{letter}2:{letter}{last}", made.both_ways(name)
        sums = (
            (f'=SUMIF({cells},">0")', ways.to_patrons),
            (f'=SUMIF({cells},"<0")', -ways.to_house),
            (f"=SUM({cells})", ways.to_patrons - ways.to_house),
        )
        for row, (formula, cents) in enumerate(sums, last):
            sheet.write_formula(row, column, formula, total, cents / 100)


def _paid(book: Any, made: Restitution) -> None:
    """A sheet of all that decisions moved, by where it stands; its cells are formulas over the totals of the others."""
    sheet = book.add_worksheet(PAID)
    head, total = _formats(book)
    for column, name in enumerate(("", *MOVED)):
        sheet.write_string(0, column, name, head)
    for row, title in enumerate((TO_PATRONS, TO_HOUSE, TOTAL), 1):
        sheet.write_string(row, 0, title, head)
        for column, name in enumerate(MOVED, 1):
            ways = made.both_ways(name)
            cents = (ways.to_patrons, -ways.to_house, ways.to_patrons - ways.to_house)[row - 1]
            formula = f"=SUM(B{row + 1}:D{row + 1})" if name == MOVED[-1] else _total_of(made, name, row)
            sheet.write_formula(row, column, formula, total, cents / 100)
    sheet.set_column(0, len(MOVED), 14)


def _total_of(made: Restitution, name: str, row: int) -> str:
    """The formula for one of the three totals of a column; 0 where its sheet has no rows."""
    title, form, rows = (
        (APART, DecidedApart, len(made.without_stake))
        if name == "without_stake"
        else ("restitution", Claim, len(made.lines))
    )
    column = xl_col_to_name(form.__struct_fields__.index(name))
    return f"='{title}'!{column}{rows + 1 + row}" if rows else "=0"


def _formats(book: Any) -> tuple[Any, Any]:
    head = book.add_format({"bold": True, "top": 1})
    return head, book.add_format({"num_format": MONEY_FORM, "bold": True, "top": 1})
