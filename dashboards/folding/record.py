"""A table's record as the store holds it: events and lines that could not be read, in the order of the chain."""

from __future__ import annotations

import base64
from collections.abc import Iterator

from msgspec import Struct

from dashboards.reader.question import Reader
from dashboards.reader.rounds import lines_after, unreadable_between

BLOCK = 5_000  # lines read at once: some two megabytes, and others may ask between two blocks


class RecordLine(Struct, frozen=True):
    """One line of a table's record: its exact bytes; `reason` is empty, or says why it is no event."""

    sequence: int
    line: bytes
    reason: str = ""


def lines_between(reader: Reader, subject: str, first: int, last: int | None = None) -> Iterator[RecordLine]:
    """Lines from sequence `first` to `last`, or to the newest that is stored."""
    after = first - 1
    while last is None or after < last:
        block = lines_after(subject, after, last, BLOCK).ask(reader)
        whole = len(block) < BLOCK
        upto = (last or 2**31) if whole else block[-1].sequence
        bad = [
            RecordLine(one.sequence, base64.b64decode(one.bytes_base64), one.reason)
            for one in unreadable_between(subject, after + 1, upto).ask(reader)
        ]
        good = [RecordLine(one.sequence, one.line.encode()) for one in block]
        # Where one sequence has both, the line that is no event never belonged to the chain, and came first.
        yield from sorted((*bad, *good), key=lambda one: (one.sequence, not one.reason)) if bad else good
        if whole:
            return
        after = upto
