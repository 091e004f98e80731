"""Health as JSON: the parts behind the console, and which sensors of each table have fallen silent."""

from __future__ import annotations

import datetime as dt

from litestar import get
from litestar.di import NamedDependency
from msgspec import Struct

from dashboards.health.page import desk_vital, sensor_vitals, viewers_vital
from dashboards.health.sensor_reading import Sensors
from dashboards.web.console import Console, UserRequest
from dashboards.web.looks import note_look_at_health
from dashboards.web.vitals import Vital


class SensorView(Struct, frozen=True, kw_only=True):
    """One device of a table: its last event, and whether it speaks."""

    source: str
    last: dt.datetime
    silence: str


class TableHealth(Struct, frozen=True, kw_only=True):
    """The sensors of one table."""

    table: str
    silent: int
    sensors: tuple[SensorView, ...]


class Health(Struct, frozen=True, kw_only=True):
    """How everything is now; `newest` is the newest event, `unreadable` why the tables cannot be said."""

    parts: tuple[Vital, ...]
    tables: tuple[TableHealth, ...]
    newest: dt.datetime | None
    unreadable: str | None


@get("/api/status", sync_to_thread=True)
def read_status(request: UserRequest, console: NamedDependency[Console]) -> Health:
    """How everything is now, without tables that are withheld."""
    user, state = request.user, request.app.state
    console.require(console.role(user).reads_health, user, "page", "health", "does not read the health page")
    note_look_at_health(console, user)
    sensors: Sensors = state.setdefault("sensors", Sensors(console.records, console.clock))
    reading = sensors.read()
    hidden = {value for kind, value in console.desk.withheld_from(user.name) if kind == "table"}
    tables = tuple(table for table in reading.tables if table.subject not in hidden)
    return Health(
        parts=(
            desk_vital(console, state.failed),
            viewers_vital(len(state.viewers), console.most_viewers, state.hub.cut_off),
            *console.vitals(),
            *(sensor_vitals(tables) if tables else ()),
        ),
        tables=tuple(
            TableHealth(
                table=table.subject,
                silent=table.silent,
                sensors=tuple(
                    SensorView(source=one.source, last=one.last, silence=one.silence) for one in table.sensors
                ),
            )
            for table in tables
        ),
        newest=reading.newest,
        unreadable=reading.trouble,
    )


HANDLERS = (read_status,)
