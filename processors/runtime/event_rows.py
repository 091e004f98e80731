"""Events of the ledger as rows: where each stands, when it happened, whom it names, and its exact bytes."""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from processors.runtime.rows import FOLD_VERSION, Rows, short_hash, within_range
from schemas.codec import Malformed, decode
from schemas.payload import WIRE_PREFIX


class _Data(Struct):
    player: str | UnsetType = UNSET
    seat: int | UnsetType = UNSET


class _Header(Struct):
    subject: str
    sequence: int
    time: Annotated[dt.datetime, Meta(tz=True)]
    type: str
    source: str
    id: str
    data: _Data


_read = msgspec.json.Decoder(_Header).decode


def readable(line: bytes, head: str = "") -> bool:
    """Whether the contract can read the line; `head`, the hash it is expected to carry, only saves work."""
    try:
        decode(line, head)
    except Malformed:
        return False
    return True


def add_event(rows: Rows, line: bytes) -> tuple[str, int]:
    """Add the rows of one event that the contract can read; return its table and its sequence."""
    header = _header(line)
    at, kind = within_range(header.time.astimezone(dt.UTC)), header.type.removeprefix(WIRE_PREFIX)
    row_hash = short_hash(hashlib.sha256(line).digest())
    place = (header.subject, header.sequence)
    about = (at, kind, header.source, header.id, line.decode())
    rows.setdefault("events", []).append((*place, *about, FOLD_VERSION, row_hash))
    player, seat = header.data.player, header.data.seat
    if player is not UNSET:
        known_seat = seat if seat is not UNSET else 0
        patron = (player, *place, at, known_seat, kind, FOLD_VERSION, row_hash)
        rows.setdefault("patrons", []).append(patron)
    return place


def _header(line: bytes) -> _Header:
    """What the fast reader sees of a line, or, where it is written as few write it, what the strict one does."""
    try:
        return _read(line)
    except (msgspec.MsgspecError, OverflowError):
        event = decode(line)
        player, seat = getattr(event.data, "player", UNSET), getattr(event.data, "seat", UNSET)
        return _Header(
            event.subject, event.sequence, event.time, event.type, event.source, event.id, _Data(player, seat)
        )
