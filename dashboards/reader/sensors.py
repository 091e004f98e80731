"""What sensors said lately: each device of each table by its own record, its clock, and the faults of records."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from msgspec import Struct

from dashboards.reader.question import MOMENT, Parameter, Question, columns

OF_ONE_DEVICE = (
    "integrity.clock",
)  # its last event is of the device at fault; a gap is of none in particular
_SINCE = f"time >= {{since:{MOMENT}}}"
_SCENES = ("table_opened", "table_idle", "table_closed", "round_started", "round_ended")
# The last records of each table by its chain: by their times those of a clock that is far off would not be found.
_LATEST = (
    f"{_SINCE} AND sequence + toUInt64({{most:UInt32}})"
    " > transform(subject, {tables:Array(String)}, {last:Array(UInt32)}, toUInt32(4294967295))"
)
_MICROS = "toUnixTimestamp64Micro(time)"
_STEP = f"({_MICROS} - lagInFrame({_MICROS}) OVER chain) / 1e6"
_CHAIN = "WINDOW chain AS (PARTITION BY subject ORDER BY sequence ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)"
_PROMPT = 0.1  # of the steps between devices, and of the ways to the recorder: one odd event decides nothing


class NewestRow(Struct, frozen=True):
    """Time of the newest event of the store; of 1970 where there is none."""

    newest: dt.datetime


_NEWEST = columns(NewestRow, newest="max(time)")


class DeviceRow(Struct, frozen=True):
    """One device at one table: the number of its events since a time, and the times of the first and the last."""

    subject: str
    source: str
    events: int
    first: dt.datetime
    last: dt.datetime


class SeenTableRow(Struct, frozen=True):
    """A table's last record since a time; `scene` is the last event that says whether it plays, or empty."""

    subject: str
    sequence: int
    last: dt.datetime
    scene: str


class ClockRow(Struct, frozen=True):
    """A device's last events; `ahead` is event time less arrival of the promptest of them, in seconds.

    It is of the `arrived` ones alone, those that bear the recorder's time, and None where none does.
    """

    subject: str
    source: str
    events: int
    first: dt.datetime
    last: dt.datetime
    arrived: int
    ahead: float | None


class TurnRow(Struct, frozen=True):
    """Records of one device chained right behind another's; `step` is the shortest way forward in time, in seconds."""

    subject: str
    before: str
    after: str
    turns: int
    step: float


class PauseRow(Struct, frozen=True):
    """The usual pause between two records of a table, in seconds: half of them are shorter."""

    subject: str
    steps: int
    usual: float


class FaultRow(Struct, frozen=True):
    """Faults of one kind in a table's records since a time; `source` is empty where no device is named."""

    subject: str
    source: str
    check: str
    count: int
    last: dt.datetime


def newest() -> Question[NewestRow]:
    """When the newest event happened."""
    return Question(NewestRow, f"SELECT {_NEWEST} FROM events")


def newest_until(until: dt.datetime, since: dt.datetime) -> Question[NewestRow]:
    """... of those between these times: an event of tomorrow says how a clock stands and not how late it is."""
    sql = f"SELECT {_NEWEST} FROM events WHERE {_SINCE} AND time <= {{until:{MOMENT}}}"
    return Question(NewestRow, sql, {"since": since, "until": until})


def devices(since: dt.datetime) -> Question[DeviceRow]:
    """Every device that said something since."""
    told = columns(DeviceRow, events="toUInt64(uniqExact(sequence))", first="min(time)", last="max(time)")
    sql = f"SELECT {told} FROM events WHERE {_SINCE} GROUP BY subject, source ORDER BY subject, source"
    return Question(DeviceRow, sql, {"since": since})


def tables(since: dt.datetime) -> Question[SeenTableRow]:
    """Every table of which something was recorded since, and whether it plays."""
    told = columns(
        SeenTableRow,
        sequence="max(sequence)",
        last="argMax(time, sequence)",
        scene="argMaxIf(type, sequence, has({scenes:Array(String)}, type))",
    )
    sql = f"SELECT {told} FROM events WHERE {_SINCE} GROUP BY subject ORDER BY subject"
    return Question(SeenTableRow, sql, {"since": since, "scenes": _SCENES})


def clocks(last: Mapping[str, int], most: int, since: dt.datetime) -> Question[ClockRow]:
    """Devices in the last records of each table, whose last sequences are given."""
    told = columns(
        ClockRow,
        events="toUInt64(uniqExact(sequence))",
        first="min(time)",
        last="max(time)",
        arrived="toUInt64(count(ahead))",
        ahead=f"quantileExactOrNull({1 - _PROMPT})(ahead)",
    )
    # `time` is the one by which an event counts: where a clock is far off the recorder's. The line has the clock's own.
    arrival, said = (
        f"parseDateTime64BestEffortOrNull(JSONExtractString(line, '{name}'), 6, 'UTC')"
        for name in ("recordedtime", "time")
    )
    sql = f"""
        SELECT {told}
        FROM (SELECT subject, source, sequence, time,
                     (toUnixTimestamp64Micro({said}) - toUnixTimestamp64Micro({arrival})) / 1e6 AS ahead
              FROM events WHERE {_LATEST})
        GROUP BY subject, source ORDER BY subject, source
    """
    return Question(ClockRow, sql, _latest(last, most, since))


def pauses(last: Mapping[str, int], most: int, since: dt.datetime) -> Question[PauseRow]:
    """How long each table usually pauses, by its last records."""
    sql = f"""
        SELECT {columns(PauseRow, steps="toUInt64(count())", usual="quantileExact(0.5)(step)")}
        FROM (SELECT subject, {_STEP} AS step, lagInFrame(source) OVER chain AS before
              FROM events WHERE {_LATEST} {_CHAIN})
        WHERE before != '' GROUP BY subject ORDER BY subject
    """
    return Question(PauseRow, sql, _latest(last, most, since))


def turns(last: Mapping[str, int], most: int, since: dt.datetime) -> Question[TurnRow]:
    """Which device's records stand behind which other's in the last records of each table."""
    sql = f"""
        SELECT {columns(TurnRow, turns="toUInt64(count())", step=f"quantileExact({_PROMPT})(step)")}
        FROM (SELECT subject, source AS after, lagInFrame(source) OVER chain AS before, {_STEP} AS step
              FROM events WHERE {_LATEST} {_CHAIN})
        WHERE before != '' AND before != after
        GROUP BY subject, before, after ORDER BY subject, before, after
    """
    return Question(TurnRow, sql, _latest(last, most, since))


def faults(since: dt.datetime) -> Question[FaultRow]:
    """Gaps, duplicates, clocks that went back, lines nobody could read: what `integrity` checks found since."""
    found = (
        "SELECT subject, check_id, finding_id, decided_at,"
        " if(has({own:Array(String)}, check_id), arrayElement(sequences, -1), 0) AS sequence FROM findings"
        f" WHERE decided_at >= {{since:{MOMENT}}} AND startsWith(check_id, 'integrity.')"
    )
    told = columns(
        FaultRow,
        subject="f.subject",
        source="any_source",
        check="f.check_id",
        count="toUInt64(uniqExact(f.finding_id))",
        last="max(f.decided_at)",
    )
    sql = f"""
        SELECT {told}
        FROM ({found}) AS f
        LEFT JOIN (SELECT subject, sequence, toString(any(source)) AS any_source FROM events
                   WHERE (subject, sequence) IN (SELECT subject, sequence FROM ({found}) WHERE sequence > 0)
                   GROUP BY subject, sequence) AS e
        ON e.subject = f.subject AND e.sequence = f.sequence
        GROUP BY f.subject, any_source, f.check_id ORDER BY f.subject, any_source, f.check_id
    """
    return Question(FaultRow, sql, {"since": since, "own": OF_ONE_DEVICE})


def _latest(last: Mapping[str, int], most: int, since: dt.datetime) -> dict[str, Parameter]:
    return {"tables": tuple(last), "last": tuple(last.values()), "most": most, "since": since}
