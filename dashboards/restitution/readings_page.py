"""What other readings of the text change: dollars by reading for some gaming days, and the stakes behind each."""

from __future__ import annotations

from typing import Annotated, Final
from urllib.parse import urlencode

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import QueryParameter

from dashboards.replayer.readings_port import Rival, RivalDues
from dashboards.restitution.claims import NOT_SHOWN
from dashboards.restitution.kept_rereading import RereadingBusy
from dashboards.restitution.owed_page import SHOWN
from dashboards.restitution.rivals import (
    NOT_WORKED_OUT,
    OF_STAKES,
    RIVALS,
    RivalReadings,
    count_of_days,
    rival_lines,
    rival_readings,
    rounds_of_days,
)
from dashboards.revenue.books import places_of
from dashboards.revenue.filing.line import FILED
from dashboards.revenue.opened import address
from dashboards.revenue.pages.page import PERIOD_NAMES, Word, look
from dashboards.revenue.wanted import WantedRevenue
from dashboards.web.console import Console, ThisConsole, UserRequest
from dashboards.web.rendering import page
from dashboards.wording.settlements import stake_name
from processors.games.readings import READINGS

A_SECOND: Final = 90  # rounds that are read again by all readings: measured on one core that others shared
AT_MOST: Final = 5_000  # rounds that a page works out: a minute, and behind it nobody else's are worked out
AGAIN_SECONDS: Final = 10  # until somebody who was told to wait may try again
Worked = Annotated[str, QueryParameter(max_length=3)]


def _asked(request: UserRequest, console: Console, what: str) -> tuple[WantedRevenue, list[str]]:
    """The days of an address; the look is kept, and who may not look is refused, before the store is asked."""
    asked = {name: str(request.query_params.get(name, ""))[:64] for name in ("day", "period")}
    return look(request, console, what, asked)


def _reread(
    request: UserRequest, console: Console, wanted: WantedRevenue, rivals: tuple[Rival, ...]
) -> RivalDues:
    """What the rivals change in the rounds of these days that are there for this user."""
    if console.reread_rounds is None:
        raise NotFoundException("this console does not fold rounds by other readings")
    withheld = console.desk.withheld_from(request.user.name)
    rounds = rounds_of_days(console.records, wanted.first, wanted.day, withheld)
    return console.reread_rounds(
        rounds, lambda subject, sequence: console.states.before(subject, sequence).table(), rivals
    )


def _overview(
    request: UserRequest,
    console: Console,
    days: tuple[WantedRevenue, list[str]],
    rounds: int,
    made: RivalReadings | None = None,
    again: str = "",
) -> Response[str]:
    """The readings of the days, or why they are not there; `again` is where to try it when others are through."""
    wanted, wrong = days
    answer = page(
        request,
        console,
        "restitution/readings.html",
        503 if again else 200,
        wanted=wanted,
        wrong=wrong,
        rounds=rounds,
        most=AT_MOST,
        filed=FILED[wanted.period],
        seconds=max(1, round(rounds / A_SECOND)),
        made=made,
        again=again,
        worked_out=OF_STAKES,
        not_worked_out=NOT_WORKED_OUT,
        periods=PERIOD_NAMES,
        address=address,
    )
    if again:
        answer.headers["retry-after"] = str(AGAIN_SECONDS)
    return answer


def _here(request: UserRequest) -> str:
    return f"{request.url.path}?{request.url.query}"


def _count(request: UserRequest, console: Console, wanted: WantedRevenue) -> int:
    withheld = console.desk.withheld_from(request.user.name)
    return count_of_days(console.records, wanted.first, wanted.day, withheld)


@get("/revenue/readings", sync_to_thread=True)
def readings_page(request: UserRequest, console: ThisConsole, work: Worked = "") -> Response[str]:
    """What each reading changes by which stakes were due otherwise; it is worked out where that is asked for."""
    wanted, wrong = _asked(request, console, "other readings of revenue")
    rounds = _count(request, console, wanted)
    if work != "yes" or rounds > AT_MOST:
        return _overview(request, console, (wanted, wrong), rounds)
    try:
        dues = _reread(request, console, wanted, RIVALS)
    except RereadingBusy:
        return _overview(request, console, (wanted, wrong), rounds, again=_here(request))
    made = rival_readings(wanted.first, wanted.day, rounds, dues)
    return _overview(request, console, (wanted, wrong), rounds, made)


@get("/revenue/readings/lines", sync_to_thread=True)
def reading_lines(
    request: UserRequest, console: ThisConsole, place: Word = "", policy: Word = ""
) -> Response[str]:
    """The stakes whose due one reading changes."""
    wanted, wrong = _asked(
        request, console, f"stakes of another reading {urlencode({'place': place, 'policy': policy})}"
    )
    if (place, policy) not in RIVALS:
        raise NotFoundException("no stake is due otherwise by a reading of this name")
    rival, rounds = (place, policy), _count(request, console, wanted)
    if rounds > AT_MOST:
        return _overview(request, console, (wanted, wrong), rounds)
    try:
        dues = _reread(request, console, wanted, (rival,))
    except RereadingBusy:
        return _overview(request, console, (wanted, wrong), rounds, again=_here(request))
    made = rival_readings(wanted.first, wanted.day, rounds, dues).readings
    hidden = {name for kind, name in console.desk.withheld_from(request.user.name) if kind == "patron"}
    return page(
        request,
        console,
        "restitution/reading_lines.html",
        wanted=wanted,
        wrong=wrong,
        reading=READINGS[place],
        policy=policy,
        sums=made[0] if made else None,
        every=len(dues[rival]),
        lines=rival_lines(console.records, dues[rival], SHOWN),
        player=lambda row: NOT_SHOWN if row.patron in hidden else row.patron,
        address=address,
        stake_name=stake_name,
        zone=places_of(console.records).zone,
    )


HANDLERS = (readings_page, reading_lines)
