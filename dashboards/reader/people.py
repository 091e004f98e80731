"""Dealers, patrons and tables over a span of time: what their rounds come to, and the findings in them.

Everything is summed by the store: however many rounds there are, an answer has a row for each gaming day, for each of
those compared, or for each finding of a page. Of a table alone the rows that its key finds are read; of a dealer those
of the tables that the dealer dealt at, and of a patron those of the seats where the patron was seen.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Final, Literal

from msgspec import Struct

from dashboards.reader.newest import HANDS_OF_PATRON, SeatRow, at_seats
from dashboards.reader.question import MOMENT, Parameter, Question, columns
from schemas.warehouse.relation import EACH_MONTH
from schemas.warehouse.views import patron_cents

Kind = Literal["dealer", "patron", "table"]
By = Literal["day", "dealer", "table", "nobody"]
MOST_TABLES: Final = 50  # tables that are compared, or that a dealer is looked for at
MOST_NAMES: Final = 500
_Given = dict[str, Parameter]


class PeopleScope(Struct, frozen=True, kw_only=True):
    """Whose rounds that ended from `since` to `until`, at which tables.

    `tables` are those that are read: of a dealer where the dealer dealt, of a table the table. `seats` are those of a
    patron. Rounds of tables and dealers `without` are left out.
    """

    kind: Kind
    name: str
    since: dt.datetime
    until: dt.datetime
    tables: tuple[str, ...]
    seats: tuple[SeatRow, ...] = ()
    without_tables: tuple[str, ...] = ()
    without_dealers: tuple[str, ...] = ()


class FiguresRow(Struct, frozen=True, kw_only=True):
    """What rounds come to: of a gaming day (`day`), or of a dealer or table (`who`).

    `hands` are main wagers and splits. Errors are of the `judged` stakes, of which both what was due and what was done
    are known: `overpaid` and `owed` (paid too little, or taken too much) count them, in cents what they come to.
    `won_cents` is what the patrons won (+). `pace_ms` is the median from the end of one round to the end of the next
    of the same shoe and dealer, over `paces` of them.
    """

    day: dt.date | None
    who: str
    rounds: int
    breached: int
    indeterminate: int
    void: int
    hands: int
    stakes: int
    staked_cents: int
    won_cents: int
    judged: int
    overpaid: int
    overpaid_cents: int
    owed: int
    owed_cents: int
    paces: int
    pace_ms: int


class TableNameRow(Struct, frozen=True):
    """A table where somebody dealt, and the rounds dealt there."""

    subject: str
    rounds: int


class FindingAboutRow(Struct, frozen=True):
    """A finding and the round it concerns; `first_sequence` is 0 where it concerns none."""

    decided_at: dt.datetime
    subject: str
    sequence: int
    finding_id: str
    first_sequence: int
    record: str


class SeatedRow(Struct, frozen=True):
    """A hand of a patron."""

    subject: str
    round: int
    seat: int


class CountRow(Struct, frozen=True):
    """How many findings of a severity there are, and how they were decided."""

    severity: str
    verdict: str
    findings: int


class FindingsWanted(Struct, frozen=True, kw_only=True):
    """Which findings: those with one of these verdicts, without the ids that are withheld; `after` was shown last."""

    verdicts: tuple[str, ...]
    only_with_money: bool = False
    without_ids: tuple[str, ...] = ()
    after: tuple[dt.datetime, str, int, str] | None = None
    most: int = 25


_SPAN = f"decided_at BETWEEN {{since:{MOMENT}}} AND {{until:{MOMENT}}}"
_AT = "subject IN {tables:Array(String)}"
_KEY = "subject, round, first_sequence"
# Rows of one key lie in one month. Made distinct in the order of the key, a patron's hands take five times as long.
_SETTINGS = f"SETTINGS {EACH_MONTH}, optimize_distinct_in_order = 0"


def _visible(prefix: str = "") -> str:
    """Rounds that are not left out, of a relation called so."""
    return (
        f"NOT has({{without_tables:Array(String)}}, {prefix}subject)"
        f" AND NOT has({{without_dealers:Array(String)}}, ifNull({prefix}dealer, ''))"
    )


def _same(left: str, right: str) -> str:
    return " AND ".join(f"{left}.{name} = {right}.{name}" for name in ("subject", "round", "first_sequence"))


_WON = patron_cents("observed")
_JUDGED = "isNotNull(observed_outcome) AND isNotNull(expected_outcome)"
_EXCESS = f"({_WON} - {patron_cents('expected')})"
# Sums of the stakes that lie together: those of a round, or of one seat of it.
_SUMS = f"""
    countIf(kind != 'lammer') AS stakes, countIf(kind IN ('main', 'split')) AS hands,
    sumIf(staked_cents, kind != 'lammer') AS staked, sum({_WON}) AS won, countIf({_JUDGED}) AS judged,
    countIf({_JUDGED} AND {_EXCESS} > 0) AS overpaid, sumIf({_EXCESS}, {_JUDGED} AND {_EXCESS} > 0) AS overpaid_cents,
    countIf({_JUDGED} AND {_EXCESS} < 0) AS owed, sumIf(-{_EXCESS}, {_JUDGED} AND {_EXCESS} < 0) AS owed_cents
"""
_BY_ROUND = f"SELECT {_KEY}, {_SUMS} FROM stakes FINAL WHERE {_SPAN} AND {_AT} GROUP BY {_KEY}"
_BY_SEAT = f"SELECT {_KEY}, seat, {_SUMS} FROM stakes FINAL WHERE {_SPAN} AND {_AT} GROUP BY {_KEY}, seat"
# The round before must be the one dealt just before, by the same dealer from the same shoe: else the time between tells
# nothing of pace.
_PLAYED = f"""
    SELECT {_KEY}, gaming_day, dealer, ruleset, status,
           if(shoe = lagInFrame(shoe) OVER one AND round = lagInFrame(round) OVER one + 1
              AND ifNull(dealer, '') = lagInFrame(ifNull(dealer, '')) OVER one,
              dateDiff('millisecond', lagInFrame(decided_at) OVER one, decided_at), -1) AS pace
    FROM rounds FINAL WHERE {_SPAN} AND {_AT}
    WINDOW one AS (PARTITION BY subject ORDER BY first_sequence ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
"""
_HANDS = f"SELECT DISTINCT {_KEY}, seat FROM ({HANDS_OF_PATRON})"
_BY: dict[By, tuple[str, str]] = {
    "day": ("r.gaming_day", "''"),
    "dealer": ("NULL", "ifNull(r.dealer, '')"),
    "table": ("NULL", "r.subject"),
    "nobody": ("NULL", "''"),
}


_STATUSES = ("breached", "indeterminate", "void")
_COUNTS = ("hands", "stakes", "judged", "overpaid", "owed")


def _summed(by: By, rounds: str, of_status: str, **pace: str) -> str:
    """The columns of `FiguresRow` over rounds `r` and their sums `s`; `of_status` counts the rounds of `{}`."""
    day, who = _BY[by]
    return columns(
        FiguresRow,
        day=f"CAST({day} AS Nullable(Date32)) AS day",
        who=f"{who} AS who",
        rounds=f"toUInt64({rounds})",
        **{name: f"toUInt64({of_status.format(name)})" for name in _STATUSES},
        **{name: f"toUInt64(sum(s.{name}))" for name in _COUNTS},
        staked_cents="toInt64(sumIf(s.staked, r.status != 'void'))",
        won_cents="toInt64(sum(s.won))",
        overpaid_cents="toInt64(sum(s.overpaid_cents))",
        owed_cents="toInt64(sum(s.owed_cents))",
        **pace,
    )


def _grouped(scope: PeopleScope, told: str, rows: str, where: str) -> Question[FiguresRow]:
    sql = (
        f"SELECT {told} FROM {rows} WHERE {where}"
        f" GROUP BY day, who ORDER BY day, who LIMIT {{most:UInt32}} {_SETTINGS}"
    )
    return Question(FiguresRow, sql, _given(scope) | {"most": MOST_NAMES})


def figures(scope: PeopleScope, by: By) -> Question[FiguresRow]:
    """What the rounds come to, by gaming day or by who is compared; of a patron the own seats alone.

    By dealer or table it is everybody of the scope's tables, whoever the scope is about.
    """
    if scope.kind == "patron":
        return _of_seats(scope, by, f"({_HANDS})")
    told = _summed(
        by,
        "count()",
        "countIf(r.status = '{}')",
        paces="toUInt64(countIf(r.pace >= 0))",
        pace_ms="toInt64(quantileExactIf(0.5)(r.pace, r.pace >= 0))",
    )
    own = " AND r.dealer = {name:String}" if scope.kind == "dealer" and by in ("day", "nobody") else ""
    rows = f"({_PLAYED}) AS r LEFT JOIN ({_BY_ROUND}) AS s ON {_same('r', 's')}"
    return _grouped(scope, told, rows, f"{_visible('r.')}{own}")


def others_at_table(scope: PeopleScope) -> Question[FiguresRow]:
    """What all other seats of a patron's rounds come to, together."""
    others = (
        f"(SELECT {_KEY}, seat FROM ({_BY_SEAT}) WHERE ({_KEY}) IN (SELECT {_KEY} FROM ({_HANDS}))"
        f" AND ({_KEY}, seat) NOT IN (SELECT {_KEY}, seat FROM ({_HANDS})))"
    )
    return _of_seats(scope, "nobody", others)


def _of_seats(scope: PeopleScope, by: By, seats: str) -> Question[FiguresRow]:
    """The sums of these hands (table, round, seat); a round in which somebody has two counts once."""
    one = "tuple(r.subject, r.round, r.first_sequence)"
    told = _summed(
        by,
        f"uniqExact({one})",
        f"uniqExactIf({one}, r.status = '{{}}')",
        paces="toUInt64(0)",
        pace_ms="toInt64(0)",
    )
    rounds = f"SELECT {_KEY}, gaming_day, dealer, status FROM rounds FINAL WHERE {_SPAN} AND {_AT}"
    rows = (
        f"{seats} AS p INNER JOIN ({rounds}) AS r ON {_same('p', 'r')}"
        f" INNER JOIN ({_BY_SEAT}) AS s ON {_same('p', 's')} AND p.seat = s.seat"
    )
    return _grouped(scope, told, rows, _visible("r."))


def tables_of_dealer(name: str, since: dt.datetime, until: dt.datetime) -> Question[TableNameRow]:
    """Where a dealer dealt in the span, most rounds first."""
    told = columns(TableNameRow, rounds="toUInt64(count())")
    sql = (
        f"SELECT {told} FROM rounds WHERE {_SPAN} AND dealer = {{name:String}}"
        " GROUP BY subject ORDER BY count() DESC, subject LIMIT {most:UInt32}"
    )
    return Question(TableNameRow, sql, {"name": name, "since": since, "until": until, "most": MOST_TABLES})


def tables_alike(name: str, since: dt.datetime, until: dt.datetime) -> Question[TableNameRow]:
    """The table and others that were dealt by the same rules in the span: it first, then most rounds first."""
    told = columns(TableNameRow, rounds="toUInt64(count())")
    rules = f"SELECT DISTINCT ruleset FROM rounds WHERE subject = {{name:String}} AND {_SPAN}"
    sql = (
        f"SELECT {told} FROM rounds WHERE {_SPAN} AND (subject = {{name:String}} OR ruleset IN ({rules}))"
        " GROUP BY subject ORDER BY subject = {name:String} DESC, count() DESC, subject LIMIT {most:UInt32}"
    )
    return Question(TableNameRow, sql, {"name": name, "since": since, "until": until, "most": MOST_TABLES})


def ever_dealt(name: str) -> Question[TableNameRow]:
    """A table where this dealer ever dealt; none where nobody of the name did."""
    sql = f"SELECT {columns(TableNameRow, rounds='toUInt64(1)')} FROM rounds WHERE dealer = {{name:String}} LIMIT 1"
    return Question(TableNameRow, sql, {"name": name})


def ever_seen(name: str) -> Question[TableNameRow]:
    """A table where this patron was ever named; none where nobody of the pseudonym was."""
    told = columns(TableNameRow, rounds="toUInt64(1)")
    return Question(
        TableNameRow, f"SELECT {told} FROM patrons WHERE patron = {{name:String}} LIMIT 1", {"name": name}
    )


def tables_ever(kind: Literal["dealer", "patron"], name: str) -> Question[TableNameRow]:
    """The tables at which a dealer ever dealt or a patron was ever named, those of the latest first.

    It has no bound of time: the names of dealers are few, and their column is small. Of 40 million rounds, three years
    of 200 tables, it takes an embedded engine on two cores 0.1 to 0.4 s, and of the latest year 0.04 to 0.4 s.
    """
    of_dealer = ("rounds", "dealer", "decided_at")
    relation, whose, last = of_dealer if kind == "dealer" else ("patrons", "patron", "time")
    sql = (
        f"SELECT {columns(TableNameRow, rounds='toUInt64(count())')} FROM {relation} WHERE {whose} = {{name:String}}"
        f" GROUP BY subject ORDER BY max({last}) DESC, subject LIMIT {{most:UInt32}}"
    )
    return Question(TableNameRow, sql, {"name": name, "most": MOST_TABLES})


def findings(scope: PeopleScope, wanted: FindingsWanted) -> Question[FindingAboutRow]:
    """One page of the findings in these rounds, the newest first; those of patterns stand elsewhere."""
    inner, given = _found(scope, wanted)
    after = ""
    if wanted.after is not None:
        names = ("at", "after_subject", "after_sequence", "after_id")
        given |= dict(zip(names, wanted.after, strict=True))
        after = (
            " AND (decided_at, subject, sequence, finding_id)"
            f" < ({{at:{MOMENT}}}, {{after_subject:String}}, {{after_sequence:UInt32}}, {{after_id:String}})"
        )
    sql = (
        f"SELECT {columns(FindingAboutRow)} FROM ({inner}) WHERE 1{after}"
        " ORDER BY decided_at DESC, subject DESC, sequence DESC, finding_id DESC LIMIT {most:UInt32}"
        f" {_SETTINGS}"
    )
    return Question(FindingAboutRow, sql, given | {"most": wanted.most})


def findings_counted(scope: PeopleScope, wanted: FindingsWanted) -> Question[CountRow]:
    """How many findings there are of each severity and verdict."""
    inner, given = _found(scope, wanted)
    sql = (
        f"SELECT {columns(CountRow, findings='toUInt64(count())')} FROM ({inner})"
        f" GROUP BY severity, verdict ORDER BY severity, verdict {_SETTINGS}"
    )
    return Question(CountRow, sql, given)


def _found(scope: PeopleScope, wanted: FindingsWanted) -> tuple[str, _Given]:
    """The findings of the scope with the round that each concerns, and what is given."""
    money = " AND money_cents != 0" if wanted.only_with_money else ""
    chosen = f"""
        SELECT decided_at, subject, sequence, finding_id, severity, verdict, record,
               toUInt32(ifNull(round, 0)) AS number, toUInt8(ifNull(seat, 0)) AS place
        FROM findings FINAL WHERE {_SPAN} AND {_AT} AND check_id NOT LIKE 'pattern.%'
            AND has({{verdicts:Array(String)}}, verdict) AND NOT has({{without_ids:Array(String)}}, finding_id){money}
    """
    # A table may deal two rounds of one number: a finding is of the last that had begun.
    rounds = f"SELECT {_KEY}, dealer FROM rounds FINAL WHERE {_SPAN} AND {_AT}"
    kind = "LEFT" if scope.kind == "table" else "INNER"
    joined = f"""
        SELECT f.decided_at AS decided_at, f.subject AS subject, f.sequence AS sequence, f.finding_id AS finding_id,
               f.severity AS severity, f.verdict AS verdict, f.record AS record, f.place AS seat,
               r.round AS round, r.first_sequence AS first_sequence, r.dealer AS dealer
        FROM ({chosen}) AS f ASOF {kind} JOIN ({rounds}) AS r
            ON f.subject = r.subject AND f.number = r.round AND f.sequence >= r.first_sequence
    """
    terms = _visible()
    if scope.kind == "dealer":
        terms += " AND dealer = {name:String}"
    elif scope.kind == "patron":
        terms += f" AND ({_KEY}, seat) IN ({_HANDS})"
    given = _given(scope) | {"verdicts": wanted.verdicts, "without_ids": wanted.without_ids}
    return f"SELECT * FROM ({joined}) WHERE {terms}", given


def _given(scope: PeopleScope) -> _Given:
    given: _Given = {
        "since": scope.since,
        "until": scope.until,
        "tables": scope.tables,
        "without_tables": scope.without_tables,
        "without_dealers": scope.without_dealers,
    }
    if scope.kind == "dealer":
        given["name"] = scope.name
    return given | (at_seats(scope.name, scope.seats) if scope.kind == "patron" else {})


def hands_of(scope: PeopleScope, hands: Sequence[tuple[str, int, int]]) -> Question[SeatedRow]:
    """Those of these hands (table, number of the round, seat) that are the patron's."""
    sql = (
        f"SELECT DISTINCT {columns(SeatedRow)} FROM ({_HANDS})"
        " WHERE (subject, round, seat) IN {hands:Array(Tuple(String, UInt32, UInt8))} " + _SETTINGS
    )
    return Question(SeatedRow, sql, _given(scope) | {"hands": tuple(hands)})
