"""Revenue as JSON: a statement by its figures' names, and the rounds behind one of them."""

from __future__ import annotations

import datetime as dt
from typing import Any
from urllib.parse import urlencode

from litestar import Request, get
from litestar.di import NamedDependency
from litestar.exceptions import ClientException
from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.revenue.behind import rounds_of, scopes_of
from dashboards.revenue.behind_page import Skip
from dashboards.revenue.books import places_of, statement
from dashboards.revenue.opened import FIGURES, Value, figure
from dashboards.revenue.page import WAGERS, Word, may_read, wanted_of
from dashboards.revenue.statement import Line
from dashboards.revenue.wanted import Wanted
from dashboards.web.console import Console

Asked = Request[User, str, Any]
_NAMES = (*FIGURES, "hold")


class LineView(Struct, frozen=True, kw_only=True):
    """One line by the names of its figures: cents, counts, seconds; shares in hundredths of a percent.

    A figure that is not known is None. `key` is what the line is asked for by, empty where it names nothing.
    """

    key: str
    label: str
    outside_band: bool
    figures: dict[str, int | float | None]


class WagerView(Struct, frozen=True, kw_only=True):
    """One kind of wager under one ruleset."""

    ruleset: str
    kind: str
    figures: dict[str, int | float | None]


class Report(Struct, frozen=True, kw_only=True):
    """The statement of the gaming days from `first` to the day that is wanted, without what is withheld."""

    wanted: Wanted
    first: dt.date
    lines: tuple[LineView, ...]
    total: LineView
    wagers: tuple[WagerView, ...]


class RoundView(Struct, frozen=True, kw_only=True):
    """One round; money in cents, wins are the house's.

    What begins with `covered` is of its wagers that have a theoretical figure; `theo_millionths` is their theoretical
    win in millionths of a cent, None where it has no such wager. The luck of the round is `covered_win_cents` less
    `covered_error_cents` less that.
    """

    table: str
    round: int
    first_sequence: int
    decided_at: dt.datetime
    dealer: str | None
    status: str
    hands: int
    stakes: int
    handle_cents: int
    paid_cents: int
    win_cents: int
    error_cents: int
    covered_handle_cents: int
    covered_win_cents: int
    covered_error_cents: int
    theo_millionths: int | None


class RoundsView(Struct, frozen=True, kw_only=True):
    """Rounds behind a figure, of `total`, from number `skip` on; `value` is the figure."""

    of: str
    value: int | float | None
    total: int
    skip: int
    rounds: tuple[RoundView, ...]


@get("/api/revenue", sync_to_thread=True)
def read_revenue(
    request: Asked,
    console: NamedDependency[Console],
    day: Word = "",
    period: Word = "",
    by: Word = "",
    shift: Word = "",
    game: Word = "",
    pit: Word = "",
    table: Word = "",
    dealer: Word = "",
    lacks: Word = "",
) -> Report:
    """The statement of a gaming day, or of a week, month or year up to it; 400 names what cannot be read."""
    wanted = _wanted(
        request, console, "revenue", day=day, period=period, by=by, shift=shift, game=game, pit=pit, table=table,
        dealer=dealer, lacks=lacks,
    )  # fmt: skip
    made = statement(console.records, wanted, console.desk.withheld_from(request.user.name))
    return Report(
        wanted=wanted,
        first=wanted.first,
        lines=tuple(map(_line, made.lines)),
        total=_line(made.total),
        wagers=tuple(
            WagerView(ruleset=one.ruleset, kind=one.kind, figures=_figures(Line("", "", one.figures)))
            for one in made.wagers
        ),
    )


@get("/api/revenue/hands", sync_to_thread=True)
def read_rounds(
    request: Asked,
    console: NamedDependency[Console],
    day: Word = "",
    period: Word = "",
    shift: Word = "",
    game: Word = "",
    pit: Word = "",
    table: Word = "",
    dealer: Word = "",
    lacks: Word = "",
    of: Word = "win",
    kind: Word = "",
    skip: Skip = 0,
) -> RoundsView:
    """The rounds behind a figure of the statement, a page at a time."""
    wanted = _wanted(
        request, console, "rounds behind revenue", day=day, period=period, shift=shift, game=game, pit=pit,
        table=table, dealer=dealer, lacks=lacks,
    )  # fmt: skip
    if of not in FIGURES or FIGURES[of].slips or kind not in ("", "side", *WAGERS):
        raise ClientException("there is no figure of rounds, or no kind of wager, of this name")
    withheld, places = console.desk.withheld_from(request.user.name), places_of(console.records)
    found = list(scopes_of(wanted, places, withheld, FIGURES[of], None, dayless=of == "dayless"))
    made = rounds_of(console.records, found, places, FIGURES[of], kind, skip)
    return RoundsView(
        of=of,
        value=FIGURES[of].value(made.sums),
        total=made.total,
        skip=skip,
        rounds=tuple(
            RoundView(
                table=one.row.subject,
                round=one.row.round,
                first_sequence=one.row.first_sequence,
                decided_at=one.row.decided_at,
                dealer=one.row.dealer,
                status=one.row.status,
                hands=one.row.hands,
                stakes=one.figures.stakes,
                handle_cents=one.figures.handle_cents,
                paid_cents=one.figures.paid_cents,
                win_cents=one.figures.win_cents,
                error_cents=one.figures.error_cents,
                covered_handle_cents=one.figures.covered_handle_cents,
                covered_win_cents=one.figures.covered_win_cents,
                covered_error_cents=one.figures.covered_error_cents,
                theo_millionths=one.figures.theo_millionths if one.figures.covered_stakes else None,
            )
            for one in made.rounds
        ),
    )


def _wanted(request: Asked, console: Console, what: str, **asked: str) -> Wanted:
    """What is asked for; the look is kept first.

    Raises:
        PermissionDeniedException: the user reads no revenue.
        ClientException: something of it cannot be read.
    """
    given = {name: value for name, value in asked.items() if value}
    may_read(console, request.user, f"{what} {urlencode(given)}".rstrip())
    wanted, wrong = wanted_of(console, given)
    if wrong:
        raise ClientException("; ".join(one.partition(":")[0] for one in wrong))
    return wanted


def _line(line: Line) -> LineView:
    figures = _figures(line)
    return LineView(key=line.key, label=line.label, outside_band=line.figures.outside, figures=figures)


def _figures(line: Line) -> dict[str, Value]:
    return {name: figure(name, line).value(line) for name in _NAMES}


HANDLERS = (read_revenue, read_rounds)
