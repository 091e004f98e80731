"""The hands most like what was told of one: each told thing is asked of every hand of a short time, in one question.

A memory is seldom right in everything. So what was told does not choose the hands: it orders them, by how many things
fit and then by how near they lie to the told time. The question reads the rounds, hands and stakes of the time about
it, as they stand, and answers with the first of them.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from dashboards.reader.newest import HANDS_OF_PATRON, SeatRow, WantedRounds, at_seats, in_moments
from dashboards.reader.played import KEY, SEAT_OF_HAND, Looked, of_findings, stands_in
from dashboards.reader.question import MOMENT, Parameter, Question, columns
from dashboards.reader.search import FoundRow, newest_of
from schemas.warehouse.views import patron_cents

MOST = 40  # hands of an answer
LONGEST = dt.timedelta(hours=3)  # looked through at most: an hour of five hundred tables is 150,000 hands
_ASIDE = dt.timedelta(minutes=10)  # what is looked through on each side of the told time, at least
_FOUND_BY = f"decided_at BETWEEN {{since:{MOMENT}}} - INTERVAL 1 DAY AND {{until:{MOMENT}}} + INTERVAL 1 DAY"
_Given = dict[str, Parameter]
_BOUND = f"decided_at BETWEEN {{since:{MOMENT}}} AND {{until:{MOMENT}}}"
_ROUND = ", ".join(f"r.{name} AS {name}" for name in FoundRow.__struct_fields__)
_STAKED = f"""
    SELECT {KEY}, seat,
        arrayMap(one -> one.2, arraySort(groupArrayIf((ordinal, staked_cents), kind != 'lammer' AND staked_cents != 0)))
            AS staked,
        arraySort(groupUniqArrayIf(assumeNotNull(observed_outcome),
            kind IN ('main', 'split') AND isNotNull(observed_outcome))) AS moved,
        toUInt64(countIf(isNull(observed_outcome) AND staked_cents != 0)) AS unsettled,
        sum({patron_cents("observed", "t.")}) AS won_cents,
        toUInt64(countIf(isNull(expected_outcome) AND staked_cents != 0)) AS undecided,
        sum({patron_cents("expected", "t.")}) AS due_cents"""


class LikeRow(FoundRow, frozen=True):
    """One hand of a seat with its round, and which of the told things fit it: 1 or 0 each, in the order of `told_of`.

    Money in cents, + the patron won. `moved` is what was seen to happen to the main wagers of the seat; `unsettled`
    counts wagers of which nothing was seen, `undecided` wagers of which nobody can say what was due. `far` is how
    many seconds it ended from the middle of the told time. The last three fields are of all hands that were looked
    at: how many these are, how many each told thing fits, and how many fit in all but this one.
    """

    seat: int
    hand: str
    cards: tuple[str, ...]
    total: int | None
    result: str | None
    dealt: tuple[str, ...]
    dealt_total: int | None
    dealt_result: str | None
    staked: tuple[int, ...]
    moved: tuple[str, ...]
    unsettled: int
    won_cents: int
    undecided: int
    due_cents: int
    fits: tuple[int, ...]
    far: int
    looked: int
    each: tuple[int, ...]
    but_one: tuple[int, ...]
    exact: int


def told_things(wanted: WantedRounds) -> tuple[str, ...]:
    """The names of what was told, as the form has them: the time first."""
    return tuple(name for name, _ in _conditions(wanted, with_patron=True))


def about(wanted: WantedRounds) -> tuple[dt.datetime, dt.datetime]:
    """From when to when is looked for hands like it: the told time, and half as long on each side."""
    start, end = wanted.moments[0][0], wanted.moments[-1][1]
    aside = max(_ASIDE, (end - start) / 2)
    return start - aside, end + aside


def likeliest(
    wanted: WantedRounds, seats: Sequence[SeatRow], *, cards: bool, most: int = MOST
) -> Question[LikeRow]:
    """Hands of the time about the told time of `wanted`, the best fit first.

    `seats` are those of the patron who was told, empty where none was. Without `cards` a seat is one hand of which no
    card is read.
    """
    told = [sql for _, sql in _conditions(wanted, with_patron=bool(seats))]
    since, until = about(wanted)
    start, end = wanted.moments[0][0], wanted.moments[-1][1]
    given: _Given = _values(wanted) | {"since": since, "until": until, "middle": start + (end - start) / 2}
    if wanted.patron is not None and seats:
        given |= at_seats(wanted.patron, seats)
    where, more = _scope(wanted)
    rounds, named = _rounds(wanted, where)
    every = _EVERY.format(
        stakes=f"{_STAKED} FROM {newest_of('stakes', where)} AS t GROUP BY {KEY}, seat",
        rounds=rounds,
        own=_hands(where, f"{SEAT_OF_HAND} AS seat, hand", "hand != 'D'" if cards else "0"),
        dealt=_hands(where, "hand", "hand = 'D'" if cards else "0"),
        # What is not known of a hand does not fit.
        fits=", ".join(f"toUInt8(ifNull({sql}, 0))" for sql in told),
    )
    sql = (
        f"SELECT {columns(LikeRow, **_counts(len(told)))} FROM ({every})"
        " ORDER BY fitting DESC, far, subject, round, first_sequence, seat, hand LIMIT {most:UInt32}"
    )
    return Question(LikeRow, sql, given | more | named | {"most": most})


_EVERY = f"""
    SELECT {_ROUND}, s.seat AS seat, h.hand AS hand, h.cards AS cards, h.total AS total, h.result AS result,
        d.cards AS dealt, d.total AS dealt_total, d.result AS dealt_result, s.staked AS staked, s.moved AS moved,
        s.unsettled AS unsettled, s.won_cents AS won_cents, s.undecided AS undecided, s.due_cents AS due_cents,
        [{{fits}}] AS fits, toUInt32(arraySum(fits)) AS fitting,
        toUInt32(abs(dateDiff('second', r.decided_at, {{{{middle:{MOMENT}}}}}))) AS far
    FROM ({{stakes}}) AS s
    INNER JOIN ({{rounds}}) AS r
        ON r.subject = s.subject AND r.round = s.round AND r.first_sequence = s.first_sequence
    LEFT JOIN ({{own}}) AS h ON h.subject = s.subject AND h.round = s.round
        AND h.first_sequence = s.first_sequence AND h.seat = s.seat
    LEFT JOIN ({{dealt}}) AS d ON d.subject = s.subject AND d.round = s.round
        AND d.first_sequence = s.first_sequence"""


def _scope(wanted: WantedRounds) -> tuple[str, _Given]:
    """Which rows of every relation are read: those of the time and the tables."""
    terms, given = [_BOUND], _Given()
    if wanted.table is not None:
        terms.append("subject = {subject:String}")
        given["subject"] = wanted.table
    if wanted.without_tables:
        terms.append("subject NOT IN {not_subject:Array(String)}")
        given["not_subject"] = wanted.without_tables
    return " AND ".join(terms), given


def _rounds(wanted: WantedRounds, where: str) -> tuple[str, _Given]:
    """The rounds, each with whether it was under way at the told time and has the told finding."""
    on_time, given = in_moments(wanted)
    noted = "1"
    if wanted.noted is not None:
        keys, more = of_findings(wanted.noted, Looked(where), _FOUND_BY)
        noted = stands_in(keys)
        given |= more
    known = "1"
    if wanted.without_dealers:
        known = "(isNull(dealer) OR dealer NOT IN {not_dealer:Array(String)})"
        given["not_dealer"] = wanted.without_dealers
    rows = newest_of("rounds", where)
    return f"SELECT *, {on_time} AS on_time, {noted} AS noted FROM {rows} WHERE {known}", given


def _hands(where: str, named: str, terms: str) -> str:
    return f"SELECT {KEY}, {named}, cards, total, result FROM {newest_of('hands', where)} WHERE {terms}"


def _counts(told: int) -> dict[str, str]:
    """The columns that are of all hands, where so many things were told."""
    missed = "arrayMap(one -> toUInt64(1 - one), fits)"
    nothing = "arrayMap(one -> toUInt64(0), fits)"
    return {
        "looked": "toUInt32(count() OVER ())",
        "each": "sumForEach(fits) OVER ()",
        "but_one": f"sumForEach(if(fitting = {told - 1}, {missed}, {nothing})) OVER ()",
        "exact": f"toUInt32(countIf(fitting = {told}) OVER ())",
    }


def _conditions(wanted: WantedRounds, *, with_patron: bool) -> list[tuple[str, str]]:
    """Each told thing by its name in the form, and the SQL that says whether it fits a hand."""
    played = wanted.played
    patrons = f"(s.subject, s.round, s.first_sequence, s.seat) IN ({HANDS_OF_PATRON})" if with_patron else "0"
    result = "has(s.moved, {moved:String})" if played.moved is not None else "h.result = {result:String}"
    stake = "BETWEEN {least:Int64} AND {most_staked:Int64}"
    told = (
        ("time", bool(wanted.moments), "r.on_time"),
        ("seat", wanted.seat is not None, "s.seat = {own:UInt8}"),
        ("patron", wanted.patron is not None, patrons),
        ("total", played.total is not None, "h.total = {total:UInt16}"),
        ("against", played.dealer_total is not None, "d.total = {against:UInt16}"),
        ("result", played.result is not None or played.moved is not None, result),
        (
            "stake",
            played.stake is not None,
            f"(arrayExists(one -> one {stake}, s.staked) OR arraySum(s.staked) {stake})",
        ),
        ("dealer", wanted.dealer is not None, "r.dealer = {dealer:String}"),
        ("findings", wanted.noted is not None, "r.noted"),
        ("status", wanted.status is not None, "r.status = {status:String}"),
    )
    return [(name, sql) for name, is_told, sql in told if is_told]


def _values(wanted: WantedRounds) -> _Given:
    """The parameters of the conditions."""
    played = wanted.played
    least, most = played.stake or (None, None)
    told = {
        "own": wanted.seat, "total": played.total, "against": played.dealer_total, "moved": played.moved,
        "result": played.result, "least": least, "most_staked": most, "dealer": wanted.dealer,
        "status": wanted.status,
    }  # fmt: skip
    return {name: value for name, value in told.items() if value is not None}
