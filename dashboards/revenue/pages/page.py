"""Revenue: what tables won and should have won, with a way from every figure to the rounds and slips behind it."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from typing import Annotated, Any
from urllib.parse import urlencode

from litestar import Response, get
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter

from dashboards.accounts.accounts import User
from dashboards.accounts.visibility import DenyList
from dashboards.revenue.books import newest_day, statement
from dashboards.revenue.chart import draw_course, draw_spark
from dashboards.revenue.filing.delimited import as_csv
from dashboards.revenue.filing.divisions import divided
from dashboards.revenue.filing.line import FILED, report_of
from dashboards.revenue.filing.printed import as_pdf
from dashboards.revenue.filing.workbook import as_workbook
from dashboards.revenue.opened import address, drop_of, figure_text, narrowed, opens
from dashboards.revenue.pages.charts import charts_of
from dashboards.revenue.sealing.sealing import standing
from dashboards.revenue.statement import RevenueStatement
from dashboards.revenue.wanted import BYS, LACKING, PERIODS, SHIFTS, WantedRevenue, no_books_of
from dashboards.web.console import Console, UserRequest
from dashboards.web.exports import export_file
from dashboards.web.rendering import page
from schemas.rulesets import RULESETS

Word = Annotated[str, QueryParameter(max_length=64)]
CHART = "Running win, theoretical win, and where luck leaves the win in 95 of 100 cases"
PERIOD_NAMES = {"day": "Day", "week": "Week to date", "month": "Month to date", "year": "Year to date"}
WAGERS = {
    "main": "Main wager", "double": "Double", "split": "Split", "lammer": "Free bets (lammers)",
    "insurance": "Insurance", "push22": "Push 22", "match_dealer": "Match-the-Dealer",
    "fortune_bonus": "Fortune Bonus", "progressive": "Progressive", "five_card_hand": "Five Card Hand",
    "six_card_bonus": "Six Card Bonus",
}  # fmt: skip


def may_read(console: Console, user: User, what: str) -> None:
    """Return if the user reads revenue; the access is kept either way.

    Raises:
        PermissionDeniedException: they do not.
    """
    console.require(console.role(user).reads_revenue, user, "page", what, "does not read revenue")
    console.note(user.name, "page", what)


def wanted_of(console: Console, asked: dict[str, str]) -> tuple[WantedRevenue, list[str]]:
    """What an address asks for, and what of it says nothing; without a day, the newest that has rounds."""
    wrong: list[str] = []

    def one_of(name: str, choices: tuple[Any, ...], usual: Any) -> Any:
        given = asked.get(name, "")
        found = next((choice for choice in choices if str(choice) == given), None)
        if given and found is None:
            wrong.append(f"“{given}” is no {name}: {usual or 'all'} is shown")
        return usual if found is None else found

    return WantedRevenue(
        day=_day(console, asked.get("day", ""), wrong),
        period=one_of("period", PERIODS, "day"),
        by=one_of("by", BYS, "table"),
        shift=one_of("shift", SHIFTS, 0),
        game=one_of("game", tuple(RULESETS), ""),
        pit=asked.get("pit", ""),
        table=asked.get("table", ""),
        dealer=asked.get("dealer", ""),
        lacks=_lacks(asked.get("lacks", ""), wrong),
    ), wrong


def _lacks(given: str, wrong: list[str]) -> str:
    named = [what for what in given.split(",") if what]
    wrong += [f"“{what}” is nothing that a round could lack" for what in named if what not in LACKING]
    return ",".join(what for what in LACKING if what in named)


def _day(console: Console, given: str, wrong: list[str]) -> dt.date:
    if given:
        try:
            day = dt.date.fromisoformat(given)
        except ValueError:
            wrong.append(f"“{given}” is no day, write 2026-11-20: the newest is shown")
        else:
            if not (none := no_books_of(day)):
                return day
            wrong.append(f"{none}: the newest day is shown")
    return newest_day(console.records) or console.clock().date()


def _neighbours(wanted: WantedRevenue) -> dict[str, str]:
    """Where the keys of the page go: the day before and after, the shift before and after, the next grouping."""
    shifts = (0, *SHIFTS)
    place = shifts.index(wanted.shift)
    by = BYS[(BYS.index(wanted.by) + 1) % len(BYS)]
    return {
        "day-before": address("/revenue", wanted, day=wanted.before),
        "day-after": address("/revenue", wanted, day=wanted.after),
        "shift-before": address("/revenue", wanted, shift=shifts[(place - 1) % len(shifts)]),
        "shift-after": address("/revenue", wanted, shift=shifts[(place + 1) % len(shifts)]),
        "by": address("/revenue", wanted, by=by),
    }


def filters_asked(
    day: Word = "",
    period: Word = "",
    shift: Word = "",
    game: Word = "",
    pit: Word = "",
    table: Word = "",
    dealer: Word = "",
    lacks: Word = "",
) -> dict[str, str]:
    """What narrows the revenue, out of the address; for the page and for the JSON of it."""
    return {
        "day": day, "period": period, "shift": shift, "game": game, "pit": pit, "table": table, "dealer": dealer,
        "lacks": lacks,
    }  # fmt: skip


FILTERS = {"filters": Provide(filters_asked, sync_to_thread=False)}


def look(
    request: UserRequest, console: Console, what: str, asked: dict[str, str]
) -> tuple[WantedRevenue, list[str]]:
    """The filters of an address, and messages about those that cannot be read; the look is recorded first.

    Raises:
        PermissionDeniedException: the user reads no revenue.
    """
    given = {name: asked[name] for name in WantedRevenue.__struct_fields__ if asked.get(name)}
    may_read(console, request.user, f"{what} {urlencode(given)}".rstrip())
    return wanted_of(console, given)


@get("/revenue", sync_to_thread=True, dependencies=FILTERS)
def revenue_page(
    request: UserRequest,
    console: NamedDependency[Console],
    filters: NamedDependency[dict[str, str]],
    by: Word = "",
) -> Response[str]:
    """The statement of a gaming day, or of a month or year up to it."""
    wanted, wrong = look(request, console, "revenue", filters | {"by": by})
    made = statement(console.records, wanted, console.desk.withheld_from(request.user.name))
    return page(
        request,
        console,
        "revenue/pages/revenue.html",
        made=made,
        wanted=wanted,
        wrong=wrong,
        chart=draw_course(made.course, made.zone, CHART) if made.course else "",
        sparks={line.key: draw_spark(line.wins, line.label) for line in made.lines if len(line.wins) > 1},
        **charts_of(made),
        steps=_neighbours(wanted),
        exports=console.role(request.user).exports,
        reads_all=console.role(request.user).reads_all,
        sealing=standing(console, request.user, made),
        rulesets=RULESETS,
        periods=PERIOD_NAMES,
        choices=_choices(made),
        address=address,
        narrowed=narrowed,
        opens=opens,
        figure_text=figure_text,
        drop_of=drop_of,
        wager_name=lambda kind: WAGERS.get(kind, kind),
    )


def _choices(made: RevenueStatement) -> dict[str, list[tuple[str, str]]]:
    """What each filter may be set to, and how people read it; what is set is among it."""
    wanted = made.wanted

    def same(names: tuple[str, ...], chosen: str) -> list[tuple[str, str]]:
        return [(name, name) for name in sorted({*names, chosen} - {""})]

    return {
        "shift": [(str(shift), str(shift)) for shift in SHIFTS],
        "game": [(name, rules.title) for name, rules in RULESETS.items()],
        "pit": same(made.pits, wanted.pit),
        "table": same(made.tables, wanted.table),
        "dealer": same(made.dealers, wanted.dealer),
        "by": [(by, by.capitalize()) for by in BYS],
    }


def _exported(request: UserRequest, console: Console) -> tuple[WantedRevenue, DenyList]:
    """What an address asks for as a file, and what of it is withheld from the user.

    Raises:
        PermissionDeniedException: the user exports no revenue.
    """
    user, role = request.user, console.role(request.user)
    may = role.reads_revenue and role.exports
    console.require(may, user, "export", _about(request), "exports no revenue")
    wanted, _ = wanted_of(console, dict(request.query_params.items()))
    return wanted, console.desk.withheld_from(user.name)


def _name(wanted: WantedRevenue, form: str) -> str:
    return f"revenue-{FILED[wanted.period]}-{wanted.day}-by-{wanted.by}.{form}"


def _about(request: UserRequest) -> str:
    return f"revenue {urlencode(dict(request.query_params.items()))}".rstrip()


def _file(
    request: UserRequest, console: Console, content: bytes, wanted: WantedRevenue, form: str
) -> Response[bytes]:
    return export_file(console, request.user, _about(request), content, _name(wanted, form))


@get("/revenue/export.csv", sync_to_thread=True)
def revenue_csv(request: UserRequest, console: NamedDependency[Console]) -> Response[bytes]:
    """The report as CSV, as `catwalk report revenue` writes it."""
    wanted, withheld = _exported(request, console)
    report = report_of(statement(console.records, wanted, withheld))
    return _file(request, console, as_csv(report).encode(), wanted, "csv")


@get("/revenue/export.xlsx", sync_to_thread=True)
def revenue_workbook(request: UserRequest, console: NamedDependency[Console]) -> Response[bytes]:
    """The report as a workbook, a sheet for each division, the wanted one first."""
    wanted, withheld = _exported(request, console)
    made = statement(console.records, wanted, withheld)
    return _file(request, console, as_workbook(divided(console.records, made, withheld)), wanted, "xlsx")


@get("/revenue/export.pdf", sync_to_thread=True)
def revenue_pdf(request: UserRequest, console: NamedDependency[Console]) -> Response[bytes]:
    """The report as PDF."""
    wanted, withheld = _exported(request, console)
    made = statement(console.records, wanted, withheld)
    return _file(request, console, as_pdf(report_of(made), made), wanted, "pdf")


@get("/revenue/export.zip", sync_to_thread=True)
def revenue_files(request: UserRequest, console: NamedDependency[Console]) -> Response[bytes]:
    """CSV, workbook and PDF of one report in an archive; the same bytes each time."""
    wanted, withheld = _exported(request, console)
    made = statement(console.records, wanted, withheld)
    reports = divided(console.records, made, withheld)
    forms = {
        "csv": as_csv(reports[0]).encode(), "xlsx": as_workbook(reports), "pdf": as_pdf(reports[0], made),
    }  # fmt: skip
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for form, content in forms.items():
            archive.writestr(zipfile.ZipInfo(_name(wanted, form)), content)
    return _file(request, console, held.getvalue(), wanted, "zip")


HANDLERS = (revenue_page, revenue_csv, revenue_workbook, revenue_pdf, revenue_files)
