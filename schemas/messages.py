"""What the topics carry beside contract events: rounds, findings, dead letters, and the fold's snapshots.

Rounds, findings and dead letters are JSON; snapshots are MessagePack, since they hold bytes. Each is a pure function
of the ledger: sent again after a crash, it is the same message.
"""

from __future__ import annotations

import datetime as dt

from msgspec import Struct

from schemas.findings import Finding
from schemas.rounds import RoundResult


class RoundMessage(Struct, frozen=True, kw_only=True):
    """A reconstructed round; `at` is the time of the event that decided it, None for what its record does not say."""

    property: str | None
    at: dt.datetime
    dealer: str | None
    round: RoundResult


class FindingMessage(Struct, frozen=True, kw_only=True):
    """A finding; `at` is the time of the event that decided it."""

    property: str | None
    at: dt.datetime
    finding: Finding


class DeadLetterMessage(Struct, frozen=True, kw_only=True):
    """A line that is no event of the contract, or contradicts one.

    `sequence` is its place in the table's chain, 0 where it has none; `number` tells apart those that have none;
    `origin` says where it came from (`catwalk.events/3@1234`: topic, partition, offset).
    """

    subject: str
    sequence: int
    number: int
    at: dt.datetime
    kind: str
    origin: str
    reason: str
    path: str
    digest: str
    bytes_base64: str


class TableSnapshot(Struct, frozen=True, kw_only=True):
    """A table's fold behind its last event, under the table's key in the compacted topic.

    `next_offset` is the first offset of the partition that it has not seen; `recent` holds the first 8 bytes of the
    SHA-256 of the last records taken, oldest first, by which a record that is delivered again is known.
    """

    subject: str
    fold_version: int
    partition: int
    next_offset: int
    next_sequence: int
    chain_head: str
    recent: bytes
    pipeline: bytes


class PartitionCheckpoint(Struct, frozen=True, kw_only=True):
    """How far a partition was folded when its tables were last snapshotted, under the key `partition/<number>`.

    `tables` holds the next sequence of each table at that moment: a snapshot behind it was written by a worker that
    had lost the partition.
    """

    fold_version: int
    partition: int
    next_offset: int
    tables: dict[str, int]
