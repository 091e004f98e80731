"""The shift as JSON: its figures, its handovers, what is done to them, and alerts over hours and days."""

from __future__ import annotations

from typing import Annotated

from litestar import get, post
from litestar.exceptions import ClientException
from litestar.params import JSONBody, QueryParameter
from msgspec import Struct

from dashboards.desk.shifts import Handover
from dashboards.shift.figures import ShiftFigures
from dashboards.shift.handing import (
    HandOver,
    TakeOver,
    WithdrawHandover,
    begun,
    figures_for,
    hand_over,
    handovers,
    must_read_shifts,
    take_over,
    withdraw,
)
from dashboards.shift.heat import By, Heat
from dashboards.shift.page import heat_for, span_asked
from dashboards.web.console import Console, ThisConsole, UserRequest

Typed = Annotated[str, QueryParameter(max_length=64)]


class Shift(Struct, frozen=True, kw_only=True):
    """The figures of a shift and the last handovers, the last first."""

    figures: ShiftFigures
    handovers: tuple[Handover, ...]


@get("/api/shift", sync_to_thread=True)
def read_shift(request: UserRequest, console: ThisConsole, since: Typed = "", until: Typed = "") -> Shift:
    """The shift that goes on, or the time between two moments (ISO 8601; without an offset the property's clock)."""
    must_read_shifts(console, request.user, "shift")
    console.note(request.user.name, "record", "shift")
    return _shift(request, console, since, until)


@get("/api/shift/trends", sync_to_thread=True)
def read_trends(
    request: UserRequest,
    console: ThisConsole,
    by: Annotated[By, QueryParameter()] = "table",
    since: Typed = "",
    until: Typed = "",
) -> Heat:
    """Alerts raised by hour of the day and `table`, `dealer` or `check`; by default since the shift began."""
    must_read_shifts(console, request.user, "trends")
    console.note(request.user.name, "record", f"trends by {by}")
    span = span_asked(console, since, until, begun(console))
    if span.wrong:
        raise ClientException(span.wrong)
    return heat_for(console, request.user, span, by)


@post("/api/shift/handovers", sync_to_thread=True)
def hand_it_over(request: UserRequest, console: ThisConsole, data: JSONBody[HandOver]) -> Shift:
    """Hand over; 422 while another handover waits."""
    hand_over(console, request.user, data)
    return _shift(request, console, "", "")


@post("/api/shift/taken", status_code=200, sync_to_thread=True)
def take_it_over(request: UserRequest, console: ThisConsole, data: JSONBody[TakeOver]) -> Shift:
    """Take over what somebody else hands over; 422 where that does not wait."""
    take_over(console, request.user, data)
    return _shift(request, console, "", "")


@post("/api/shift/withdrawn", status_code=200, sync_to_thread=True)
def withdraw_it(request: UserRequest, console: ThisConsole, data: JSONBody[WithdrawHandover]) -> Shift:
    """Take one's own handover back while nobody has taken it."""
    withdraw(console, request.user, data)
    return _shift(request, console, "", "")


def _shift(request: UserRequest, console: Console, since: str, until: str) -> Shift:
    span = span_asked(console, since, until, begun(console))
    if span.wrong:
        raise ClientException(span.wrong)
    figures = figures_for(console, request.user, span.since, span.until)
    return Shift(figures=figures, handovers=handovers(console))


HANDLERS = (read_shift, read_trends, hand_it_over, take_it_over, withdraw_it)
