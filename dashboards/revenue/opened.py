"""The figures of a statement by name: what each is, how people read it, and which list it opens and is the sum of."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Literal
from urllib.parse import urlencode

from msgspec import Struct

from dashboards.reader.revenue import Only
from dashboards.revenue.account import Account
from dashboards.revenue.figures import Figures
from dashboards.revenue.statement import StatementLine
from dashboards.revenue.wanted import WantedRevenue
from dashboards.wording.money import dollars

Unit = Literal["cents", "count", "percent", "deviations", "hours"]
Value = int | float | None

# Columns of a list of rounds; a figure that is a sum is that of the column of its name.
_MONEY = ("hands", "stakes", "handle", "payout", "win")
_THEO = ("covered", "covered_win", "theo", "difference")
_ERRORS = ("all_errors_for_house", "all_errors_for_patron", "errors")
_LUCK = ("theo", "difference", "errors_for_house", "errors_for_patron", "play", "luck")


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


def _split(value: Callable[[Figures], Value]) -> Callable[[StatementLine], Value]:
    """A part of the difference: there is none where no wager has a theoretical figure."""
    return lambda line: None if line.figures.theo_cents is None else value(line.figures)


def _moved(
    value: Callable[[Account], Value], known: Callable[[Account], bool] = lambda _: True
) -> Callable[[StatementLine], Value]:
    """A figure of the account: there is none where nothing moved, or where it is not known yet."""

    def found(line: StatementLine) -> Value:
        account = line.account
        return value(account) if account is not None and account.sheets and known(account) else None

    return found


def _is_dropped(account: Account) -> bool:
    return account.drop_is_counted


def _is_taxed(account: Account) -> bool:
    return account.tax_cents is not None


def _uncovered(figures: Figures) -> int:
    return sum(figures.uncovered.values())


_ROUNDS: dict[str, Figure] = {
    "rounds": Figure("Rounds", _of(lambda f: f.rounds), "count", _MONEY),
    "hands": Figure("Hands", _of(lambda f: f.hands), "count", _MONEY),
    "stakes": Figure("Stakes", _of(lambda f: f.stakes), "count", _MONEY),
    "handle": Figure("Handle", _of(lambda f: f.handle_cents), columns=_MONEY),
    "payout": Figure("Payout", _of(lambda f: f.payout_cents), columns=_MONEY),
    "win": Figure("Win", _of(lambda f: f.win_cents), columns=_MONEY),
    "win_share": Figure("Win %", lambda line: line.win_share, "percent", _MONEY, made_of=("win", "handle")),
    "covered": Figure("Handle with a figure", _of(lambda f: f.covered_handle_cents), columns=_THEO),
    "covered_win": Figure("Win with a figure", _of(lambda f: f.covered_win_cents), columns=_THEO),
    "uncovered_win": Figure(
        "Win without a figure", _of(lambda f: f.win_cents - f.covered_win_cents),
        columns=("win", "covered_win", "uncovered_win"),
    ),
    "theo": Figure("Theoretical win", _of(lambda f: f.theo_cents), columns=_THEO),
    "theo_share": Figure(
        "Theoretical win %", lambda line: line.theo_share, "percent", _THEO, made_of=("theo", "covered")
    ),
    "difference": Figure("Difference", _of(lambda f: f.difference_cents), columns=_THEO),
    "band": Figure("95 % band, ±", _of(lambda f: f.band_cents), columns=_THEO, made_of=("covered",)),
    "z": Figure("z", _of(lambda f: f.z), "deviations", _LUCK, made_of=("luck", "band")),
    "luck": Figure("Of the difference, luck", _of(lambda f: f.luck_cents), columns=_LUCK),
    "play": Figure(
        "Play: what decisions gave the house", _of(lambda f: f.play_cents), columns=("play",), only="play"
    ),
    "play_handle": Figure(
        "Handle whose play is worked out", _of(lambda f: f.play_handle_cents),
        columns=("covered", "play_handle", "play"),
    ),
    "errors": Figure("Errors of settlement", _of(lambda f: f.error_cents), columns=("errors",), only="errors"),
    "covered_errors": Figure(
        "Errors of wagers with a figure", _split(lambda f: f.covered_error_cents),
        columns=("errors_for_house", "errors_for_patron", "covered_errors"), only="errors",
    ),
    "errors_for_house": Figure("Errors for the house", _split(lambda f: f.covered_for_house_cents), columns=_LUCK),
    "errors_for_patron": Figure("Errors for patrons", _split(lambda f: f.covered_for_patron_cents), columns=_LUCK),
    "all_errors_for_house": Figure(
        "Errors for the house, all wagers", _of(lambda f: f.for_house_cents), columns=_ERRORS, only="errors"
    ),
    "all_errors_for_patron": Figure(
        "Errors for patrons, all wagers", _of(lambda f: f.for_patron_cents), columns=_ERRORS, only="errors"
    ),
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
    "opening": Figure(
        "Opening inventory", _moved(lambda a: a.opening_cents, lambda a: a.opened == a.sheets), slips="opening"
    ),
    "fills": Figure("Fills", _moved(lambda a: a.fill_cents), slips="fills"),
    "credits": Figure("Credits", _moved(lambda a: a.credit_cents), slips="credits"),
    "closing": Figure(
        "Closing inventory", _moved(lambda a: a.closing_cents, lambda a: a.closed == a.sheets), slips="closing"
    ),
    "counts": Figure(
        "Closing less opening inventory", _moved(lambda a: a.closing_cents - a.opening_cents), slips="counts"
    ),
    "currency": Figure("Currency", _moved(lambda a: a.currency_cents, _is_dropped), slips="currency"),
    "checks": Figure("Counter checks", _moved(lambda a: a.check_cents, _is_dropped), slips="checks"),
    "vouchers": Figure("Vouchers", _moved(lambda a: a.voucher_cents, _is_dropped), slips="vouchers"),
    "drop": Figure("Drop as counted", _moved(lambda a: a.drop_cents, _is_dropped), slips="drop"),
    "found": Figure("Drop counted so far", _moved(lambda a: a.drop_cents), slips="drop"),
    "boxes": Figure("Boxes taken", _moved(lambda a: a.boxes), "count", slips="drop"),
    "boxes_counted": Figure("Boxes counted", _moved(lambda a: a.boxes_counted), "count", slips="drop"),
    "corrections": Figure(
        "Counts and slips corrected", _moved(lambda a: a.corrections), "count", slips="corrections"
    ),
    "sold": Figure("Chips sold at the tables", _moved(lambda a: a.sold_cents), slips="sold"),
    "net": Figure("Net win by count", _moved(lambda a: a.net_cents, lambda a: a.counted), slips="net",
                  made_of=("closing", "credits", "drop", "opening", "fills")),
    "tax": Figure("Tax", _moved(lambda a: a.tax_cents), slips="net", made_of=("net",)),
    "state_tax": Figure("State tax", _moved(lambda a: a.state_tax_cents, _is_taxed), slips="net", made_of=("net",)),
    "local_tax": Figure("Local share", _moved(lambda a: a.local_tax_cents, _is_taxed), slips="net", made_of=("net",)),
    "hours": Figure("Hours open", _moved(lambda a: a.hour_hundredths), "hours", slips="hours"),
    "unexplained": Figure("Unexplained", lambda line: line.unexplained_cents, slips="net", made_of=("net", "win")),
}  # fmt: skip
FIGURES: Final[Mapping[str, Figure]] = MappingProxyType(_ROUNDS | _SLIPS)
# What is of whole tables and days: all lines together have it where each line has it.
_OF_WHOLE: Final = (
    "opening", "fills", "credits", "closing", "currency", "checks", "vouchers", "drop", "net", "unexplained", "tax",
    "state_tax", "local_tax", "corrections", "hours",
)  # fmt: skip


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
        made_of=("net" if by_count else "win", "drop"),
    )


def drop_of(line: StatementLine) -> str:
    """The figure that stands for a line's drop: chips sold, or what was found so far, until every box is counted."""
    if line.account is None or value_of("drop", line) is not None:
        return "drop"
    return "sold" if line.account.knows_sold else "found"


def value_of(name: str, line: StatementLine) -> Value:
    """A figure of a line as pages and files have it; None where it is not known."""
    found = figure(name, line)
    return None if found.slips and name in line.unknown else found.value(line)


def unknown_of(lines: Sequence[StatementLine]) -> frozenset[str]:
    """What is not known of all lines together: what a line lacks at which something happened."""
    some = [line for line in lines if line.has_something]
    return frozenset(name for name in _OF_WHOLE if any(value_of(name, line) is None for line in some))


_MICRO = 1_000_000


def address(path: str, wanted: WantedRevenue, **changes: Any) -> str:
    """The address of a page about what is wanted, with changes; what is no filter of it is added as it is."""
    own = {name: value for name, value in changes.items() if name in WantedRevenue.__struct_fields__}
    others = {name: str(value) for name, value in changes.items() if name not in own and value}
    return f"{path}?{urlencode(wanted.query(**own) | others)}"


def narrowed(wanted: WantedRevenue, key: str) -> dict[str, Any]:
    """The filter that leaves of what is wanted the line of this key alone."""
    if not key:
        return {"lacks": ",".join(sorted({*wanted.lacking, wanted.by}))}
    if wanted.by == "day":
        return {"day": dt.date.fromisoformat(key), "period": "day", "by": "table"}
    return {wanted.by: int(key) if wanted.by == "shift" else key}


def opens(
    name: str,
    wanted: WantedRevenue,
    line: StatementLine | None = None,
    kind: str = "",
    until: dt.datetime | None = None,
    back: str = "",
    **changes: Any,
) -> str:
    """The list that the figure of this name opens; of stakes of one `kind`, of rounds that ended before `until`.

    `back` is the query of the statement to which the list leads back: of `wanted`, unless another is given.
    """
    back = back or (urlencode(wanted.query()) if changes else "")
    if figure(name, line).slips:
        return address("/revenue/slips", wanted, what=name, back=back, **changes)
    more = {"kind": kind, "until": "" if until is None else until.isoformat(), "back": back}
    return address("/revenue/hands", wanted, of=name, **more, **changes)


def figure_text(name: str, line: StatementLine) -> str:
    """A figure of a line; empty where there is none."""
    return shown(value_of(name, line), figure(name, line).unit)


def shown(value: Value, unit: Unit) -> str:
    """A value as people read it; empty where there is none."""
    if value is None:
        return ""
    match unit:
        case "count":
            return f"{value:,}"
        case "percent":
            return f"{dollars(int(value))} %"
        case "deviations":
            return f"{value:+.2f}".replace("-", "−")
    return dollars(int(value))  # hours too: both are in hundredths


def of_round(name: str, figures: Figures) -> str:
    """What one round adds to the figure of this name, exact: a theoretical win is no whole cents."""
    theo, win = figures.theo_millionths, figures.covered_win_cents * _MICRO
    known = {
        "theo": theo,
        "play": figures.play_cents * _MICRO,
        "difference": win - theo,
        "luck": win - theo - (figures.covered_error_cents + figures.play_cents) * _MICRO,
    }
    if name in known:
        return exact(known[name]) if figures.covered_stakes else ""
    found = FIGURES[name]
    return shown(found.value(StatementLine("", "", figures)), found.unit)


def exact(millionths: int) -> str:
    """Millionths of a cent in dollars, with as many decimals as they have and at least two."""
    whole, part = divmod(abs(millionths), 100 * _MICRO)
    decimals = f"{part:08d}".rstrip("0").ljust(2, "0")
    return f"{'−' if millionths < 0 else ''}{whole:,}.{decimals}"
