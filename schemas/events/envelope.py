"""The CloudEvents 1.0 envelope, one class for each event type, told apart by `type`."""

from __future__ import annotations

import datetime as dt
from operator import attrgetter
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

import schemas.events as events
from schemas.payload import WIRE_PREFIX, Payload, short_name
from schemas.values import Text, When, within_calendar

GENESIS = "0" * 64
Sequence = Annotated[int, Meta(ge=1, le=2_147_483_647)]
Subject = Annotated[str, Meta(min_length=1, max_length=64)]
Digest = Annotated[str, Meta(min_length=64, max_length=64)]


class Envelope(Struct, frozen=True, gc=False, tag_field="type"):
    """One chained event as it stands in a ledger; `data` is the payload of its type."""

    specversion: Literal["1.0"]
    id: Text
    source: Text
    subject: Subject
    time: When
    sequence: Sequence
    prevhash: Digest
    data: Any
    recordedtime: When | UnsetType = UNSET

    @property
    def type(self) -> str:
        """Type on the wire, `catwalk.v1.<name>`."""
        return str(self.__struct_config__.tag)


class DeviceEnvelope(Struct, frozen=True, gc=False, tag_field="type"):
    """One event as a device sends it, before the recorder gives it sequence and chain."""

    specversion: Literal["1.0"]
    id: Text
    source: Text
    subject: Subject
    time: When
    data: Any
    recordedtime: When | UnsetType = UNSET


def _enveloped(base: type[Struct], payload: type[Payload]) -> type[Struct]:
    return defstruct(
        f"{payload.__name__}{base.__name__}",
        [("data", payload)],
        bases=(base,),
        tag=WIRE_PREFIX + short_name(payload),
        tag_field="type",
        frozen=True,
        gc=False,
        module=__name__,
        kw_only=True,
    )


_CLASSES = sorted(
    (value for value in vars(events).values() if isinstance(value, type)), key=attrgetter("__name__")
)
PAYLOADS: dict[str, type[Payload]] = {short_name(payload): payload for payload in _CLASSES}
CHAINED = tuple(_enveloped(Envelope, payload) for payload in PAYLOADS.values())
UNCHAINED = tuple(_enveloped(DeviceEnvelope, payload) for payload in PAYLOADS.values())


def utc_text(moment: dt.datetime) -> str:
    """RFC 3339 in UTC with microseconds and `Z`, as the contract writes times; the nearest within the calendar."""
    return within_calendar(moment).astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
