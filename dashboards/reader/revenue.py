"""Revenue as the rounds have it: what stakes come to, how many hands were dealt, and which rounds are behind a sum."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from typing import Any, Literal, cast

from msgspec import Struct, structs

from dashboards.reader.question import MOMENT, Parameter, Question, columns, stored
from dashboards.reader.search import DealerRow, RoundKey
from schemas.rulesets import RULESETS
from schemas.warehouse.relation import EACH_MONTH

MOST = 500
SLOT_MINUTES = 30  # of a day's course
SHIFT_MINUTES = 480
Only = Literal["", "errors", "play", "unknown"]
_DAY_MINUTES = 1440
ON_TOP = ("double", "split", "lammer")  # laid or given on top of a main wager, and part of it
# SQL of takings that is above 0 where a round has part in a figure.
_PART: dict[Only, str] = {"": "1", "errors": "wrong", "play": "play_cents != 0", "unknown": "unknown"}


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


class TakingRow(Struct, frozen=True, kw_only=True):
    """Stakes of one kind, and rounds, in cents: what a line or the course of a statement is made of.

    What the question does not tell apart is None. `terms` is the event that configured the table, 0 where none is
    known. `handle_cents` leaves out void rounds, and so do `seen_cents`, its part whose outcome was seen,
    `expected_cents`, which leaves out doubles, splits and lammers too (a theoretical figure is of the wager before
    them), and the sums of squares of the same stakes, that a band needs: `squares` of every stake, `joint_squares` of
    what lay in one round. `for_house_cents` and `for_patron_cents`, which is below 0, were settled beyond what was due.

    A round and its `hands`, at seats that staked, are counted with one kind of its stakes alone, and with the empty
    kind where it has none. `void` and `indeterminate` are among the rounds. `judged` counts stakes of which both what
    was due and what was done are known, `unknown` stakes of which nothing was seen to come. `play_cents` is what
    decisions gave the house at the main wagers of which it is worked out and the outcome was seen: `played_cents` were
    staked on these. A row that is `timed` is of the course: doubles, splits and lammers are with the main wager.
    """

    gaming_day: dt.date | None = None
    slot: dt.datetime | None = None
    subject: str
    terms: int
    ruleset: str | None
    dealer: str | None = None
    shift: int = 0
    kind: str
    stakes: int
    handle_cents: int
    seen_cents: int
    expected_cents: int
    squares: float = 0.0
    joint_squares: float = 0.0
    paid_cents: int
    collected_cents: int
    for_house_cents: int
    for_patron_cents: int
    play_cents: int
    rounds: int = 0
    hands: int = 0
    void: int = 0
    indeterminate: int = 0
    judged: int
    unknown: int
    unknown_cents: int
    played_cents: int
    timed: bool = False

    @property
    def win_cents(self) -> int:
        """The house's win."""
        return self.collected_cents - self.paid_cents

    @property
    def error_cents(self) -> int:
        """What was settled for the house beyond what was due, less what was settled for the patrons."""
        return self.for_house_cents + self.for_patron_cents


_MOVED = ("paid_cents", "collected_cents", "for_house_cents", "for_patron_cents", "play_cents")
_TAKEN = ("judged", "unknown", "unknown_cents", "played_cents")
# No clause lets a round of these games be void: stakes stay stakes, and what was not settled as due is an error (A70).
_NEVER_OFF = tuple(name for name, one in RULESETS.items() if one.family == "blackjack")
_OFF = f"(voided AND ifNull(ruleset, '') NOT IN {_NEVER_OFF})"
_SEEN = "staked_cents - unknown_cents"
_ON_TOP = f"kind IN {ON_TOP}"
_HANDLE = {
    "handle_cents": f"if({_OFF}, 0, staked_cents)",
    "seen_cents": f"if({_OFF}, 0, {_SEEN})",
    "expected_cents": f"if({_OFF} OR {_ON_TOP}, 0, {_SEEN})",
}
_SUMS = {name: f"toInt64({name})" for name in ("stakes", *_TAKEN, *_MOVED)} | _HANDLE


# Rounds are read once, and summed by what every sum of a statement tells apart; the few sums are summed again.
_READ = ", ".join((
    *(f"sum(t.{name}) AS {name}" for name in ("stakes", "staked_cents", "staked_squares", "rounds", "hands")),
    *(f"sum(t.{name}) AS {name}" for name in (*_TAKEN, *_MOVED)),
    "sum(pow(toFloat64(t.staked_cents), 2)) AS joint_squares",
    "sumIf(t.rounds, status = 'indeterminate') AS indeterminate",
))  # fmt: skip
_COUNTS = f"NOT ({_OFF} OR {_ON_TOP})"
_SUMMED = {
    **{name: f"toInt64(sum({name}))" for name in ("stakes", "rounds", "hands", "indeterminate", *_TAKEN)},
    "squares": f"sumIf(staked_squares, {_COUNTS})",
    "joint_squares": f"sumIf(joint_squares, {_COUNTS})",
    **{name: f"sum({sql})" for name, sql in _HANDLE.items()},
    **{name: f"sum({name})" for name in _MOVED},
    "void": "toInt64(sumIf(rounds, voided))",
}


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

    def takings(self) -> list[TakingRow]:
        """What its stakes come to by kind; a band cannot be made of them."""
        return [
            TakingRow(
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
    """Rounds of all tables around these days that belong to no gaming day, as none was begun: no sum has them."""
    where, asked = _where(structs.replace(scope, subject="", dayless=True))
    # Few rounds have no gaming day: by their keys no other round is read with its versions.
    key = "(subject, round, first_sequence)"
    few = f"{key} IN (SELECT {key} FROM takings WHERE {where})"
    rest = f"WHERE {few} AND {where} GROUP BY subject ORDER BY subject SETTINGS {EACH_MONTH}"
    return stored(DaylessRow, "takings", rest, asked, rounds="toUInt64(sum(rounds))")


def dealers(first: dt.date, last: dt.date, without_tables: Sequence[str] = ()) -> Question[DealerRow]:
    """Who dealt in these gaming days."""
    dealer = columns(DealerRow, dealer="assumeNotNull(dealer)")
    sql = (
        f"SELECT {dealer} FROM rounds WHERE {_SPAN} AND isNotNull(dealer)"
        " AND gaming_day BETWEEN {first:Date32} AND {last:Date32} AND NOT has({without_tables:Array(String)}, subject)"
        " GROUP BY dealer"
    )
    asked: dict[str, Parameter] = {"without_tables": tuple(without_tables)}
    return Question(DealerRow, sql, asked | {"first": first, "last": last})


class RoundWin(Struct, frozen=True):
    """What one round brought the house, in cents; `unknown_cents` were staked with an outcome that was not seen."""

    first_sequence: int
    win_cents: int
    unknown_cents: int


def wins(scope: RevenueScope) -> Question[RoundWin]:
    """What each round of one table brought, in order."""
    chosen = columns(
        RoundWin,
        win_cents="sum(collected_cents) - sum(paid_cents)",
        unknown_cents="toInt64(sum(t.unknown_cents))",
    )
    where, asked = _where(scope)
    sql = f"""
        SELECT {chosen} FROM takings AS t FINAL WHERE {where}
        GROUP BY first_sequence ORDER BY first_sequence SETTINGS {EACH_MONTH}
    """
    return Question(RoundWin, sql, asked)


def takings(
    scope: RevenueScope, apart: Collection[str] = (), course: Literal["", "slot", "gaming_day"] = ""
) -> Question[TakingRow]:
    """The sums of stakes and rounds by table, ruleset and kind, and by the columns named in `apart`.

    `apart` may hold gaming_day, slot (half an hour of the round's end), dealer and shift. With `course` the same rounds
    are summed by that time, table, ruleset and wager too, in rows that are `timed`.
    """
    unknown = set(apart) - set(_ABSENT)
    if unknown:
        raise ValueError(f"nothing to tell apart by: {', '.join(sorted(unknown))}")
    lines = [name for name in _TOLD if name in apart or name not in _ABSENT]
    times = [name for name in _TOLD if name == course or name not in _ABSENT]
    read = {name: sql for name, sql in _TOLD.items() if name in (*lines, *times)}
    where, asked = _where(scope)
    grouped = ", ".join((*lines, "kind"))
    sets = f"GROUPING SETS (({grouped}), ({', '.join((*times, 'wager'))}))" if course else grouped
    timed = "grouping(kind) = 1" if course else "0"
    ordered = ", ".join((*read, *((timed,) if course else ()), "kind"))
    chosen = columns(
        TakingRow,
        **_ABSENT | {name: name for name in read} | _SUMMED,
        kind=f"if({timed}, wager, kind)" if course else "kind",
        timed=f"CAST({timed} AS Bool)",
    )
    sql = f"""
        SELECT {chosen}
        FROM (SELECT {", ".join(f"{sql} AS {name}" for name, sql in read.items())}, kind, voided,
                     if({_ON_TOP}, 'main', kind) AS wager, {_READ}
              FROM takings AS t FINAL WHERE {where} GROUP BY {", ".join(read)}, kind, voided)
        GROUP BY {sets} HAVING NOT {timed} OR sum(stakes) > 0 ORDER BY {ordered}
        SETTINGS {EACH_MONTH}
    """
    return Question(TakingRow, sql, asked)


def rounds_behind(
    scope: RevenueScope, kinds: Sequence[str] = (), only: Only = "", skip: int = 0, most: int = MOST
) -> Question[RoundBehind]:
    """The rounds behind a sum, oldest first, `total` of them; with `kinds`, those alone with a stake of one.

    `only` leaves those with a stake that was not settled as it was due (errors), at which decisions gave something
    (play), or of which nothing was seen to come (unknown).
    """
    of_kind = "(empty({kinds:Array(String)}) OR has({kinds:Array(String)}, kind))"
    named = {"terms": "configured"} | {name: name for name in ("ruleset", "dealer", "status", "voided")}
    chosen = columns(
        RoundBehind,
        decided_at="any(decided_at)",
        **{name: f"any({sql})" for name, sql in named.items()},
        hands="toUInt64(sum(hands))",
        kinds=f"groupArrayIf(kind, stakes > 0 AND {of_kind})",
        sums=f"groupArrayIf([{', '.join(_SUMS.values())}], stakes > 0 AND {of_kind})",
        total="toUInt64(count() OVER ())",
    )
    where, asked = _where(scope)
    sql = f"""
        SELECT {chosen} FROM takings FINAL WHERE {where}
        GROUP BY subject, round, first_sequence HAVING sumIf({_PART[only]}, {of_kind}) > 0
        ORDER BY any(decided_at), subject, first_sequence LIMIT {{most:UInt32}} OFFSET {{skip:UInt32}}
        SETTINGS {EACH_MONTH}
    """
    return Question(RoundBehind, sql, asked | {"kinds": tuple(kinds), "most": min(most, MOST), "skip": skip})


# Gaming days are no calendar days: rounds are read from the day before to two days behind, which is where a day's
# rounds can lie, and chosen by the gaming day they name.
_SPAN = (
    "decided_at BETWEEN toDateTime64({first:Date32}, 6, 'UTC') - INTERVAL 1 DAY"
    " AND toDateTime64({last:Date32}, 6, 'UTC') + INTERVAL 3 DAY"
)
_LACKING = {"game": "ifNull(ruleset, '') = ''", "pit": "configured = 0", "dealer": "ifNull(dealer, '') = ''"}
_ABSENT = {
    "gaming_day": "CAST(NULL AS Nullable(Date32))",
    "slot": "CAST(NULL AS Nullable(DateTime('UTC')))",
    "dealer": "CAST(NULL AS Nullable(String))",
    "shift": "toUInt8(0)",
}
_LOCAL = "(toHour(decided_at, {zone:String}) * 60 + toMinute(decided_at, {zone:String}))"
_SHIFT = f"toUInt8(intDiv(({_LOCAL} + {_DAY_MINUTES} - {{day_start:UInt16}}) % {_DAY_MINUTES}, {SHIFT_MINUTES}) + 1)"
_TOLD = {
    "gaming_day": "gaming_day",
    "slot": f"toNullable(toStartOfInterval(decided_at, INTERVAL {SLOT_MINUTES} MINUTE))",
    "subject": "subject",
    "terms": "configured",
    "ruleset": "ruleset",
    "dealer": "dealer",
    "shift": _SHIFT,
}
_PLACE = "concat(subject, '/', toString(configured))"
# What narrows a scope, by the scope's field.
_NARROWS = {
    "places": f"has({{places:Array(String)}}, {_PLACE})",
    "elsewhere": f"NOT has({{elsewhere:Array(String)}}, {_PLACE})",
    "subject": "subject = {subject:String}",
    "ruleset": "ruleset = {ruleset:String}",
    "dealer": "dealer = {dealer:String}",
    "shift": f"{_SHIFT} = {{shift:UInt8}}",
    "without_tables": "NOT has({without_tables:Array(String)}, subject)",
    "without_dealers": "NOT has({without_dealers:Array(String)}, ifNull(dealer, ''))",
    "status": "(status = {status:String} OR {status:String} = 'void' AND voided)",
    "until": f"decided_at < {{until:{MOMENT}}}",
}


def _where(scope: RevenueScope) -> tuple[str, dict[str, Parameter]]:
    """The condition that rows of the scope's rounds meet, and its parameters."""
    narrows = [name for name in _NARROWS if getattr(scope, name) not in (None, "", 0, ())]
    if scope.places == ():
        narrows.append("places")  # of no table
    days = "isNull(gaming_day)" if scope.dayless else "gaming_day BETWEEN {first:Date32} AND {last:Date32}"
    parts = [_SPAN, days, *map(_NARROWS.__getitem__, narrows), *map(_LACKING.__getitem__, scope.lacks)]
    return " AND ".join(parts), _named(scope, "first", "last", "zone", "day_start", *narrows)


def _named(scope: RevenueScope, *names: str) -> dict[str, Parameter]:
    """Parameters of a question that are called as the fields of the scope."""
    return {name: getattr(scope, name) for name in names}
