"""Times and counts beyond all bounds: every time of an event is one that any zone can write and any store can hold.

So is every whole number to which the contract sets no limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import msgspec
from msgspec import UNSET, Struct

from schemas.events.envelope import PAYLOADS, DeviceEnvelope, Envelope
from schemas.payload import Payload
from schemas.values import EARLIEST, LATEST, MOST, within_calendar

_Event = TypeVar("_Event", Envelope, DeviceEnvelope)


def _bears_time(field: msgspec.inspect.Field) -> bool:
    kinds = field.type.types if isinstance(field.type, msgspec.inspect.UnionType) else (field.type,)
    return any(isinstance(kind, msgspec.inspect.DateTimeType) for kind in kinds)


def _fields(among: Callable[[msgspec.inspect.Field], bool]) -> dict[type[Payload], tuple[str, ...]]:
    """The names of such fields, by payload; few have one."""
    found = {}
    for payload in PAYLOADS.values():
        described = msgspec.inspect.type_info(payload)
        assert isinstance(described, msgspec.inspect.StructType)
        found[payload] = tuple(field.name for field in described.fields if among(field))
    return {payload: names for payload, names in found.items() if names}


# The fields of payloads that bear a time, by type.
TIMED = _fields(_bears_time)


def _counts_without_limit(field: msgspec.inspect.Field) -> bool:
    kinds = field.type.types if isinstance(field.type, msgspec.inspect.UnionType) else (field.type,)
    counts = (kind.value_type for kind in kinds if isinstance(kind, msgspec.inspect.DictType))
    return any(isinstance(count, msgspec.inspect.IntType) and count.le is None for count in counts)


# The fields of payloads that count by name, without a limit in the contract: chips by denomination.
COUNTED = _fields(_counts_without_limit)
BOUNDED = TIMED.keys() | COUNTED.keys()


def within(event: _Event) -> _Event:
    """The event with each of its times within the calendar (`EARLIEST` to `LATEST`), and no count above `MOST`.

    Its bytes stay as they are.

    Devices write the first or the last moment there is for "no time", and with an offset no clock can write it in UTC.
    """
    names, counted = TIMED.get(type(event.data)), COUNTED.get(type(event.data))
    if names is not None:
        event = _moved(event, data=_moved(event.data, names))
    if counted is not None:
        event = _moved(event, data=_limited(event.data, counted))
    return _moved(event, ("time", "recordedtime"))


def beyond(of: Struct, names: Iterable[str]) -> tuple[str, ...]:
    """The fields among these whose times lie beyond the calendar, or were moved to its ends."""
    times = ((name, getattr(of, name)) for name in names)
    return tuple(name for name, moment in times if moment is not UNSET and not EARLIEST < moment < LATEST)


_Moved = TypeVar("_Moved", bound=Struct)


def _moved(one: _Moved, names: tuple[str, ...] = (), **to: object) -> _Moved:
    to |= {name: within_calendar(getattr(one, name)) for name in beyond(one, names)}
    return msgspec.structs.replace(one, **to) if to else one


def _limited(data: Payload, names: Iterable[str]) -> Payload:
    counts = {name: counted for name in names if (counted := getattr(data, name)) is not UNSET}
    if all(count <= MOST for counted in counts.values() for count in counted.values()):
        return data
    to = {name: {of: min(count, MOST) for of, count in counted.items()} for name, counted in counts.items()}
    return msgspec.structs.replace(data, **to)
