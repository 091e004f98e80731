"""What travels in one Kafka record: one event, several of one table in order, or a dead letter."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from producers.kafka.connection import Gathering
from producers.kafka.transport import Headers
from producers.quarantine import Quarantined
from schemas.messages import MOST_BYTES, DeadLetterMessage
from schemas.topics import CLOUDEVENT, EVENTS, FRAME, JSON

# Of an event: the rest of a record is for key, headers and the batch's head.
LARGEST: Final = EVENTS.max_message_bytes - 2_048

_ENCODE = msgspec.json.Encoder().encode


class Framing(Struct, frozen=True, kw_only=True):
    """When several events share a record: `least` must wait for it; then at most `lines` and `size` bytes.

    `gathering` is how the transport puts records of a partition together into one batch on the wire.
    """

    least: int
    lines: int = 200
    size: int = 512 << 10
    gathering: Gathering = Gathering()


# Live: one a record, so that none waits for others; a backlog is caught up in frames. A batch of one event and its
# headers does not compress, and each one costs broker and workers as much as one of ten: so it waits a little for
# company, and is packed tightly. In back-fill batches are full by themselves, and the processor is what is short.
LIVE: Final = Framing(least=500, gathering=Gathering(linger_ms=40, compression="gzip"))
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


def cut(records: Sequence[tuple[int, bytes]], framing: Framing, waiting: int) -> Iterator[Shipment]:
    """Records of one table, in order and without a gap, as shipments; `waiting` events wait in all."""
    if waiting < framing.least:
        for sequence, line in records:
            yield Shipment(sequence, sequence, line, CLOUDEVENT)
        return
    for at in range(0, len(records), framing.lines):
        frame = records[at : at + framing.lines]
        lines = [line for _, line in frame]
        while lines:
            fitting = _fitting(lines, framing.size)
            first = frame[len(frame) - len(lines)][0]
            value = lines[0] if fitting == 1 else b"\n".join(lines[:fitting])
            yield Shipment(first, first + fitting - 1, value, CLOUDEVENT if fitting == 1 else FRAME)
            del lines[:fitting]


def _fitting(lines: Sequence[bytes], size: int) -> int:
    """How many of these lines, one at least, make a value of at most that size."""
    total = sum(map(len, lines)) + len(lines) - 1
    count = len(lines)
    while count > 1 and total > size:
        count -= 1
        total -= len(lines[count]) + 1
    return count


@cache
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
