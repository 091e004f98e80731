"""Gzip as a stream: members one after another, each chunk bounded, and no more than a real stream unpacks to."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import IO

from producers.feeds.lines import CHUNK_BYTES

# Hashes, times and numbers do not compress: a chained stream unpacks to 5 times its size, a device's regular one to 35,
# events of a thousand equal cards each to 370. Gzip can write 1,030, so that a file of kilobytes would fill a disk.
MOST_RATIO = 500
FREE_BYTES = 4 << 20  # below this any ratio will do
_PACKED_BYTES = 1 << 12  # read at a time, so that the ratio is known before much is unpacked
_GZIP = 16 + zlib.MAX_WBITS


class Damaged(Exception):
    """Compressed data that is not whole, or is none; the message says what is wrong."""


class TooMuch(Exception):
    """Compressed data that unpacks to more than any stream of events does; the message says how much."""


def unpacked(file: IO[bytes]) -> Iterator[bytes]:
    """What a gzip file holds, in chunks of at most 64 KiB.

    Members follow one another, with zero bytes between them or behind them, as gzip itself allows.

    Raises:
        Damaged: cut off, altered, or followed by something else; what was unpacked before has been given.
        TooMuch: more than 4 MiB, and more than 500 bytes for each byte that was read.
    """
    member = zlib.decompressobj(_GZIP)
    begun = several = False  # whether a member has begun, and whether one was there before it
    read = written = 0
    while packed := file.read(_PACKED_BYTES):
        read += len(packed)
        while packed:
            if several and not begun and not (packed := packed.lstrip(b"\0")):
                break
            begun = True
            chunk = _unpack(member, packed)
            written += len(chunk)
            if written > FREE_BYTES and written > read * MOST_RATIO:
                raise TooMuch(
                    f"{read:,} bytes of it unpack to {written:,} and more, and no stream of events does"
                )
            if chunk:
                yield chunk
            packed = member.unused_data if member.eof else member.unconsumed_tail
            if member.eof:
                member, begun, several = zlib.decompressobj(_GZIP), False, True
    while begun:  # what was read last may unpack to more than one chunk
        chunk = _unpack(member, b"")
        if chunk:
            yield chunk
        elif not member.eof:
            raise Damaged("it ends before its compression does")
        begun = not member.eof


def _unpack(member: zlib._Decompress, packed: bytes) -> bytes:
    try:
        return member.decompress(packed, CHUNK_BYTES)
    except zlib.error as error:
        raise Damaged(str(error)) from error
