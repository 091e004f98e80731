"""Events of the ledger as rows: where each stands, when it happened, whom it names, and its exact bytes."""

from __future__ import annotations

import datetime as dt
import hashlib
from functools import cache

from msgspec import UNSET

from processors.runtime.store.rows import FOLD_VERSION, Rows, short_hash, within_range
from schemas.envelope import Envelope
from schemas.payload import WIRE_PREFIX


def add_event(rows: Rows, event: Envelope, line: bytes) -> None:
    """Add the rows of one event; `line` is its exact bytes."""
    time, kind = event.time, _kind(type(event))
    at = within_range(time if time.tzinfo is dt.UTC else time.astimezone(dt.UTC))
    row_hash = short_hash(hashlib.sha256(line).digest())
    place = (event.subject, event.sequence)
    about = (at, kind, event.source, event.id, line.decode())
    rows.setdefault("events", []).append((*place, *about, FOLD_VERSION, row_hash))
    patron = getattr(event.data, "player", UNSET)
    if patron is not UNSET:
        seat = getattr(event.data, "seat", 0)
        named = (patron, *place, at, 0 if seat is UNSET else seat, kind, FOLD_VERSION, row_hash)
        rows.setdefault("patrons", []).append(named)


@cache
def _kind(event: type[Envelope]) -> str:
    return str(event.__struct_config__.tag).removeprefix(WIRE_PREFIX)
