"""What decisions moved in gaming days, also where the record has no stake, no hand, or no round of it."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from zoneinfo import ZoneInfo

from dashboards.debts.begun import parts
from dashboards.debts.decided import closings, closings_apart, decided
from dashboards.debts.settling import SettledBy
from dashboards.desk.alerts import Alert
from dashboards.desk.disputes import Dispute
from dashboards.reader import restitution as asked
from dashboards.reader.question import Reader
from dashboards.reader.restitution import RoundDayRow
from dashboards.restitution.causes import every_stake_of
from dashboards.restitution.claims import Restitution
from dashboards.restitution.rulings import DayOfMoney, begun_of, paid_rounds, with_rulings
from dashboards.restitution.told import AT_ONCE
from dashboards.revenue.books import places_of
from dashboards.revenue.places import clock_of


def ruled_of_days(
    reader: Reader,
    made: Restitution,
    disputes: Sequence[Dispute],
    closed: Sequence[Alert],
    days: tuple[dt.date, dt.date],
    withheld: Collection[tuple[str, str]] = (),
    *,
    unseen: Collection[tuple[str, str]] = (),
    names: bool = True,
    hidden: Collection[str] = (),
) -> Restitution:
    """The restitution of gaming days, the first and the last, with all that decisions and closed alerts moved in them.

    Rounds of tables and dealers that are `withheld` are not in it; what is `unseen` has no name there. Without `names`
    nobody is named who decided. `hidden` are the fields of alerts that the reader is never sent.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    disputes, closed = _since(made, disputes, closed, days[0])
    rounds = begun_of(reader, made, closed)
    settled = (*decided(disputes), *closings(closed, rounds), *closings_apart(closed, rounds))
    of_days = money_days(reader, settled, days, withheld)
    theirs = {(one.scope.subject, one.scope.first_sequence) for one in settled if one.source in of_days}
    paid = paid_rounds(disputes, closed, rounds) & theirs
    beside = every_stake_of(reader, paid)
    return with_rulings(
        made,
        disputes,
        {*withheld, *unseen},
        closed=closed,
        rounds=rounds,
        beside=beside,
        days=of_days,
        names=names,
        hidden=hidden,
    )


def _since(
    made: Restitution, disputes: Iterable[Dispute], closed: Sequence[Alert], first: dt.date
) -> tuple[list[Dispute], list[Alert]]:
    """Those that were decided since shortly before the first day, and all that are of rounds in the list.

    A dispute that names such an alert is among them, whenever it was decided, and so are all alerts that it names.

    What was decided before is about earlier days: the store is not asked about all that ever was decided.
    """
    since = dt.datetime.combine(first - dt.timedelta(days=2), dt.time(), dt.UTC)
    listed = {(one.subject, one.round) for one in made.lines}
    listed |= {(one.subject, one.round) for one in made.undecided}

    def counts(round_: tuple[str, int | None], at: dt.datetime | None) -> bool:
        return at is not None and (at >= since or round_ in listed)

    alerts = [
        one
        for one in closed
        if counts((one.finding.subject, one.finding.round), one.confirmed_at or one.closed_at)
    ]
    named = {one.id for one in alerts}
    held = ((one, one.held_decision) for one in disputes)
    chosen = [
        one
        for one, by in held
        if by
        and (counts((one.subject, one.round), by.confirmed_at or by.at) or not named.isdisjoint(one.alerts))
    ]
    sharing = {alert for one in chosen for alert in one.alerts} - named
    return chosen, alerts + [one for one in closed if one.id in sharing]


def money_days(
    reader: Reader,
    settled: Iterable[SettledBy],
    days: tuple[dt.date, dt.date],
    withheld: Collection[tuple[str, str]] = (),
) -> dict[str, DayOfMoney]:
    """The gaming day of each amount that is of these days, the first and the last, by its source.

    It is the day of the round. Where the store has no such round, or the round no day, it is the day that was begun
    last at the table by the event with which the round began. Where the store has no such event either, it is the day
    on which the money was decided, by the clock of the table or else of most tables.

    Amounts of tables and dealers that are withheld are left out.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    of_table: dict[str, list[SettledBy]] = defaultdict(list)
    for one in settled:
        if one.amount and ("table", one.scope.subject) not in withheld:
            of_table[one.scope.subject].append(one)
    found: dict[str, DayOfMoney] = {}
    for subject, mine in of_table.items():
        rounds = _rounds(reader, subject, {one.scope.first_sequence for one in mine})
        dayless = _Dayless(reader, subject)
        for one in mine:
            row = rounds.get(one.scope.first_sequence)
            if ("dealer", row.dealer) in withheld if row is not None else _of_dealer(one, withheld):
                continue
            day = row.gaming_day if row is not None else None
            found[one.source] = DayOfMoney(day or dayless.day_of(one), row is not None)
    first, last = days
    return {source: of for source, of in found.items() if first <= of.day <= last}


def _rounds(reader: Reader, subject: str, firsts: Collection[int]) -> Mapping[int, RoundDayRow]:
    rows = (asked.round_days(subject, part).ask(reader) for part in parts(sorted(firsts), AT_ONCE))
    return {row.first_sequence: row for of_part in rows for row in of_part}


def _of_dealer(one: SettledBy, withheld: Collection[tuple[str, str]]) -> bool:
    """Whether a decision is of a dealer who is withheld, as far as the decision itself says so."""
    return any(kind == "dealer" and (kind, name) in withheld for kind, name in one.withheld_with)


class _Dayless:
    """The gaming days of what has none by a round of the store; the store is asked once, and only where it has to."""

    def __init__(self, reader: Reader, subject: str) -> None:
        self._reader = reader
        self._subject = subject
        self._begun: tuple[tuple[int, ...], tuple[dt.date, ...], int] | None = None
        self._clock: tuple[dt.tzinfo, int] | None = None

    def day_of(self, one: SettledBy) -> dt.date:
        sequences, days, newest = self._days_begun()
        at = bisect_right(sequences, one.scope.first_sequence) - 1
        if at >= 0 and one.scope.first_sequence <= newest:
            return days[at]
        zone, begins = self._table_clock()
        return (one.at.astimezone(zone).replace(tzinfo=None) - dt.timedelta(minutes=begins)).date()

    def _days_begun(self) -> tuple[tuple[int, ...], tuple[dt.date, ...], int]:
        if self._begun is None:
            rows = asked.days_begun(self._subject).ask(self._reader)
            newest = max(
                (row.sequence for row in asked.newest_event(self._subject).ask(self._reader)), default=0
            )
            sequences, days = (row.sequence for row in rows), (row.gaming_day for row in rows)
            self._begun = tuple(sequences), tuple(days), newest
        return self._begun

    def _table_clock(self) -> tuple[dt.tzinfo, int]:
        if self._clock is None:
            places = places_of(self._reader)
            config = places.last(self._subject, self._days_begun()[2])
            zone, begins = clock_of(config) if config is not None else places.clocks()[0][0]
            self._clock = ZoneInfo(zone), begins
        return self._clock
