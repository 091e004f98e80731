"""What the topics carry beside contract events: rounds, findings, observations, dead letters, snapshots, claims.

Snapshots and observations are MessagePack, since they hold bytes; all else is JSON. Each but a claim is a pure function
of the ledger: sent again after a crash, it is the same message.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib

from msgspec import Struct

from schemas.findings import Finding
from schemas.rounds import RoundResult


class RoundMessage(Struct, frozen=True, kw_only=True):
    """A reconstructed round; `at` is the time of the event that decided it, None for what its record does not say.

    `fold` is the version of the fold that made it, 0 for a release that did not say.
    """

    property: str | None
    at: dt.datetime
    dealer: str | None
    round: RoundResult
    fold: int = 0


class FindingMessage(Struct, frozen=True, kw_only=True):
    """A finding; `at` is the time of the event that decided it, `dealer` who dealt then, None if nothing says.

    `fold` is the version of the fold that made it, 0 for a release that did not say.
    """

    property: str | None
    at: dt.datetime
    finding: Finding
    dealer: str | None = None
    fold: int = 0


class ObservationMessage(Struct, frozen=True, kw_only=True, array_like=True):
    """What one event of a table tells of a dealer, a player or a pair, under their key.

    `at`, `property` and `dealer` are as in a finding that it may lead to. `said` holds the observations (MessagePack),
    `fold` is the version of the fold that made them: no other reads them.
    """

    fold: int
    subject: str
    sequence: int
    at: dt.datetime
    property: str | None
    dealer: str | None
    said: bytes


class DeadLetterMessage(Struct, frozen=True, kw_only=True):
    """A line that is no event of the contract, contradicts one, or stands where its table's chain does not reach it.

    `sequence` is its place in the table's chain, 0 where it has none; `number` tells apart those that have none;
    `origin` says where it came from (`catwalk.events/3@1234`: topic, partition, offset; `:17` behind it: the 17th
    line of a frame). `line` and `offset` place it in the table's ledger written as a file, from 1 and 0; both are 0
    where it stands in none. Of a line above `MOST_BYTES` only so many bytes are repeated; `digest` is of all. `fold` is
    the version of the fold that set it aside, 0 where no fold did.
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
    line: int = 0
    offset: int = 0
    fold: int = 0


MOST_BYTES = 4 << 20


def dead_letter(
    content: bytes,
    reason: str,
    at: dt.datetime,
    origin: str,
    *,
    subject: str = "",
    sequence: int = 0,
    number: int = 0,
    kind: str = "unreadable",
    path: str = "$",
    line: int = 0,
    offset: int = 0,
    most: int | None = None,
    fold: int = 0,
) -> DeadLetterMessage:
    """The message of a line with these bytes; of a longer one than `most` only so many of them."""
    return DeadLetterMessage(
        subject=subject,
        sequence=sequence,
        number=number,
        at=at,
        kind=kind,
        origin=origin,
        reason=reason,
        path=path,
        digest=hashlib.sha256(content).hexdigest(),
        bytes_base64=base64.b64encode(content[:most]).decode(),
        line=line,
        offset=offset,
        fold=fold,
    )


class TableSnapshot(Struct, frozen=True, kw_only=True):
    """A table's fold behind its last record, under the table's key in the compacted topic.

    `next_offset` is the offset behind the last record of the table; `recent` holds the first 8 bytes of the
    SHA-256 of the last lines taken, oldest first, by which a line that is delivered again is known, and `unread`
    the same of unreadable lines that the chain may yet prove to belong to it. `lines` and `size` count the ledger
    so far, in lines and bytes with line ends; `last_time` is the last time a line said. `withheld` are findings
    (JSON) about lines before the first event: told once there is one, since until then there is no table. `aside`
    holds the records that wait, and the claim that is in force (MessagePack).
    """

    subject: str
    fold_version: int
    partition: int
    next_offset: int
    next_sequence: int
    chain_head: str
    recent: bytes
    pipeline: bytes
    lines: int = 0
    size: int = 0
    last_time: dt.datetime | None = None
    unread: tuple[bytes, ...] = ()
    withheld: tuple[bytes, ...] = ()
    aside: bytes = b""


class PartitionCheckpoint(Struct, frozen=True, kw_only=True):
    """From which offset on snapshots may lack records of a partition, under the key `partition/<number>`.

    `tables` holds the `next_offset` of each table's last snapshot: one behind it was written by a worker that had lost
    the partition.
    """

    fold_version: int
    partition: int
    next_offset: int
    tables: dict[str, int]


class WriterClaim(Struct, frozen=True, kw_only=True):
    """A gateway takes a table, goes on holding it, or (`released`) lets go; the last claim of a table holds.

    `epoch` grows by one with each process that takes the table, `instance` is that process. Every record of the table
    in front of `offset` of its `partition` of the ledger was known when this was written: the last of them stands at
    offset `at` (-1: there is none). Partition -1 says nothing.
    """

    subject: str
    gateway: str
    instance: str
    epoch: int
    released: bool = False
    partition: int = -1
    offset: int = 0
    at: int = -1


def checkpoint_key(partition: int) -> bytes:
    """Key of a partition's checkpoint; no table can be named so."""
    return f"partition/{partition}".encode()
