"""Where a list goes on, as an address carries it: the key of the last row that was shown."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import TypeVar

import msgspec

Place = TypeVar("Place")


def as_cursor(place: tuple[object, ...]) -> str:
    """The key of a row as letters that an address may hold."""
    return base64.urlsafe_b64encode(msgspec.msgpack.encode(place)).decode().rstrip("=")


def of_cursor(text: str, read: Callable[[bytes], Place]) -> Place | None:
    """The key that these letters hold, as `read` takes it out of msgpack; None where they hold none that it reads."""
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        return read(data) if text else None
    except (binascii.Error, msgspec.MsgspecError, ValueError):
        return None
