"""Pages of the shift: what happened and the handover of it, its PDF, and how alerts fall over hours and days."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.params import QueryParameter, URLEncodedBody
from litestar.response import Redirect
from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.desk.decisions import Refused
from dashboards.disputes.forms import moment_of
from dashboards.drawing.palette import CONTRAST, DARK, LIGHT, Palette
from dashboards.ledger.shift_acts import Words as Note
from dashboards.shift.figures import LONGEST, ShiftFigures, raised_between
from dashboards.shift.handing import (
    HandOver,
    TakeOver,
    WithdrawHandover,
    begun,
    figures_for,
    hand_over,
    handovers,
    must_hand_over,
    must_read_shifts,
    take_over,
    withdraw,
)
from dashboards.shift.heat import BYS, By, Heat, draw_days, draw_heat, heat_of
from dashboards.shift.shift_report import shift_report
from dashboards.web.console import Console, ThisConsole, UserRequest
from dashboards.web.exports import export_file
from dashboards.web.gate import require_csrf
from dashboards.web.rendering import page, theme_of, zone_of_table
from schemas.amounts import amount

Typed = Annotated[str, QueryParameter(max_length=64)]
PALETTES: dict[str, Palette] = {"dark": DARK, "light": LIGHT, "contrast": CONTRAST}
_WEEK = dt.timedelta(days=7)


class ShiftForm(Struct, frozen=True, kw_only=True):
    """A form of the page; which fields count, `act` says."""

    csrf: str = ""
    act: str = ""
    since: str = ""
    note: str = ""
    shift: str = ""
    remark: str = ""


class Span(Struct, frozen=True):
    """From a moment to before another, and the table whose clock tells them; `wrong` says what was not understood."""

    since: dt.datetime
    until: dt.datetime
    table: str
    zone: dt.tzinfo
    wrong: str = ""


def table_of_property(console: Console) -> str:
    """The table whose clock a page about the whole floor goes by: the first there is; empty where there is none."""
    try:
        return next(iter(console.states.names()), "")
    except Exception:  # whatever the store raises: the page stands, in UTC
        return ""


def shift_asked(console: Console, since: str, until: str) -> Span:
    """The shift that was asked for; else the one that waits to be taken over, or the one that goes on."""
    waiting = console.desk.look(lambda state: state.handovers.waiting)
    if waiting is None or since.strip() or until.strip():
        return span_asked(console, since, until, begun(console))
    table = table_of_property(console)
    return Span(waiting.since, waiting.until, table, zone_of_table(console, table))


def span_asked(console: Console, since: str, until: str, usual: dt.datetime) -> Span:
    """The time that was asked for, by the property's clock; `usual` is when it begins where nothing was said."""
    table = table_of_property(console)
    zone, now = zone_of_table(console, table), console.clock()
    begin, end, wrong = usual, now, ""
    try:
        begin = moment_of(since, zone, "From") or usual
        end = moment_of(until, zone, "To") or now
        if end < begin:
            raise Refused("To lies before From")
        if end - begin > LONGEST:
            raise Refused(f"{LONGEST.days} days are the most that are counted at once")
    except (Refused, OverflowError) as error:
        wrong = error.why if isinstance(error, Refused) else "From or To is no time that there was"
        begin, end = usual, now
    return Span(begin, end, table, zone, wrong)


@get("/shift", sync_to_thread=True)
def shift_page(
    request: UserRequest, console: ThisConsole, since: Typed = "", until: Typed = ""
) -> Response[str]:
    """What happened in the shift that goes on, or between two moments, and who hands over to whom."""
    must_read_shifts(console, request.user, "shift")
    return _shown(request, console, since, until)


@post("/shift", form=True, sync_to_thread=True)
def act(request: UserRequest, console: ThisConsole, data: URLEncodedBody[ShiftForm]) -> Response[Any]:
    """Hand over, take over or withdraw; what is refused is said on the page, which keeps what was written."""
    user = request.user
    require_csrf(user, data.csrf)
    must_hand_over(console, user, f"{data.act[:20]} shift")
    try:
        _do(console, user, data)
    except Refused as error:
        return _shown(request, console, data.since, "", data, error.why, 422)
    return Redirect("/shift", status_code=303)


def _do(console: Console, user: User, form: ShiftForm) -> None:
    try:
        match form.act:
            case "hand_over":
                since = span_asked(console, form.since, "", begun(console))
                if since.wrong:
                    raise Refused(since.wrong)
                note = msgspec.convert(form.note.strip(), Note)
                hand_over(
                    console, user, HandOver(note=note, since=since.since if form.since.strip() else None)
                )
            case "take_over":
                wish = msgspec.convert({"shift": form.shift, "remark": form.remark.strip()}, TakeOver)
                take_over(console, user, wish)
            case "withdraw":
                withdraw(console, user, msgspec.convert({"shift": form.shift}, WithdrawHandover))
            case _:
                raise Refused("the form says nothing that is done to a shift")
    except msgspec.ValidationError as error:
        raise Refused("the note is missing" if form.act == "hand_over" else "a field is missing") from error


@get("/shift.pdf", sync_to_thread=True)
def shift_pdf(
    request: UserRequest, console: ThisConsole, since: Typed = "", until: Typed = ""
) -> Response[bytes]:
    """The shift as PDF; that it left is kept with its SHA-256."""
    user, about = request.user, "shift report"
    must_read_shifts(console, user, about)
    console.require(console.role(user).exports, user, "export", about, "exports no evidence")
    span = shift_asked(console, since, until)
    if span.wrong:
        raise Refused(span.wrong)
    told = figures_for(console, user, span.since, span.until)
    made = shift_report(told, handovers(console, 5), span.zone, user.name)
    about = f"{about} from {span.since:%Y-%m-%dT%H:%M:%SZ}"
    name = f"shift-{span.until.astimezone(span.zone):%Y-%m-%d-%H%M}.pdf"
    return export_file(console, user, about, made, name)


@get("/shift/trends", sync_to_thread=True)
def trends_page(
    request: UserRequest, console: ThisConsole, by: Typed = "table", since: Typed = "", until: Typed = ""
) -> Response[str]:
    """Alerts by hour of the day and table, dealer or check, and by day; a week unless it is asked for otherwise."""
    user = request.user
    must_read_shifts(console, user, "trends")
    chosen: By = next((one for one in BYS if one == by), "table")
    span = span_asked(console, since, until, console.clock() - _WEEK)
    heat = heat_for(console, user, span, chosen)
    console.note(user.name, "page", f"trends of {amount(heat.total, 'alert')} by {chosen}")
    palette = PALETTES.get(theme_of(request), DARK)
    return page(
        request,
        console,
        "shift/trends.html",
        422 if span.wrong else 200,
        heat=heat,
        drawn=draw_heat(heat, palette) if heat.total else "",
        days=draw_days(heat, palette) if heat.total else "",
        by=chosen,
        bys=BYS,
        span=span,
        local=_local(span.zone),
    )


def heat_for(console: Console, user: User, span: Span, by: By) -> Heat:
    """The alerts of a time, as far as they are there for a user, by hour and one of their fields."""
    theirs = (one for one in raised_between(console.desk, span.since, span.until) if console.sees(user, one))
    return heat_of(theirs, by, span.zone, span.since, span.until)


def _shown(
    request: UserRequest,
    console: Console,
    since: str,
    until: str,
    typed: ShiftForm | None = None,
    refused: str = "",
    status: int = 200,
) -> Response[str]:
    user = request.user
    span = shift_asked(console, since, until)
    told: ShiftFigures = figures_for(console, user, span.since, span.until)
    console.note(user.name, "page", f"shift, {amount(told.open_in_all, 'open alert')}")
    made = handovers(console)
    return page(
        request,
        console,
        "shift/shift.html",
        422 if span.wrong and status == 200 else status,
        told=told,
        span=span,
        made=made,
        waiting=made[0] if made and made[0].waits else None,
        typed=typed or ShiftForm(),
        refused=refused,
        local=_local(span.zone),
        asked={"since": since, "until": until},
    )


def _local(zone: dt.tzinfo) -> Any:
    return lambda at: f"{at.astimezone(zone):%Y-%m-%dT%H:%M}"


HANDLERS = (shift_page, act, shift_pdf, trends_page)
