"""Revenue as JSON: a statement by its figures' names, and the rounds behind one of them."""

from __future__ import annotations

import datetime as dt

from litestar import get
from litestar.di import NamedDependency
from litestar.exceptions import ClientException
from msgspec import Struct

from dashboards.revenue.behind import rounds_of, scopes_of
from dashboards.revenue.books import places_of, statement
from dashboards.revenue.filing.line import RevenueReport, report_of
from dashboards.revenue.opened import FIGURES, Value, value_of
from dashboards.revenue.pages.behind_page import Skip
from dashboards.revenue.pages.page import FILTERS, WAGERS, Word, look
from dashboards.revenue.statement import StatementLine
from dashboards.revenue.wanted import WantedRevenue
from dashboards.web.console import Console, UserRequest
from dashboards.wording.copying import copied

_OF_ROUND = ("round", "first_sequence", "decided_at", "dealer", "status", "hands")
_NAMES = (*(name for name in FIGURES if name != "dayless"), "hold")  # rounds of no gaming day are in no line


class WagerView(Struct, frozen=True, kw_only=True):
    """One kind of wager under one ruleset: cents, counts, shares in hundredths of a percent; None: not known."""

    ruleset: str
    kind: str
    figures: dict[str, int | float | None]


class RevenueAnswer(RevenueReport, frozen=True, kw_only=True):
    """The report as it is filed, without what is withheld, and the figures of each kind of wager.

    `dayless` is the number of rounds that belong to no gaming day, and so to no sum, by table.
    """

    wagers: tuple[WagerView, ...]
    dayless: dict[str, int]


class RoundView(Struct, frozen=True, kw_only=True):
    """One round; money in cents, wins are the house's.

    What begins with `covered` is of its wagers that have a theoretical figure; `theo_millionths` is their theoretical
    win in millionths of a cent, and `play_cents` is what decisions gave the house at these wagers, worked out for the
    stakes of `play_handle_cents`: both are None where it has no such wager. The luck of the round is
    `covered_win_cents` less `covered_error_cents` less both.
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
    payout_cents: int
    win_cents: int
    error_cents: int
    covered_handle_cents: int
    covered_win_cents: int
    covered_error_cents: int
    theo_millionths: int | None
    play_cents: int | None
    play_handle_cents: int


class RoundsView(Struct, frozen=True, kw_only=True):
    """Rounds behind a figure, of `total`, from number `skip` on; `value` is the figure."""

    of: str
    value: int | float | None
    total: int
    skip: int
    rounds: tuple[RoundView, ...]


@get("/api/revenue", sync_to_thread=True, dependencies=FILTERS)
def read_revenue(
    request: UserRequest,
    console: NamedDependency[Console],
    filters: NamedDependency[dict[str, str]],
    by: Word = "",
) -> RevenueAnswer:
    """The report of a gaming day, or of a week, month or year up to it; 400 names what cannot be read."""
    wanted = _wanted(request, console, "revenue", filters | {"by": by})
    made = statement(console.records, wanted, console.desk.withheld_from(request.user.name))
    return copied(
        RevenueAnswer,
        report_of(made),
        wagers=tuple(
            copied(WagerView, one, figures=_figures(StatementLine("", "", one.figures)))
            for one in made.wagers
        ),
        dayless={one.subject: one.rounds for one in made.dayless},
    )


@get("/api/revenue/hands", sync_to_thread=True, dependencies=FILTERS)
def read_rounds(
    request: UserRequest,
    console: NamedDependency[Console],
    filters: NamedDependency[dict[str, str]],
    of: Word = "win",
    kind: Word = "",
    skip: Skip = 0,
) -> RoundsView:
    """The rounds behind a figure of the statement, a page at a time."""
    wanted = _wanted(request, console, "rounds behind revenue", filters)
    if of not in FIGURES or FIGURES[of].slips or kind not in ("", "side", *WAGERS):
        raise ClientException("there is no figure of rounds, or no kind of wager, of this name")
    withheld, places = console.desk.withheld_from(request.user.name), places_of(console.records)
    found = scopes_of(wanted, places, withheld, of)
    made = rounds_of(console.records, found, places, FIGURES[of], kind, skip)
    return RoundsView(
        of=of,
        value=value_of(of, made.sums),
        total=made.total,
        skip=skip,
        rounds=tuple(
            copied(
                RoundView,
                one.figures,
                **{name: getattr(one.row, name) for name in _OF_ROUND},
                table=one.row.subject,
                theo_millionths=one.figures.theo_millionths if one.figures.covered_stakes else None,
                play_cents=one.figures.play_cents if one.figures.covered_stakes else None,
            )
            for one in made.rounds
        ),
    )


def _wanted(request: UserRequest, console: Console, what: str, asked: dict[str, str]) -> WantedRevenue:
    """The filters of an address; the look is recorded first.

    Raises:
        PermissionDeniedException: the user reads no revenue.
        ClientException: something of it cannot be read.
    """
    wanted, wrong = look(request, console, what, asked)
    if wrong:
        raise ClientException("; ".join(one.partition(":")[0] for one in wrong))
    return wanted


def _figures(line: StatementLine) -> dict[str, Value]:
    return {name: value_of(name, line) for name in _NAMES}


HANDLERS = (read_revenue, read_rounds)
