"""What sensors said lately: each device of each table by its own record, and the faults of records."""

from __future__ import annotations

import datetime as dt

from msgspec import Struct

from dashboards.reader.question import Question

_MOMENT = "DateTime64(6, 'UTC')"


class NewestRow(Struct, frozen=True):
    """Time of the newest event of the store; of 1970 where there is none."""

    newest: dt.datetime


class DeviceRow(Struct, frozen=True):
    """One device at one table: how many events of it there are since the time asked for, and between which times."""

    subject: str
    source: str
    events: int
    first: dt.datetime
    last: dt.datetime


class FaultRow(Struct, frozen=True):
    """Faults of one kind in the records of one table since the time asked for."""

    subject: str
    check: str
    count: int
    last: dt.datetime


def newest() -> Question[NewestRow]:
    """When the newest event happened."""
    return Question(NewestRow, "SELECT max(time) FROM events")


def devices(since: dt.datetime) -> Question[DeviceRow]:
    """Every device that said something since."""
    sql = (
        "SELECT subject, source, toUInt64(uniqExact(sequence)), min(time), max(time) FROM events"
        f" WHERE time >= {{since:{_MOMENT}}} GROUP BY subject, source ORDER BY subject, source"
    )
    return Question(DeviceRow, sql, {"since": since})


def faults(since: dt.datetime) -> Question[FaultRow]:
    """Gaps, duplicates, clocks that went back, lines nobody could read: what `integrity` checks found since."""
    sql = (
        "SELECT subject, check_id, toUInt64(uniqExact(finding_id)), max(decided_at) FROM findings"
        f" WHERE decided_at >= {{since:{_MOMENT}}} AND startsWith(check_id, 'integrity.')"
        " GROUP BY subject, check_id ORDER BY subject, check_id"
    )
    return Question(FaultRow, sql, {"since": since})
