"""The table as an account: counts, fills, credits, buy-ins and drop boxes of a gaming day, out of its events.

An event belongs to the gaming day that its table began last; a drop box to the day on which it left the table, whenever
it is counted.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from msgspec import Struct

from dashboards.reader.question import Question, Scalar

MOST = 500


class ConfiguredRow(Struct, frozen=True):
    """One configuration of a table, as its event has it."""

    subject: str
    sequence: int
    time: dt.datetime
    line: str


class AccountRow(Struct, frozen=True):
    """One table in one gaming day, in cents; `seconds` it stood open, up to its last event.

    `begins_well` says whether an opening count came before the first closing one. `cash_cents`, `check_cents` and
    `voucher_cents` are chips sold at the table, by tender.
    """

    gaming_day: dt.date
    subject: str
    first_sequence: int
    last_sequence: int
    first_time: dt.datetime
    last_time: dt.datetime
    openings: int
    opening_cents: int
    closings: int
    closing_cents: int
    begins_well: bool
    fills: int
    fill_cents: int
    credits: int
    credit_cents: int
    cash_cents: int
    check_cents: int
    voucher_cents: int
    boxes: int
    seconds: int


class DropRow(Struct, frozen=True):
    """What the count room found in the boxes that left a table in one gaming day, in cents."""

    gaming_day: dt.date
    subject: str
    boxes: int
    currency_cents: int
    check_cents: int
    voucher_cents: int


class SlipRow(Struct, frozen=True):
    """One event of money at a table; its line is the event."""

    gaming_day: dt.date
    subject: str
    sequence: int
    time: dt.datetime
    type: str
    line: str
    total: int


def configurations() -> Question[ConfiguredRow]:
    """Every configuration of every table, in order."""
    sql = (
        "SELECT subject, sequence, time, line FROM events FINAL WHERE type = 'table_configured'"
        " ORDER BY subject, sequence"
    )
    return Question(ConfiguredRow, sql)


def accounts(first: dt.date, last: dt.date) -> Question[AccountRow]:
    """What moved at each table in these gaming days."""
    cents, moment = "JSONExtractInt(line, 'data', 'cents')", "JSONExtractString(line, 'data', 'moment')"
    tender = "if(type = 'cash_converted', 'cash', JSONExtractString(line, 'data', 'tender'))"
    sql = f"""
        SELECT d.gaming_day, e.subject, min(e.sequence), max(e.sequence), min(e.time), max(e.time),
               toUInt64(countIf(moment = 'opening')), sumIf(cents, moment = 'opening'),
               toUInt64(countIf(moment = 'closing')), sumIf(cents, moment = 'closing'),
               CAST(argMinIf(moment, e.sequence, moment IN ('opening', 'closing')) = 'opening' AS Bool),
               toUInt64(countIf(type = 'fill_received')), sumIf(cents, type = 'fill_received'),
               toUInt64(countIf(type = 'credit_sent')), sumIf(cents, type = 'credit_sent'),
               sumIf(cents, tender = 'cash'), sumIf(cents, tender = 'counter_check'),
               sumIf(cents, tender = 'voucher'), toUInt64(countIf(type = 'drop_box_removed')),
               toInt64({_seconds()})
        FROM (SELECT subject, sequence, time, type, if(type IN ({_WITH_CENTS}), {cents}, 0) AS cents,
                     if(type = 'inventory_counted', {moment}, '') AS moment,
                     if(type IN ('chips_bought', 'cash_converted'), {tender}, '') AS tender
              FROM (SELECT subject, sequence, time, type, if(type IN ({_WITH_CENTS}), line, '') AS line
                    FROM events FINAL WHERE {_SPAN} AND type != 'drop_counted')) AS e
        ASOF INNER JOIN ({_DAYS}) AS d ON d.subject = e.subject AND e.sequence >= d.sequence
        WHERE d.gaming_day BETWEEN {{first:Date32}} AND {{last:Date32}}
        GROUP BY d.gaming_day, e.subject ORDER BY d.gaming_day, e.subject
    """
    return Question(AccountRow, sql, {"first": first, "last": last})


def drops(first: dt.date, last: dt.date) -> Question[DropRow]:
    """What was in the boxes; of a box that was counted again the last count stands."""
    sql = f"""
        SELECT d.gaming_day, b.subject, toUInt64(count()), sum(currency), sum(checks), sum(vouchers)
        FROM ({_BOXES}) AS b
        ASOF INNER JOIN ({_DAYS}) AS d ON d.subject = b.subject AND b.at >= d.sequence
        WHERE d.gaming_day BETWEEN {{first:Date32}} AND {{last:Date32}}
        GROUP BY d.gaming_day, b.subject ORDER BY d.gaming_day, b.subject
    """
    return Question(DropRow, sql, {"first": first, "last": last})


def slips(
    first: dt.date, last: dt.date, types: Sequence[str], sheets: Sequence[str] | None = None, skip: int = 0
) -> Question[SlipRow]:
    """The events behind a sum, oldest first; of boxes both their removal and their count, on the removal's day.

    `sheets` are the gaming days of tables that are meant, as `sheet()` writes them; None: all.
    """
    chosen = "" if sheets is None else "AND has({sheets:Array(String)}, sheet)"
    sql = f"""
        SELECT d.gaming_day AS day, e.subject, e.sequence, e.time, e.type, e.line, toUInt64(count() OVER ())
        FROM (SELECT v.subject AS subject, v.sequence AS sequence, v.time AS time, v.type AS type, v.line AS line,
                     if(v.type = 'drop_counted' AND c.at > 0, c.at, v.sequence) AS at
              FROM (SELECT subject, sequence, time, type, line FROM events FINAL
                    WHERE {_SPAN} AND type IN {{types:Array(String)}}) AS v
              LEFT JOIN ({_COUNTED}) AS c ON c.subject = v.subject AND c.sequence = v.sequence) AS e
        ASOF INNER JOIN (SELECT *, concat(toString(gaming_day), '/', subject) AS sheet FROM ({_DAYS})) AS d
            ON d.subject = e.subject AND e.at >= d.sequence
        WHERE d.gaming_day BETWEEN {{first:Date32}} AND {{last:Date32}} {chosen}
        ORDER BY e.time, e.subject, e.sequence LIMIT {{most:UInt32}} OFFSET {{skip:UInt32}}
    """
    asked: dict[str, Scalar | Sequence[Scalar]] = {"types": tuple(types), "most": MOST, "skip": skip}
    asked |= {} if sheets is None else {"sheets": tuple(sheets)}
    return Question(SlipRow, sql, asked | {"first": first, "last": last})


def sheet(day: dt.date, subject: str) -> str:
    """One gaming day of a table."""
    return f"{day}/{subject}"


# A gaming day's events lie from the day before it to the day behind; its boxes may be counted some days later.
_SPAN = (
    "time BETWEEN toDateTime64({first:Date32}, 6, 'UTC') - INTERVAL 1 DAY"
    " AND toDateTime64({last:Date32}, 6, 'UTC') + INTERVAL 4 DAY"
)
_WITH_CENTS = "'inventory_counted', 'fill_received', 'credit_sent', 'chips_bought', 'cash_converted'"
_DAYS = f"""
    SELECT subject, sequence, toDate32(JSONExtractString(line, 'data', 'gaming_day')) AS gaming_day
    FROM events FINAL WHERE {_SPAN} AND type = 'gaming_day_started'
"""
_BOX = "JSONExtractString(line, 'data', 'box')"
# Each count with the removal before it; `at` is that removal, or 0 where none was seen.
_COUNTED = f"""
    SELECT c.subject AS subject, c.sequence AS sequence, c.box AS box, c.line AS line, r.sequence AS at
    FROM (SELECT subject, sequence, {_BOX} AS box, line FROM events FINAL
          WHERE {_SPAN} AND type = 'drop_counted') AS c
    ASOF LEFT JOIN (SELECT subject, sequence, {_BOX} AS box FROM events FINAL
                    WHERE {_SPAN} AND type = 'drop_box_removed') AS r
        ON r.subject = c.subject AND r.box = c.box AND c.sequence >= r.sequence
"""
_BOXES = f"""
    SELECT subject, box, if(at > 0, at, sequence_of) AS at, JSONExtractInt(last, 'data', 'currency_cents') AS currency,
           JSONExtractInt(last, 'data', 'counter_check_cents') AS checks,
           JSONExtractInt(last, 'data', 'voucher_cents') AS vouchers
    FROM (SELECT subject, box, at, min(sequence) AS sequence_of, argMax(line, sequence) AS last
          FROM ({_COUNTED}) GROUP BY subject, box, at)
"""


def _seconds() -> str:
    """Seconds a table stood open: each closing less its opening, and less or plus the day's ends where one is open."""
    moved = "type IN ('table_opened', 'table_closed')"
    opened = "sumIf(toUnixTimestamp(e.time), type = 'table_opened')"
    closed = "sumIf(toUnixTimestamp(e.time), type = 'table_closed')"
    begun = f"if(argMinIf(type, e.sequence, {moved}) = 'table_closed', toUnixTimestamp(min(e.time)), 0)"
    goes_on = f"if(argMaxIf(type, e.sequence, {moved}) = 'table_opened', toUnixTimestamp(max(e.time)), 0)"
    plain = f"toInt64({closed}) - toInt64({opened}) - toInt64({begun}) + toInt64({goes_on})"
    whole = "toInt64(toUnixTimestamp(max(e.time))) - toInt64(toUnixTimestamp(min(e.time)))"
    return f"if(countIf({moved}) > 0, {plain}, if(countIf(type = 'round_ended') > 0, {whole}, 0))"
