"""Kafka records as the workers see them, in and out, and the lines that one holds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from aiokafka.partitioner import murmur2

from schemas.events.codec import split_lines
from schemas.topics import CLOUDEVENT, EVENTS, FRAME, Topic

_KNOWN = {kind.encode(): kind for kind in (CLOUDEVENT, FRAME)}  # the very bytes that our own writers send
_subject = re.compile(rb"[A-Za-z0-9][A-Za-z0-9._-]{0,63}").fullmatch
_epoch = re.compile(rb"[0-9]{1,10}").fullmatch
_MOST_NAME = 64  # characters of a gateway's name that are kept


Place = tuple[str, int]  # topic, without the deployment's prefix, and partition


class Taken(NamedTuple):
    """One record as the group delivers it; `at` is the broker's time of it, in Unix seconds."""

    place: Place
    offset: int
    key: bytes | None
    value: bytes | None
    headers: Iterable[tuple[str, bytes | None]] = ()
    at: float = 0.0


class LedgerRecord(NamedTuple):
    """One record of the ledger's topic; `content_type` is its header, "" where it has none, `at` the broker's time.

    `epoch` and `gateway` say by which claim of the table it was written: 0 and "" where its headers do not.
    """

    partition: int
    offset: int
    key: bytes | None
    value: bytes | None
    content_type: str = ""
    at: float = 0.0
    epoch: int = 0
    gateway: str = ""

    @classmethod
    def of(cls, message: Any, at: float) -> LedgerRecord:
        """The record that a client of Kafka hands over."""
        headers = message.headers
        return cls(
            message.partition, message.offset, message.key, message.value, content_type_of(headers), at,
            *writer_of(headers),
        )  # fmt: skip

    @classmethod
    def taken(cls, record: Taken) -> LedgerRecord:
        """The record of the ledger's topic that a group delivered among others."""
        headers = record.headers
        return cls(
            record.place[1], record.offset, record.key, record.value, content_type_of(headers), record.at,
            *writer_of(headers),
        )  # fmt: skip


class Origin(NamedTuple):
    """Where a line came from: its record and, in a frame, its number from 1; written out only for a line set aside."""

    record: LedgerRecord
    line: int = 0

    def __str__(self) -> str:
        """Topic, partition and offset, and the line of a frame."""
        place = f"{EVENTS.name}/{self.record.partition}@{self.record.offset}"
        return f"{place}:{self.line}" if self.line else place


class Message(NamedTuple):
    """One record to be sent; `partition` None leaves the choice to the key."""

    topic: Topic
    key: bytes | None
    value: bytes
    partition: int | None = None


@dataclass(slots=True)
class FoldedRecords:
    """The messages that records led to, in the order in which they arose, and counts of what the fold met.

    `oldest` is the broker's time of the oldest record; `defects` are the lines on which the fold itself failed: origin
    and type of the error.
    """

    messages: list[Message] = field(default_factory=list)
    oldest: float = 0.0
    records: int = 0
    events: int = 0
    skipped: int = 0
    duplicates: int = 0
    rounds: Counter[str] = field(default_factory=Counter)
    findings: Counter[tuple[str, str]] = field(default_factory=Counter)
    dead: Counter[str] = field(default_factory=Counter)
    defects: list[tuple[str, str]] = field(default_factory=list)


def table_of(key: bytes | None) -> str | None:
    """The table that a record's key names, or None if no table can be named so."""
    return key.decode() if key is not None and _subject(key) else None


def content_type_of(headers: Iterable[tuple[str, bytes | None]] | None) -> str:
    """The content type that a record's headers say, without parameters; "" if they say none."""
    for name, value in headers or ():
        if name.lower() == "content-type" and value is not None:
            return _KNOWN.get(value) or value.partition(b";")[0].strip().lower().decode("ascii", "replace")
    return ""


def writer_of(headers: Iterable[tuple[str, bytes | None]] | None) -> tuple[int, str]:
    """The claim by which a record says that it was written: epoch and gateway; 0 and "" if it does not say."""
    epoch, gateway = 0, ""
    for name, value in headers or ():
        if name == "epoch" and value is not None and _epoch(value):
            epoch = int(value)
        elif name == "gateway" and value is not None:
            gateway = value.decode("utf-8", "replace")[:_MOST_NAME]
    return (epoch, gateway) if epoch else (0, "")


def is_misplaced(key: bytes, partition: int, partitions: int) -> bool:
    """Whether a key's records lie in another of the topic's partitions, as Kafka's own clients choose it."""
    return partitions > 1 and _hash_of(key) % partitions != partition


@lru_cache(maxsize=4096)  # asked for every record; keys are tables
def _hash_of(key: bytes) -> int:
    hashed: int = murmur2(key) & 0x7FFFFFFF
    return hashed


def lines_of(value: bytes, content_type: str) -> list[bytes]:
    """The lines of a record's value, without line ends; where the content type is unknown the content decides.

    One event may be written over several lines; a frame holds an event in each.
    """
    if content_type == CLOUDEVENT and b"\n" not in value and not value.endswith(b"\r"):
        return [value] if value else []
    if content_type == FRAME or (content_type != CLOUDEVENT and _looks_like_frame(value)):
        return [line for _, line in split_lines(value)]
    line = value.removesuffix(b"\n").removesuffix(b"\r")
    return [line] if line.strip(b"\r\n") else []


def _looks_like_frame(value: bytes) -> bool:
    lines = [line for _, line in split_lines(value)]
    return len(lines) > 1 and all(line.startswith(b"{") and line.rstrip().endswith(b"}") for line in lines)
