"""What other readings of the text would have settled otherwise in some gaming days, in dollars and stake by stake."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from msgspec import Struct

from dashboards.reader import restitution as asked
from dashboards.reader.question import Parameter, Reader
from dashboards.reader.restitution import ClaimRow, RoundSpan
from dashboards.replayer.readings_port import Rival, RivalDue, RivalDues
from dashboards.restitution.causes import JUDGED, tables_and_dealers
from dashboards.restitution.claims import place_of
from dashboards.restitution.told import stakes_of
from processors.games.readings import READINGS

# The unclear places by which the due of a stake is reckoned where its cards lie as they do. Of A1 the report also tells
# where the dealer would have drawn otherwise.
OF_STAKES: Final = ("A1", "A2", "A5", "A12", "A13", "A24", "A25")
# By these other busts would have been tucked (A6, A7), the dealer would have drawn or not (A8, A9), or the hands of a
# split would have had other cards (A35). The dues of what lies there say nothing of what would have lain there.
NOT_WORKED_OUT: Final = ("A6", "A7", "A8", "A9", "A35")
RIVALS: Final[tuple[Rival, ...]] = tuple(
    (place, policy) for place in OF_STAKES for policy in (READINGS[place].default, *READINGS[place].rivals)
)


class RivalReading(Struct, frozen=True, kw_only=True):
    """What one reading changes: stakes and their rounds, cents to the patrons and to the house, both without sign.

    `undecided` are stakes of which nobody can say what the reading changes; they are in none of the sums.
    """

    place: str
    policy: str
    about: str
    rounds: int
    stakes: int
    to_patrons: int
    to_house: int
    undecided: int


class RivalReadings(Struct, frozen=True, kw_only=True):
    """The readings by which stakes of these gaming days would have been due otherwise; `rounds` were read again.

    Of the places `not_worked_out` nothing is said: by their readings other cards would have been dealt or tucked.
    """

    first: dt.date
    last: dt.date
    rounds: int
    readings: tuple[RivalReading, ...]
    not_worked_out: tuple[str, ...] = NOT_WORKED_OUT


class RivalLine(Struct, frozen=True):
    """One stake whose due a reading changes."""

    row: ClaimRow
    due: RivalDue


def rounds_of_days(
    reader: Reader, first: dt.date, last: dt.date, withheld: Collection[tuple[str, str]] = ()
) -> list[RoundSpan]:
    """The rounds of these gaming days whose dues are known, without tables and dealers that are withheld.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    return asked.spans(_which(first, last, withheld)).ask(reader)


def count_of_days(
    reader: Reader, first: dt.date, last: dt.date, withheld: Collection[tuple[str, str]] = ()
) -> int:
    """How many rounds `rounds_of_days` would give; a year of a floor has too many to fetch for that alone.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    return sum(one.rounds for one in asked.span_count(_which(first, last, withheld)).ask(reader))


def _which(first: dt.date, last: dt.date, withheld: Collection[tuple[str, str]]) -> dict[str, Parameter]:
    return asked.judged(first, last, JUDGED, *tables_and_dealers(withheld))


def rival_readings(first: dt.date, last: dt.date, rounds: int, dues: RivalDues) -> RivalReadings:
    """What the readings come to, in the order of their places; those that change nothing are left out."""
    found = (_summed(rival, changes) for rival, changes in dues.items() if changes)
    return RivalReadings(first=first, last=last, rounds=rounds, readings=tuple(found))


def _summed(rival: Rival, changes: Sequence[RivalDue]) -> RivalReading:
    cents = [one.change for one in changes]
    decided = [one for one in changes if one.change is not None]
    place, policy = rival
    return RivalReading(
        place=place,
        policy=policy,
        about=READINGS[place].about,
        rounds=len({one.stake[:2] for one in decided}),
        stakes=len(decided),
        to_patrons=sum(max(one or 0, 0) for one in cents),
        to_house=sum(max(-(one or 0), 0) for one in cents),
        undecided=len(changes) - len(decided),
    )


def rival_lines(reader: Reader, changes: Iterable[RivalDue], most: int | None = None) -> list[RivalLine]:
    """The stakes themselves, by table and in order; the first `most`, and no more are asked for.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    dues = {one.stake: one for one in sorted(changes, key=lambda one: one.stake)[:most]}
    rows = stakes_of(reader, {(subject, first) for subject, first, _ in dues})
    return [RivalLine(row, dues[place_of(row)]) for row in rows if place_of(row) in dues]
