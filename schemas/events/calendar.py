"""Times beyond the calendar: every time of an event is one that any zone can write and any store can hold."""

from __future__ import annotations

from collections.abc import Iterable
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
        event = _moved(event, data=_moved(event.data, names))
    return _moved(event, ("time", "recordedtime"))


def beyond(of: Struct, names: Iterable[str]) -> tuple[str, ...]:
    """The fields among these whose times lie beyond the calendar, or were moved to its ends."""
    times = ((name, getattr(of, name)) for name in names)
    return tuple(name for name, moment in times if moment is not UNSET and not EARLIEST < moment < LATEST)


_Moved = TypeVar("_Moved", bound=Struct)


def _moved(one: _Moved, names: tuple[str, ...] = (), **to: object) -> _Moved:
    to |= {name: within_calendar(getattr(one, name)) for name in beyond(one, names)}
    return msgspec.structs.replace(one, **to) if to else one
