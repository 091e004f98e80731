"""The table as an account: counts, fills, credits, buy-ins and drop boxes of a gaming day, out of its events.

An event belongs to the gaming day that its table began last; a drop box to the day on which it left the table, whenever
it is counted.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from msgspec import Struct

from dashboards.reader.question import Parameter, Question, columns, seconds_of
from schemas.warehouse.relations import ACCOUNT_TYPES

MOST = 500


# A gaming day's events lie from the day before it to the day behind; its boxes may be counted some days later.
_SPAN = (
    "time BETWEEN toDateTime64({first:Date32}, 6, 'UTC') - INTERVAL 1 DAY"
    " AND toDateTime64({last:Date32}, 6, 'UTC') + INTERVAL 4 DAY"
)
SOLD = ("chips_bought", "cash_converted")
SLIPPED = ("fill_received", "credit_sent")


def told(types: Sequence[str], where: str = _SPAN) -> str:
    """SQL for the events of these types, each once.

    Not by FINAL: that would read the lines of all other events too. An event written again is the same line under
    another version of the fold. Types of a table's account are in a relation of their own, which is small; others are
    found among all events, and are to be asked of one table.

    Raises:
        ValueError: what is no name of a type.
    """
    if not all(name.replace("_", "").isalpha() for name in types):
        raise ValueError(f"no types of events: {types}")
    relation = "account_events" if set(types) <= set(ACCOUNT_TYPES) else "events"
    names = ", ".join(f"'{name}'" for name in types)
    return (
        f"SELECT subject, sequence, time, type, line FROM {relation} WHERE type IN ({names}) AND {where}"
        " ORDER BY subject, sequence, fold_version DESC LIMIT 1 BY subject, sequence"
    )


_MOVED = "type IN ('table_opened', 'table_closed')"
_DAYS = f"""
    SELECT subject, sequence,
           ifNull(toDate32OrNull(JSONExtractString(line, 'data', 'gaming_day')), toDate32('1900-01-01')) AS gaming_day
    FROM ({told(("gaming_day_started",))})
"""
_BOX = "JSONExtractString(line, 'data', 'box')"
# Each count with the removal before it: `at` is that removal, or the box's first count where none was seen. Of a box
# that was counted again the last count stands.
_COUNTED = f"""
    SELECT subject, sequence, box, line, if(removed > 0, removed, min(sequence) OVER one_box) AS at,
           sequence = max(sequence) OVER one_box AS stands
    FROM (SELECT c.subject AS subject, c.sequence AS sequence, c.box AS box, c.line AS line, r.sequence AS removed
          FROM (SELECT subject, sequence, {_BOX} AS box, line FROM ({told(("drop_counted",))})) AS c
          ASOF LEFT JOIN (SELECT subject, sequence, {_BOX} AS box FROM ({told(("drop_box_removed",))})) AS r
              ON r.subject = c.subject AND r.box = c.box AND c.sequence >= r.sequence)
    WINDOW one_box AS (PARTITION BY subject, box, removed)
"""
_PARTS = {"currency": "currency_cents", "checks": "counter_check_cents", "vouchers": "voucher_cents"}
_TOLD = {name: f"JSONExtractInt(line, 'data', '{part}')" for name, part in _PARTS.items()}
_PART = {name: f"if(stands, {cents}, 0)" for name, cents in _TOLD.items()}
_BOXES = f"""
    SELECT subject, box, at, stands, {", ".join(f"{cents} AS {name}" for name, cents in _PART.items())}
    FROM ({_COUNTED})
"""
_AMOUNT = "JSONExtractInt(line, 'data', 'cents')"
_CENTS = f"if(stands, {_AMOUNT}, 0)"
_OPENS, _CLOSES = (f"JSONExtractString(line, 'data', 'moment') = '{name}'" for name in ("opening", "closing"))
_DECIDED = _SPAN.replace("time", "decided_at", 1)
# A round that broke off ends with the event before the next word, which may be of the table.
_ORDERED = "ORDER BY sequence, type = 'round' ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"
_WORD = "JSONExtractString(line, 'data', if(type = 'inventory_counted', 'moment', 'slip'))"


def replaced(events: str, rounds: str) -> str:
    """SQL for the table and sequence of words that a later word replaces (A74), among these events and rounds.

    An inventory counted anew, with nothing in between that moves chips, replaces the count before it, and so does a
    fill or credit told anew under its slip: the replaced one stays on the record, and is in no sum. Chips sold and
    rounds are many: only their places are read, and only those of tables with two like counts in a row.
    """
    words = f"""
        SELECT subject, sequence, type, {_WORD} AS word
        FROM ({told(("inventory_counted", *SLIPPED, "gaming_day_started"), events)})
    """
    counted_twice = (
        f"SELECT subject FROM ({_followed(words)}) WHERE type = 'inventory_counted' AND {_NEXT_IS_LIKE}"
    )
    between = f"""
        SELECT subject, sequence, type, '' FROM ({told(SOLD, events)}) WHERE subject IN ({counted_twice})
        UNION ALL SELECT subject, last_sequence, 'round', '' FROM rounds
                  WHERE {rounds} AND subject IN ({counted_twice})
    """
    return f"""
    SELECT subject, sequence
    FROM (SELECT *, max(sequence) OVER (PARTITION BY subject, day, type, word) AS last
          FROM ({_followed(f"{words} UNION ALL {between}")}))
    WHERE (type = 'inventory_counted' AND {_NEXT_IS_LIKE}) OR (type IN {SLIPPED} AND word != '' AND sequence < last)
"""


_NEXT_IS_LIKE = "next = concat(type, word)"


def _followed(words: str) -> str:
    """SQL for words, each with what comes next at its table and the number of its gaming day."""
    return f"""
        SELECT subject, sequence, type, word,
               leadInFrame(concat(type, word), 1, '') OVER (PARTITION BY subject {_ORDERED}) AS next,
               countIf(type = 'gaming_day_started') OVER (PARTITION BY subject ORDER BY sequence) AS day
        FROM ({words})
    """


_REPLACED = replaced(_SPAN, _DECIDED)
_DROP = " + ".join(_PART.values())
_ANY = f"if(type = 'drop_counted', {' + '.join(_TOLD.values())}, {_AMOUNT})"


class _List(Struct, frozen=True):
    """Events behind a sum: their types, which of them (SQL), and what each adds to it in cents (SQL)."""

    types: tuple[str, ...]
    cents: str
    where: str = "1"


_BOXED = ("drop_box_removed", "drop_counted")
_ACCOUNTED = ("inventory_counted", *SLIPPED, *_BOXED)
_OPENED = ("table_opened", "table_closed")
_NET = (
    f"multiIf(type = 'drop_counted', {_DROP}, type IN ('drop_box_removed', 'table_opened', 'table_closed'), 0,"
    f" type = 'fill_received', -{_CENTS}, type = 'inventory_counted' AND {_OPENS}, -{_CENTS}, {_CENTS})"
)
_IN_NET = f"type != 'inventory_counted' OR {_OPENS} OR {_CLOSES}"
LISTS = {
    "opening": _List(("inventory_counted",), _CENTS, _OPENS),
    "closing": _List(("inventory_counted",), _CENTS, _CLOSES),
    "counts": _List(("inventory_counted",), f"multiIf({_CLOSES}, {_CENTS}, {_OPENS}, -{_CENTS}, 0)"),
    "fills": _List(("fill_received",), _CENTS),
    "credits": _List(("credit_sent",), _CENTS),
    "drop": _List(_BOXED, f"if(type = 'drop_counted', {_DROP}, 0)"),
    **{name: _List(("drop_counted",), cents) for name, cents in _PART.items()},
    "sold": _List(SOLD, _CENTS),
    "tray": _List(
        ("inventory_counted", *SLIPPED, *SOLD),
        f"if(type IN ('inventory_counted', 'fill_received'), {_CENTS}, -{_CENTS})",
    ),
    "net": _List(_ACCOUNTED, _NET, _IN_NET),
    "account": _List((*_ACCOUNTED, *_OPENED), _NET, _IN_NET),
    "corrections": _List(("inventory_counted", *SLIPPED, "drop_counted"), _ANY, "NOT stands"),
    "hours": _List(_OPENED, "0"),
}


def _seconds() -> str:
    """Seconds a table was open: each closing less its opening; a missing one is replaced by the day's begin or end."""
    begun = f"if(first_move = 'table_closed', {seconds_of('begun')}, 0)"
    last = seconds_of("greatest(ended, r.ended)")
    plain = f"closed - opened - {begun} + if(last_move = 'table_opened', {last}, 0)"
    whole = f"if(r.last > 0, {last} - {seconds_of('begun')}, 0)"
    return f"if(moved > 0, {plain}, {whole})"


class EventLineRow(Struct, frozen=True):
    """One event of a table, with its exact bytes as text."""

    subject: str
    sequence: int
    time: dt.datetime
    line: str


class AccountRow(Struct, frozen=True):
    """One table in one gaming day, in cents; `seconds` is how long it was open, up to its last event.

    `begins_well` says whether an opening count came before the first closing one. `corrections` counts inventories,
    fills and credits that later ones replaced: no sum has them. `cash_cents`, `check_cents` and
    `voucher_cents` are chips sold at the table, by tender.
    """

    gaming_day: dt.date
    subject: str
    last_sequence: int
    openings: int
    opening_cents: int
    closings: int
    closing_cents: int
    begins_well: bool
    corrections: int
    fill_cents: int
    credit_cents: int
    cash_cents: int
    check_cents: int
    voucher_cents: int
    boxes: int
    seconds: int


_ACCOUNT = columns(
    AccountRow,
    gaming_day="m.gaming_day",
    subject="m.subject",
    last_sequence="toUInt32(greatest(last, r.last))",
    seconds=f"toInt64({_seconds()})",
)


class DropRow(Struct, frozen=True):
    """What the count room found in the boxes that left a table in one gaming day, in cents."""

    gaming_day: dt.date
    subject: str
    boxes: int
    corrections: int
    currency_cents: int
    check_cents: int
    voucher_cents: int


_DROPS = columns(
    DropRow,
    gaming_day="d.gaming_day",
    subject="b.subject",
    boxes="toUInt64(countIf(stands))",
    corrections="toUInt64(countIf(NOT stands))",
    currency_cents="sum(currency)",
    check_cents="sum(checks)",
    voucher_cents="sum(vouchers)",
)


class SlipRow(Struct, frozen=True):
    """One event of money at a table; its line is the event.

    `cents` is what it adds to the sum, `sum_cents` what all `total` of them come to. One that does not `stand` was
    replaced by a later one.
    """

    gaming_day: dt.date
    subject: str
    sequence: int
    time: dt.datetime
    type: str
    line: str
    stands: bool
    cents: int
    sum_cents: int
    total: int


_SLIP = columns(
    SlipRow,
    stands="CAST(stands AS Bool)",
    cents="toInt64(cents)",
    sum_cents="toInt64(sum(cents) OVER ())",
    total="toUInt64(count() OVER ())",
)


def configurations() -> Question[EventLineRow]:
    """Every configuration of every table, in order."""
    sql = f"""
        SELECT {columns(EventLineRow)} FROM ({told(("table_configured",), "1")}) ORDER BY subject, sequence
    """
    return Question(EventLineRow, sql)


def accounts(first: dt.date, last: dt.date, sold: bool = True) -> Question[AccountRow]:
    """What moved at each table in these gaming days; chips sold are many events, and left out where not `sold`."""
    cents, moment = "JSONExtractInt(line, 'data', 'cents')", "JSONExtractString(line, 'data', 'moment')"
    tender = "if(type = 'cash_converted', 'cash', JSONExtractString(line, 'data', 'tender'))"
    types = ("inventory_counted", "fill_received", "credit_sent", "drop_box_removed", *LISTS["hours"].types)
    sql = f"""
        SELECT {_ACCOUNT} FROM (
            SELECT d.gaming_day AS gaming_day, e.subject AS subject, max(e.sequence) AS last,
                   min(e.time) AS begun, max(e.time) AS ended,
                   toUInt64(countIf(replaced)) AS corrections,
                   toUInt64(countIf(moment = 'opening')) AS openings, sumIf(cents, moment = 'opening') AS opening_cents,
                   toUInt64(countIf(moment = 'closing')) AS closings, sumIf(cents, moment = 'closing') AS closing_cents,
                   CAST(argMinIf(moment, e.sequence, moment IN ('opening', 'closing')) = 'opening' AS Bool)
                       AS begins_well,
                   sumIf(cents, type = 'fill_received') AS fill_cents,
                   sumIf(cents, type = 'credit_sent') AS credit_cents,
                   sumIf(cents, tender = 'cash') AS cash_cents, sumIf(cents, tender = 'counter_check') AS check_cents,
                   sumIf(cents, tender = 'voucher') AS voucher_cents,
                   toUInt64(countIf(type = 'drop_box_removed')) AS boxes,
                   countIf({_MOVED}) AS moved,
                   sumIf({seconds_of("e.time")}, type = 'table_opened') AS opened,
                   sumIf({seconds_of("e.time")}, type = 'table_closed') AS closed,
                   argMinIf(type, e.sequence, {_MOVED}) AS first_move,
                   argMaxIf(type, e.sequence, {_MOVED}) AS last_move
            FROM (SELECT subject, sequence, time, type, (subject, sequence) IN ({_REPLACED}) AS replaced,
                         if(replaced, 0, {cents}) AS cents,
                         if(type = 'inventory_counted' AND NOT replaced, {moment}, '') AS moment,
                         if(type IN ('chips_bought', 'cash_converted'), {tender}, '') AS tender
                  FROM ({told((*types, "gaming_day_started", *(SOLD if sold else ())))})) AS e
            ASOF INNER JOIN ({_DAYS}) AS d ON d.subject = e.subject AND e.sequence >= d.sequence
            WHERE d.gaming_day BETWEEN {{first:Date32}} AND {{last:Date32}}
            GROUP BY d.gaming_day, e.subject
        ) AS m
        LEFT JOIN (
            SELECT assumeNotNull(gaming_day) AS gaming_day, subject, max(last_sequence) AS last,
                   max(decided_at) AS ended
            FROM rounds WHERE {_DECIDED} AND isNotNull(gaming_day)
            GROUP BY gaming_day, subject
        ) AS r ON r.gaming_day = m.gaming_day AND r.subject = m.subject
        ORDER BY m.gaming_day, m.subject
    """
    return Question(AccountRow, sql, {"first": first, "last": last})


def drops(first: dt.date, last: dt.date) -> Question[DropRow]:
    """What was in the boxes; of a box that was counted again the last count stands."""
    sql = f"""
        SELECT {_DROPS}
        FROM ({_BOXES}) AS b
        ASOF INNER JOIN ({_DAYS}) AS d ON d.subject = b.subject AND b.at >= d.sequence
        WHERE d.gaming_day BETWEEN {{first:Date32}} AND {{last:Date32}}
        GROUP BY d.gaming_day, b.subject ORDER BY d.gaming_day, b.subject
    """
    return Question(DropRow, sql, {"first": first, "last": last})


def slips(
    first: dt.date,
    last: dt.date,
    what: str,
    sheets: Sequence[str] | None = None,
    skip: int = 0,
    after: Mapping[str, int] | None = None,
    most: int = MOST,
) -> Question[SlipRow]:
    """The events behind a sum of `LISTS`, oldest first; of boxes both their removal and their count.

    A box is of the day on which it left. `sheets` are the gaming days of tables that are meant, as `sheet()` writes
    them; None: all. `after` leaves out the events of a table up to this one.
    """
    wanted = LISTS[what]
    chosen = "" if sheets is None else "AND has({sheets:Array(String)}, sheet)"
    if after:
        chosen += " AND e.sequence > transform(e.subject, {tables:Array(String)}, {known:Array(UInt32)}, toUInt32(0))"
    sql = f"""
        SELECT {_SLIP}
        FROM (
            SELECT d.gaming_day AS gaming_day, e.subject AS subject, e.sequence AS sequence, e.time AS time,
                   e.type AS type, e.line AS line, e.stands AS stands, {wanted.cents} AS cents
            FROM (SELECT v.subject AS subject, v.sequence AS sequence, v.time AS time, v.type AS type, v.line AS line,
                         if(v.type = 'drop_counted', c.at, v.sequence) AS at,
                         if(v.type = 'drop_counted', c.stands, (v.subject, v.sequence) NOT IN ({_REPLACED})) AS stands
                  FROM ({told(wanted.types)}) AS v
                  LEFT JOIN ({_COUNTED}) AS c ON c.subject = v.subject AND c.sequence = v.sequence) AS e
            ASOF INNER JOIN (SELECT *, concat(toString(gaming_day), '/', subject) AS sheet FROM ({_DAYS})) AS d
                ON d.subject = e.subject AND e.at >= d.sequence
            WHERE d.gaming_day BETWEEN {{first:Date32}} AND {{last:Date32}} AND ({wanted.where}) {chosen}
        )
        ORDER BY time, subject, sequence LIMIT {{most:UInt32}} OFFSET {{skip:UInt32}}
    """
    asked: dict[str, Parameter] = {"most": most, "skip": skip}
    asked |= {} if sheets is None else {"sheets": tuple(sheets)}
    asked |= {"tables": tuple(after), "known": tuple(after.values())} if after else {}
    return Question(SlipRow, sql, asked | {"first": first, "last": last})


class LastEvent(Struct, frozen=True):
    """The last event of a table's account that the store holds."""

    subject: str
    sequence: int


def last_events() -> Question[LastEvent]:
    """The last event of each table's account."""
    chosen = columns(LastEvent, sequence="max(sequence)")
    return Question(LastEvent, f"SELECT {chosen} FROM account_events GROUP BY subject ORDER BY subject")


def sheet(day: dt.date, subject: str) -> str:
    """One gaming day of a table."""
    return f"{day}/{subject}"
