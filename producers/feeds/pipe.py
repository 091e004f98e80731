"""A pipe of lines: what has arrived is handed on at once: a live feed never waits for a full frame."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from producers.feeds.lines import CHUNK_BYTES, AnyLine, Splitter


class _Readable(Protocol):
    """A buffered stream of bytes, as `sys.stdin.buffer` is: `read1` gives what there is, nothing at the end."""

    def read1(self, size: int, /) -> bytes: ...


def read_bursts(pipe: _Readable) -> Iterator[list[AnyLine]]:
    """Lists of the lines that arrived together; the last line may lack its end."""
    splitter = Splitter()
    while chunk := pipe.read1(CHUNK_BYTES):
        if lines := splitter.feed(chunk):
            yield lines
    if last := splitter.end():
        yield last
