"""The records that prove a round: their hashes, the heads of the chain before and after, and whether it is whole."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

import msgspec
from msgspec import Struct

from dashboards.wording.copying import copied
from schemas.events.codec import record_hash
from schemas.events.envelope import utc_text


class Proof(Struct, frozen=True, kw_only=True):
    """One record: the SHA-256 of its exact bytes; `sequence` is 0 and `type` empty where it is no event."""

    sequence: int
    time: str
    source: str
    type: str
    hash: str
    follows: bool


class Evidence(Struct, frozen=True, kw_only=True):
    """A stretch of a table's record; `before` is the hash its first record carries, `after` that of its last."""

    records: tuple[Proof, ...]
    before: str
    after: str

    @property
    def first(self) -> int:
        """Sequence of the first record that is an event."""
        return next((one.sequence for one in self.records if one.sequence), 0)

    @property
    def last(self) -> int:
        """Sequence of the last one."""
        return next((one.sequence for one in reversed(self.records) if one.sequence), 0)

    @property
    def whole(self) -> bool:
        """Whether each record carries the hash of the one before it, and none is missing between them."""
        return all(one.follows for one in self.records)


class _Head(Struct):
    sequence: int
    prevhash: str
    time: dt.datetime
    source: str
    type: str


_decode = msgspec.json.Decoder(_Head).decode


def evidence_of(lines: Iterable[bytes]) -> Evidence:
    """The evidence that the exact lines of a round are."""
    records: list[Proof] = []
    before, after = "", ""
    # What the next record may follow, and its sequence: a line that is no event stands in the chain, or beside it.
    behind: dict[str, int] = {}
    for line in lines:
        digest = after = record_hash(line)
        try:
            read = _decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            records.append(Proof(sequence=0, time="", source="", type="", hash=digest, follows=False))
            behind[digest] = max(behind.values(), default=0) + 1
            continue
        records.append(
            copied(
                Proof,
                read,
                time=utc_text(read.time),
                hash=digest,
                follows=not behind or behind.get(read.prevhash) == read.sequence - 1,
            )
        )
        before = before or read.prevhash
        behind = {digest: read.sequence}
    return Evidence(records=tuple(records), before=before, after=after)
