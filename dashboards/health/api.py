"""Health as JSON: the parts behind the console, and which sensors of each table have fallen silent."""

from __future__ import annotations

import datetime as dt

from litestar import get
from litestar.di import NamedDependency
from msgspec import Struct

from dashboards.health.page import reading_for, vitals_of
from dashboards.web.console import Console, UserRequest
from dashboards.web.vitals import Vital
from dashboards.wording.copying import copied


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


class FailureView(Struct, frozen=True, kw_only=True):
    """A stretch in which a device was silent or lost words: from event `since`, found `at`, over at event `until`.

    `words_lost` are those known to be lost, `rounds` those that lack them.
    """

    table: str
    device: str
    words: str
    state: str
    since: int
    since_at: dt.datetime
    at: dt.datetime
    until: int | None
    over_at: dt.datetime | None
    words_lost: int
    rounds: int


class Health(Struct, frozen=True, kw_only=True):
    """How everything is now; `newest` is the newest event, `unreadable` why the tables cannot be said."""

    parts: tuple[Vital, ...]
    tables: tuple[TableHealth, ...]
    newest: dt.datetime | None
    unreadable: str | None
    failures: tuple[FailureView, ...]


@get("/api/status", sync_to_thread=True)
def read_status(request: UserRequest, console: NamedDependency[Console]) -> Health:
    """How everything is now, without tables that are withheld."""
    reading = reading_for(request, console)
    return Health(
        parts=vitals_of(request.app.state, console, reading.tables),
        tables=tuple(
            TableHealth(
                table=table.subject,
                silent=table.silent,
                sensors=tuple(copied(SensorView, one) for one in table.sensors),
            )
            for table in reading.tables
        ),
        newest=reading.newest,
        unreadable=reading.trouble,
        failures=tuple(copied(FailureView, one) for one in reading.failures),
    )


HANDLERS = (read_status,)
