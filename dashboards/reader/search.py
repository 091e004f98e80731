"""Finding rounds by time, by event and by finding, and what stands beside each in a list."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from msgspec import Struct

from dashboards.reader.question import MOMENT, Parameter, Question, columns, stored

_Given = dict[str, Parameter]
Key = tuple[str, int, int]
_TABLE = "WHERE subject = {subject:String}"
# A round and what belongs to it was decided at one time: its rows lie in one month, and no other need be looked at.
_MONTHWISE = " SETTINGS do_not_merge_across_partitions_select_final = 1"


class RoundKey(Struct, frozen=True):
    """What names a round in the store, and whatever belongs to it."""

    subject: str
    round: int
    first_sequence: int

    @property
    def key(self) -> Key:
        """The three together."""
        return self.subject, self.round, self.first_sequence


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


class ResultRow(RoundKey, frozen=True):
    """What became of one hand of a round."""

    hand: str
    result: str | None


class DealerRow(Struct, frozen=True):
    """A dealer who dealt."""

    dealer: str


class BegunRow(Struct, frozen=True):
    """When one event happened."""

    sequence: int
    time: dt.datetime


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


def round_around(subject: str, sequence: int) -> Question[FoundRow]:
    """The round in whose stretch of the record an event lies."""
    rest = (
        f"{_TABLE} AND first_sequence <= {{at:UInt32}} AND last_sequence >= {{at:UInt32}}"
        " ORDER BY first_sequence DESC LIMIT 1"
    )
    return stored(FoundRow, "rounds", rest, {"subject": subject, "at": sequence})


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


def dealers_between(since: dt.datetime, until: dt.datetime) -> Question[DealerRow]:
    """Who dealt a round that ended in this time."""
    sql = (
        "SELECT DISTINCT assumeNotNull(dealer) AS name FROM rounds WHERE isNotNull(dealer)"
        f" AND decided_at BETWEEN {{since:{MOMENT}}} AND {{until:{MOMENT}}} ORDER BY name"
    )
    return Question(DealerRow, sql, {"since": since, "until": until})


# Of rounds that are named by `keys`; as a literal it lets the engine skip what it need not read, as a subquery not.
OF_KEYS = "(subject, round, first_sequence) IN {keys:Array(Tuple(String, UInt32, UInt32))}"
_OF_ROWS = f"{OF_KEYS} AND decided_at BETWEEN {{since:{MOMENT}}} AND {{until:{MOMENT}}}"


def _keys(rows: Sequence[FoundRow]) -> _Given:
    times = [row.decided_at for row in rows]
    return {"keys": tuple(row.key for row in rows), "since": min(times), "until": max(times)}


def staked_in(rows: Sequence[FoundRow]) -> Question[StakedRow]:
    """What each seat staked and won in these rounds; at least one."""
    by = "subject, round, first_sequence, seat"
    rest = f"WHERE {_OF_ROWS} GROUP BY {by} ORDER BY {by}{_MONTHWISE}"
    return stored(
        StakedRow, "stakes", rest, _keys(rows), staked_cents="sum(staked_cents)",
        won_cents="sum(multiIf(observed_outcome = 'pay', ifNull(observed_cents, 0),"
        " observed_outcome = 'collect', -ifNull(observed_cents, 0), 0))",
        unsettled="toUInt64(countIf(isNull(observed_outcome) AND staked_cents != 0))",
    )  # fmt: skip


def results_in(rows: Sequence[FoundRow]) -> Question[ResultRow]:
    """What became of each hand of these rounds; at least one."""
    rest = f"WHERE {_OF_ROWS} ORDER BY subject, round, first_sequence, hand{_MONTHWISE}"
    return stored(ResultRow, "hands", rest, _keys(rows))


def marks(subjects: Sequence[str], ids: Sequence[str]) -> Question[MarkRow]:
    """These findings of these tables."""
    rest = "WHERE subject IN {subjects:Array(String)} AND finding_id IN {ids:Array(String)}"
    return stored(MarkRow, "findings", rest, {"subjects": tuple(subjects), "ids": tuple(ids)})


def finding_named(start: str, most: int = 5) -> Question[MarkRow]:
    """Findings whose id begins so."""
    rest = "WHERE startsWith(finding_id, {start:String}) ORDER BY finding_id LIMIT {most:UInt32}"
    return stored(MarkRow, "findings", rest, {"start": start, "most": most})
