"""The month's report as files of the console, for whoever reads all that it counts: revenue, alerts and disputes."""

from __future__ import annotations

import datetime as dt

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import ClientException

from dashboards.accounts.accounts import User
from dashboards.debts.seen import is_theirs
from dashboards.monthly.figures import (
    DeskShown,
    MonthReport,
    all_seals,
    month_report,
    no_report_of,
    sealed_months,
)
from dashboards.monthly.printed import as_pdf
from dashboards.monthly.workbook import as_workbook
from dashboards.revenue.books import places_of
from dashboards.revenue.pages.page import Word
from dashboards.revenue.sealing.sealing import is_withheld
from dashboards.web.console import Console, UserRequest
from dashboards.web.exports import export_file


@get("/revenue/month.pdf", sync_to_thread=True)
def month_pdf(request: UserRequest, console: NamedDependency[Console], month: Word = "") -> Response[bytes]:
    """The report of a month (`2026-03`) as PDF; the log keeps that it left."""
    made, zone = _made(request, console, month, "pdf")
    return _file(console, request.user, as_pdf(made, zone, request.user.name), made, "pdf")


@get("/revenue/month.xlsx", sync_to_thread=True)
def month_xlsx(request: UserRequest, console: NamedDependency[Console], month: Word = "") -> Response[bytes]:
    """The report of a month as a workbook; the log keeps that it left."""
    made, _ = _made(request, console, month, "xlsx")
    return _file(console, request.user, as_workbook(made), made, "xlsx")


def _made(request: UserRequest, console: Console, month: str, form: str) -> tuple[MonthReport, dt.tzinfo]:
    """The report as this user may see it, and the zone of most tables."""
    user, role = request.user, console.role(request.user)
    about = f"{f'month {month}'.rstrip()} as {form}"
    console.require(
        role.reads_all and role.exports,
        user,
        "export",
        about,
        "does not read all that a month's report counts",
    )
    first = _first_of(month)
    places = places_of(console.records)
    made = month_report(console.records, places, first, _shown(console, user, first), console.duty_of)
    return made, places.zone


def _file(console: Console, user: User, content: bytes, made: MonthReport, form: str) -> Response[bytes]:
    month = made.month.month
    return export_file(console, user, f"month {month}", content, f"month-{month}.{form}")


def _first_of(month: str) -> dt.date:
    """The first day of a month.

    Raises:
        ClientException: it is no month, or one without books before it.
    """
    try:
        first = dt.date.fromisoformat(f"{month}-01")
    except ValueError as error:
        raise ClientException(f"“{month}” is no month: write 2026-11") from error
    if none := no_report_of(first):
        raise ClientException(none)
    return first


def _shown(console: Console, user: User, first: dt.date) -> DeskShown:
    """What of the desk is there for a user; sealed figures are of all tables, so that who sees a part sees none."""
    desk = console.desk
    alerts = desk.look(lambda state: tuple(state.alerts.values()))
    return DeskShown(
        alerts=tuple(one for one in alerts if console.sees(user, one)),
        disputes=tuple(one for one in desk.disputes() if is_theirs(console, user, one)),
        withheld=desk.withheld_from(user.name),
        sealed=None if is_withheld(console, user) else sealed_months(desk, first),
        seals=() if is_withheld(console, user) else desk.look(all_seals),
    )


HANDLERS = (month_pdf, month_xlsx)
