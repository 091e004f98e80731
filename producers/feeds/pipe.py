"""A pipe of lines: what has arrived is handed on at once, or a moment later: a live feed never waits for a full frame.

Each burst costs a wait for the disk. Lines of many devices come one by one, so that behind a burst a moment passes in
which others may come; the first line after a quiet is handed on at once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Final, Protocol

from producers.feeds.lines import CHUNK_BYTES, AnyLine, Splitter

MOMENT: Final = 0.02  # seconds from one burst to the next, at least, while bursts are small
_SMALL: Final = 100  # lines: behind a larger burst more is there already


class _Readable(Protocol):
    """A buffered stream of bytes, as `sys.stdin.buffer` is: `read1` gives what there is, nothing at the end."""

    def read1(self, size: int, /) -> bytes: ...


def read_bursts(pipe: _Readable, rest: Callable[[float], object] = time.sleep) -> Iterator[list[AnyLine]]:
    """Lists of the lines that arrived together; the last line may lack its end. `rest` waits so many seconds."""
    splitter = Splitter()
    while chunk := pipe.read1(CHUNK_BYTES):
        if lines := splitter.feed(chunk):
            begun = time.monotonic()
            yield lines
            if len(lines) < _SMALL:
                rest(max(0.0, begun + MOMENT - time.monotonic()))
    if last := splitter.end():
        yield last
