"""Unknown names in a table's configuration, such as a time zone: each is told, with the value used instead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from processors.core.anomaly import Anomaly
from processors.games.readings import READINGS, policy_named
from schemas.events import TableConfigured
from schemas.zones import zone_named

_SHOWN = 80  # letters of a name


class _Unknown(NamedTuple):
    """An unknown name: its field, the kind of name due there, and the value used instead."""

    field: str
    name: str
    what: str
    instead: str


def unknown_names(
    config: TableConfigured, before: TableConfigured | None, sequence: int
) -> tuple[Anomaly, ...]:
    """The unknown names of a configuration; a name of the configuration `before` was told already.

    An unknown reading puts in doubt by which policy the table is to be judged.
    """
    told = frozenset(_unknown(before)) if before is not None else frozenset()
    return tuple(
        Anomaly(
            check="integrity.name",
            message=f"The configuration names {unknown.what} that there is not, {unknown.name[:_SHOWN]!r}; "
            f"{unknown.instead}.",
            sequences=(sequence,),
            expected={unknown.field: "a known name"},
            observed={unknown.field: unknown.name[:_SHOWN]},
            verdict="indeterminate" if unknown.field.startswith("readings.") else "breached",
            missing=(f"a known name in {unknown.field}",) if unknown.field.startswith("readings.") else (),
            severity="minor" if unknown.field.startswith("readings.") else "major",
            discriminator=f"{unknown.field}:{unknown.name}",
        )
        for unknown in _unknown(config)
        if unknown not in told
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
