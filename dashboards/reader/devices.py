"""Devices that fall silent or lose words: what was found of them, and the rounds that could not be decided since."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from msgspec import Struct

from dashboards.reader.question import MOMENT, Question, columns, stored

MOST = 2_000
_SINCE = f"decided_at >= {{since:{MOMENT}}}"
_ONE = "({subject:String} = '' OR subject = {subject:String})"


class DeviceFindingRow(Struct, frozen=True):
    """A finding about a device; `record` is its whole line as JSON."""

    subject: str
    sequence: int
    decided_at: dt.datetime
    record: str


class UndecidedRow(Struct, frozen=True):
    """A round that something missing leaves undecided."""

    subject: str
    last_sequence: int


class BegunRow(Struct, frozen=True):
    """When an event happened."""

    subject: str
    sequence: int
    time: dt.datetime


def found(since: dt.datetime, subject: str = "") -> Question[DeviceFindingRow]:
    """What was found of the devices of one table, or of all; the last ones in the order of their events."""
    sql = f"""
        SELECT {columns(DeviceFindingRow)} FROM (
            SELECT {columns(DeviceFindingRow)} FROM findings FINAL
            WHERE check_id = 'integrity.device' AND {_SINCE} AND {_ONE}
            ORDER BY decided_at DESC, subject, sequence DESC LIMIT {{most:UInt32}}
        ) ORDER BY subject, sequence
    """
    return Question(DeviceFindingRow, sql, {"since": since, "subject": subject, "most": MOST})


def undecided(since: dt.datetime, subject: str = "") -> Question[UndecidedRow]:
    """The rounds that could not be decided, of one table or of all."""
    rest = f"WHERE status = 'indeterminate' AND {_SINCE} AND {_ONE} ORDER BY subject, last_sequence"
    return stored(UndecidedRow, "rounds", rest, {"since": since, "subject": subject})


def begun(events: Iterable[tuple[str, int]]) -> Question[BegunRow]:
    """When these events happened, each a table and a sequence."""
    rest = "WHERE (subject, sequence) IN {events:Array(Tuple(String, UInt32))}"
    return stored(BegunRow, "events", rest, {"events": tuple(dict.fromkeys(events))})
