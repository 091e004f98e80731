"""Health: the parts behind the console, those who watch, and the sensors of each table."""

from __future__ import annotations

import datetime as dt
import logging
from collections import Counter
from collections.abc import Sequence

from litestar import Response, get
from litestar.datastructures import State as AppState
from litestar.di import NamedDependency

from dashboards.health.clocks import AT_LEAST as TURNS
from dashboards.health.clocks import LATEST, OFF
from dashboards.health.failures import LOOKED_BACK as FAILURES_BACK
from dashboards.health.failures import Failure, still_going
from dashboards.health.sensor_reading import LOOKED_BACK, SensorReading, Sensors
from dashboards.health.sensors import AT_LEAST, BETWEEN, IN_ROUND, PAUSES, SHORTEST, Watched, names_of
from dashboards.ledger.holding import REMEDY
from dashboards.web.console import Console, UserRequest
from dashboards.web.looks import note_look_at_health
from dashboards.web.rendering import page
from dashboards.web.vitals import State, Vital
from dashboards.wording.times import in_utc
from schemas.amounts import amount

BEHIND = dt.timedelta(seconds=10)  # a table's newest event may be so old before it is said
MANY_SLOW = 20  # viewers cut off since the start: one is a bad link, so many are a bad network or browser

_log = logging.getLogger("catwalk.console")


@get("/status", sync_to_thread=True)
def status(request: UserRequest, console: NamedDependency[Console]) -> Response[str]:
    """How everything is now."""
    reading = reading_for(request, console)
    tables, newest = reading.tables, reading.newest
    return page(
        request,
        console,
        "health/status.html",
        vitals=vitals_of(request.app.state, console, tables),
        tables=tables,
        names=names_of(tables),
        newest=newest,
        old=newest is not None
        and console.at_tables() - newest > BEHIND * (1 if console.play is None else console.play.speed),
        unreadable=reading.trouble,
        failures=reading.failures,
        failures_back=FAILURES_BACK,
        looked_back=LOOKED_BACK,
        rule=_RULE,
    )


def reading_for(request: UserRequest, console: Console) -> SensorReading:
    """What the sensors say, without tables that are withheld from the user; the look is kept first.

    Raises:
        PermissionDeniedException: the role does not read the health page.
    """
    user = request.user
    console.require(console.role(user).reads_health, user, "page", "health", "does not read the health page")
    note_look_at_health(console, user)
    sensors: Sensors = request.app.state.setdefault("sensors", Sensors(console.records, console.at_tables))
    reading, hidden = sensors.read(), console.desk.hidden_from(user.name, "table")
    return reading._replace(
        tables=tuple(table for table in reading.tables if table.subject not in hidden),
        failures=tuple(
            part for one in reading.failures if one.table not in hidden for part in _now(console, one)
        ),
    )


def _now(console: Console, failure: Failure) -> tuple[Failure, ...]:
    """The stretch with what was counted by now and the parts that failed with it, as far as the store says."""
    if not failure.goes_on:
        return (failure,)
    try:
        return still_going(failure, console.states.now(failure.table).table)
    except Exception as error:  # a store that is away is what the page is there to say
        _log.info("what %s lost at %s is not known: %s", failure.device, failure.table, error)
        return (failure,)


def vitals_of(state: AppState, console: Console, tables: Sequence[Watched]) -> tuple[Vital, ...]:
    """How each part is: the desk, the viewers, what is measured outside of the console, and the sensors."""
    return (
        desk_vital(console, state.failed),
        viewers_vital(len(state.viewers), console.most_viewers, state.hub.cut_off),
        *console.vitals(),
        *(sensor_vitals(tables) if tables else ()),
    )


def desk_vital(console: Console, failed: str | None) -> Vital:
    """How the desk is; `failed` says why its ledger cannot be read."""
    desk = console.desk
    if desk.alarm is not None:
        told = f"ALARM, read-only since {in_utc(desk.alarm.at)}: {desk.alarm.why}"
        return Vital("Desk", "failed", told, REMEDY)
    if failed is not None:
        return Vital("Desk", "failed", failed, "alerts may be missing: see the server's log")
    told = f"records: {desk.records:,}; last change: {desk.seq:,}"
    if desk.memory_trouble is not None:
        told += f"; what is appended is not remembered outside of the ledger: {desk.memory_trouble}"
        remedy = (
            "see that the folder of the users can be written: until then a restart would not notice a cut"
        )
        return Vital("Desk", "warning", told, remedy)
    return Vital("Desk", "well", told)


def viewers_vital(viewers: int, most: int, cut_off: int) -> Vital:
    """Who watches the live alerts, and how many of them could not keep up."""
    told = f"{viewers:,} of at most {most:,}; {cut_off:,} cut off as too slow since the start"
    if viewers >= most:
        return Vital("Viewers", "warning", told, "no further viewer is let in: start another console")
    if cut_off >= MANY_SLOW:
        remedy = "each goes on where it was; look at the network, or at browsers that are too slow"
        return Vital("Viewers", "warning", told, remedy)
    return Vital("Viewers", "well", told)


def sensor_vitals(tables: Sequence[Watched]) -> tuple[Vital, ...]:
    """The floor's sensors in two sentences: who is silent, and whose clock is off."""
    sensors = [sensor for table in tables for sensor in table.sensors]
    dead = [table.subject for table in tables if table.cut_off]
    doubt = sum(table.in_doubt for table in tables)
    silent = sum(table.silent for table in tables)
    told = f"{silent:,} of {len(sensors):,} silent while their table speaks"
    told += f"; {_tables(dead)} silent as a whole"
    told += f"; {doubt:,} far behind, not watched for long enough to say" if doubt else ""
    remedy = "look at the gateway, its power and its network" if dead else "look at the device and its line"
    state: State = "failed" if dead else "warning" if silent or doubt else "well"
    standing = Counter(sensor.clock.standing for sensor in sensors)
    off = f"{standing['off']:,} more than {OFF:g} s off, {standing['well']:,} within"
    off += f", {standing['not known']:,} not known"
    wrong = bool(standing["off"]) or not standing["well"]
    set_it = "set it by the time server, and have it noted"
    set_it = set_it if standing["off"] else "nothing says it yet: wait for play"
    return (
        Vital("Sensors", state, told, "" if state == "well" else remedy),
        Vital("Clocks", "warning" if wrong else "well", off, set_it if wrong else ""),
    )


def _tables(dead: Sequence[str]) -> str:
    if not dead:
        return "no table"
    return amount(len(dead), "table") if len(dead) > 3 else f"table {', '.join(dead)}"


_RULE = {
    "pauses": PAUSES,
    "shortest": int(SHORTEST.total_seconds()),
    "at_least": AT_LEAST,
    "in_round": int(IN_ROUND.total_seconds()),
    "between": int(BETWEEN.total_seconds()),
    "off": f"{OFF:g}",
    "turns": TURNS,
    "latest": f"{LATEST:,}",
}
HANDLERS = (status,)
