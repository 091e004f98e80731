"""The page and the JSON of tuning: figures of every check, what is tuned, and the forms that ask and confirm."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.params import JSONBody, QueryParameter, URLEncodedBody
from litestar.response import Redirect
from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.desk.alerts import Alert
from dashboards.desk.decisions import Refused
from dashboards.desk.tunings import LONGEST, Tuning
from dashboards.ledger.tuning_acts import WAYS
from dashboards.shelves.preview import DAYS, Preview, preview_of
from dashboards.shift.figures import raised_between
from dashboards.tuning.asking import TuningWish, must_read_tuning, tune, tunings_of
from dashboards.tuning.figures import CheckFigures, figures_by_check, spoken
from dashboards.web.console import Console, ThisConsole, UserRequest
from dashboards.web.gate import require_csrf
from dashboards.web.rendering import page
from schemas.amounts import amount
from schemas.check_names import current

Days = Annotated[int, QueryParameter(ge=1, le=31)]


class TuningForm(Struct, frozen=True, kw_only=True):
    """A form of the page; which fields count, `act` says."""

    csrf: str = ""
    act: str = ""
    tuning: str = ""
    check: str = ""
    way: str = ""
    minutes: str = ""
    days: str = ""
    reason: str = ""


class TuningView(Struct, frozen=True, kw_only=True):
    """Figures of the alerts raised in the last `days`, and the last tunings, the last first."""

    days: int
    checks: tuple[CheckFigures, ...]
    tunings: tuple[Tuning, ...]


@get("/tuning", sync_to_thread=True)
def tuning_page(request: UserRequest, console: ThisConsole, days: Days = 30) -> Response[str]:
    """Every check of the last days, and what is tuned."""
    must_read_tuning(console, request.user, "tuning")
    return _shown(request, console, days)


@post("/tuning", form=True, sync_to_thread=True)
def act(request: UserRequest, console: ThisConsole, data: URLEncodedBody[TuningForm]) -> Response[Any]:
    """Ask, confirm, decline or end; what is refused is said on the page, which keeps what was written."""
    require_csrf(request.user, data.csrf)
    must_read_tuning(console, request.user, f"{data.act[:20]} tuning")
    try:
        tune(console, request.user, _wish_of(data))
    except Refused as error:
        return _shown(request, console, 30, data, error.why, 422)
    return Redirect("/tuning", status_code=303)


@get("/api/tuning", sync_to_thread=True)
def read_tuning(request: UserRequest, console: ThisConsole, days: Days = 30) -> TuningView:
    """Figures per check of the alerts raised in the last days, and what is tuned."""
    must_read_tuning(console, request.user, "tuning")
    console.note(request.user.name, "record", f"tuning, {amount(days, 'day')}")
    return _view(request, console, days)


@post("/api/tuning", status_code=200, sync_to_thread=True)
def tune_by_program(request: UserRequest, console: ThisConsole, data: JSONBody[TuningWish]) -> TuningView:
    """Ask for a tuning, or confirm, decline or end one; 422 says what cannot be done."""
    tune(console, request.user, data)
    return _view(request, console, 30)


def _view(request: UserRequest, console: Console, days: int) -> TuningView:
    now = console.clock()
    raised = raised_between(console.desk, now - dt.timedelta(days=days), now + dt.timedelta(seconds=1))
    theirs = (alert for alert in raised if console.sees(request.user, alert))
    return TuningView(days=days, checks=figures_by_check(theirs), tunings=tunings_of(console))


def _would_wait(console: Console, user: User) -> dict[str, Preview]:
    """By check what a wait would have hidden in the last seven days: critical alerts never wait."""
    now = console.clock()
    raised = raised_between(console.desk, now - dt.timedelta(days=DAYS), now + dt.timedelta(seconds=1))
    held: dict[str, list[Alert]] = {}
    for one in raised:
        if one.finding.severity != "critical" and console.sees(user, one):
            held.setdefault(current(one.finding.check), []).append(one)
    return {check: preview_of(alerts) for check, alerts in held.items()}


def _wish_of(form: TuningForm) -> TuningWish:
    given = {name: value.strip() for name, value in msgspec.structs.asdict(form).items() if value.strip()}
    given.pop("csrf", None)
    try:
        wish: TuningWish = msgspec.convert(given, TuningWish, strict=False)
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at `$.")
        raise Refused(f"{path.rstrip('`') or 'the form'}: {what[:1].lower()}{what[1:]}") from error
    return wish


def _shown(
    request: UserRequest,
    console: Console,
    days: int,
    typed: TuningForm | None = None,
    refused: str = "",
    status: int = 200,
) -> Response[str]:
    told, now = _view(request, console, days), console.clock()
    would_wait = _would_wait(console, request.user)
    console.note(request.user.name, "page", f"tuning, {amount(len(told.checks), 'check')}")
    return page(
        request,
        console,
        "tuning/tuning.html",
        status,
        told=told,
        live=[one for one in told.tunings if one.in_force(now) or one.waits(now)],
        past=[one for one in told.tunings if not (one.in_force(now) or one.waits(now))],
        would_wait=would_wait,
        ways=WAYS,
        most_days=LONGEST.days,
        spoken=spoken,
        typed=typed or TuningForm(),
        refused=refused,
    )


HANDLERS = (tuning_page, act, read_tuning, tune_by_program)
