"""Rounds and hands: at a table and time, of a patron, of a dealer, of a shoe; and the events that prove them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from msgspec import Struct

from dashboards.reader.question import Parameter, Question

MOST = 1_000
_MOMENT = "DateTime64(6, 'UTC')"
_COLUMNS = (
    "subject", "round", "first_sequence", "last_sequence", "decided_at", "shoe", "ruleset", "gaming_day",
    "status", "net_cents", "findings", "property", "dealer", "record",
)  # fmt: skip


class RoundRow(Struct, frozen=True):
    """One round; `record` is its whole line as JSON: hands, stakes, rack."""

    subject: str
    round: int
    first_sequence: int
    last_sequence: int
    decided_at: dt.datetime
    shoe: int
    ruleset: str | None
    gaming_day: dt.date | None
    status: str
    net_cents: int
    findings: tuple[str, ...]
    property: str | None
    dealer: str | None
    record: str


class HandRow(Struct, frozen=True):
    """One hand of a round; `sequences` are the events that prove its cards."""

    subject: str
    round: int
    first_sequence: int
    hand: str
    cards: tuple[str, ...]
    total: int | None
    soft: bool | None
    result: str | None
    came_from: str | None
    sequences: tuple[int, ...]


class StakeRow(Struct, frozen=True):
    """One stake of a round: what was due and what was seen."""

    subject: str
    round: int
    first_sequence: int
    ordinal: int
    seat: int
    hand: str | None
    kind: str
    staked_cents: int
    expected_outcome: str | None
    expected_cents: int | None
    observed_outcome: str | None
    observed_cents: int | None


class EventRow(Struct, frozen=True):
    """One event; `line` is its exact bytes as text."""

    subject: str
    sequence: int
    time: dt.datetime
    type: str
    source: str
    id: str
    line: str


class NeighbourRow(Struct, frozen=True):
    """A round by its key."""

    subject: str
    round: int
    first_sequence: int


class LineRow(Struct, frozen=True):
    """The exact bytes of one event, as text."""

    sequence: int
    line: str


class UnreadableRow(Struct, frozen=True):
    """A line of a table's chain that is no event: its bytes, and why."""

    sequence: int
    bytes_base64: str
    reason: str


class ProgressRow(Struct, frozen=True):
    """How far a table is folded and stored, and the state of the fold there."""

    next_sequence: int
    snapshot_base64: str


class PatronRow(Struct, frozen=True):
    """What a patron staked in one round from one seat, and what came of it; + the patron won."""

    subject: str
    round: int
    first_sequence: int
    last_sequence: int
    decided_at: dt.datetime
    seat: int
    stakes: int
    staked_cents: int
    won_cents: int
    status: str


def _chosen(names: Sequence[str] = _COLUMNS) -> str:
    return ", ".join(names)


def round_at(subject: str, time: dt.datetime) -> Question[RoundRow]:
    """The round that was under way at this time, else the last before it (within a day); none before the first."""
    sql = (
        f"SELECT {_chosen()} FROM rounds FINAL WHERE subject = {{subject:String}} AND first_sequence <="
        " (SELECT max(sequence) FROM events FINAL WHERE subject = {subject:String}"
        f" AND time <= {{time:{_MOMENT}}} AND time >= {{day:{_MOMENT}}})"
        " ORDER BY first_sequence DESC LIMIT 1"
    )
    return Question(RoundRow, sql, {"subject": subject, "time": time, "day": time - dt.timedelta(days=1)})


def round_numbered(subject: str, number: int) -> Question[RoundRow]:
    """The rounds of this number: one, but where a table's record numbers two alike."""
    sql = (
        f"SELECT {_chosen()} FROM rounds FINAL WHERE subject = {{subject:String}} AND round = {{round:UInt32}}"
        " ORDER BY first_sequence"
    )
    return Question(RoundRow, sql, {"subject": subject, "round": number})


def round_before(subject: str, first_sequence: int) -> Question[NeighbourRow]:
    """The last round of a table that began before this event."""
    sql = (
        "SELECT subject, round, first_sequence FROM rounds FINAL WHERE subject = {subject:String}"
        " AND first_sequence < {first:UInt32} ORDER BY first_sequence DESC LIMIT 1"
    )
    return Question(NeighbourRow, sql, {"subject": subject, "first": first_sequence})


def round_after(subject: str, last_sequence: int) -> Question[NeighbourRow]:
    """The first round of a table that began after this event."""
    sql = (
        "SELECT subject, round, first_sequence FROM rounds FINAL WHERE subject = {subject:String}"
        " AND first_sequence > {last:UInt32} ORDER BY first_sequence LIMIT 1"
    )
    return Question(NeighbourRow, sql, {"subject": subject, "last": last_sequence})


def hands_at(subject: str, time: dt.datetime, seat: int | None = None) -> Question[HandRow]:
    """The hands of the round at this time: the seat's and the dealer's, or all."""
    at = round_at(subject, time)
    place = f"SELECT round, first_sequence FROM ({at.sql})"
    mine = (
        " AND (hand = 'D' OR hand = {own:String} OR startsWith(hand, {seat:String}))"
        if seat is not None
        else ""
    )
    sql = (
        "SELECT subject, round, first_sequence, hand, cards, total, soft, result, came_from, sequences"
        f" FROM hands FINAL WHERE subject = {{subject:String}} AND (round, first_sequence) IN ({place}){mine}"
        " ORDER BY hand"
    )
    given: dict[str, Parameter] = dict(at.parameters)
    if seat is not None:
        given |= {"own": str(seat), "seat": f"{seat}."}
    return Question(HandRow, sql, given)


def stakes_of(subject: str, number: int, first_sequence: int, seat: int | None = None) -> Question[StakeRow]:
    """The stakes of a round, or of one seat in it."""
    mine = " AND seat = {seat:UInt8}" if seat is not None else ""
    sql = (
        "SELECT subject, round, first_sequence, ordinal, seat, hand, kind, staked_cents, expected_outcome,"
        " expected_cents, observed_outcome, observed_cents FROM stakes FINAL WHERE subject = {subject:String}"
        f" AND round = {{round:UInt32}} AND first_sequence = {{first:UInt32}}{mine} ORDER BY ordinal"
    )
    given: dict[str, Parameter] = {
        "subject": subject,
        "round": number,
        "first": first_sequence,
    }
    return Question(StakeRow, sql, given | ({"seat": seat} if seat is not None else {}))


def events_between(subject: str, first: int, last: int) -> Question[EventRow]:
    """The events of a stretch of a table's record, in order."""
    sql = (
        "SELECT subject, sequence, time, type, source, id, line FROM events FINAL WHERE subject = {subject:String}"
        " AND sequence BETWEEN {first:UInt32} AND {last:UInt32} ORDER BY sequence"
    )
    return Question(EventRow, sql, {"subject": subject, "first": first, "last": last})


def lines_after(subject: str, after: int, last: int | None, most: int) -> Question[LineRow]:
    """The first `most` events of a table's record behind one sequence and up to another."""
    upto = "" if last is None else " AND sequence <= {last:UInt32}"
    sql = (
        "SELECT sequence, line FROM events FINAL WHERE subject = {subject:String}"
        f" AND sequence > {{after:UInt32}}{upto} ORDER BY sequence LIMIT {{most:UInt32}}"
    )
    given: dict[str, Parameter] = {"subject": subject, "after": after, "most": most}
    return Question(LineRow, sql, given if last is None else given | {"last": last})


def unreadable_between(subject: str, first: int, last: int) -> Question[UnreadableRow]:
    """Lines of a stretch of a table's chain that are no events, in order."""
    sql = (
        "SELECT sequence, bytes_base64, reason FROM dead_letters FINAL WHERE subject = {subject:String}"
        " AND sequence BETWEEN {first:UInt32} AND {last:UInt32} AND number = 0 ORDER BY sequence"
    )
    return Question(UnreadableRow, sql, {"subject": subject, "first": first, "last": last})


def progress_of(subject: str) -> Question[ProgressRow]:
    """How far a table is folded and stored."""
    sql = "SELECT next_sequence, snapshot_base64 FROM progress FINAL WHERE subject = {subject:String}"
    return Question(ProgressRow, sql, {"subject": subject})


def round_began(subject: str, sequence: int) -> Question[LineRow]:
    """The event with which the round under way at this event began, or the last before it."""
    sql = (
        "SELECT sequence, line FROM events FINAL WHERE subject = {subject:String} AND sequence <= {at:UInt32}"
        " AND type = 'round_started' ORDER BY sequence DESC LIMIT 1"
    )
    return Question(LineRow, sql, {"subject": subject, "at": sequence})


def rounds_of_dealer(
    dealer: str, since: dt.datetime, until: dt.datetime, most: int = MOST
) -> Question[RoundRow]:
    """Rounds that a dealer dealt, oldest first; the span chooses the months that are read."""
    sql = (
        f"SELECT {_chosen()} FROM rounds FINAL WHERE dealer = {{dealer:String}} AND {_SPAN}"
        " ORDER BY decided_at, subject, round LIMIT {most:UInt32}"
    )
    return Question(RoundRow, sql, _span(since, until) | {"dealer": dealer, "most": min(most, MOST)})


def rounds_of_shoe(subject: str, shoe: int, most: int = MOST) -> Question[RoundRow]:
    """Rounds dealt from one shoe of a table, in order."""
    sql = (
        f"SELECT {_chosen()} FROM rounds FINAL WHERE subject = {{subject:String}} AND shoe = {{shoe:UInt32}}"
        " ORDER BY round, first_sequence LIMIT {most:UInt32}"
    )
    return Question(RoundRow, sql, {"subject": subject, "shoe": shoe, "most": min(most, MOST)})


_SPAN = f"decided_at BETWEEN {{since:{_MOMENT}}} AND {{until:{_MOMENT}}}"


def _span(since: dt.datetime, until: dt.datetime) -> dict[str, Parameter]:
    return {"since": since, "until": until}


TABLES_OF_PATRON = "SELECT subject FROM patrons FINAL WHERE patron = {patron:String}"
# Whose seat it was: whoever a wager of the round names, else whom the last event of that seat before it named.
_SEATS_OF_PATRON = f"""
    SELECT r.subject AS subject, r.round AS round, r.first_sequence AS first_sequence, w.seat AS seat
    FROM (SELECT subject, round, first_sequence, last_sequence FROM rounds FINAL
          WHERE subject IN ({TABLES_OF_PATRON}) AND {_SPAN}) AS r
    INNER JOIN (SELECT subject, seat, sequence FROM patrons FINAL
                WHERE patron = {{patron:String}} AND type = 'wager_placed') AS w ON w.subject = r.subject
    WHERE w.sequence BETWEEN r.first_sequence AND r.last_sequence
    UNION DISTINCT
    SELECT s.subject AS subject, s.round AS round, s.first_sequence AS first_sequence, s.seat AS seat
    FROM (SELECT DISTINCT subject, round, first_sequence, seat FROM stakes FINAL
          WHERE subject IN ({TABLES_OF_PATRON}) AND {_SPAN}) AS s
    ASOF INNER JOIN (SELECT subject, seat, sequence, patron, type FROM patrons FINAL
                     WHERE subject IN ({TABLES_OF_PATRON})) AS p
        ON p.subject = s.subject AND p.seat = s.seat AND s.first_sequence >= p.sequence
    WHERE p.patron = {{patron:String}} AND p.type != 'player_left'
"""


def rounds_of_patron(
    patron: str, since: dt.datetime, until: dt.datetime, most: int = MOST
) -> Question[PatronRow]:
    """Rounds in which a patron staked, oldest first: the seat, the money, and what came of it."""
    sql = f"""
        SELECT t.subject, t.round, t.first_sequence, any(r.last_sequence), any(r.decided_at), t.seat,
               toUInt64(count()), sum(t.staked_cents), sum(multiIf(t.observed_outcome = 'pay',
               ifNull(t.observed_cents, 0), t.observed_outcome = 'collect', -ifNull(t.observed_cents, 0), 0)),
               any(r.status)
        FROM (SELECT * FROM stakes FINAL WHERE subject IN ({TABLES_OF_PATRON}) AND {_SPAN}
              AND (subject, round, first_sequence, seat) IN ({_SEATS_OF_PATRON})) AS t
        INNER JOIN (SELECT subject, round, first_sequence, last_sequence, decided_at, status FROM rounds FINAL
                    WHERE subject IN ({TABLES_OF_PATRON}) AND {_SPAN}) AS r
            ON r.subject = t.subject AND r.round = t.round AND r.first_sequence = t.first_sequence
        GROUP BY t.subject, t.round, t.first_sequence, t.seat
        ORDER BY any(r.decided_at), t.subject, t.round, t.seat LIMIT {{most:UInt32}}
    """
    return Question(PatronRow, sql, _span(since, until) | {"patron": patron, "most": min(most, MOST)})
