"""A pipe of lines: what has arrived is handed on at once: a live feed never waits for a full frame."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from producers.feeds.streams import Line, without_end

CHUNK_BYTES = 1 << 16


class Readable(Protocol):
    """A buffered stream of bytes, as `sys.stdin.buffer` is."""

    def read1(self, size: int, /) -> bytes:
        """At most `size` bytes, as soon as there are any; empty at the end."""


def read_bursts(pipe: Readable) -> Iterator[list[Line]]:
    """Lists of the lines that arrived together; the last line may lack its end."""
    number = offset = 0
    rest = b""
    while chunk := pipe.read1(CHUNK_BYTES):
        *whole, rest = (rest + chunk).split(b"\n")
        burst = []
        for raw in whole:
            number += 1
            burst.append(Line(number, offset, without_end(raw)))
            offset += len(raw) + 1
        lines = [line for line in burst if line.content]
        if lines:
            yield lines
    if last := without_end(rest):
        yield [Line(number + 1, offset, last, whole=False)]
