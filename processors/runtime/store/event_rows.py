"""Events of the ledger as rows: place in the chain, time, the patron it names, and the exact bytes."""

from __future__ import annotations

import datetime as dt
import hashlib
from functools import cache
from typing import Final

from msgspec import UNSET

from processors.runtime.store.rows import Rows, short_hash
from schemas.answers import FOLD_VERSION
from schemas.events.envelope import Envelope
from schemas.payload import WIRE_PREFIX
from schemas.warehouse import RELATIONS
from schemas.warehouse.relations import ACCOUNT_TYPES

_EVENT: Final = RELATIONS["events"].row
_PATRON: Final = RELATIONS["patrons"].row


def add_event(rows: Rows, event: Envelope, line: bytes, time: dt.datetime | None = None) -> None:
    """Add the rows of one event; `line` is its exact bytes, `time` the one by which it counts if it is not its own."""
    time, kind = time or event.time, _kind(type(event))
    at = time if time.tzinfo is dt.UTC else time.astimezone(dt.UTC)
    row_hash = short_hash(hashlib.sha256(line).digest())
    row = _EVENT(
        subject=event.subject,
        sequence=event.sequence,
        time=at,
        type=kind,
        source=event.source,
        id=event.id,
        line=line.decode(),
        fold_version=FOLD_VERSION,
        row_hash=row_hash,
    )
    rows.setdefault("events", []).append(row)
    if kind in ACCOUNT_TYPES:
        rows.setdefault("account_events", []).append(row)
    patron = getattr(event.data, "player", UNSET)
    if patron is not UNSET:
        seat = getattr(event.data, "seat", 0)
        row = _PATRON(
            patron=patron,
            subject=event.subject,
            sequence=event.sequence,
            time=at,
            seat=0 if seat is UNSET else seat,
            type=kind,
            fold_version=FOLD_VERSION,
            row_hash=row_hash,
        )
        rows.setdefault("patrons", []).append(row)


@cache
def _kind(event: type[Envelope]) -> str:
    return str(event.__struct_config__.tag).removeprefix(WIRE_PREFIX)
