"""Names that a table's configuration has looked up: each that there is not is told, with what stands for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from processors.core.anomaly import Anomaly
from processors.games.readings import READINGS, policy_named
from schemas.events import TableConfigured
from schemas.zones import zone_named

_SHOWN = 80  # letters of a name


class _Unknown(NamedTuple):
    """A name that there is not: where it stands, what it should be, and what stands for it."""

    field: str
    name: str
    what: str
    instead: str


def unknown_names(
    config: TableConfigured, before: TableConfigured | None, sequence: int
) -> tuple[Anomaly, ...]:
    """What a configuration names that there is not; a name that the one `before` had as well was told already.

    A reading that there is not puts in doubt by which one the table is to be judged.
    """
    told = frozenset(_unknown(before)) if before is not None else frozenset()
    return tuple(
        Anomaly(
            check="integrity.name",
            message=f"The configuration names {one.what} that there is not, {one.name[:_SHOWN]!r}; {one.instead}.",
            sequences=(sequence,),
            expected={one.field: "a known name"},
            observed={one.field: one.name[:_SHOWN]},
            verdict="indeterminate" if one.field.startswith("readings.") else "breached",
            missing=(f"a known name in {one.field}",) if one.field.startswith("readings.") else (),
            severity="minor" if one.field.startswith("readings.") else "major",
            discriminator=f"{one.field}:{one.name}",
        )
        for one in _unknown(config)
        if one not in told
    )


def _unknown(config: TableConfigured) -> Iterator[_Unknown]:
    if zone_named(config.timezone) is None:
        instead = "hours are told in UTC until a zone such as America/New_York is named"
        yield _Unknown("timezone", config.timezone, "a time zone", instead)
    hour, minute = config.gaming_day_start.split(":")
    if int(hour) > 23 or int(minute) > 59:
        instead = "gaming days begin at midnight until an hour from 00:00 to 23:59 is named"
        yield _Unknown("gaming_day_start", config.gaming_day_start, "an hour of the day", instead)
    for place, policy in (config.readings or {}).items():
        reading = READINGS.get(place)
        if reading is None:
            yield _Unknown(f"readings.{place}", policy, f"a reading of {place}", "no such place is unclear")
        elif policy_named(place, policy) is None:
            known = " or ".join((reading.default, *reading.rivals))
            yield _Unknown(
                f"readings.{place}",
                policy,
                f"a reading of {place}",
                f"it is read {reading.default}, of {known}",
            )
