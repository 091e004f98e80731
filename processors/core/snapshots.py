"""Snapshots of a table's state, as MessagePack."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

import msgspec

from processors.core.sights import SPLIT, SURRENDER, bits_of
from processors.core.state import Logged, Round, Table
from schemas.payload import Payload, short_name

Entry = tuple[int, str, str, Any, dt.datetime]
_ENCODE = msgspec.msgpack.Encoder().encode
_DECODE = msgspec.msgpack.Decoder(tuple[Table, list[list[Entry]]])


def snapshot(table: Table) -> bytes:
    """The whole state as bytes; restoring it and folding the rest equals one whole replay."""
    logs = [(round_, round_.log, round_.seen) for round_ in _rounds(table)]
    for round_, _, _ in logs:
        round_.log, round_.seen = [], 0
    try:
        return _ENCODE((table, [_entries(log) for _, log, _ in logs]))
    finally:
        for round_, log, seen in logs:
            round_.log, round_.seen = log, seen


def _rounds(table: Table) -> list[Round]:
    """The round under way, and the one that lingers."""
    ended = table.lingering.round if table.lingering is not None else None
    return [round_ for round_ in (table.round, ended) if round_ is not None]


def _entries(log: list[Logged]) -> list[Entry]:
    return [(one.sequence, one.source, short_name(type(one.data)), one.data, one.time) for one in log]


def restore(data: bytes, payloads: Mapping[str, type[Payload]]) -> Table:
    """The state a snapshot holds; `payloads` are the event types by name.

    Raises:
        msgspec.ValidationError: the bytes are no snapshot of this version.
    """
    table, logs = _DECODE.decode(data)
    for round_, log in zip(_rounds(table), logs, strict=True):
        round_.log = [
            Logged(sequence, source, msgspec.convert(content, payloads[name]), time)
            for sequence, source, name, content, time in log
        ]
        round_.seen = seen_in(round_)
    return table


def seen_in(round_: Round) -> int:
    """The bits of a round recomputed from its log and hands, as the fold keeps them event by event."""
    seen = bits_of(type(entry.data) for entry in round_.log)
    for hand in round_.hands.values():
        if hand.split_at is not None:
            seen |= SPLIT
        if hand.surrendered is not None:
            seen |= SURRENDER
    return seen
