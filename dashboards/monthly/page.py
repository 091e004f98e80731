"""The month's report as files of the console, for whoever reads all that it counts: revenue, alerts and disputes."""

from __future__ import annotations

import datetime as dt

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import ClientException
from msgspec.structs import replace

from dashboards.accounts.accounts import User
from dashboards.debts.seen import is_theirs
from dashboards.monthly.figures import DeskShown, month_report, no_report_of, whole_desk_shown
from dashboards.monthly.files import MonthForm, month_file
from dashboards.revenue.books import places_of
from dashboards.revenue.pages.page import Word
from dashboards.revenue.sealing.sealing import is_withheld
from dashboards.web.console import Console, UserRequest
from dashboards.web.exports import export_file


@get("/revenue/month.pdf", sync_to_thread=True)
def month_pdf(request: UserRequest, console: NamedDependency[Console], month: Word = "") -> Response[bytes]:
    """The report of a month (`2026-03`) as PDF; the log keeps that it left."""
    return _file(request, console, month, "pdf")


@get("/revenue/month.xlsx", sync_to_thread=True)
def month_xlsx(request: UserRequest, console: NamedDependency[Console], month: Word = "") -> Response[bytes]:
    """The report of a month as a workbook; the log keeps that it left."""
    return _file(request, console, month, "xlsx")


def _file(request: UserRequest, console: Console, month: str, form: MonthForm) -> Response[bytes]:
    """The report as this user may see it."""
    user, role = request.user, console.role(request.user)
    may, about = role.reads_all and role.exports, f"{f'month {month}'.rstrip()} as {form}"
    console.require(may, user, "export", about, "does not read all that a month's report counts")
    first, places = _first_of(month), places_of(console.records)
    made = month_report(console.records, places, first, _shown(console, user, first), console.duty_of)
    content, named = month_file(made, form, places.zone, user.name), made.month.month
    return export_file(console, user, f"month {named}", content, f"month-{named}.{form}")


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
    whole = whole_desk_shown(console.desk, first, seals=not is_withheld(console, user))
    return replace(
        whole,
        alerts=tuple(one for one in whole.alerts or () if console.sees(user, one)),
        disputes=tuple(one for one in whole.disputes or () if is_theirs(console, user, one)),
        withheld=console.desk.withheld_from(user.name),
    )


HANDLERS = (month_pdf, month_xlsx)
