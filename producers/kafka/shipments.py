"""What travels in one Kafka record: one event, several of one table in order, or a dead letter."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from producers.kafka.transport import Headers
from producers.log import Record
from producers.quarantine import Quarantined
from schemas.messages import MOST_BYTES, DeadLetterMessage
from schemas.topics import CLOUDEVENT, EVENTS, FRAME, JSON

LARGEST: Final = (
    EVENTS.max_message_bytes - 2_048
)  # of an event: what is left for key, headers and the batch's head

_ENCODE = msgspec.json.Encoder().encode


class Framing(Struct, frozen=True, kw_only=True):
    """When several events share a record: `least` must wait for it; then at most `lines` and `size` bytes."""

    least: int
    lines: int = 200
    size: int = 512 << 10


LIVE: Final = Framing(
    least=500
)  # one a record, so that each is seen at once; a backlog is caught up in frames
BACKFILL: Final = Framing(least=2)


class Shipment(NamedTuple):
    """Events `first` to `last` of a table as one value."""

    first: int
    last: int
    value: bytes
    content_type: str


def can_travel(line: bytes) -> bool:
    """Whether a line that is no event of the contract comes out of a record as it went in."""
    return len(line) <= LARGEST and b"\n" not in line and not line.endswith(b"\r") and bool(line.strip())


def cut(records: Sequence[Record], framing: Framing, waiting: int) -> Iterator[Shipment]:
    """Records of one table, in order and without a gap, as shipments; `waiting` events wait in all."""
    if waiting < framing.least:
        for sequence, line in records:
            yield Shipment(sequence, sequence, line, CLOUDEVENT)
        return
    frame: list[Record] = []
    size = 0
    for record in records:
        if frame and (len(frame) >= framing.lines or size + len(record.line) >= framing.size):
            yield _framed(frame)
            frame, size = [], 0
        frame.append(record)
        size += len(record.line) + 1
    if frame:
        yield _framed(frame)


def _framed(frame: Sequence[Record]) -> Shipment:
    first, last = frame[0].sequence, frame[-1].sequence
    if first == last:
        return Shipment(first, last, frame[0].line, CLOUDEVENT)
    return Shipment(first, last, b"\n".join(record.line for record in frame), FRAME)


def headers_of(content_type: str, gateway: str, epoch: int) -> Headers:
    """What each record says of itself: what it holds, who sent it, and by which claim of the table."""
    return [
        ("content-type", content_type.encode()),
        ("gateway", gateway.encode()),
        ("epoch", str(epoch).encode()),
    ]


def letter_message(kept: Quarantined) -> bytes:
    """A dead letter of the recorder as the topic carries it; the same letter is always the same bytes."""
    letter = kept.letter
    place = hashlib.sha256(letter.line + letter.origin.encode()).digest()
    return _ENCODE(
        DeadLetterMessage(
            subject=letter.subject or "",
            sequence=letter.sequence or 0,
            number=int.from_bytes(place[:8]) or 1,
            at=msgspec.convert(letter.received, dt.datetime),
            kind=letter.kind,
            origin=letter.origin,
            reason=letter.reason,
            path=letter.path,
            digest=letter.digest,
            bytes_base64=base64.b64encode(letter.line[:MOST_BYTES]).decode(),
        )
    )


LETTER_HEADERS: Final[Headers] = [("content-type", JSON.encode())]
