"""The tables as they were configured: which pit and game they are of, and when their shifts change."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable
from zoneinfo import ZoneInfo

from msgspec import Struct

from dashboards.reader.cash import EventLineRow
from dashboards.reader.revenue import place
from dashboards.wording.times import zone_called
from schemas.events import TableConfigured
from schemas.events.codec import decode

ROUND_THE_CLOCK = ("UTC", 0)
Clock = tuple[str, int]


class Configuration(Struct, frozen=True):
    """One configuration of a table, in force from its event on."""

    subject: str
    sequence: int
    time: dt.datetime
    config: TableConfigured

    @property
    def place(self) -> str:
        """The table under this configuration, as questions name it."""
        return place(self.subject, self.sequence)

    @property
    def clock(self) -> Clock:
        """The time zone in which its gaming day begins, and at which minute after midnight."""
        return clock_of(self.config)


def clock_of(config: TableConfigured) -> Clock:
    """The time zone in which a table's gaming day begins, and at which minute after midnight."""
    return str(zone_called(config.timezone)), minutes(config.gaming_day_start)


def day_begins(clock: Clock, day: dt.date, hours: int = 0) -> dt.datetime:
    """The moment, in UTC, at which a gaming day begins, or so many hours later by the clock on the wall."""
    zone, day_start = clock
    wall = dt.datetime.combine(day, dt.time()) + dt.timedelta(minutes=day_start, hours=hours)
    return wall.replace(tzinfo=ZoneInfo(zone)).astimezone(dt.UTC)


class Places:
    """All configurations of all tables."""

    def __init__(self, rows: Iterable[EventLineRow]) -> None:
        self._known: dict[tuple[str, int], Configuration] = {}
        self._of_table: dict[str, list[Configuration]] = {}
        for row in rows:
            config = decode(row.line.encode()).data
            if isinstance(config, TableConfigured):
                known = Configuration(row.subject, row.sequence, row.time, config)
                self._known[row.subject, row.sequence] = known
                self._of_table.setdefault(row.subject, []).append(known)

    def terms(self, subject: str, sequence: int) -> TableConfigured | None:
        """The configuration of that event; None where there is none."""
        found = self._known.get((subject, sequence))
        return None if found is None else found.config

    def last(self, subject: str, before: int) -> TableConfigured | None:
        """The configuration in force at the table's event `before`."""
        found = [one for one in self._of_table.get(subject, ()) if one.sequence <= before]
        return max(found, key=lambda one: one.sequence).config if found else None

    def of_pit(self, pit: str) -> tuple[str, ...]:
        """Tables while they were of this pit."""
        return tuple(one.place for one in self._known.values() if one.config.pit == pit)

    @property
    def pits(self) -> tuple[str, ...]:
        """Every pit."""
        return tuple(sorted({one.config.pit for one in self._known.values()}))

    @property
    def properties(self) -> tuple[str, ...]:
        """Every property: one, where a store is not shared."""
        return tuple(sorted({one.config.property for one in self._known.values()}))

    @property
    def subjects(self) -> tuple[str, ...]:
        """Every table that was configured."""
        return tuple(sorted({subject for subject, _ in self._known}))

    @property
    def zone(self) -> ZoneInfo:
        """The time zone of most tables."""
        return ZoneInfo(self.clocks()[0][0][0])

    def clock_before(self, day: dt.date) -> Clock:
        """The clock of most tables, each as it was configured last before a day, or first where only later."""
        until = dt.datetime.combine(day, dt.time(), dt.UTC)
        held: dict[str, Configuration] = {}
        for one in sorted(self._known.values(), key=lambda one: (one.subject, one.sequence)):
            if one.subject not in held or one.time < until:
                held[one.subject] = one
        usual = Counter(one.clock for one in held.values()).most_common(1)
        return usual[0][0] if usual else ROUND_THE_CLOCK

    def clocks(self) -> list[tuple[Clock, tuple[str, ...]]]:
        """By which clocks gaming days begin, the most usual first, and where each holds."""
        found = Counter(one.clock for one in self._known.values())
        usual = [clock for clock, _ in found.most_common()] or [ROUND_THE_CLOCK]
        return [
            (clock, tuple(one.place for one in self._known.values() if one.clock == clock)) for clock in usual
        ]


def minutes(clock: str) -> int:
    """Minutes after midnight of `HH:MM`; 0 where the record has no such time."""
    hour, minute = int(clock[:2]), int(clock[3:])
    return hour * 60 + minute if hour < 24 and minute < 60 else 0
