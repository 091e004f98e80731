"""Bytes into lines, in bounded memory: files, packed files and pipes all go through this one splitter."""

from __future__ import annotations

import hashlib

from msgspec import Struct

from schemas.events.codec import too_long

CHUNK_BYTES = 1 << 16
# Of a line that is held whole: eight times an event, four times the largest record in Kafka.
MOST_BYTES = 4 << 20
KEPT_BYTES = 4096  # of a longer one: enough to see what it is


class FeedLine(Struct, frozen=True, gc=False):
    """A line that is not empty, without its end: its number from 1, the byte it begins at, its bytes.

    `whole` is false for a last line that has no end: perhaps it was cut off.
    """

    number: int
    offset: int
    content: bytes
    whole: bool = True


class LongLine(Struct, frozen=True, gc=False):
    """A line of more than 4 MiB, of which only the first 4,096 bytes were kept.

    `length` counts its bytes without its end, `digest` is their SHA-256 in hex. It is no `FeedLine`, so that nobody
    takes its beginning for an event.
    """

    number: int
    offset: int
    length: int
    digest: str
    beginning: bytes
    whole: bool = True

    @property
    def reason(self) -> str:
        """Why it is no event."""
        return too_long(self.length)


AnyLine = FeedLine | LongLine


class _Long:
    """A line that goes on and on; a carriage return at its end may belong to the line's end and waits."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._length = 0
        self._beginning = b""
        self._waiting = b""

    def add(self, part: bytes) -> None:
        """Take the next bytes of the line."""
        part = self._waiting + part
        self._waiting = b"\r" if part.endswith(b"\r") else b""
        part = part[: len(part) - len(self._waiting)]
        self._hash.update(part)
        self._length += len(part)
        self._beginning += part[: KEPT_BYTES - len(self._beginning)]

    def line(self, number: int, offset: int, whole: bool) -> LongLine:
        """The line, which has ended."""
        return LongLine(number, offset, self._length, self._hash.hexdigest(), self._beginning, whole)


class Splitter:
    """Splits chunks of a stream into lines; it holds at most one line, and of a long one only its beginning.

    LF or CRLF ends a line, empty lines are none. `number` counts the lines that have ended.
    """

    def __init__(self) -> None:
        self.number = 0
        self._offset = 0  # where the line that has not ended begins
        self._rest = b""
        self._long: _Long | None = None
        self._read = 0

    def feed(self, chunk: bytes) -> list[AnyLine]:
        """The lines that end in this chunk."""
        self._read += len(chunk)
        first, *others = chunk.split(b"\n")
        if not others:
            self._go_on(first)
            return []
        found: list[AnyLine] = []
        last = others.pop()
        if self._long is not None:
            self._long.add(first)
            self.number += 1
            found.append(self._long.line(self.number, self._offset, True))
            self._offset = self._read - len(chunk) + len(first) + 1
            self._long = None
        else:
            others.insert(0, self._rest + first)
        number, offset = self.number, self._offset
        for raw in others:
            number += 1
            if raw:
                content = raw.removesuffix(b"\r")
                if content:
                    found.append(_line(number, offset, content, True))
            offset += len(raw) + 1
        self.number, self._offset = number, offset
        self._rest = b""
        self._go_on(last)
        return found

    def end(self) -> list[AnyLine]:
        """The last line, if the stream did not end with a line's end."""
        if self._long is not None:
            return [self._long.line(self.number + 1, self._offset, False)]
        content = self._rest.removesuffix(b"\r")
        return [_line(self.number + 1, self._offset, content, False)] if content else []

    def _go_on(self, part: bytes) -> None:
        """Take what belongs to a line that has not ended."""
        if self._long is not None:
            self._long.add(part)
            return
        self._rest = self._rest + part if self._rest else part
        if len(self._rest) > MOST_BYTES + 1:  # too long even where its last byte is a carriage return
            self._long = _Long()
            self._long.add(self._rest)
            self._rest = b""


def _line(number: int, offset: int, content: bytes, whole: bool) -> AnyLine:
    if len(content) <= MOST_BYTES:
        return FeedLine(number, offset, content, whole)
    digest = hashlib.sha256(content).hexdigest()
    return LongLine(number, offset, len(content), digest, content[:KEPT_BYTES], whole)
