"""Revenue as the rounds have it: what stakes come to, how many hands were dealt, and which rounds are behind a sum."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from dashboards.reader.question import Parameter, Question

MOST = 500
SLOT_MINUTES = 30  # of a day's course
SHIFT_MINUTES = 480
Only = Literal["", "errors", "unknown"]
_DAY_MINUTES = 1440
_MOMENT = "DateTime64(6, 'UTC')"


class Scope(Struct, frozen=True, kw_only=True):
    """Which rounds: gaming days from `first` to `last`, and what narrows them; empty or None narrows nothing.

    `places` are tables under one configuration each, as `place()` writes them, and `elsewhere` those that are left out.
    `zone` and `day_start` (minutes after midnight) say when shifts change: each is a third of the gaming day. Rounds of
    some tables and dealers may be left out. `lacks` (game, pit, dealer) leaves those alone that name none of it,
    `status` those of this status, `until` those that ended before it. With `dayless` it is the rounds around these days
    that belong to no gaming day.
    """

    first: dt.date
    last: dt.date
    places: tuple[str, ...] | None = None
    elsewhere: tuple[str, ...] = ()
    subject: str = ""
    ruleset: str = ""
    dealer: str = ""
    shift: int = 0
    zone: str = "UTC"
    day_start: int = 0
    without_tables: tuple[str, ...] = ()
    without_dealers: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    status: str = ""
    until: dt.datetime | None = None
    dayless: bool = False


class SettledRow(Struct, frozen=True):
    """Stakes of one kind, in cents; wins are the house's; what the question does not tell apart is None.

    `terms` is the event that configured the table, 0 where none is known. `handle_cents` leaves out void rounds, and
    so do the sums of squares that a band needs: `squares` of every stake, `joint_squares` of what lay in one round.
    `error_cents` is what was settled for the house beyond what was due, over the `judged` stakes of which both are
    known. `unknown` counts stakes of which nothing was seen to come.
    """

    gaming_day: dt.date | None
    slot: dt.datetime | None
    subject: str
    terms: int
    ruleset: str | None
    dealer: str | None
    shift: int
    kind: str
    stakes: int
    handle_cents: int
    squares: float
    joint_squares: float
    paid_cents: int
    collected_cents: int
    error_cents: int
    judged: int
    unknown: int
    unknown_cents: int

    @property
    def win_cents(self) -> int:
        """The house's win."""
        return self.collected_cents - self.paid_cents


class DealtRow(Struct, frozen=True):
    """Rounds, and hands at seats that staked; `void` and `indeterminate` are among the rounds."""

    gaming_day: dt.date | None
    subject: str
    terms: int
    ruleset: str | None
    dealer: str | None
    shift: int
    rounds: int
    hands: int
    void: int
    indeterminate: int


class RoundBehind(Struct, frozen=True):
    """One round behind a figure, with its stakes of the kinds that were asked for; `total` rounds there are in all.

    `sums` go with `kinds`, one by one: stakes, handle, paid, collected, error, judged, unknown and unknown cents.
    """

    subject: str
    round: int
    first_sequence: int
    decided_at: dt.datetime
    terms: int
    ruleset: str | None
    dealer: str | None
    status: str
    hands: int
    kinds: tuple[str, ...]
    sums: tuple[tuple[int, ...], ...]
    total: int

    def settled(self) -> list[SettledRow]:
        """What its stakes come to by kind; a band cannot be made of them."""
        return [
            SettledRow(None, None, self.subject, self.terms, self.ruleset, self.dealer, 0, kind, stakes, handle, 0.0,
                       0.0, paid, collected, error, judged, unknown, unknown_cents)
            for kind, (stakes, handle, paid, collected, error, judged, unknown, unknown_cents)
            in zip(self.kinds, self.sums, strict=True)
        ]  # fmt: skip


class DayRow(Struct, frozen=True):
    """The newest gaming day that has rounds, or None."""

    gaming_day: dt.date | None


class DealerRow(Struct, frozen=True):
    """A dealer who dealt."""

    dealer: str


class DaylessRow(Struct, frozen=True):
    """Rounds that name no gaming day."""

    subject: str
    rounds: int


def place(subject: str, terms: int) -> str:
    """A table under one configuration."""
    return f"{subject}/{terms}"


def newest_day() -> Question[DayRow]:
    """The newest gaming day of which a round is stored."""
    return Question(DayRow, "SELECT max(gaming_day) FROM rounds")


def without_day(scope: Scope) -> Question[DaylessRow]:
    """Rounds around these days that belong to no gaming day, as their tables began none: no sum has them."""
    sql = (
        f"SELECT subject, toUInt64(count()) FROM rounds FINAL WHERE {_SPAN} AND isNull(gaming_day)"
        " AND NOT has({tables:Array(String)}, subject) AND NOT has({dealers:Array(String)}, ifNull(dealer, ''))"
        " GROUP BY subject ORDER BY subject"
    )
    asked: dict[str, Parameter] = {
        "first": scope.first,
        "last": scope.last,
        "tables": scope.without_tables,
        "dealers": scope.without_dealers,
    }
    return Question(DaylessRow, sql, asked)


def dealers(first: dt.date, last: dt.date, without_tables: Sequence[str] = ()) -> Question[DealerRow]:
    """Who dealt in these gaming days."""
    sql = (
        f"SELECT DISTINCT assumeNotNull(dealer) FROM rounds WHERE {_SPAN} AND isNotNull(dealer)"
        " AND gaming_day BETWEEN {first:Date32} AND {last:Date32} AND NOT has({tables:Array(String)}, subject)"
    )
    asked: dict[str, Parameter] = {"tables": tuple(without_tables)}
    return Question(DealerRow, sql, asked | {"first": first, "last": last})


def settled(scope: Scope, apart: Sequence[str] = ()) -> Question[SettledRow]:
    """What stakes come to by table, ruleset and kind, and by what else is told `apart`.

    `apart` may hold gaming_day, slot (half an hour of the round's end), dealer and shift.
    """
    dims = _dims(("gaming_day", "slot", "subject", "terms", "ruleset", "dealer", "shift"), apart)
    sql = f"""
        SELECT {_chosen(dims)}, kind, toUInt64(sum(n)), sumIf(staked, status != 'void'),
               sumIf(staked_squares, status != 'void'), sumIf(pow(toFloat64(staked), 2), status != 'void'),
               sum(paid), sum(collected), sum(error), toUInt64(sum(judged)), toUInt64(sum(unknown)), sum(unknown_cents)
        FROM ({_stakes()}) AS s
        INNER JOIN ({_rounds(scope)}) AS r
            ON r.subject = s.subject AND r.round = s.round AND r.first_sequence = s.first_sequence
        GROUP BY {_grouped(dims)}kind ORDER BY {_grouped(dims)}kind
    """
    return Question(SettledRow, sql, _parameters(scope))


def dealt(scope: Scope, apart: Sequence[str] = ()) -> Question[DealtRow]:
    """How many rounds and hands were dealt, by table, ruleset and what else is told `apart`."""
    dims = _dims(("gaming_day", "subject", "terms", "ruleset", "dealer", "shift"), apart)
    sql = f"""
        SELECT {_chosen(dims)}, toUInt64(count()), toUInt64(sum(h.hands)),
               toUInt64(countIf(status = 'void')), toUInt64(countIf(status = 'indeterminate'))
        FROM ({_rounds(scope)}) AS r
        LEFT JOIN ({_HANDS}) AS h
            ON h.subject = r.subject AND h.round = r.round AND h.first_sequence = r.first_sequence
        GROUP BY {_grouped(dims)[:-2]} ORDER BY {_grouped(dims)[:-2]}
    """
    return Question(DealtRow, sql, _parameters(scope))


def rounds_behind(
    scope: Scope, kinds: Sequence[str] = (), only: Only = "", skip: int = 0, most: int = MOST
) -> Question[RoundBehind]:
    """The rounds behind a sum, oldest first, `total` of them; with `kinds`, those alone with a stake of one.

    `only` leaves those with a stake that was not settled as it was due (errors), or of which nothing was seen to come
    (unknown).
    """
    wanted = {
        "": "{every:UInt8} = 1 OR sum(n) > 0",
        "errors": "sum(wrong) > 0",
        "unknown": "sum(unknown) > 0",
    }
    handle = "if(status = 'void', 0, staked)"
    told = ("n", handle, "paid", "collected", "error", "judged", "unknown", "unknown_cents")
    cells = ", ".join(f"toInt64({cell})" for cell in told)
    sql = f"""
        SELECT r.subject, r.round, r.first_sequence, any(at), any(terms), any(ruleset), any(dealer), any(status),
               toUInt64(any(h.hands)), groupArrayIf(kind, n > 0), groupArrayIf([{cells}], n > 0),
               toUInt64(count() OVER ())
        FROM ({_rounds(scope)}) AS r
        LEFT JOIN ({_stakes("AND (empty({kinds:Array(String)}) OR has({kinds:Array(String)}, kind))")}) AS s
            ON r.subject = s.subject AND r.round = s.round AND r.first_sequence = s.first_sequence
        LEFT JOIN ({_HANDS}) AS h
            ON r.subject = h.subject AND r.round = h.round AND r.first_sequence = h.first_sequence
        GROUP BY r.subject, r.round, r.first_sequence
        HAVING {wanted[only]}
        ORDER BY any(at), r.subject, r.first_sequence LIMIT {{most:UInt32}} OFFSET {{skip:UInt32}}
    """
    asked: dict[str, Parameter] = {"kinds": tuple(kinds), "most": min(most, MOST), "skip": skip}
    if not only:
        asked["every"] = int(not kinds)
    return Question(RoundBehind, sql, _parameters(scope) | asked)


# Gaming days are no calendar days: rounds are read from the day before to two days behind, which is where a day's
# rounds can lie, and chosen by the gaming day they name.
_SPAN = (
    "decided_at BETWEEN toDateTime64({first:Date32}, 6, 'UTC') - INTERVAL 1 DAY"
    " AND toDateTime64({last:Date32}, 6, 'UTC') + INTERVAL 3 DAY"
)
# Hands at seats that staked.
_HANDS = f"""
    SELECT h.subject AS subject, h.round AS round, h.first_sequence AS first_sequence,
           arrayCount(seat -> has(s.seats, seat), h.seats) AS hands
    FROM (SELECT subject, round, first_sequence, groupArray(toUInt8OrZero(substring(hand, 1, 1))) AS seats
          FROM hands FINAL WHERE {_SPAN} GROUP BY subject, round, first_sequence) AS h
    INNER JOIN (SELECT subject, round, first_sequence, groupUniqArray(seat) AS seats
                FROM stakes FINAL WHERE {_SPAN} GROUP BY subject, round, first_sequence) AS s
        ON s.subject = h.subject AND s.round = h.round AND s.first_sequence = h.first_sequence
"""
_LACKING = {"game": "ifNull(ruleset, '') = ''", "pit": "terms = 0", "dealer": "ifNull(dealer, '') = ''"}
_ABSENT = {
    "gaming_day": "CAST(NULL AS Nullable(Date32))",
    "slot": "CAST(NULL AS Nullable(DateTime('UTC')))",
    "dealer": "CAST(NULL AS Nullable(String))",
    "shift": "toUInt8(0)",
}
_TOLD = {
    "gaming_day": "gaming_day",
    "slot": f"toStartOfInterval(at, INTERVAL {SLOT_MINUTES} MINUTE)",
    "subject": "r.subject",
    "terms": "terms",
    "ruleset": "ruleset",
    "dealer": "dealer",
    "shift": "shift",
}


def _dims(names: Sequence[str], apart: Sequence[str]) -> dict[str, str]:
    unknown = set(apart) - set(_ABSENT)
    if unknown:
        raise ValueError(f"nothing to tell apart by: {', '.join(sorted(unknown))}")
    return {name: _TOLD[name] if name in apart or name not in _ABSENT else "" for name in names}


def _chosen(dims: dict[str, str]) -> str:
    return ", ".join(told or _ABSENT[name] for name, told in dims.items())


def _grouped(dims: dict[str, str]) -> str:
    return "".join(f"{told}, " for told in dims.values() if told)


def _stakes(narrowed: str = "") -> str:
    """Stakes of one kind and round together, so that what lay in one round can be squared."""
    return f"""
        SELECT subject, round, first_sequence, kind, count() AS n, sum(staked_cents) AS staked,
               sum(pow(toFloat64(staked_cents), 2)) AS staked_squares,
               sumIf(ifNull(observed_cents, 0), observed_outcome = 'pay') AS paid,
               sumIf(ifNull(observed_cents, 0), observed_outcome = 'collect') AS collected,
               countIf(isNull(observed_outcome)) AS unknown,
               sumIf(staked_cents, isNull(observed_outcome)) AS unknown_cents,
               countIf(isNotNull(observed_outcome) AND isNotNull(expected_outcome)) AS judged,
               sumIf({_win("observed")} - {_win("expected")},
                     isNotNull(observed_outcome) AND isNotNull(expected_outcome)) AS error,
               countIf(isNotNull(observed_outcome) AND isNotNull(expected_outcome)
                       AND {_win("observed")} != {_win("expected")}) AS wrong
        FROM stakes FINAL WHERE {_SPAN} {narrowed}
        GROUP BY subject, round, first_sequence, kind
    """


def _win(side: str) -> str:
    """House's win of a stake as one side has it."""
    return (
        f"multiIf({side}_outcome = 'collect', ifNull({side}_cents, 0),"
        f" {side}_outcome = 'pay', -ifNull({side}_cents, 0), 0)"
    )


def _rounds(scope: Scope) -> str:
    """Rounds of the scope, each with the configuration of its table that was in force when it began."""
    where = "has({places:Array(String)}, place) AND" if scope.places is not None else ""
    where += "".join(f" {_LACKING[what]} AND" for what in scope.lacks)
    days = "gaming_day BETWEEN {first:Date32} AND {last:Date32}"
    days = "isNull(rounds.gaming_day)" if scope.dayless else days
    days += f" AND decided_at < {{until:{_MOMENT}}}" if scope.until is not None else ""
    local = "toHour(decided_at, {zone:String}) * 60 + toMinute(decided_at, {zone:String})"
    return f"""
        SELECT subject, round, first_sequence, decided_at AS at, ruleset, gaming_day, status, dealer, terms,
               toUInt8(intDiv(({local} + {_DAY_MINUTES} - {{start:UInt16}}) % {_DAY_MINUTES}, {SHIFT_MINUTES}) + 1)
                   AS shift
        FROM (SELECT f.*, c.sequence AS terms, concat(f.subject, '/', toString(c.sequence)) AS place
              FROM (SELECT subject, round, first_sequence, decided_at, ruleset, assumeNotNull(gaming_day) AS gaming_day,
                           status, dealer
                    FROM rounds FINAL
                    WHERE {_SPAN} AND {days}) AS f
              ASOF LEFT JOIN (SELECT DISTINCT subject, sequence FROM events WHERE type = 'table_configured') AS c
                  ON c.subject = f.subject AND f.first_sequence >= c.sequence)
        WHERE {where} NOT has({{elsewhere:Array(String)}}, place) AND NOT has({{tables:Array(String)}}, subject)
            AND ({{ruleset:String}} = '' OR ruleset = {{ruleset:String}})
            AND ({{dealer:String}} = '' OR dealer = {{dealer:String}})
            AND ({{shift:UInt8}} = 0 OR shift = {{shift:UInt8}})
            AND ({{subject:String}} = '' OR subject = {{subject:String}})
            AND ({{status:String}} = '' OR status = {{status:String}})
            AND NOT has({{dealers:Array(String)}}, ifNull(dealer, ''))
    """


def _parameters(scope: Scope) -> dict[str, Parameter]:
    narrowed: dict[str, Parameter] = {} if scope.places is None else {"places": scope.places}
    narrowed |= {} if scope.until is None else {"until": scope.until}
    return narrowed | {
        "status": scope.status,
        "first": scope.first,
        "last": scope.last,
        "ruleset": scope.ruleset,
        "dealer": scope.dealer,
        "shift": scope.shift,
        "zone": scope.zone,
        "start": scope.day_start,
        "subject": scope.subject,
        "elsewhere": scope.elsewhere,
        "tables": scope.without_tables,
        "dealers": scope.without_dealers,
    }
