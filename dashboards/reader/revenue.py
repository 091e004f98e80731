"""Revenue as the rounds have it: what stakes come to, how many hands were dealt, and which rounds are behind a sum."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from typing import Any, Literal, cast

from msgspec import Struct

from dashboards.reader.question import MOMENT, Parameter, Question, columns, stored
from dashboards.reader.search import DealerRow, RoundKey
from schemas.rulesets import RULESETS

MOST = 500
SLOT_MINUTES = 30  # of a day's course
SHIFT_MINUTES = 480
Only = Literal["", "errors", "unknown"]
_DAY_MINUTES = 1440
_HAVING = {
    "": "{every:UInt8} = 1 OR sum(stakes) > 0",
    "errors": "sum(wrong) > 0",
    "unknown": "sum(unknown) > 0",
}


class RevenueScope(Struct, frozen=True, kw_only=True):
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


class SettledRow(Struct, frozen=True, kw_only=True):
    """Stakes of one kind, in cents; wins are the house's; what the question does not tell apart is None.

    `terms` is the event that configured the table, 0 where none is known. `handle_cents` leaves out void rounds, and
    so do `seen_cents`, its part whose outcome was seen, and the sums of squares that a band needs: `squares` of every
    stake, `joint_squares` of what lay in one round. `error_cents` is what was settled for the house beyond what was
    due, over the `judged` stakes of which both are known; `for_house_cents` and `for_patron_cents` are its parts by
    direction. `unknown` counts stakes of which nothing was seen to come.
    """

    gaming_day: dt.date | None = None
    slot: dt.datetime | None = None
    subject: str
    terms: int
    ruleset: str | None
    dealer: str | None
    shift: int = 0
    kind: str
    stakes: int
    handle_cents: int
    seen_cents: int
    squares: float = 0.0
    joint_squares: float = 0.0
    paid_cents: int
    collected_cents: int
    error_cents: int
    for_house_cents: int
    for_patron_cents: int
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


_MOVED = ("paid_cents", "collected_cents", "error_cents", "for_house_cents", "for_patron_cents")
_SUMS = ("stakes", "handle_cents", "seen_cents", *_MOVED, "judged", "unknown", "unknown_cents")


class RoundBehind(RoundKey, frozen=True):
    """One round behind a figure, with its stakes of the kinds in question; `total` is the number of all such rounds.

    `sums` go with `kinds`, one by one, each in the order of `_SUMS`.
    """

    decided_at: dt.datetime
    terms: int
    ruleset: str | None
    dealer: str | None
    status: str
    voided: bool
    hands: int
    kinds: tuple[str, ...]
    sums: tuple[tuple[int, ...], ...]
    total: int

    def settled(self) -> list[SettledRow]:
        """What its stakes come to by kind; a band cannot be made of them."""
        return [
            SettledRow(
                subject=self.subject,
                terms=self.terms,
                ruleset=self.ruleset,
                dealer=self.dealer,
                kind=kind,
                **cast(dict[str, Any], dict(zip(_SUMS, sums, strict=True))),
            )
            for kind, sums in zip(self.kinds, self.sums, strict=True)
        ]


class DayRow(Struct, frozen=True):
    """The newest gaming day that has rounds, or None."""

    gaming_day: dt.date | None


class DaylessRow(Struct, frozen=True):
    """Rounds that name no gaming day."""

    subject: str
    rounds: int


def place(subject: str, terms: int) -> str:
    """A table under one configuration."""
    return f"{subject}/{terms}"


def newest_day() -> Question[DayRow]:
    """The newest gaming day of which a round is stored."""
    return Question(DayRow, f"SELECT {columns(DayRow, gaming_day='max(gaming_day)')} FROM rounds")


def without_day(scope: RevenueScope) -> Question[DaylessRow]:
    """Rounds around these days that belong to no gaming day, as their tables began none: no sum has them."""
    rest = (
        f"WHERE {_SPAN} AND isNull(gaming_day) AND NOT has({{without_tables:Array(String)}}, subject)"
        " AND NOT has({without_dealers:Array(String)}, ifNull(dealer, ''))"
        " GROUP BY subject ORDER BY subject"
    )
    asked = _named(scope, "first", "last", "without_tables", "without_dealers")
    return stored(DaylessRow, "rounds", rest, asked, rounds="toUInt64(count())")


def dealers(first: dt.date, last: dt.date, without_tables: Sequence[str] = ()) -> Question[DealerRow]:
    """Who dealt in these gaming days."""
    dealer = columns(DealerRow, dealer="assumeNotNull(dealer)")
    sql = (
        f"SELECT DISTINCT {dealer} FROM rounds WHERE {_SPAN} AND isNotNull(dealer)"
        " AND gaming_day BETWEEN {first:Date32} AND {last:Date32} AND NOT has({without_tables:Array(String)}, subject)"
    )
    asked: dict[str, Parameter] = {"without_tables": tuple(without_tables)}
    return Question(DealerRow, sql, asked | {"first": first, "last": last})


def settled(scope: RevenueScope, apart: Collection[str] = ()) -> Question[SettledRow]:
    """The sums of stakes by table, ruleset and kind, and by the columns named in `apart`.

    `apart` may hold gaming_day, slot (half an hour of the round's end), dealer and shift.
    """
    dims = _dims(("gaming_day", "slot", "subject", "terms", "ruleset", "dealer", "shift"), apart)
    chosen = columns(
        SettledRow,
        **_chosen(dims),
        stakes="toUInt64(sum(stakes))",
        handle_cents="sumIf(staked, NOT off)",
        seen_cents="sumIf(staked - unknown_cents, NOT off)",
        squares="sumIf(staked_squares, NOT off)",
        joint_squares="sumIf(pow(toFloat64(staked), 2), NOT off)",
        judged="toUInt64(sum(judged))",
        unknown="toUInt64(sum(unknown))",
        **{name: f"sum({name})" for name in (*_MOVED, "unknown_cents")},
    )
    sql = f"""
        SELECT {chosen}
        FROM ({_stakes()}) AS s
        INNER JOIN ({_rounds(scope)}) AS r
            ON r.subject = s.subject AND r.round = s.round AND r.first_sequence = s.first_sequence
        GROUP BY {_grouped(dims)}kind ORDER BY {_grouped(dims)}kind
    """
    return Question(SettledRow, sql, _parameters(scope))


def dealt(scope: RevenueScope, apart: Collection[str] = ()) -> Question[DealtRow]:
    """How many rounds and hands were dealt, by table, ruleset and the columns named in `apart`."""
    dims = _dims(("gaming_day", "subject", "terms", "ruleset", "dealer", "shift"), apart)
    chosen = columns(
        DealtRow,
        **_chosen(dims),
        rounds="toUInt64(count())",
        hands="toUInt64(sum(h.hands))",
        void="toUInt64(countIf(voided))",
        indeterminate="toUInt64(countIf(status = 'indeterminate'))",
    )
    sql = f"""
        SELECT {chosen}
        FROM ({_rounds(scope)}) AS r
        LEFT JOIN ({_HANDS}) AS h
            ON h.subject = r.subject AND h.round = r.round AND h.first_sequence = r.first_sequence
        GROUP BY {_grouped(dims)[:-2]} ORDER BY {_grouped(dims)[:-2]}
    """
    return Question(DealtRow, sql, _parameters(scope))


def rounds_behind(
    scope: RevenueScope, kinds: Sequence[str] = (), only: Only = "", skip: int = 0, most: int = MOST
) -> Question[RoundBehind]:
    """The rounds behind a sum, oldest first, `total` of them; with `kinds`, those alone with a stake of one.

    `only` leaves those with a stake that was not settled as it was due (errors), or of which nothing was seen to come
    (unknown).
    """
    handle = {"handle_cents": "if(off, 0, staked)", "seen_cents": "if(off, 0, staked - unknown_cents)"}
    cells = ", ".join(f"toInt64({handle.get(name, name)})" for name in _SUMS)
    chosen = columns(
        RoundBehind,
        subject="r.subject",
        round="r.round",
        first_sequence="r.first_sequence",
        decided_at="any(at)",
        **{name: f"any({name})" for name in ("terms", "ruleset", "dealer", "status", "voided")},
        hands="toUInt64(any(h.hands))",
        kinds="groupArrayIf(kind, stakes > 0)",
        sums=f"groupArrayIf([{cells}], stakes > 0)",
        total="toUInt64(count() OVER ())",
    )
    sql = f"""
        SELECT {chosen}
        FROM ({_rounds(scope)}) AS r
        LEFT JOIN ({_stakes("AND (empty({kinds:Array(String)}) OR has({kinds:Array(String)}, kind))")}) AS s
            ON r.subject = s.subject AND r.round = s.round AND r.first_sequence = s.first_sequence
        LEFT JOIN ({_HANDS}) AS h
            ON r.subject = h.subject AND r.round = h.round AND r.first_sequence = h.first_sequence
        GROUP BY r.subject, r.round, r.first_sequence
        HAVING {_HAVING[only]}
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
# Hands at seats that staked. Versions of a hand have one key, which is all that is asked: none need be merged.
_HANDS = f"""
    SELECT subject, round, first_sequence, toUInt64(count()) AS hands
    FROM (SELECT DISTINCT subject, round, first_sequence, hand, toUInt8OrZero(substring(hand, 1, 1)) AS seat
          FROM hands WHERE {_SPAN} AND seat > 0) AS h
    LEFT SEMI JOIN (SELECT DISTINCT subject, round, first_sequence, seat FROM stakes FINAL WHERE {_SPAN}) AS s
        ON s.subject = h.subject AND s.round = h.round AND s.first_sequence = h.first_sequence AND s.seat = h.seat
    GROUP BY subject, round, first_sequence
"""


def _win(side: str) -> str:
    """House's win of a stake as one side has it."""
    cents, outcome = f"ifNull({side}_cents, 0)", f"{side}_outcome"
    return f"multiIf({outcome} = 'collect', {cents}, {outcome} = 'pay', -{cents}, 0)"


_JUDGED = "(isNotNull(observed_outcome) AND isNotNull(expected_outcome))"
_ERROR = f"({_win('observed')} - {_win('expected')})"
# A round that was called off has the status `breached` or `indeterminate` where it is that too.
_VOIDED = (
    "SELECT DISTINCT subject, sequence FROM events WHERE type = 'round_voided'"
    f" AND {_SPAN.replace('decided_at', 'time')}"
)
# No clause lets a round of these games be void: stakes stay stakes, and what was not settled as due is an error (A70).
_NEVER_OFF = tuple(name for name, one in RULESETS.items() if one.family == "blackjack")
_LACKING = {"game": "ifNull(ruleset, '') = ''", "pit": "terms = 0", "dealer": "ifNull(dealer, '') = ''"}
_ABSENT = {
    "gaming_day": "CAST(NULL AS Nullable(Date32))",
    "slot": "CAST(NULL AS Nullable(DateTime('UTC')))",
    "dealer": "CAST(NULL AS Nullable(String))",
    "shift": "toUInt8(0)",
}
_TOLD = {"slot": f"toStartOfInterval(at, INTERVAL {SLOT_MINUTES} MINUTE)", "subject": "r.subject"}


def _dims(names: Sequence[str], apart: Collection[str]) -> dict[str, str]:
    unknown = set(apart) - set(_ABSENT)
    if unknown:
        raise ValueError(f"nothing to tell apart by: {', '.join(sorted(unknown))}")
    return {name: _TOLD.get(name, name) if name in apart or name not in _ABSENT else "" for name in names}


def _chosen(dims: dict[str, str]) -> dict[str, str]:
    return {name: told or _ABSENT[name] for name, told in dims.items()}


def _grouped(dims: dict[str, str]) -> str:
    return "".join(f"{told}, " for told in dims.values() if told)


def _stakes(narrowed: str = "") -> str:
    """Stakes of one kind and round together, so that what lay in one round can be squared."""
    return f"""
        SELECT subject, round, first_sequence, kind, count() AS stakes, sum(staked_cents) AS staked,
               sum(pow(toFloat64(staked_cents), 2)) AS staked_squares,
               sumIf(ifNull(observed_cents, 0), observed_outcome = 'pay') AS paid_cents,
               sumIf(ifNull(observed_cents, 0), observed_outcome = 'collect') AS collected_cents,
               countIf(isNull(observed_outcome)) AS unknown,
               sumIf(staked_cents, isNull(observed_outcome)) AS unknown_cents,
               countIf({_JUDGED}) AS judged,
               sumIf({_ERROR}, {_JUDGED}) AS error_cents,
               sumIf({_ERROR}, {_JUDGED} AND {_ERROR} > 0) AS for_house_cents,
               sumIf({_ERROR}, {_JUDGED} AND {_ERROR} < 0) AS for_patron_cents,
               countIf({_JUDGED} AND {_ERROR} != 0) AS wrong
        FROM stakes FINAL WHERE {_SPAN} {narrowed}
        GROUP BY subject, round, first_sequence, kind
    """


def _rounds(scope: RevenueScope) -> str:
    """Rounds of the scope, each with the configuration of its table that was in force when it began."""
    where = "has({places:Array(String)}, place) AND" if scope.places is not None else ""
    where += "".join(f" {_LACKING[what]} AND" for what in scope.lacks)
    days = "gaming_day BETWEEN {first:Date32} AND {last:Date32}"
    days = "isNull(rounds.gaming_day)" if scope.dayless else days
    days += f" AND decided_at < {{until:{MOMENT}}}" if scope.until is not None else ""
    local = "toHour(decided_at, {zone:String}) * 60 + toMinute(decided_at, {zone:String})"
    return f"""
        SELECT subject, round, first_sequence, decided_at AS at, ruleset, gaming_day, status, dealer, terms,
               status = 'void' OR void_at >= first_sequence AS voided, voided AND ruleset NOT IN {_NEVER_OFF} AS off,
               toUInt8(intDiv(({local} + {_DAY_MINUTES} - {{day_start:UInt16}}) % {_DAY_MINUTES}, {SHIFT_MINUTES}) + 1)
                   AS shift
        FROM (SELECT f.*, c.sequence AS terms, concat(f.subject, '/', toString(c.sequence)) AS place
              FROM (SELECT r.*, v.sequence AS void_at
                    FROM (SELECT subject, round, first_sequence, last_sequence, decided_at, ruleset,
                                 assumeNotNull(gaming_day) AS gaming_day, status, dealer
                          FROM rounds FINAL WHERE {_SPAN} AND {days}) AS r
                    ASOF LEFT JOIN ({_VOIDED}) AS v
                        ON v.subject = r.subject AND r.last_sequence >= v.sequence) AS f
              ASOF LEFT JOIN (SELECT DISTINCT subject, sequence FROM events WHERE type = 'table_configured') AS c
                  ON c.subject = f.subject AND f.first_sequence >= c.sequence)
        WHERE {where} NOT has({{elsewhere:Array(String)}}, place) AND NOT has({{without_tables:Array(String)}}, subject)
            AND ({{ruleset:String}} = '' OR ruleset = {{ruleset:String}})
            AND ({{dealer:String}} = '' OR dealer = {{dealer:String}})
            AND ({{shift:UInt8}} = 0 OR shift = {{shift:UInt8}})
            AND ({{subject:String}} = '' OR subject = {{subject:String}})
            AND ({{status:String}} = '' OR status = {{status:String}} OR {{status:String}} = 'void' AND voided)
            AND NOT has({{without_dealers:Array(String)}}, ifNull(dealer, ''))
    """


def _parameters(scope: RevenueScope) -> dict[str, Parameter]:
    return _named(
        scope, *_ALWAYS, *(name for name in ("places", "until") if getattr(scope, name) is not None)
    )


_ALWAYS = (
    "first", "last", "elsewhere", "subject", "ruleset", "dealer", "shift", "zone", "day_start", "without_tables",
    "without_dealers", "status",
)  # fmt: skip


def _named(scope: RevenueScope, *names: str) -> dict[str, Parameter]:
    """Parameters of a question that are called as the fields of the scope."""
    return {name: getattr(scope, name) for name in names}
