"""The newest rounds of which all is true that is wanted, paged by time and key.

Every version of a row that the store still has is looked through first, in the few columns that are asked about;
only the rounds this finds are then read as they stand. To merge the versions of a whole month for fifty rounds of it
costs five times as much.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from msgspec import Struct

from dashboards.reader.question import MOMENT, Parameter, Question, Reader, columns
from dashboards.reader.search import OF_KEYS, FoundRow, RoundKey

MOST = 200
_BETWEEN = f"BETWEEN {{since:{MOMENT}}} AND {{until:{MOMENT}}}"
_FOUND = columns(FoundRow)
_KEY = "subject, round, first_sequence"
_ORDER = "decided_at DESC, subject DESC, round DESC, first_sequence DESC"
_SAT = 3  # days before the span in which a patron may have sat down
_SPARE = 1.25  # candidates for each round that is wanted: most have one version
_MORE = 4  # ... and so many times as many where that was too few
_Given = dict[str, Parameter]
After = tuple[dt.datetime, str, int, int]


class WantedRounds(Struct, frozen=True, kw_only=True):
    """What is known of the rounds that are looked for; the span chooses the months that are read."""

    since: dt.datetime
    until: dt.datetime
    table: str | None = None
    number: int | None = None
    dealer: str | None = None
    shoe: int | None = None
    day: dt.date | None = None
    status: str | None = None
    seat: int | None = None
    patron: str | None = None
    without_tables: tuple[str, ...] = ()
    without_dealers: tuple[str, ...] = ()


class SeatRow(Struct, frozen=True):
    """A seat of a table."""

    subject: str
    seat: int


class PlaceRow(RoundKey, frozen=True):
    """Where a version of a round stands in the order of the list."""

    decided_at: dt.datetime

    @property
    def place(self) -> After:
        """For comparison."""
        return self.decided_at, *self.key


def newest_rounds(
    reader: Reader, wanted: WantedRounds, after: After | None = None, most: int = 50
) -> list[FoundRow]:
    """Rounds of which all this is true, newest first, at most `MOST`; `after` is the last one that was shown."""
    most = min(most, MOST)
    seats = seats_of(wanted).ask(reader) if wanted.patron is not None else []
    if wanted.patron is not None and not seats:
        return []
    count = int(most * _SPARE) + 1
    while True:
        places = candidates(wanted, seats, after, count).ask(reader)
        if not places:
            return []
        rows = as_they_stand(wanted, after, places).ask(reader)
        if len(places) < count:
            return rows[:most]
        # Behind the last candidate there may be rounds that were not looked at: what lies there must wait.
        rows = [row for row in rows if (row.decided_at, *row.key) >= places[-1].place]
        if len(rows) >= most:
            return rows[:most]
        count *= _MORE


def candidates(
    wanted: WantedRounds, seats: Sequence[SeatRow], after: After | None, most: int
) -> Question[PlaceRow]:
    """Versions of rounds of which all this is true, newest first; one round may stand at two times.

    `seats` are those at which the patron was seen who is asked for; empty where none is.
    """
    terms, given = _terms(wanted, after)
    if wanted.patron is not None:
        terms += [_AT_TABLES, f"({_KEY}) IN ({_OF_PATRON})"]
        given["patron"] = wanted.patron
        given["seats"] = tuple((one.subject, one.seat) for one in seats)
        given["tables"] = tuple({one.subject for one in seats})
    elif wanted.seat is not None:
        table = " AND subject = {subject:String}" if wanted.table is not None else ""
        seated = f"SELECT {_KEY} FROM stakes WHERE seat = {{own:UInt8}} AND decided_at {_BETWEEN}{table}"
        terms.append(f"({_KEY}) IN ({seated})")
        given["own"] = wanted.seat
    sql = (
        f"SELECT DISTINCT {columns(PlaceRow)} FROM rounds WHERE {' AND '.join(terms)}"
        f" ORDER BY {_ORDER} LIMIT {{most:UInt32}}"
    )
    return Question(PlaceRow, sql, given | {"most": most})


def as_they_stand(
    wanted: WantedRounds, after: After | None, places: Sequence[PlaceRow]
) -> Question[FoundRow]:
    """Those of the candidates, at least one, of whose newest version all is true still; newest first."""
    terms, given = _terms(wanted, after)
    if wanted.seat is not None and wanted.patron is None:
        terms.append(
            f"({_KEY}) IN (SELECT {_KEY} FROM stakes FINAL WHERE seat = {{own:UInt8}} AND {OF_KEYS})"
        )
        given["own"] = wanted.seat
    # What FINAL would give, without merging what lies between the keys.
    latest = f"ORDER BY fold_version DESC LIMIT 1 BY {_KEY}"
    versions = f"SELECT {_FOUND}, fold_version FROM rounds WHERE {OF_KEYS} {latest}"
    sql = f"SELECT {_FOUND} FROM ({versions}) WHERE {' AND '.join(terms)} ORDER BY {_ORDER}"
    return Question(FoundRow, sql, given | {"keys": tuple({one.key for one in places})})


def _terms(wanted: WantedRounds, after: After | None) -> tuple[list[str], _Given]:
    """What must be true of a row of `rounds` by itself."""
    terms = [f"decided_at {_BETWEEN}"]
    given: _Given = {"since": wanted.since, "until": wanted.until}
    for column, kind, value in (
        ("subject", "String", wanted.table),
        ("round", "UInt32", wanted.number),
        ("dealer", "String", wanted.dealer),
        ("shoe", "UInt32", wanted.shoe),
        ("gaming_day", "Date32", wanted.day),
        ("status", "String", wanted.status),
    ):
        if value is not None:
            terms.append(f"{column} = {{{column}:{kind}}}")
            given[column] = value
    for column, hidden in (("subject", wanted.without_tables), ("dealer", wanted.without_dealers)):
        if hidden:
            terms.append(f"(isNull({column}) OR {column} NOT IN {{not_{column}:Array(String)}})")
            given[f"not_{column}"] = hidden
    if after is not None:
        terms.append(
            f"(decided_at, {_KEY}) <"
            f" ({{at:{MOMENT}}}, {{after_subject:String}}, {{after_round:UInt32}}, {{after_first:UInt32}})"
        )
        given |= dict(zip(("at", "after_subject", "after_round", "after_first"), after, strict=True))
    return terms, given


# Rows of one key say the same of a patron, so that one written twice is no other: they are read without FINAL.
_LATELY = f"time BETWEEN {{since:{MOMENT}}} - INTERVAL {_SAT} DAY AND {{until:{MOMENT}}}"
_SEATS = f"SELECT DISTINCT {columns(SeatRow)} FROM patrons WHERE patron = {{patron:String}} AND {_LATELY}"
_AT_SEATS = "(subject, seat) IN {seats:Array(Tuple(String, UInt8))}"
_AT_TABLES = "subject IN {tables:Array(String)}"
# Whose seat it was: whoever a wager of the round names, else whom the last event of that seat before it named.
_STAKES = f"SELECT DISTINCT {_KEY}, seat FROM stakes WHERE {_AT_SEATS} AND decided_at {_BETWEEN}"
_OF_PATRON = f"""
    SELECT s.subject, s.round, s.first_sequence FROM ({_STAKES}) AS s
    INNER JOIN (SELECT {_KEY}, last_sequence FROM rounds WHERE {_AT_TABLES} AND decided_at {_BETWEEN}) AS r
        ON r.subject = s.subject AND r.round = s.round AND r.first_sequence = s.first_sequence
    INNER JOIN (SELECT subject, seat, sequence FROM patrons
                WHERE patron = {{patron:String}} AND type = 'wager_placed' AND {_LATELY}) AS w
        ON w.subject = s.subject AND w.seat = s.seat
    WHERE w.sequence BETWEEN r.first_sequence AND r.last_sequence
    UNION DISTINCT
    SELECT s.subject, s.round, s.first_sequence FROM ({_STAKES}) AS s
    ASOF INNER JOIN (SELECT subject, seat, sequence, patron, type FROM patrons WHERE {_AT_SEATS} AND {_LATELY}) AS p
        ON p.subject = s.subject AND p.seat = s.seat AND s.first_sequence >= p.sequence
    WHERE p.patron = {{patron:String}} AND p.type != 'player_left'
"""


def seats_of(wanted: WantedRounds) -> Question[SeatRow]:
    """The seats at which the patron was seen in the span or shortly before it."""
    given: _Given = {"patron": wanted.patron, "since": wanted.since, "until": wanted.until}
    own = ""
    if wanted.seat is not None:
        own, given["own"] = " AND seat = {own:UInt8}", wanted.seat
    return Question(SeatRow, _SEATS + own, given)
