"""Entries of a property's log: each states how far one tree of records has grown, in one line of JSON."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

MOST_BYTES: Final = 4096  # of a line: a statement has some 300
_Size = Annotated[int, Meta(ge=1, le=(1 << 53) - 1)]
_Hex = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Statement(Struct, frozen=True):
    """`subject`'s records 1 to `size` have the Merkle root `root`, and the last one the SHA-256 `head`, both hex.

    checkpoint: size of the log at the checkpoint that first signs the statement, so that none can go missing unseen.
    """

    subject: Annotated[str, Meta(min_length=1, max_length=64)]
    size: _Size
    root: _Hex
    head: _Hex
    checkpoint: _Size

    @property
    def line(self) -> bytes:
        """The entry's exact bytes, without line end."""
        return _encode(self)


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Statement).decode


def read_statement(line: bytes) -> Statement:
    """A statement; its names may be more than those known here.

    Raises:
        ValueError: the line is none.
    """
    try:
        return _decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"no statement: {error}") from error
