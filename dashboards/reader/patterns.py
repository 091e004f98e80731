"""What the store holds of patterns: suspicions, the newest first, and when each table played."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from typing import Final

import msgspec
from msgspec import Struct

from dashboards.reader.question import MOMENT, Parameter, Question, stored

MOST: Final = 500
MOST_COUNTED: Final = 20_000
_SUSPECTED: Final = "WHERE verdict = 'suspected' AND check_id LIKE 'pattern.%'"


class SuspicionRow(Struct, frozen=True):
    """One suspicion; `record` is the finding as JSON."""

    finding_id: str
    decided_at: dt.datetime
    record: str


class MonthRow(Struct, frozen=True):
    """A month of UTC in which any table ended a round, named by its first day."""

    month: dt.date


class PlayedRow(Struct, frozen=True):
    """When a table ended its first round and its last one."""

    subject: str
    first: dt.datetime
    last: dt.datetime


class HeadRow(Struct, frozen=True):
    """A round, its events, and the SHA-256 of the record with which it ended."""

    subject: str
    round: int
    first_sequence: int
    last_sequence: int
    decided_at: dt.datetime
    head: str


def heads_of(subject: str, number: int) -> Question[HeadRow]:
    """The rounds of this number: one, but where a table's record numbers two alike."""
    rest = "WHERE subject = {subject:String} AND round = {round:UInt32} ORDER BY first_sequence"
    return stored(HeadRow, "rounds", rest, {"subject": subject, "round": number})


def suspicions(most: int = MOST) -> Question[SuspicionRow]:
    """The suspicions that were raised last."""
    rest = f"{_SUSPECTED} ORDER BY decided_at DESC, finding_id LIMIT {{most:UInt32}}"
    return stored(SuspicionRow, "findings", rest, {"most": most})


def suspicions_near(
    families: Collection[str], since: dt.datetime, until: dt.datetime, table: str | None, most: int
) -> Question[SuspicionRow]:
    """The suspicions of these families that were decided from `since` on, those nearest to `until` first.

    Those decided later than `until` come after the others. With a table they are those in whose record it is named.
    """
    given: dict[str, Parameter] = {"families": tuple(sorted(families)), "since": since, "until": until}
    rest = (
        f"{_SUSPECTED} AND splitByChar('.', check_id)[2] IN {{families:Array(String)}}"
        f" AND decided_at >= {{since:{MOMENT}}}"
    )
    if table is not None:
        rest += " AND (subject = {table:String} OR position(record, {named:String}) > 0)"
        given |= {"table": table, "named": msgspec.json.encode(table).decode()}
    rest += (
        f" ORDER BY decided_at > {{until:{MOMENT}}}, abs(dateDiff('microsecond', decided_at, {{until:{MOMENT}}})),"
        " finding_id LIMIT {most:UInt32}"
    )
    return stored(SuspicionRow, "findings", rest, given | {"most": most})


def suspicion(finding_id: str) -> Question[SuspicionRow]:
    """One suspicion."""
    return stored(
        SuspicionRow, "findings", f"{_SUSPECTED} AND finding_id = {{id:String}}", {"id": finding_id}
    )


def suspicions_of(check: str, about: Mapping[str, str | int]) -> Question[SuspicionRow]:
    """The suspicions of one check about somebody, in the order of the tables and their events."""
    whom = msgspec.json.encode({"about": about}).decode()[1:-1]
    rest = (
        f"{_SUSPECTED} AND check_id = {{check:String}} AND position(record, {{whom:String}}) > 0"
        " ORDER BY subject, sequence, finding_id"
    )
    return stored(SuspicionRow, "findings", rest, {"check": check, "whom": whom})


def suspicions_naming(kind: str, name: str, most: int = MOST) -> Question[SuspicionRow]:
    """The suspicions raised last in whose record somebody is named so; of a `table`, those raised there."""
    if kind == "table":
        whose, named = "subject = {named:String}", name
    else:
        whose, named = (
            "position(record, {named:String}) > 0",
            msgspec.json.encode({kind: name}).decode()[1:-1],
        )
    rest = f"{_SUSPECTED} AND {whose} ORDER BY decided_at DESC, finding_id LIMIT {{most:UInt32}}"
    return stored(SuspicionRow, "findings", rest, {"named": named, "most": most})


def months_played(hidden: Collection[str] = ()) -> Question[MonthRow]:
    """The months in which tables ended rounds, but for those that are hidden."""
    rest = "WHERE subject NOT IN {hidden:Array(String)} GROUP BY month ORDER BY month"
    asked = {"hidden": tuple(sorted(hidden))}
    return stored(MonthRow, "rounds", rest, asked, month="toStartOfMonth(decided_at) AS month")


def tables_played(hidden: Collection[str] = ()) -> Question[PlayedRow]:
    """When each table that ended any round played, but for those that are hidden."""
    rest = "WHERE subject NOT IN {hidden:Array(String)} GROUP BY subject ORDER BY subject"
    asked = {"hidden": tuple(sorted(hidden))}
    return stored(PlayedRow, "rounds", rest, asked, first="min(decided_at)", last="max(decided_at)")
