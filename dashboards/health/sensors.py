"""Which sensors of a table and which tables of the floor have fallen silent, by how often they used to speak.

Devices of one table are held against each other by the times of their events. Tables have clocks of their own, and
records of the past may be brought in: whether a table stands is therefore said by two witnesses, the times of its
events, and whether its record grew while those of others did, as the console has seen it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Literal

from msgspec import Struct

from dashboards.health.clocks import DeviceClock, Key
from dashboards.reader.sensors import ClockRow, DeviceRow, FaultRow, PauseRow, SeenTableRow

PAUSES = 20  # times its usual pause a device or a table may be still while others speak
SHORTEST = dt.timedelta(seconds=60)  # ... and never less than this
AT_LEAST = 20  # events before a usual pause is known
IN_ROUND = dt.timedelta(seconds=120)  # a table in a round may be still as long: a card is disputed
BETWEEN = dt.timedelta(minutes=10)  # ... and an open one: the shoe is being shuffled and cut

Silence = Literal["speaks", "silent", "rests", "rare"]
Play = Literal["in a round", "open", "idle", "closed", "not known"]
_PLAYS: dict[str, Play] = {
    "round_started": "in a round",
    "round_ended": "open",
    "table_opened": "open",
    "table_idle": "idle",
    "table_closed": "closed",
}
_LIMITS = {"in a round": IN_ROUND, "open": BETWEEN}
_NOTHING = dt.timedelta()
_FOR_EVER = dt.timedelta.max


class SeenGrowth(Struct, frozen=True):
    """A table's record as this console saw it: `stood` is how long others grew and this one did not."""

    stood: dt.timedelta = _NOTHING
    watched: dt.timedelta = _NOTHING
    grew: bool = False


class Movement:
    """When each table's record last grew, by the clock of who looks; times are handed in."""

    def __init__(self) -> None:
        """Nothing was seen yet."""
        self._last: dict[str, tuple[int, dt.datetime]] = {}
        self._begun: dict[str, dt.datetime] = {}

    def look(self, tables: Sequence[SeenTableRow], now: dt.datetime) -> dict[str, SeenGrowth]:
        """Take notice of where the tables are now."""
        for table in tables:
            self._begun.setdefault(table.subject, now)
            if self._last.get(table.subject, (0, now))[0] != table.sequence:
                self._last[table.subject] = table.sequence, now
        grew = {table.subject: self._last[table.subject][1] for table in tables}
        latest = max(grew.values(), default=now)
        return {
            name: SeenGrowth(latest - at, now - self._begun[name], at > self._begun[name])
            for name, at in grew.items()
        }


class Sensor(Struct, frozen=True, kw_only=True):
    """One device of a table: `still_for` is how much longer it has been still than its table.

    `last` is by its own clock; where that is off, `still_for` allows for it.
    """

    source: str
    events: int
    last: dt.datetime
    still_for: dt.timedelta
    silence: Silence
    clock: DeviceClock = DeviceClock()
    faults: tuple[FaultRow, ...] = ()

    @property
    def name(self) -> str:
        """What it is at its table: `shoe`."""
        return self.source.rpartition("/")[2]


class Watched(Struct, frozen=True, kw_only=True):
    """One table: whether it plays, its newest event, its sensors, and the faults of its record.

    `still_for` is how far its newest event lies behind the newest of the floor, `limit` how far it may.
    """

    subject: str
    last: dt.datetime
    sensors: tuple[Sensor, ...]
    faults: tuple[FaultRow, ...]
    play: Play = "not known"
    still_for: dt.timedelta = _NOTHING
    seen: SeenGrowth = SeenGrowth()
    limit: dt.timedelta = _FOR_EVER

    @property
    def cut_off(self) -> bool:
        """Whether the table as a whole has fallen silent while it plays."""
        behind = self.still_for > self.limit and self.seen.stood >= SHORTEST
        return behind or self.seen.stood > self.limit

    @property
    def in_doubt(self) -> bool:
        """Whether it is as far behind, and was not looked at for long enough to say whether it stands."""
        unseen = not self.seen.grew and self.seen.watched < SHORTEST
        return not self.cut_off and self.still_for > self.limit and unseen

    @property
    def silent(self) -> int:
        """Sensors that have fallen silent."""
        return sum(sensor.silence == "silent" for sensor in self.sensors)

    @property
    def skewed(self) -> int:
        """Sensors whose clock is off."""
        return sum(sensor.clock.standing == "off" for sensor in self.sensors)

    def called(self, name: str) -> tuple[Sensor, ...]:
        """Its sensors of this name."""
        return tuple(sensor for sensor in self.sensors if sensor.name == name)


class Told(Struct, frozen=True, kw_only=True):
    """What the store says of the floor; `newest` is the time that silence is measured by."""

    newest: dt.datetime
    tables: Sequence[SeenTableRow] = ()
    devices: Sequence[DeviceRow] = ()
    faults: Sequence[FaultRow] = ()
    clocked: Sequence[ClockRow] = ()
    clocks: Mapping[Key, DeviceClock] = {}
    pauses: Sequence[PauseRow] = ()
    seen: Mapping[str, SeenGrowth] = {}


def watched(told: Told) -> tuple[Watched, ...]:
    """Tables by subject; one that is known by its faults or its last records alone is there too."""
    devices = {(each.subject, each.source): each for each in told.devices}
    for late in told.clocked:  # by a clock that is hours off it said nothing since
        usual = DeviceRow(late.subject, late.source, late.events, late.first, late.last)
        devices.setdefault((late.subject, late.source), usual)
    known = {each.subject: each for each in told.tables}
    subjects = set(known) | {subject for subject, _ in devices} | {fault.subject for fault in told.faults}
    return tuple(
        _table(
            told,
            subject,
            known.get(subject),
            [device for key, device in sorted(devices.items()) if key[0] == subject],
            [fault for fault in told.faults if fault.subject == subject],
        )
        for subject in sorted(subjects)
    )


def _table(
    told: Told, subject: str, row: SeenTableRow | None, devices: list[DeviceRow], faults: list[FaultRow]
) -> Watched:
    clocks = {device.source: told.clocks.get((subject, device.source), DeviceClock()) for device in devices}
    spoke = {device.source: device.last - clocks[device.source].ahead for device in devices}
    # A clock that is wrong by hours must not make its neighbours silent.
    newest = max(spoke.values(), default=None) or (row.last if row else max(each.last for each in faults))
    sources = {device.source for device in devices}
    play = _PLAYS.get(row.scene, "not known") if row is not None else "not known"
    return Watched(
        subject=subject,
        last=newest,
        sensors=tuple(
            Sensor(
                source=device.source,
                events=device.events,
                last=device.last,
                still_for=newest - spoke[device.source],
                silence=_silence(device, newest - spoke[device.source], play),
                clock=clocks[device.source],
                faults=tuple(each for each in faults if each.source == device.source),
            )
            for device in devices
        ),
        faults=tuple(each for each in faults if each.source not in sources),
        play=play,
        still_for=max(told.newest - newest, _NOTHING),
        seen=told.seen.get(subject, SeenGrowth()),
        limit=_limit(play, [each for each in told.pauses if each.subject == subject]),
    )


def _limit(play: Play, pauses: list[PauseRow]) -> dt.timedelta:
    """How long a table may stand; one that is closed or idle, or of which nobody knows it, for ever."""
    limit = _LIMITS.get(play)
    if limit is None:
        return _FOR_EVER
    usual = max((each.usual for each in pauses if each.steps >= AT_LEAST), default=0.0)
    return max(limit, dt.timedelta(seconds=PAUSES * max(usual, 0.0)))


def _silence(device: DeviceRow, still: dt.timedelta, play: Play) -> Silence:
    if device.events < AT_LEAST:
        return "rare"
    usual = (device.last - device.first) / (device.events - 1)
    if still <= max(PAUSES * usual, SHORTEST):
        return "speaks"
    return "rests" if play == "closed" else "silent"  # the drop is counted long after the last card


def names_of(tables: Sequence[Watched]) -> tuple[str, ...]:
    """Names of all sensors of these tables: the columns of the matrix."""
    return tuple(sorted({sensor.name for sensor in chain.from_iterable(table.sensors for table in tables)}))
