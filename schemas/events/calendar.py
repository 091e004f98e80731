"""Times beyond the calendar: every time of an event is one that any zone can write and any store can hold."""

from __future__ import annotations

import datetime as dt
from typing import TypeVar

import msgspec
from msgspec import UNSET, Struct

from schemas.events.envelope import PAYLOADS, DeviceEnvelope, Envelope
from schemas.payload import Payload
from schemas.values import EARLIEST, LATEST, within_calendar

_Event = TypeVar("_Event", Envelope, DeviceEnvelope)


def _bears_time(field: msgspec.inspect.Field) -> bool:
    kinds = field.type.types if isinstance(field.type, msgspec.inspect.UnionType) else (field.type,)
    return any(isinstance(kind, msgspec.inspect.DateTimeType) for kind in kinds)


def _times_of(payload: type[Payload]) -> tuple[str, ...]:
    described = msgspec.inspect.type_info(payload)
    assert isinstance(described, msgspec.inspect.StructType)
    return tuple(field.name for field in described.fields if _bears_time(field))


# The fields of payloads that bear a time, by type: few have one.
TIMED: dict[type[Payload], tuple[str, ...]] = {
    payload: names for payload in PAYLOADS.values() if (names := _times_of(payload))
}


def within(event: _Event) -> _Event:
    """The event with each of its times within the calendar (`EARLIEST` to `LATEST`); its bytes stay as they are.

    Devices write the first or the last moment there is for "no time", and with an offset no clock can write it in UTC.
    """
    names = TIMED.get(type(event.data))
    if names is not None:
        event = _moved(event, data=_moved(event.data, **_times(event.data, names)))
    return _moved(event, **_times(event, ("time", "recordedtime")))


def _times(of: Struct, names: tuple[str, ...]) -> dict[str, dt.datetime]:
    """The times that lie beyond the calendar, as they are read."""
    times = {name: getattr(of, name) for name in names}
    return {
        name: within_calendar(moment)
        for name, moment in times.items()
        if moment is not UNSET and moment is not None and not EARLIEST <= moment <= LATEST
    }


_Moved = TypeVar("_Moved", bound=Struct)


def _moved(one: _Moved, **to: object) -> _Moved:
    return msgspec.structs.replace(one, **to) if to else one
