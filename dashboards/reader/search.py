"""Finding rounds by time, by event and by finding, and what stands beside each in a list."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence

from msgspec import Struct

from dashboards.reader.question import MOMENT, Parameter, Question, Reader, columns, stored
from schemas.warehouse import RELATIONS
from schemas.warehouse.views import patron_cents

_Given = dict[str, Parameter]
Key = tuple[str, int, int]
_TABLE = "WHERE subject = {subject:String}"


class RoundKey(Struct, frozen=True):
    """What names a round in the store, and whatever belongs to it."""

    subject: str
    round: int
    first_sequence: int

    @property
    def key(self) -> Key:
        """The three together."""
        return self.subject, self.round, self.first_sequence


class EndedRow(RoundKey, frozen=True):
    """A round, and the latest time at which a stored version of it says that it ended."""

    latest: dt.datetime


class FoundRow(RoundKey, frozen=True):
    """One round of a list; its whole line is read when it is opened."""

    last_sequence: int
    decided_at: dt.datetime
    shoe: int
    ruleset: str | None
    gaming_day: dt.date | None
    status: str
    net_cents: int
    findings: tuple[str, ...]
    dealer: str | None


class SpanRow(Struct, frozen=True):
    """When the first and the last round of a store were decided; both 1970 where there is none."""

    first: dt.datetime
    last: dt.datetime
    rounds: int


class FoldedTableRow(Struct, frozen=True):
    """A table the store knows, and its first event that is not stored yet."""

    subject: str
    next_sequence: int


class StakedRow(RoundKey, frozen=True):
    """What one seat staked and won (+) in a round; `unsettled` counts stakes that were not seen to move."""

    seat: int
    staked_cents: int
    won_cents: int
    unsettled: int


class HandRow(RoundKey, frozen=True):
    """One hand of a round: its cards and their total, and what became of it; `D` is the dealer's."""

    hand: str
    cards: tuple[str, ...]
    total: int | None
    result: str | None


class DealerRow(Struct, frozen=True):
    """A dealer who dealt."""

    dealer: str


class BegunRow(Struct, frozen=True):
    """When one event happened."""

    sequence: int
    time: dt.datetime


class BegunAtRow(Struct, frozen=True):
    """A table and one of its events."""

    subject: str
    sequence: int


class MarkRow(Struct, frozen=True):
    """A finding as a list shows it."""

    subject: str
    sequence: int
    finding_id: str
    verdict: str
    severity: str
    money_cents: int


def span_of_rounds() -> Question[SpanRow]:
    """From when to when the store has rounds; the engine answers from its parts without reading them."""
    told = columns(SpanRow, first="min(decided_at)", last="max(decided_at)", rounds="count()")
    return Question(SpanRow, f"SELECT {told} FROM rounds")


# A row of `progress` whose next event is 0 is of a topic's partition, and of no table.
_TABLES = "WHERE subject != '' AND next_sequence > 0 ORDER BY subject"


def tables() -> Question[FoldedTableRow]:
    """Tables that are folded into the store."""
    return stored(FoldedTableRow, "progress", _TABLES)


def rounds_ending_from(
    subject: str, start: dt.datetime, end: dt.datetime, most: int = 8
) -> Question[FoundRow]:
    """The first rounds of a table that ended from `start` on and within a day after `end`, oldest first."""
    rest = (
        f"{_TABLE} AND decided_at BETWEEN {{time:{MOMENT}}} AND {{day:{MOMENT}}}"
        " ORDER BY decided_at, first_sequence LIMIT {most:UInt32}"
    )
    day = end + dt.timedelta(days=1)
    return stored(FoundRow, "rounds", rest, {"subject": subject, "time": start, "day": day, "most": most})


def round_ended_before(subject: str, time: dt.datetime, within: dt.timedelta) -> Question[FoundRow]:
    """The last round of a table that had ended before this time, and not longer ago."""
    rest = (
        f"{_TABLE} AND decided_at >= {{since:{MOMENT}}} AND decided_at < {{time:{MOMENT}}}"
        " ORDER BY decided_at DESC, first_sequence DESC LIMIT 1"
    )
    return stored(FoundRow, "rounds", rest, {"subject": subject, "time": time, "since": time - within})


def first_ending_from(
    time: dt.datetime, within: dt.timedelta, subject: str | None = None
) -> Question[EndedRow]:
    """The first round of each table, or of one, that ended from this time on and not longer after."""
    own = " AND subject = {subject:String}" if subject is not None else ""
    key = "subject, round, first_sequence"
    each = (
        f"SELECT {key}, min(decided_at) AS earliest, max(decided_at) AS latest FROM rounds"
        f" WHERE decided_at BETWEEN {{time:{MOMENT}}} AND {{until:{MOMENT}}}{own} GROUP BY {key}"
    )
    sql = f"SELECT {columns(EndedRow)} FROM ({each}) ORDER BY earliest, first_sequence LIMIT 1 BY subject"
    given: _Given = {"time": time, "until": time + within}
    return Question(EndedRow, sql, given if subject is None else given | {"subject": subject})


def begun_before(rows: Sequence[RoundKey], time: dt.datetime) -> Question[BegunAtRow]:
    """The first events of those of these rounds, at least one, that had begun before a time."""
    # Versions of an event have one time, which its line says: none need be merged.
    sql = (
        f"SELECT DISTINCT {columns(BegunAtRow)} FROM events"
        " WHERE (subject, sequence) IN {begins:Array(Tuple(String, UInt32))}"
        f" AND time >= {{since:{MOMENT}}} AND time < {{before:{MOMENT}}}"
    )
    begins = tuple((row.subject, row.first_sequence) for row in rows)
    given: _Given = {"begins": begins, "before": time, "since": time - dt.timedelta(days=2)}
    return Question(BegunAtRow, sql, given)


def under_way_at(
    reader: Reader, time: dt.datetime, within: dt.timedelta, subject: str | None = None
) -> list[EndedRow]:
    """The rounds of all tables, or of one, that had begun before this time and ended from it on, `within` so long."""
    rows = first_ending_from(time, within, subject).ask(reader)
    if not rows:
        return []
    begun = {(one.subject, one.sequence) for one in begun_before(rows, time).ask(reader)}
    return [row for row in rows if (row.subject, row.first_sequence) in begun]


def round_around(subject: str, sequence: int) -> Question[FoundRow]:
    """The round in whose stretch of the record an event lies."""
    rest = (
        f"{_TABLE} AND first_sequence <= {{at:UInt32}} AND last_sequence >= {{at:UInt32}}"
        " ORDER BY first_sequence DESC LIMIT 1"
    )
    return stored(FoundRow, "rounds", rest, {"subject": subject, "at": sequence})


def rounds_numbered(
    numbered: Sequence[tuple[str, int]], since: dt.datetime, until: dt.datetime
) -> Question[RoundKey]:
    """The rounds of that time of these tables and numbers."""
    rest = (
        f"WHERE decided_at BETWEEN {{since:{MOMENT}}} AND {{until:{MOMENT}}}"
        " AND (subject, round) IN {numbered:Array(Tuple(String, UInt32))}"
    )
    return stored(RoundKey, "rounds", rest, {"since": since, "until": until, "numbered": tuple(numbered)})


def rounds_dealt_by(numbered: Sequence[tuple[str, int]], dealers: Sequence[str]) -> Question[RoundKey]:
    """Those of the rounds of these tables and numbers that one of these dealers dealt."""
    rest = (
        "WHERE (subject, round) IN {numbered:Array(Tuple(String, UInt32))}"
        " AND has({dealers:Array(String)}, ifNull(dealer, ''))"
    )
    return stored(RoundKey, "rounds", rest, {"numbered": tuple(numbered), "dealers": tuple(dealers)})


# Of each round the last of the events up to its end is looked at: it is of the round, or none is. So each round is held
# against one event, whatever their number.
_OF_EVENTS = f"""
    SELECT r.subject AS subject, r.round AS round, r.first_sequence AS first_sequence
    FROM (SELECT subject, round, first_sequence, last_sequence FROM rounds FINAL
          WHERE decided_at BETWEEN {{since:{MOMENT}}} AND {{until:{MOMENT}}} AND subject IN {{tables:Array(String)}}
         ) AS r
    ASOF INNER JOIN (SELECT e.1 AS subject, e.2 AS sequence
                     FROM (SELECT arrayJoin({{events:Array(Tuple(String, UInt32))}}) AS e)) AS s
        ON s.subject = r.subject AND r.last_sequence >= s.sequence
    WHERE s.sequence >= r.first_sequence
"""


def rounds_of_events(
    events: Sequence[tuple[str, int]], since: dt.datetime, until: dt.datetime
) -> Question[RoundKey]:
    """The rounds of that time in whose stretch of the record any of these events lies."""
    tables = tuple(sorted({subject for subject, _ in events}))
    given: _Given = {"since": since, "until": until, "tables": tables, "events": tuple(events)}
    return Question(RoundKey, _OF_EVENTS, given)


def event_at(subject: str, first: int, last: int, start: dt.datetime, end: dt.datetime) -> Question[BegunRow]:
    """The first event of a stretch from `start` on and before `end`, else the last before `start`."""
    rest = (
        f"{_TABLE} AND sequence BETWEEN {{first:UInt32}} AND {{last:UInt32}} AND time < {{end:{MOMENT}}}"
        f" ORDER BY time < {{start:{MOMENT}}}, if(time < {{start:{MOMENT}}}, -toInt64(sequence), toInt64(sequence))"
        " LIMIT 1"
    )
    given: _Given = {"subject": subject, "first": first, "last": last, "start": start, "end": end}
    return stored(BegunRow, "events", rest, given)


def times_of(subject: str, sequences: Sequence[int]) -> Question[BegunRow]:
    """When these events of a table happened."""
    rest = f"{_TABLE} AND sequence IN {{sequences:Array(UInt32)}}"
    return stored(BegunRow, "events", rest, {"subject": subject, "sequences": tuple(sequences)})


def last_closing(subject: str, until: dt.datetime) -> Question[BegunRow]:
    """The last event that closed a table, of the month before a time."""
    rest = (
        f"{_TABLE} AND type = 'table_closed' AND time BETWEEN {{since:{MOMENT}}} AND {{until:{MOMENT}}}"
        " ORDER BY sequence DESC LIMIT 1"
    )
    given: _Given = {"subject": subject, "since": until - dt.timedelta(days=31), "until": until}
    return stored(BegunRow, "events", rest, given)


def dealers_between(since: dt.datetime, until: dt.datetime) -> Question[DealerRow]:
    """Who dealt a round that ended in this time."""
    sql = (
        "SELECT DISTINCT assumeNotNull(dealer) AS name FROM rounds WHERE isNotNull(dealer)"
        f" AND decided_at BETWEEN {{since:{MOMENT}}} AND {{until:{MOMENT}}} ORDER BY name"
    )
    return Question(DealerRow, sql, {"since": since, "until": until})


# Of rounds that are named by `keys`; as a literal it lets the engine skip what it need not read, as a subquery not.
# The number follows from the key: this small column parts nearly all rows before the names of tables are read.
OF_KEYS = (
    "(subject, round, first_sequence) IN {keys:Array(Tuple(String, UInt32, UInt32))}"
    " AND round IN {numbers:Array(UInt32)}"
)
_OF_ROWS = f"{OF_KEYS} AND decided_at BETWEEN {{since:{MOMENT}}} AND {{until:{MOMENT}}}"


def given_keys(keys: Iterable[Key]) -> dict[str, Parameter]:
    """What `OF_KEYS` asks for."""
    each = tuple(dict.fromkeys(keys))
    return {"keys": each, "numbers": tuple({number for _, number, _ in each})}


def _keys(rows: Sequence[FoundRow]) -> _Given:
    times = [row.decided_at for row in rows]
    return given_keys(row.key for row in rows) | {"since": min(times), "until": max(times)}


def newest_of(relation: str, where: str) -> str:
    """SQL of the rows of a relation of which this is true as they stand: what FINAL would give, without its merge.

    To merge all that lies between fifty keys costs twenty times as much as to sort what they have.
    """
    kind = RELATIONS[relation]
    by, version = ", ".join(kind.key), kind.version
    return f"(SELECT * FROM {relation} WHERE {where} ORDER BY {version} DESC LIMIT 1 BY {by})"


def staked_in(rows: Sequence[FoundRow]) -> Question[StakedRow]:
    """What each seat staked and won in these rounds; at least one."""
    by = "subject, round, first_sequence, seat"
    told = columns(
        StakedRow, staked_cents="sum(staked_cents)",
        won_cents=f"sum({patron_cents('observed', 's.')})",
        unsettled="toUInt64(countIf(isNull(observed_outcome) AND staked_cents != 0))",
    )  # fmt: skip
    sql = f"SELECT {told} FROM {newest_of('stakes', _OF_ROWS)} AS s GROUP BY {by} ORDER BY {by}"
    return Question(StakedRow, sql, _keys(rows))


def hands_in(rows: Sequence[FoundRow]) -> Question[HandRow]:
    """The hands of these rounds; at least one."""
    order = "subject, round, first_sequence, hand"
    sql = f"SELECT {columns(HandRow)} FROM {newest_of('hands', _OF_ROWS)} ORDER BY {order}"
    return Question(HandRow, sql, _keys(rows))


def marks(subjects: Sequence[str], ids: Sequence[str]) -> Question[MarkRow]:
    """These findings of these tables."""
    rest = "WHERE subject IN {subjects:Array(String)} AND finding_id IN {ids:Array(String)}"
    return stored(MarkRow, "findings", rest, {"subjects": tuple(subjects), "ids": tuple(ids)})


def finding_named(start: str, most: int = 5) -> Question[MarkRow]:
    """Findings whose id begins so."""
    rest = "WHERE startsWith(finding_id, {start:String}) ORDER BY finding_id LIMIT {most:UInt32}"
    return stored(MarkRow, "findings", rest, {"start": start, "most": most})
