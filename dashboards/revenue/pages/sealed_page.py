"""The page of sealed figures, their files and their JSON: what was signed for, what is known now, what came since."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.exceptions import NotFoundException
from litestar.params import JSONBody, QueryParameter, URLEncodedBody
from litestar.response import Redirect
from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.desk.decisions import Refused
from dashboards.ledger.seals import Seal
from dashboards.reader import cash
from dashboards.revenue.books import places_of
from dashboards.revenue.filing.delimited import as_csv
from dashboards.revenue.filing.line import RevenueReport, figure_title
from dashboards.revenue.filing.printed import as_pdf
from dashboards.revenue.filing.workbook import as_workbook
from dashboards.revenue.opened import address
from dashboards.revenue.pages.behind_page import slip_of
from dashboards.revenue.pages.page import may_read, wanted_of
from dashboards.revenue.sealing.figures import (
    NAMES,
    ChangedFigure,
    SealedPeriod,
    changes,
    difference,
    reports_of,
    sealed_days,
    sealed_of,
    told,
)
from dashboards.revenue.sealing.sealing import (
    WITHHELD,
    SealWish,
    is_withheld,
    mark_of,
    must_seal,
    reports_now,
    seal,
    seal_of,
    seals_of,
    why_not,
)
from dashboards.revenue.wanted import WantedRevenue, no_books_of
from dashboards.web.console import Console, ThisConsole, UserRequest
from dashboards.web.exports import export_file
from dashboards.web.gate import require_csrf
from dashboards.web.rendering import page

Word = Annotated[str, QueryParameter(max_length=20)]
LISTED = 62  # seals of two months of days


class SealForm(Struct, frozen=True, kw_only=True):
    """The form of the page."""

    csrf: str = ""
    day: str = ""
    period: str = ""
    note: str = ""
    seen: str = ""


class SlipSince(Struct, frozen=True, kw_only=True):
    """An event of these days' accounts that was recorded after the seal; money in cents."""

    table: str
    sequence: int
    time: dt.datetime
    what: str
    told: str
    cents: int | None


class SealedView(Struct, frozen=True, kw_only=True):
    """Sealed figures beside those of now: what differs, and the first events that came after the seal, of `later`."""

    seal: Seal
    sealed: tuple[RevenueReport, ...]
    changed: tuple[ChangedFigure, ...]
    since: tuple[SlipSince, ...]
    later: int


def _wanted(console: Console, day: str, period: str) -> tuple[WantedRevenue, list[str]]:
    asked, wrong = wanted_of(console, {"day": day, "period": period})
    if asked.period not in ("day", "month"):
        wrong.append(f"a {asked.period} is not sealed: the day is shown")
    whole: SealedPeriod = "month" if asked.period == "month" else "day"
    return sealed_days(asked.day, whole), wrong


@get("/revenue/sealed", sync_to_thread=True)
def sealed_page(
    request: UserRequest, console: ThisConsole, day: Word = "", period: Word = ""
) -> Response[str]:
    """The sealed figures of a gaming day or a month beside those of now; where none are sealed, what would be."""
    may_read(console, request.user, f"sealed revenue {day} {period}".rstrip())
    wanted, wrong = _wanted(console, day, period)
    return _shown(request, console, wanted, wrong)


@post("/revenue/sealed", form=True, sync_to_thread=True)
def seal_by_form(request: UserRequest, console: ThisConsole, data: URLEncodedBody[SealForm]) -> Response[Any]:
    """Seal; what is refused is said on the page, which keeps what was written."""
    require_csrf(request.user, data.csrf)
    must_seal(console, request.user, f"{data.day} {data.period}")
    wanted, wrong = _wanted(console, data.day, data.period)
    if wrong:
        return _shown(request, console, wanted, wrong, data.note, 422)
    try:
        seal(
            console,
            request.user,
            SealWish(day=wanted.day, period=_period(wanted), note=data.note[:2000], seen=data.seen),
        )
    except Refused as error:
        return _shown(request, console, wanted, [error.why], data.note, 422)
    return Redirect(address("/revenue/sealed", _asked(wanted)), status_code=303)


def _period(wanted: WantedRevenue) -> SealedPeriod:
    return "month" if wanted.period == "month" else "day"


def _asked(wanted: WantedRevenue) -> WantedRevenue:
    """The days alone, for an address."""
    return WantedRevenue(day=wanted.day, period=wanted.period)


@get("/api/revenue/sealed", sync_to_thread=True)
def read_sealed(request: UserRequest, console: ThisConsole, day: Word = "", period: Word = "") -> SealedView:
    """Sealed figures beside those of now; 404 where these days are not sealed."""
    may_read(console, request.user, f"sealed revenue {day} {period}".rstrip())
    wanted, wrong = _wanted(console, day, period)
    if wrong:
        raise Refused("; ".join(wrong))
    return _view(console, request.user, wanted)


@post("/api/revenue/sealed", status_code=201, sync_to_thread=True)
def seal_by_program(request: UserRequest, console: ThisConsole, data: JSONBody[SealWish]) -> SealedView:
    """Seal the figures of a gaming day or a month; 422 says why they cannot be."""
    must_seal(console, request.user, f"{data.day} {data.period}")
    if none := no_books_of(data.day):
        raise Refused(none)
    seal(console, request.user, data)
    return _view(console, request.user, sealed_days(data.day, data.period))


def _require_seal(console: Console, user: User, wanted: WantedRevenue) -> Seal:
    if is_withheld(console, user):
        raise NotFoundException(WITHHELD)
    if (made := seal_of(console, wanted)) is None:
        raise NotFoundException(f"the figures of {_days(wanted)} are not sealed")
    return made


def _days(wanted: WantedRevenue) -> str:
    return str(wanted.day) if wanted.period == "day" else f"{wanted.day:%Y-%m}"


def _view(console: Console, user: User, wanted: WantedRevenue) -> SealedView:
    made = _require_seal(console, user, wanted)
    act = sealed_of(console.desk, made)
    changed = changes(act, reports_now(console, wanted))
    # Asked after the figures: what changed one of them is among the events.
    rows = cash.slips(made.first, made.last, "account", after=act.records).ask(console.records)
    return SealedView(
        seal=made,
        sealed=tuple(reports_of(act, wanted.day)),
        changed=changed,
        since=tuple(
            SlipSince(
                table=one.subject, sequence=one.sequence, time=one.at, what=one.what, told=one.told, cents=one.cents
            )
            for one in map(slip_of, rows)
        ),
        later=rows[0].total if rows else 0,
    )  # fmt: skip


def _shown(
    request: UserRequest,
    console: Console,
    wanted: WantedRevenue,
    wrong: list[str],
    note: str = "",
    status: int = 200,
) -> Response[str]:
    user, role = request.user, console.role(request.user)
    hidden = is_withheld(console, user)
    sealed = None if hidden else seal_of(console, wanted)
    view = None if sealed is None else _view(console, user, wanted)
    now = [] if hidden or view is not None else reports_now(console, wanted)
    total = now[0].total if now else None
    return page(
        request,
        console,
        "revenue/pages/sealed.html",
        status,
        wanted=wanted,
        asked=_asked(wanted),
        days=_days(wanted),
        wrong=wrong,
        hidden=WITHHELD if hidden else "",
        view=view,
        total=total,
        lacks=tuple(dict.fromkeys(why for line in now[0].lines for why in line.lacks)) if now else (),
        why_not=why_not(console, wanted, now) if now else "",
        seen=mark_of(now),
        seals=() if hidden else seals_of(console, LISTED),
        listed=LISTED,
        exports=role.exports,
        note=note,
        names=NAMES,
        called=figure_title,
        told=told,
        difference=difference,
        address=address,
        zone=places_of(console.records).zone,
    )


def _file(
    request: UserRequest,
    console: Console,
    day: str,
    period: str,
    form: str,
    make: Callable[[Seal, list[RevenueReport]], bytes],
) -> Response[bytes]:
    """The file of a seal; the log keeps that it left."""
    user, about = request.user, f"sealed revenue {day} {period}".rstrip()
    role = console.role(user)
    console.require(role.reads_revenue and role.exports, user, "export", about, "exports no revenue")
    wanted, wrong = _wanted(console, day, period)
    if wrong:
        raise Refused("; ".join(wrong))
    sealed = _require_seal(console, user, wanted)
    made = make(sealed, reports_of(sealed_of(console.desk, sealed), wanted.day))
    return export_file(console, user, about, made, f"sealed-{_days(wanted)}.{form}")


@get("/revenue/sealed.csv", sync_to_thread=True)
def sealed_csv(
    request: UserRequest, console: ThisConsole, day: Word = "", period: Word = ""
) -> Response[bytes]:
    """The figures as they were sealed, as CSV."""
    return _file(request, console, day, period, "csv", lambda _, held: as_csv(held[0]).encode())


@get("/revenue/sealed.xlsx", sync_to_thread=True)
def sealed_workbook(
    request: UserRequest, console: ThisConsole, day: Word = "", period: Word = ""
) -> Response[bytes]:
    """The figures as they were sealed, as a workbook with a sheet for each division."""
    return _file(request, console, day, period, "xlsx", lambda _, held: as_workbook(held))


@get("/revenue/sealed.pdf", sync_to_thread=True)
def sealed_print(
    request: UserRequest, console: ThisConsole, day: Word = "", period: Word = ""
) -> Response[bytes]:
    """The figures as they were sealed, as PDF."""
    return _file(request, console, day, period, "pdf", lambda made, held: as_pdf(held[0], None, made))


HANDLERS = (
    sealed_page, seal_by_form, read_sealed, seal_by_program, sealed_csv, sealed_workbook, sealed_print,
)  # fmt: skip
