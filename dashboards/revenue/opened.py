"""The figures of a statement by name: what each is, and which list of rounds or slips it opens and is the sum of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, Literal

from msgspec import Struct

from dashboards.reader.revenue import Only
from dashboards.revenue.account import Account
from dashboards.revenue.figures import Figures
from dashboards.revenue.statement import StatementLine

Unit = Literal["cents", "count", "percent", "deviations", "seconds"]
Value = int | float | None

# Columns of a list of rounds; a figure that is a sum is that of the column of its name.
_MONEY = ("hands", "stakes", "handle", "payout", "win")
_THEO = ("covered", "covered_win", "theo", "difference")
_LUCK = ("theo", "difference", "covered_errors", "luck")


class Figure(Struct, frozen=True):
    """One figure: its `value` in a line, and what it opens.

    `slips` names a list of slips (`reader.cash.LISTS`), else it opens rounds, with `columns`: all of the scope, or by
    `only` and `status` those that have part in it. `made_of` are the figures it is reckoned from where it is no sum.
    """

    title: str
    value: Callable[[StatementLine], Value]
    unit: Unit = "cents"
    columns: tuple[str, ...] = ()
    slips: str = ""
    only: Only = ""
    status: str = ""
    made_of: tuple[str, ...] = ()


def _of(value: Callable[[Figures], Value]) -> Callable[[StatementLine], Value]:
    return lambda line: value(line.figures)


def _moved(value: Callable[[Account], Value]) -> Callable[[StatementLine], Value]:
    return lambda line: None if line.account is None else value(line.account)


def _uncovered(figures: Figures) -> int:
    return figures.handle_cents - figures.covered_handle_cents


_ROUNDS: dict[str, Figure] = {
    "rounds": Figure("Rounds", _of(lambda f: f.rounds), "count", _MONEY),
    "hands": Figure("Hands", _of(lambda f: f.hands), "count", _MONEY),
    "stakes": Figure("Stakes", _of(lambda f: f.stakes), "count", _MONEY),
    "handle": Figure("Handle", _of(lambda f: f.handle_cents), columns=_MONEY),
    "payout": Figure("Payout", _of(lambda f: f.paid_cents), columns=_MONEY),
    "win": Figure("Win", _of(lambda f: f.win_cents), columns=_MONEY),
    "win_share": Figure("Win %", lambda line: line.win_share, "percent", _MONEY, made_of=("win", "handle")),
    "covered": Figure("Handle with a figure", _of(lambda f: f.covered_handle_cents), columns=_THEO),
    "covered_win": Figure("Win with a figure", _of(lambda f: f.covered_win_cents), columns=_THEO),
    "theo": Figure("Theoretical win", _of(lambda f: f.theo_cents), columns=_THEO),
    "theo_share": Figure(
        "Theoretical win %", lambda line: line.theo_share, "percent", _THEO, made_of=("theo", "covered")
    ),
    "difference": Figure("Difference", _of(lambda f: f.difference_cents), columns=_THEO),
    "band": Figure("95 % band, ±", _of(lambda f: f.band_cents), columns=_THEO, made_of=("covered",)),
    "z": Figure("z", _of(lambda f: f.z), "deviations", _THEO, made_of=("difference", "band")),
    "luck": Figure("Of the difference, luck", _of(lambda f: f.luck_cents), columns=_LUCK),
    "errors": Figure("Errors of settlement", _of(lambda f: f.error_cents), columns=("errors",), only="errors"),
    "covered_errors": Figure("Of the difference, errors", _of(lambda f: f.covered_error_cents), columns=_LUCK),
    "judged": Figure("Stakes whose due is known", _of(lambda f: f.judged), "count", ("stakes", "judged")),
    "unknown": Figure(
        "Stakes whose outcome was not seen", _of(lambda f: f.unknown), "count", ("unknown", "unknown_cents"),
        only="unknown",
    ),
    "unknown_cents": Figure(
        "Staked, outcome not seen", _of(lambda f: f.unknown_cents), columns=("unknown", "unknown_cents"),
        only="unknown",
    ),
    "void": Figure("Void rounds", _of(lambda f: f.void), "count", _MONEY, status="void"),
    "uncovered": Figure("Handle without a figure", _of(_uncovered), columns=("handle", "covered", "uncovered")),
    "unspread": Figure(
        "Handle whose deviation has no figure", _of(lambda f: f.unspread_cents), columns=("handle", "unspread")
    ),
    "dayless": Figure("Rounds of no gaming day", _of(lambda f: f.rounds), "count", _MONEY),
}  # fmt: skip
_SLIPS: dict[str, Figure] = {
    "opening": Figure("Opening inventory", _moved(lambda a: a.opening_cents), slips="opening"),
    "fills": Figure("Fills", _moved(lambda a: a.fill_cents), slips="fills"),
    "credits": Figure("Credits", _moved(lambda a: a.credit_cents), slips="credits"),
    "closing": Figure("Closing inventory", _moved(lambda a: a.closing_cents), slips="closing"),
    "counts": Figure(
        "Closing less opening inventory", _moved(lambda a: a.closing_cents - a.opening_cents), slips="counts"
    ),
    "currency": Figure("Currency", _moved(lambda a: a.currency_cents), slips="currency"),
    "checks": Figure("Counter checks", _moved(lambda a: a.check_cents), slips="checks"),
    "vouchers": Figure("Vouchers", _moved(lambda a: a.voucher_cents), slips="vouchers"),
    "drop": Figure("Drop as counted", _moved(lambda a: a.drop_cents), slips="drop"),
    "boxes": Figure("Boxes taken", _moved(lambda a: a.boxes), "count", slips="drop"),
    "boxes_counted": Figure("Boxes counted", _moved(lambda a: a.boxes_counted), "count", slips="drop"),
    "sold": Figure("Chips sold at the tables", _moved(lambda a: a.sold_cents), slips="sold"),
    "net": Figure("Net win by count", _moved(lambda a: a.net_cents), slips="net",
                  made_of=("closing", "credits", "drop", "opening", "fills")),
    "hours": Figure("Hours open", _moved(lambda a: a.seconds), "seconds", slips="hours"),
    "unexplained": Figure("Unexplained", lambda line: line.unexplained_cents, slips="net", made_of=("net", "win")),
}  # fmt: skip
FIGURES: Final[Mapping[str, Figure]] = MappingProxyType(_ROUNDS | _SLIPS)


def figure(name: str, line: StatementLine | None = None) -> Figure:
    """The figure of this name; the hold is win of the drop, and opens what the win of the line is of.

    Raises:
        KeyError: there is none.
    """
    if name != "hold":
        return FIGURES[name]
    by_count = line is not None and line.by_count
    return Figure(
        "Hold",
        lambda one: one.hold,
        "percent",
        columns=_MONEY,
        slips="net" if by_count else "",
        made_of=("net" if by_count else "win", drop_of(line)),
    )


def drop_of(line: StatementLine | None) -> str:
    """Which figure a line's drop is: what was counted, or the chips that were sold as long as not all is counted."""
    account = None if line is None else line.account
    return "sold" if account is not None and account.knows_sold and not account.drop_is_counted else "drop"
