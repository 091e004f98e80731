"""What rounds owed their patrons and gave them, stake by stake: of a shoe, around events, or of rounds by name."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from dashboards.reader.question import Parameter, Question, columns, stored
from dashboards.reader.rounds import RoundNumber, of_numbers

StakePlace = tuple[str, int, int]  # table, first event of the round, place of the stake in it
_KEY = "subject, round, first_sequence"
_OF_STAKE = (
    "ordinal, decided_at, seat, hand, kind, staked_cents, expected_outcome, expected_cents, observed_outcome,"
    " observed_cents"
)
_JUDGED = """
    WHERE gaming_day BETWEEN {first:Date32} AND {last:Date32} AND has({rulesets:Array(String)}, ifNull(ruleset, ''))
        AND NOT has({tables:Array(String)}, subject) AND NOT has({dealers:Array(String)}, ifNull(dealer, ''))
"""
_TOLD = {"time": "t.decided_at"}


class ClaimRow(Struct, frozen=True, kw_only=True):
    """One stake; cents and outcomes as the store has them, None where they are not known.

    `patron` is who a wager of the round names at the seat, else who was seen there last before it; "": nobody.
    `missing` is what could not be seen of the round.
    """

    subject: str
    round: int
    first_sequence: int
    ordinal: int
    time: dt.datetime
    shoe: int
    status: str
    missing: tuple[str, ...]
    seat: int
    hand: str | None
    kind: str
    staked_cents: int
    expected_outcome: str | None
    expected_cents: int | None
    observed_outcome: str | None
    observed_cents: int | None
    patron: str


class MoneyFindingRow(Struct, frozen=True):
    """A finding of a round that may state money, as `findings.ndjson` has it."""

    subject: str
    first_sequence: int
    record: str


class FindingRow(Struct, frozen=True):
    """A finding by its id, as `findings.ndjson` has it."""

    subject: str
    record: str


class LineRow(Struct, frozen=True):
    """One event of a table."""

    sequence: int
    line: str


class StartedRow(LineRow, frozen=True):
    """An event that started a round, and its table."""

    subject: str


class RoundSpan(Struct, frozen=True):
    """A round by its first and its last event."""

    subject: str
    first_sequence: int
    last_sequence: int


class RoundCountRow(Struct, frozen=True):
    """How many rounds there are."""

    rounds: int


class BegunRow(Struct, frozen=True):
    """A round by its table, its number and its first event."""

    subject: str
    round: int
    first_sequence: int


class RoundDayRow(Struct, frozen=True):
    """A round by its first event, with its gaming day and its dealer; None where the record has none."""

    first_sequence: int
    gaming_day: dt.date | None
    dealer: str | None


class DayBegunRow(Struct, frozen=True):
    """A gaming day by the event that began it at a table."""

    sequence: int
    gaming_day: dt.date


class NewestEventRow(Struct, frozen=True):
    """The newest event of a table; 0 where it has none."""

    sequence: int


class SubjectRow(Struct, frozen=True):
    """One table."""

    subject: str


class StakeRow(Struct, frozen=True):
    """One stake by its place; `shows` is False where its round alone has a finding that states money."""

    subject: str
    first_sequence: int
    ordinal: int
    shows: bool


def of_days(
    first: dt.date,
    last: dt.date,
    judged: Sequence[str],
    without_tables: Sequence[str] = (),
    without_dealers: Sequence[str] = (),
) -> Question[StakeRow]:
    """The stakes of these gaming days that may not have been settled as due, or of which that is not known.

    These are the stakes that moved otherwise than due, in whatever form, and those of a round of which a finding states
    money: whoever asks weighs each. What a stake is due is not known of any game but those of the rulesets `judged`:
    elsewhere it is not told.
    """
    rounds = (
        f"SELECT {_KEY} FROM rounds FINAL WHERE gaming_day BETWEEN {{first:Date32}} AND {{last:Date32}}"
        " AND NOT has({tables:Array(String)}, subject) AND NOT has({dealers:Array(String)}, ifNull(dealer, ''))"
    )
    moved = (
        "expected_outcome IS NOT NULL"
        " AND (expected_outcome != observed_outcome OR ifNull(expected_cents, 0) != ifNull(observed_cents, 0))"
    )
    shows = (
        f"observed_outcome IS NULL OR {moved}"
        f" OR expected_outcome IS NULL AND ({_KEY}) IN ({rounds} AND has({{judged:Array(String)}}, ruleset))"
    )
    of_money = (
        "SELECT subject, assumeNotNull(round) FROM findings FINAL WHERE money_cents != 0 AND isNotNull(round)"
    )
    sql = f"""
        SELECT {columns(StakeRow, shows=f"ifNull({shows}, false)")} FROM stakes FINAL
        WHERE ({_KEY}) IN ({rounds}) AND (ifNull({shows}, false) OR (subject, round) IN ({of_money}))
        ORDER BY subject, first_sequence, ordinal
    """
    given: dict[str, Parameter] = {"first": first, "last": last, "judged": tuple(judged)}
    given |= {"tables": tuple(without_tables), "dealers": tuple(without_dealers)}
    return Question(StakeRow, sql, given)


def money_findings(subject: str, firsts: Sequence[int], checks: Sequence[str]) -> Question[MoneyFindingRow]:
    """The findings of these checks in the rounds of a table that began with these events, in order."""
    of_table = "subject = {subject:String}"
    sql = f"""
        SELECT {columns(MoneyFindingRow, subject="f.subject", first_sequence="r.first_sequence", record="f.record")}
        FROM (SELECT subject, assumeNotNull(round) AS round, sequence, finding_id, record FROM findings FINAL
              WHERE {of_table} AND has({{checks:Array(String)}}, check_id) AND isNotNull(round)) AS f
        INNER JOIN (SELECT {_KEY}, last_sequence FROM rounds FINAL
                    WHERE {of_table} AND has({{firsts:Array(UInt32)}}, first_sequence)) AS r
            ON r.subject = f.subject AND r.round = f.round
        WHERE f.sequence BETWEEN r.first_sequence AND r.last_sequence
        ORDER BY f.sequence, f.finding_id
    """
    given: dict[str, Parameter] = {"subject": subject, "firsts": tuple(firsts), "checks": tuple(checks)}
    return Question(MoneyFindingRow, sql, given)


def finding(finding_id: str) -> Question[FindingRow]:
    """The finding of this id."""
    sql = f"SELECT {columns(FindingRow)} FROM findings FINAL WHERE finding_id = {{id:String}} LIMIT 1"
    return Question(FindingRow, sql, {"id": finding_id})


def round_days(subject: str, firsts: Sequence[int]) -> Question[RoundDayRow]:
    """Gaming day and dealer of those of these rounds of a table that are stored."""
    rest = "WHERE subject = {subject:String} AND has({firsts:Array(UInt32)}, first_sequence) ORDER BY first_sequence"
    return stored(RoundDayRow, "rounds", rest, {"subject": subject, "firsts": tuple(firsts)})


def days_begun(subject: str) -> Question[DayBegunRow]:
    """The gaming days that were begun at a table, in the order of the record, as far as they can be read."""
    day = "toDate32OrNull(JSONExtractString(line, 'data', 'gaming_day'))"
    rest = f"""
        WHERE subject = {{subject:String}} AND type = 'gaming_day_started' AND isNotNull({day}) ORDER BY sequence
    """
    return stored(DayBegunRow, "events", rest, {"subject": subject}, gaming_day=f"assumeNotNull({day})")


def newest_event(subject: str) -> Question[NewestEventRow]:
    """The newest stored event of a table: one row."""
    rest = "WHERE subject = {subject:String}"
    return stored(NewestEventRow, "events", rest, {"subject": subject}, sequence="max(sequence)")


def judged(
    first: dt.date,
    last: dt.date,
    rulesets: Sequence[str],
    without_tables: Sequence[str] = (),
    without_dealers: Sequence[str] = (),
) -> dict[str, Parameter]:
    """Which rounds are meant: those of these gaming days and rulesets, without these tables and dealers."""
    given: dict[str, Parameter] = {"first": first, "last": last, "rulesets": tuple(rulesets)}
    return given | {"tables": tuple(without_tables), "dealers": tuple(without_dealers)}


def spans(which: Mapping[str, Parameter]) -> Question[RoundSpan]:
    """The rounds that `judged` means, by table and in order."""
    return stored(RoundSpan, "rounds", f"{_JUDGED} ORDER BY subject, first_sequence", dict(which))


def span_count(which: Mapping[str, Parameter]) -> Question[RoundCountRow]:
    """How many rounds `judged` means: one row."""
    return stored(RoundCountRow, "rounds", _JUDGED, dict(which), rounds="count()")


def ended_rounds(numbers: Iterable[RoundNumber]) -> Question[BegunRow]:
    """Every round of these numbers that ended, table by table in order; some hundred numbers at most."""
    where, given = of_numbers(numbers)
    return stored(BegunRow, "rounds", f"WHERE {where} ORDER BY subject, first_sequence", given)


def started_rounds(subjects: Iterable[str]) -> Question[StartedRow]:
    """The events that started rounds behind the last round that ended at their table: of each at most one is usual."""
    given: dict[str, Parameter] = {f"s{place}": subject for place, subject in enumerate(subjects)}
    behind = " OR ".join(
        f"(subject = {{{name}:String}} AND sequence >"
        f" (SELECT ifNull(max(last_sequence), 0) FROM rounds WHERE subject = {{{name}:String}}))"
        for name in given
    )
    rest = f"WHERE type = 'round_started' AND ({behind}) ORDER BY subject, sequence"
    return stored(StartedRow, "events", rest, given)


def subjects() -> Question[SubjectRow]:
    """Every table that has rounds, in order."""
    return Question(SubjectRow, f"SELECT DISTINCT {columns(SubjectRow)} FROM rounds ORDER BY subject")


def events(subject: str, after: int, most: int) -> Question[LineRow]:
    """The next events of a table, by its chain."""
    sql = f"""
        SELECT {columns(LineRow)} FROM events FINAL
        WHERE subject = {{subject:String}} AND sequence > {{after:UInt32}} ORDER BY sequence LIMIT {{most:UInt32}}
    """
    return Question(LineRow, sql, {"subject": subject, "after": after, "most": most})


def of_shoe(subject: str, shoe: int) -> Question[ClaimRow]:
    """Every stake of a shoe of a table."""
    return _claims(subject, "shoe = {shoe:UInt32}", {"shoe": shoe})


def around(subject: str, sequences: Sequence[int]) -> Question[ClaimRow]:
    """Every stake of the rounds within which these events of a table lie."""
    within = "arrayExists(one -> one BETWEEN first_sequence AND last_sequence, {sequences:Array(UInt32)})"
    return _claims(subject, within, {"sequences": tuple(sequences)})


def between(subject: str, first: int, last: int) -> Question[ClaimRow]:
    """Every stake of the rounds of a table from one number to another."""
    return _claims(subject, "round BETWEEN {first:UInt32} AND {last:UInt32}", {"first": first, "last": last})


def of_rounds(subject: str, firsts: Sequence[int]) -> Question[ClaimRow]:
    """Every stake of the rounds that began with these events of a table."""
    return _claims(subject, "has({firsts:Array(UInt32)}, first_sequence)", {"firsts": tuple(firsts)})


def _claims(subject: str, which: str, given: dict[str, Parameter]) -> Question[ClaimRow]:
    # Each join stands alone: over three relations at once no engine tells their columns apart.
    named = "if(w.sequence >= s.first_sequence, w.patron, '') AS named"
    patron = "multiIf(named != '', named, p.type = 'player_left', '', p.patron)"
    told = ", ".join(f"{_TOLD.get(name, f't.{name}')} AS {name}" for name in ClaimRow.__struct_fields__[:-1])
    of_table = "subject = {subject:String}"
    rounds = (
        f"SELECT {_KEY}, last_sequence, shoe, status, missing FROM rounds FINAL WHERE {of_table} AND {which}"
    )
    stakes = f"""
        SELECT x.*, r.last_sequence AS last_sequence, r.shoe AS shoe, r.status AS status, r.missing AS missing
        FROM (SELECT {_KEY}, {_OF_STAKE} FROM stakes FINAL
              WHERE {of_table} AND (round, first_sequence) IN (SELECT round, first_sequence FROM ({rounds}))) AS x
        INNER JOIN ({rounds}) AS r
            ON r.subject = x.subject AND r.round = x.round AND r.first_sequence = x.first_sequence
    """
    seen = f"SELECT DISTINCT subject, seat, sequence, patron, type FROM patrons WHERE {of_table}"
    sql = f"""
        SELECT {told}, {patron} AS patron
        FROM (SELECT s.*, {named} FROM ({stakes}) AS s
              ASOF LEFT JOIN ({seen} AND type = 'wager_placed') AS w
                  ON w.subject = s.subject AND w.seat = s.seat AND s.last_sequence >= w.sequence) AS t
        ASOF LEFT JOIN ({seen}) AS p
            ON p.subject = t.subject AND p.seat = t.seat AND t.first_sequence >= p.sequence
        ORDER BY t.first_sequence, t.ordinal
    """
    return Question(ClaimRow, sql, given | {"subject": subject})
