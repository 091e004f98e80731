"""What every event's data has in common: frozen, strict, and named after its type."""

from __future__ import annotations

import re
from functools import cache

from msgspec import Struct

WIRE_PREFIX = "catwalk.v1."


class Payload(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Data of one event; the class name in snake case is the type's name on the wire."""


def short_name(payload: type[Payload]) -> str:
    """Name of the event type without its prefix: `CardDrawn` -> `card_drawn`."""
    return _snake_case(payload.__name__)


@cache
def _snake_case(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
