"""What other readings of the text change: dollars by reading for some gaming days, and the stakes behind each."""

from __future__ import annotations

from typing import Annotated, Final
from urllib.parse import urlencode

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import QueryParameter

from dashboards.replayer.readings_port import Rival, RivalDues
from dashboards.restitution.owed_page import SHOWN
from dashboards.restitution.rivals import (
    NOT_WORKED_OUT,
    OF_STAKES,
    RIVALS,
    rival_lines,
    rival_readings,
    rounds_of_days,
)
from dashboards.restitution.rulings import NOT_SHOWN
from dashboards.revenue.books import places_of
from dashboards.revenue.opened import address
from dashboards.revenue.pages.page import PERIOD_NAMES, Word, look
from dashboards.revenue.wanted import WantedRevenue
from dashboards.web.console import Console, ThisConsole, UserRequest
from dashboards.web.rendering import page
from dashboards.wording.settlements import stake_name
from processors.games.readings import READINGS

A_SECOND: Final = (
    100  # rounds that are read again by all readings: measured, 90 on one core that others shared
)
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


@get("/revenue/readings", sync_to_thread=True)
def readings_page(request: UserRequest, console: ThisConsole, work: Worked = "") -> Response[str]:
    """What each reading changes by which stakes were due otherwise; it is worked out where that is asked for."""
    wanted, wrong = _asked(request, console, "other readings of revenue")
    withheld = console.desk.withheld_from(request.user.name)
    rounds = len(rounds_of_days(console.records, wanted.first, wanted.day, withheld))
    made = None
    if work == "yes":
        made = rival_readings(wanted.first, wanted.day, rounds, _reread(request, console, wanted, RIVALS))
    return page(
        request,
        console,
        "restitution/readings.html",
        wanted=wanted,
        wrong=wrong,
        rounds=rounds,
        seconds=max(1, round(rounds / A_SECOND)),
        made=made,
        worked_out=OF_STAKES,
        not_worked_out=NOT_WORKED_OUT,
        periods=PERIOD_NAMES,
        address=address,
    )


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
    rival = (place, policy)
    dues = _reread(request, console, wanted, (rival,))
    made = rival_readings(wanted.first, wanted.day, 0, dues).readings
    lines = rival_lines(console.records, dues[rival])
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
        every=len(lines),
        lines=lines[:SHOWN],
        player=lambda row: NOT_SHOWN if row.patron in hidden else row.patron,
        address=address,
        stake_name=stake_name,
        zone=places_of(console.records).zone,
    )


HANDLERS = (readings_page, reading_lines)
