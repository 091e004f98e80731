"""A stream rewritten after the fact, with its chain made whole again: how a forger would leave it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

Data = dict[str, Any]
Change = Callable[[Data], Data | None]

_PLACE = re.compile(rb'"id":"[^"]*","source"')
_LINK = re.compile(rb'"sequence":\d+,"prevhash":"[0-9a-f]{64}"')


def rewritten(lines: Iterator[bytes], changes: dict[int, Change]) -> Iterator[bytes]:
    """The lines with the data of some events changed, or the events left out, chained anew from there.

    `changes` is keyed by the sequence as first written; None drops the event. Entries may be added while
    earlier lines go by.
    """
    head = ""
    shift = 0
    for sequence, line in enumerate(lines, start=1):
        change = changes.pop(sequence, None)
        written = line
        if change is not None:
            event = msgspec.json.decode(line)
            data = change(event["data"])
            if data is None:
                shift += 1
                head = head or event["prevhash"]
                continue
            written = msgspec.json.encode(event | {"data": data})
        if head:
            written = relinked(written, sequence - shift, head)
        if head or change is not None:
            head = hashlib.sha256(written).hexdigest()
        yield written


def relinked(line: bytes, sequence: int, head: str) -> bytes:
    """The line with the id, sequence and hash of its place after the record that `head` is the hash of."""
    subject = line.split(b'"id":"', 1)[1].split(b'"', 1)[0].rsplit(b"-", 1)[0]
    line = _PLACE.sub(b'"id":"%b-%d","source"' % (subject, sequence), line, count=1)
    return _LINK.sub(b'"sequence":%d,"prevhash":"%b"' % (sequence, head.encode()), line, count=1)
