"""Which sensors of a table have fallen silent, by what they used to say."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from dashboards.reader.sensors import DeviceRow, FaultRow

PAUSES = 20  # times its usual pause a device may be still while others of its table speak
SHORTEST = dt.timedelta(seconds=60)  # ... and never less than this
AT_LEAST = 20  # events of a device before its usual pause is known

Silence = Literal["speaks", "silent", "rare"]


class Sensor(Struct, frozen=True, kw_only=True):
    """One device of a table: `still_for` is how much longer it has been still than its table."""

    source: str
    events: int
    last: dt.datetime
    still_for: dt.timedelta
    silence: Silence


class Watched(Struct, frozen=True, kw_only=True):
    """One table: its newest event, its sensors, and the faults of its record."""

    subject: str
    last: dt.datetime
    sensors: tuple[Sensor, ...]
    faults: tuple[FaultRow, ...]

    @property
    def silent(self) -> int:
        """Sensors that have fallen silent."""
        return sum(sensor.silence == "silent" for sensor in self.sensors)


def watched(devices: Sequence[DeviceRow], faults: Sequence[FaultRow]) -> tuple[Watched, ...]:
    """Tables by subject; one that is known by its faults alone is there too."""
    by_table: dict[str, list[DeviceRow]] = {fault.subject: [] for fault in faults}
    for device in devices:
        by_table.setdefault(device.subject, []).append(device)
    return tuple(
        _table(subject, by_table[subject], tuple(f for f in faults if f.subject == subject))
        for subject in sorted(by_table)
    )


def _table(subject: str, devices: list[DeviceRow], faults: tuple[FaultRow, ...]) -> Watched:
    last = max([device.last for device in devices] + [fault.last for fault in faults])
    return Watched(
        subject=subject,
        last=last,
        sensors=tuple(_sensor(device, max(each.last for each in devices)) for device in devices),
        faults=faults,
    )


def _sensor(device: DeviceRow, newest: dt.datetime) -> Sensor:
    still = newest - device.last
    return Sensor(
        source=device.source,
        events=device.events,
        last=device.last,
        still_for=still,
        silence=_silence(device, still),
    )


def _silence(device: DeviceRow, still: dt.timedelta) -> Silence:
    if device.events < AT_LEAST:
        return "rare"
    usual = (device.last - device.first) / (device.events - 1)
    return "silent" if still > max(PAUSES * usual, SHORTEST) else "speaks"
