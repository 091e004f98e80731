"""A partition of a topic as a file: its records with offsets, keys and headers, in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

_LENGTH: Final = 4  # bytes before each record that say how long it is


class TopicRecord(Struct, frozen=True, array_like=True):
    """One record of a partition; `timestamp` is the brokers' in milliseconds."""

    offset: int
    timestamp: int
    key: bytes | None
    value: bytes | None
    headers: list[tuple[str, bytes | None]]


class CutOff(Exception):
    """A file that ends within a record, or holds something else."""


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(TopicRecord).decode


def of_client(one: Any) -> TopicRecord:
    """A record as the client library gives it."""
    return TopicRecord(one.offset, one.timestamp, one.key, one.value, list(one.headers or ()))


def write(path: Path, records: Iterable[TopicRecord], look: Callable[[TopicRecord], None]) -> None:
    """Write records to a file; `look` is shown each."""
    with path.open("wb") as file:
        for record in records:
            content = _encode(record)
            file.write(len(content).to_bytes(_LENGTH, "big") + content)
            look(record)


def read(path: Path) -> Iterator[TopicRecord]:
    """The records of such a file.

    Raises:
        CutOff: it is not whole.
    """
    with path.open("rb") as file:
        while length := file.read(_LENGTH):
            content = file.read(int.from_bytes(length, "big"))
            try:
                yield _decode(content)
            except msgspec.MsgspecError as error:
                raise CutOff(str(error)) from error
