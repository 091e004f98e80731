"""The time by which an event counts: its device's, unless that device's clock stands far from the recorder's (A75)."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from processors.core.anomaly import Anomaly
from processors.core.facts_equipment import Times
from processors.core.handlers import Anomalies
from schemas.amounts import amount
from schemas.events.calendar import TIMED, beyond
from schemas.events.envelope import Envelope
from schemas.values import EARLIEST, LATEST

MOST: Final = dt.timedelta(minutes=5)  # by so much a clock may stand from the recorder's (A75)
_RECORDER: Final = ""  # no device has this name
_DAYS: Final = 2  # from so many days on, days are told in place of seconds


def reckoned(times: Times, event: Envelope) -> tuple[Envelope, Anomalies]:
    """The event with the time by which it counts, and what is amiss with its clocks; to be asked once of each event.

    A clock that is off decides nothing: the recorder's time counts, or that of the event before. Where the clocks of
    all devices stand far from the recorder's, the record was written down afterwards: the devices are believed, and
    none is told of.
    """
    source, time, recorded = event.source, event.time, event.recordedtime
    found: Anomalies = ()
    if recorded is not UNSET and not EARLIEST < recorded < LATEST:
        recorded = UNSET
        if times.clocks.get(_RECORDER) != "off":
            found = (_beyond(event, "The clock of the recorder shows a time"),)
        times.clocks[_RECORDER] = "off"
    elif recorded is not UNSET and _RECORDER in times.clocks:
        del times.clocks[_RECORDER]
    before = times.clocks.get(source)
    if EARLIEST < time < LATEST and (recorded is UNSET or -MOST < time - recorded < MOST):
        if before != "right":
            times.clocks[source] = "back" if before in ("replaced", "off") else "right"
    else:
        times.clocks[source] = "off"
        if not _is_believed(times, event):
            times.clocks[source] = "replaced"
            if before != "replaced":
                found += (_far(event, recorded),)
            time = recorded if recorded is not UNSET else times.last or time
            event = msgspec.structs.replace(event, time=time)
    times.last = time
    return _named_times(event, found) if type(event.data) in TIMED else (event, found)


def _is_believed(times: Times, event: Envelope) -> bool:
    others = (clock for source, clock in times.clocks.items() if source != event.source)
    return EARLIEST < event.time < LATEST and all(clock in ("off", "replaced") for clock in others)


def _named_times(event: Envelope, found: Anomalies) -> tuple[Envelope, Anomalies]:
    """Times beyond the calendar that the event names are unknown: its own time stands for them, and accuses nobody."""
    names = beyond(event.data, TIMED[type(event.data)])
    if not names:
        return event, found
    data: Any = msgspec.structs.replace(event.data, **dict.fromkeys(names, event.time))
    device = event.source.rpartition("/")[2]
    found += (_beyond(event, f"The {device} names a time", ",".join(names)),)
    return msgspec.structs.replace(event, data=data), found


def _far(event: Envelope, recorded: dt.datetime | UnsetType) -> Anomaly:
    device = event.source.rpartition("/")[2]
    if recorded is UNSET:
        return _beyond(event, f"The clock of {device} shows a time")
    by = event.time - recorded
    stands = "ahead of" if by > dt.timedelta() else "behind"
    return _anomaly(
        event,
        f"The clock of {device} stands {_length(abs(by))} {stands} the recorder's.",
        {"within_five_minutes_of": recorded.isoformat()},
    )


def _beyond(event: Envelope, who: str, which: str = "time") -> Anomaly:
    expected = {"after": EARLIEST.isoformat(), "before": LATEST.isoformat()}
    return _anomaly(event, f"{who} beyond the years 1900 to 2299.", expected, f"{who}: {which}")


def _anomaly(event: Envelope, message: str, expected: dict[str, str], discriminator: str = "") -> Anomaly:
    return Anomaly(
        check="integrity.clock",
        message=message,
        sequences=(event.sequence,),
        expected=expected,
        observed={"time": event.time.isoformat()},
        severity="minor",
        discriminator=discriminator,
    )


def _length(by: dt.timedelta) -> str:
    return (
        amount(round(by / dt.timedelta(days=1)), "day")
        if by.days >= _DAYS
        else f"{by.total_seconds():,.3f} s"
    )
