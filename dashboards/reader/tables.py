"""Tables as they stand: which there are, their last rounds and shoes, and what moved through the chip tray."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence

from msgspec import Struct

from dashboards.reader.cash import SLIPPED, SOLD, EventLineRow, replaced, told
from dashboards.reader.question import MOMENT, Parameter, Question, columns, stored

MOST_TABLES = 2_000
STRIP = 60  # rounds shown as bars
COUNTS = 4
SHOES = 12
CAMERAS = 50  # the newest configurations of a table: of one before them it is not said
_ONE = "subject = {subject:String}"


class NameRow(Struct, frozen=True):
    """A table of the store; `newest` is its newest event since a time, or the last that ended a round."""

    subject: str
    newest: int


class BarRow(Struct, frozen=True):
    """One round of a table; `net_cents` is the patrons' result."""

    round: int
    first_sequence: int
    decided_at: dt.datetime
    shoe: int
    dealer: str | None
    status: str
    net_cents: int


class MovedRow(Struct, frozen=True):
    """What moved through the tray between two counts, in cents; `bucket` counts the counts before it."""

    bucket: int
    fill_cents: int
    credit_cents: int
    sold_cents: int


class ReplacedRow(Struct, frozen=True):
    """A count, fill or credit that a later word replaces."""

    sequence: int


class WonRow(Struct, frozen=True):
    """What the rounds that ended between two counts did to the patrons, in cents."""

    bucket: int
    net_cents: int


class ShoeRow(Struct, frozen=True):
    """A shoe was loaded from a batch (`shoe` is its number), or a batch left the table (`shoe` is 0)."""

    shoe: int
    batch: str
    sequence: int
    time: dt.datetime


class CamerasRow(Struct, frozen=True):
    """From event `sequence` of a table on, these cameras look at it; empty where none is named."""

    subject: str
    sequence: int
    cameras: list[str]


def names(since: dt.datetime) -> Question[NameRow]:
    """Tables with a round, or with an event since then."""
    sql = f"""
        SELECT {columns(NameRow, newest="max(newest)")} FROM (
            SELECT subject, max(last_sequence) AS newest FROM rounds GROUP BY subject
            UNION ALL SELECT subject, max(sequence) AS newest FROM events WHERE time >= {{since:{MOMENT}}}
            GROUP BY subject
        ) GROUP BY subject ORDER BY subject LIMIT {{most:UInt32}}
    """
    return Question(NameRow, sql, {"since": since, "most": MOST_TABLES})


def strip(subject: str, most: int = STRIP) -> Question[BarRow]:
    """The last rounds of a table, the newest first."""
    rest = f"WHERE {_ONE} ORDER BY first_sequence DESC LIMIT {{most:UInt32}}"
    return stored(BarRow, "rounds", rest, {"subject": subject, "most": most})


def counts(subject: str, most: int = COUNTS) -> Question[EventLineRow]:
    """The last counts of a table's inventory, the newest first."""
    sql = f"""
        SELECT {columns(EventLineRow)} FROM ({told(("inventory_counted",), _ONE)})
        ORDER BY sequence DESC LIMIT {{most:UInt32}}
    """
    return Question(EventLineRow, sql, {"subject": subject, "most": most})


def told_anew(subject: str, first: int) -> Question[ReplacedRow]:
    """The counts, fills and credits from event `first` on that a later word replaces."""
    sql = f"""
        SELECT sequence
        FROM ({replaced(f"{_ONE} AND sequence >= {{first:UInt32}}", f"{_ONE} AND last_sequence > {{first:UInt32}}")})
    """
    return Question(ReplacedRow, sql, {"subject": subject, "first": first})


def moved(subject: str, counted: Sequence[int], anew: Collection[int]) -> Question[MovedRow]:
    """Fills, credits and chips sold since the first of these counts (sequences, ascending), one row for each count.

    A fill or credit that is told `anew` by a later event is left out.
    """
    cents = "JSONExtractInt(line, 'data', 'cents')"
    sums = columns(
        MovedRow,
        bucket="toUInt64(arrayCount(at -> at < sequence, {counted:Array(UInt32)})) AS bucket",
        fill_cents=f"sumIf({cents}, type = 'fill_received')",
        credit_cents=f"sumIf({cents}, type = 'credit_sent')",
        sold_cents=f"sumIf({cents}, type IN {SOLD})",
    )
    since = f"{_ONE} AND sequence > {{first:UInt32}}"
    sql = f"""
        SELECT {sums} FROM ({told((*SLIPPED, *SOLD), since)})
        WHERE NOT has({{anew:Array(UInt32)}}, sequence) GROUP BY bucket ORDER BY bucket
    """
    of: dict[str, Parameter] = {
        "subject": subject,
        "counted": tuple(counted),
        "anew": tuple(anew),
        "first": counted[0],
    }
    return Question(MovedRow, sql, of)


def won(subject: str, counted: Sequence[int]) -> Question[WonRow]:
    """What rounds that ended since the first of these counts did to the patrons."""
    return stored(
        WonRow,
        "rounds",
        f"WHERE {_ONE} AND last_sequence > {{first:UInt32}} GROUP BY bucket ORDER BY bucket",
        {"subject": subject, "counted": tuple(counted), "first": counted[0]},
        bucket="toUInt64(arrayCount(at -> at < last_sequence, {counted:Array(UInt32)})) AS bucket",
        net_cents="sum(net_cents)",
    )


def shoes(subject: str, most: int = 3 * SHOES) -> Question[ShoeRow]:
    """The last loads of a table's shoes, and removals of its batches, the newest first."""
    told_of = columns(
        ShoeRow,
        shoe="toUInt32(if(type = 'shoe_loaded', JSONExtractUInt(line, 'data', 'shoe'), 0))",
        batch="JSONExtractString(line, 'data', 'batch')",
    )
    sql = f"""
        SELECT {told_of} FROM ({told(("shoe_loaded", "decks_removed"), _ONE)})
        ORDER BY sequence DESC LIMIT {{most:UInt32}}
    """
    return Question(ShoeRow, sql, {"subject": subject, "most": most})


def cameras(subjects: Sequence[str]) -> Question[CamerasRow]:
    """The cameras of these tables by their newest configurations, the newest first."""
    sql = f"""
        SELECT {columns(CamerasRow, cameras="JSONExtract(line, 'data', 'cameras', 'Array(String)')")}
        FROM ({told(("table_configured",), "subject IN {subjects:Array(String)}")})
        ORDER BY subject, sequence DESC LIMIT {{most:UInt32}} BY subject
    """
    return Question(CamerasRow, sql, {"subjects": tuple(subjects), "most": CAMERAS})
