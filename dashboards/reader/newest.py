"""The newest rounds of which all is true that is wanted, paged by time and key.

Every version of a row that the store still has is looked through first, in the few columns that are asked about;
only the rounds this finds are then read as they stand. To merge the versions of a whole month for fifty rounds of it
costs five times as much.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from math import inf

from msgspec import Struct
from msgspec.structs import replace

from dashboards.reader.played import KEY, FindingAsked, Looked, Played, of_findings, of_seat, stands_in
from dashboards.reader.question import MOMENT, Parameter, Question, Reader, columns
from dashboards.reader.search import OF_KEYS, FoundRow, Key, RoundKey, given_keys

MOST = 200
_BETWEEN = f"BETWEEN {{since:{MOMENT}}} AND {{until:{MOMENT}}}"
# A finding about a round may be made shortly after its end.
_FOUND_BY = f"decided_at BETWEEN {{since:{MOMENT}}} - INTERVAL 1 DAY AND {{until:{MOMENT}}} + INTERVAL 1 DAY"
_FOUND = columns(FoundRow)
_KEY = KEY
_ORDER = "decided_at DESC, subject DESC, round DESC, first_sequence DESC"
_WITHIN = (
    "arrayExists(x -> subject = x.1 AND last_sequence >= x.2 AND first_sequence <= x.3,"
    " {stretches:Array(Tuple(String, UInt32, UInt32))})"
)
_SAT = 3  # days before the span in which a patron may have sat down
_SPARE = 1.25  # candidates for each round that is wanted: most have one version
_FIRST = (1, 6)  # days of a longer span that are looked through first
_MORE = 4  # ... and so many times as many where that was too few
_Given = dict[str, Parameter]
After = tuple[dt.datetime, str, int, int]
Stretch = tuple[str, int, int]  # a table, and the first and last event of a part of its record


class WantedRounds(Struct, frozen=True, kw_only=True):
    """What is known of the rounds that are looked for; the span chooses the months that are read.

    `moments` are stretches within it, each up to its end: rounds that ended in one of them, and `edges`, rounds that
    were under way then and ended later. No moments mean the whole span. `stretches` are parts of the record in one
    of which the round was under way; none mean the whole. `among` are the rounds of which it is one; None means all.
    """

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
    moments: tuple[tuple[dt.datetime, dt.datetime], ...] = ()
    edges: tuple[Key, ...] = ()
    stretches: tuple[Stretch, ...] = ()
    among: tuple[Key, ...] | None = None
    played: Played = Played()
    noted: FindingAsked | None = None
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


class CountRow(Struct, frozen=True):
    """A number of rounds."""

    rounds: int


def newest_rounds(
    reader: Reader, wanted: WantedRounds, after: After | None = None, most: int = 50
) -> list[FoundRow]:
    """Rounds of which all this is true, newest first, at most `MOST`; `after` is the last one that was shown."""
    most = min(most, MOST)
    seats = seats_of(wanted).ask(reader) if wanted.patron is not None else []
    if wanted.patron is not None and not seats:
        return []
    count = int(most * _SPARE) + 1
    windows = list(_windows(wanted, after))
    while True:
        places = candidates(windows[0], seats, after, count).ask(reader)
        if len(places) < count and len(windows) > 1:
            del windows[0]
            continue
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


def how_many(reader: Reader, wanted: WantedRounds, most: int, shown: Sequence[FoundRow] = ()) -> int:
    """How many rounds are what is wanted, counted up to `most`; a round of which an older version was it counts too.

    `shown` are some that follow one another: an end of the span in which so dense rounds come to less than `most` is
    not looked through by itself.
    """
    seats = seats_of(wanted).ask(reader) if wanted.patron is not None else []
    if wanted.patron is not None and not seats:
        return 0
    found = 0
    windows = list(_windows(wanted, None))
    while len(windows) > 1 and _likely(windows[0], shown) < most:
        del windows[0]
    for window in windows:
        terms, given = _asked(window, seats, None)
        some = f"SELECT DISTINCT {_KEY} FROM rounds WHERE {' AND '.join(terms)} LIMIT {{most:UInt32}}"
        counted = Question(CountRow, f"SELECT count() FROM ({some})", given | {"most": most}).ask(reader)
        found = counted[0].rounds
        if found >= most:
            break
    return found


def _likely(window: WantedRounds, shown: Sequence[FoundRow]) -> float:
    """How many rounds a window has where they are as dense as these, newest first; of fewer than two nobody knows."""
    took = shown[0].decided_at - shown[-1].decided_at if shown else dt.timedelta(0)
    return len(shown) * ((window.until - window.since) / took) if took else inf


def _windows(wanted: WantedRounds, after: After | None) -> Iterator[WantedRounds]:
    """Ever longer ends of the span, the last of them the whole: where much is found, little need be looked through.

    Only what several relations are asked for is dear enough to be asked for twice.
    """
    if (wanted.played != Played() or wanted.noted is not None) and not wanted.moments:
        until = wanted.until if after is None else min(after[0], wanted.until)
        for days in _FIRST:
            if until - dt.timedelta(days=2 * days) > wanted.since:
                yield replace(wanted, since=until - dt.timedelta(days=days))
    yield wanted


def candidates(
    wanted: WantedRounds, seats: Sequence[SeatRow], after: After | None, most: int
) -> Question[PlaceRow]:
    """Versions of rounds of which all this is true, newest first; one round may stand at two times.

    `seats` are those at which the patron was seen who is asked for; empty where none is.
    """
    terms, given = _asked(wanted, seats, after)
    sql = (
        f"SELECT DISTINCT {columns(PlaceRow)} FROM rounds WHERE {' AND '.join(terms)}"
        f" ORDER BY {_ORDER} LIMIT {{most:UInt32}}"
    )
    # Read in the order of the key to be made distinct, the hands of a patron take five times as long.
    sql += " SETTINGS optimize_distinct_in_order = 0" if wanted.patron is not None else ""
    return Question(PlaceRow, sql, given | {"most": most})


def _asked(wanted: WantedRounds, seats: Sequence[SeatRow], after: After | None) -> tuple[list[str], _Given]:
    """All that must be true of a round, by the rows of every relation that says something of it."""
    terms, given = _terms(wanted, after)
    of_patron = ""
    if wanted.patron is not None:
        of_patron = HANDS_OF_PATRON
        terms.append(_AT_TABLES)
        given |= at_seats(wanted.patron, seats)
    table = " AND subject = {subject:String}" if wanted.table is not None else ""
    looked = Looked(f"decided_at {_BETWEEN}{table}")
    keys, more = _keys(wanted, looked, _FOUND_BY + table, of_patron)
    return [*terms, *map(stands_in, keys)], given | more


def as_they_stand(
    wanted: WantedRounds, after: After | None, places: Sequence[PlaceRow]
) -> Question[FoundRow]:
    """Those of the candidates, at least one, of whose newest version all is true still; newest first.

    A newest version of which all is true is a candidate itself. So it was decided between the first and the last of
    them, and with it its hands and stakes, and nothing else is read whole.
    """
    terms, given = _terms(wanted, after)
    here = f"{OF_KEYS} AND decided_at BETWEEN {{earliest:{MOMENT}}} AND {{latest:{MOMENT}}}"
    times = [one.decided_at for one in places]
    given |= {"earliest": min(times), "latest": max(times)}
    keys, more = _keys(wanted, Looked(here, newest=True), _FOUND_BY)
    # As joins: over rows of LIMIT BY, the engine works out the keys of an IN twice.
    joins = "".join(f" LEFT SEMI JOIN ({one}) AS k{n} USING ({_KEY})" for n, one in enumerate(keys))
    # What FINAL would give, without merging what lies between the keys; the newest version may lie elsewhere in time.
    versions = (
        f"SELECT {_FOUND}, fold_version FROM rounds WHERE {here} ORDER BY fold_version DESC LIMIT 1 BY {_KEY}"
    )
    newest = f"SELECT {_KEY}, max(fold_version) AS fold_version FROM rounds WHERE {OF_KEYS} GROUP BY {_KEY}"
    rows = f"SELECT {_FOUND}, fold_version FROM ({versions}) WHERE {' AND '.join(terms)}"
    sql = (
        f"SELECT {_FOUND} FROM ({rows}) AS r LEFT SEMI JOIN ({newest}) AS n USING ({_KEY}, fold_version){joins}"
        f" ORDER BY {_ORDER}"
    )
    return Question(FoundRow, sql, given | more | given_keys(one.key for one in places))


def _keys(
    wanted: WantedRounds, looked: Looked, found_by: str, of_patron: str = ""
) -> tuple[list[str], _Given]:
    """Questions that each give the keys of a round that is wanted, by what was played in it and found."""
    keys, given = of_seat(_played(wanted), looked, of_patron)
    if wanted.noted is not None:
        found, more = of_findings(wanted.noted, looked, found_by)
        keys, given = [*keys, found], given | more
    return keys, given


def _played(wanted: WantedRounds) -> Played:
    """What a seat played; where a patron is asked for, the seats are the patron's, of which the store was asked."""
    return replace(wanted.played, seat=None if wanted.patron is not None else wanted.seat)


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
    if wanted.stretches:
        terms.append(_WITHIN)
        given["stretches"] = wanted.stretches
    if wanted.among is not None:
        terms.append(f"({_KEY}) IN {{among:Array(Tuple(String, UInt32, UInt32))}}")
        given["among"] = wanted.among
    if wanted.moments:
        then, values = in_moments(wanted)
        terms.append(then)
        given |= values
    if after is not None:
        terms.append(
            f"(decided_at, {_KEY}) <"
            f" ({{at:{MOMENT}}}, {{after_subject:String}}, {{after_round:UInt32}}, {{after_first:UInt32}})"
        )
        given |= dict(zip(("at", "after_subject", "after_round", "after_first"), after, strict=True))
    return terms, given


def in_moments(wanted: WantedRounds) -> tuple[str, _Given]:
    """The condition that a round was under way in any of the moments; there is at least a single moment."""
    then, given = list[str](), _Given()
    for number, (start, end) in enumerate(wanted.moments):
        then.append(f"decided_at >= {{start_{number}:{MOMENT}}} AND decided_at < {{end_{number}:{MOMENT}}}")
        given |= {f"start_{number}": start, f"end_{number}": end}
    if wanted.edges:
        then.append(f"({_KEY}) IN {{edges:Array(Tuple(String, UInt32, UInt32))}}")
        given["edges"] = wanted.edges
    return f"({' OR '.join(f'({one})' for one in then)})", given


# Rows of one key say the same of a patron, so that one written twice is no other: they are read without FINAL.
_LATELY = f"time BETWEEN {{since:{MOMENT}}} - INTERVAL {_SAT} DAY AND {{until:{MOMENT}}}"
_SEATS = f"SELECT DISTINCT {columns(SeatRow)} FROM patrons WHERE patron = {{patron:String}} AND {_LATELY}"
_AT_SEATS = "(subject, seat) IN {seats:Array(Tuple(String, UInt8))}"
_AT_TABLES = "subject IN {tables:Array(String)}"
# Whose seat it was: whoever a wager of the round names, else whom the last event of that seat before it named.
_STAKES = f"SELECT DISTINCT {_KEY}, seat FROM stakes WHERE {_AT_SEATS} AND decided_at {_BETWEEN}"
_OF_S = "s.subject AS subject, s.round AS round, s.first_sequence AS first_sequence, s.seat AS seat"
HANDS_OF_PATRON = f"""
    SELECT {_OF_S} FROM ({_STAKES}) AS s
    INNER JOIN (SELECT {_KEY}, last_sequence FROM rounds WHERE {_AT_TABLES} AND decided_at {_BETWEEN}) AS r
        ON r.subject = s.subject AND r.round = s.round AND r.first_sequence = s.first_sequence
    ASOF INNER JOIN (SELECT subject, seat, sequence FROM patrons
                     WHERE patron = {{patron:String}} AND type = 'wager_placed' AND {_LATELY}) AS w
        ON w.subject = s.subject AND w.seat = s.seat AND r.last_sequence >= w.sequence
    WHERE w.sequence >= r.first_sequence
    UNION DISTINCT
    SELECT {_OF_S} FROM ({_STAKES}) AS s
    ASOF INNER JOIN (SELECT subject, seat, sequence, patron, type FROM patrons WHERE {_AT_SEATS} AND {_LATELY}) AS p
        ON p.subject = s.subject AND p.seat = s.seat AND s.first_sequence >= p.sequence
    WHERE p.patron = {{patron:String}} AND p.type != 'player_left'
"""


def at_seats(patron: str, seats: Sequence[SeatRow]) -> _Given:
    """What `HANDS_OF_PATRON` asks for beside `since` and `until`: the patron, and the seats of `seats_of`."""
    return {
        "patron": patron,
        "seats": tuple((one.subject, one.seat) for one in seats),
        "tables": tuple({one.subject for one in seats}),
    }


def seats_of(wanted: WantedRounds) -> Question[SeatRow]:
    """The seats at which the patron was seen in the span or shortly before it."""
    given: _Given = {"patron": wanted.patron, "since": wanted.since, "until": wanted.until}
    own = ""
    if wanted.seat is not None:
        own, given["own"] = " AND seat = {own:UInt8}", wanted.seat
    return Question(SeatRow, _SEATS + own, given)
