"""A partition's state out of the compacted topic, whichever workers wrote its snapshots.

State at an offset is the same whichever worker folded it, so of each key the record that has come furthest counts,
not the last one: a worker that had lost the partition may have written behind its successor. Whatever a snapshot
does not cover is read again from the ledger: the partition starts at the first offset that any table needs, and
tables that are further pass over what they have seen.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from processors.runtime.fold.partition import PartitionFold
from processors.runtime.fold.place import TablePlace
from schemas.answers import FOLD_VERSION
from schemas.messages import PartitionCheckpoint, TableSnapshot, checkpoint_key

_TABLE = msgspec.msgpack.Decoder(TableSnapshot).decode
_CHECKPOINT = msgspec.msgpack.Decoder(PartitionCheckpoint).decode


@dataclass(slots=True)
class Restored:
    """A partition as the compacted topic knows it.

    `reached` is how far the last checkpoint was, `behind` the tables whose snapshots are not there or not as far,
    `unusable` the number of records of another version or of none.
    """

    fold: PartitionFold
    reached: int = 0
    behind: tuple[str, ...] = ()
    unusable: int = 0
    versions: set[int] = field(default_factory=set)


class Snapshots:
    """Gathers one partition of the compacted topic, record by record."""

    def __init__(self, partition: int) -> None:
        self._partition = partition
        self._tables: dict[bytes, tuple[int, bytes]] = {}
        self._checkpoint: PartitionCheckpoint | None = None
        self._unusable = 0
        self._versions: set[int] = set()

    def add(self, key: bytes | None, value: bytes | None) -> None:
        """Take the next record; without a value it forgets its key."""
        own = key == checkpoint_key(self._partition)
        if key is None:
            self._unusable += 1
        elif value is None:
            self._tables.pop(key, None)
            if own:
                self._checkpoint = None
        else:
            try:
                if own:
                    self._add_checkpoint(_CHECKPOINT(value))
                else:
                    self._add_table(key, value)
            except msgspec.MsgspecError:
                self._unusable += 1

    def restore(self, partitions: int = 1) -> Restored:
        """The partition's fold with the offset at which it goes on, and how complete the snapshots were.

        `partitions` is how many the ledger's topic has.
        """
        fold = PartitionFold(self._partition, partitions=partitions)
        for _, value in self._tables.values():
            try:
                place = TablePlace.restore(value)
            except (msgspec.MsgspecError, KeyError, TypeError, ValueError):
                place = None  # whatever else stands there: the ledger has it all
            if place is None:
                self._unusable += 1
            else:
                fold.restored(place)
        found = self._checkpoint
        if found is None:
            return Restored(fold, 0, (), self._unusable, self._versions)
        fold.checkpointed = found.next_offset
        have = {subject: place.next_offset for subject, place in fold.places.items()}
        behind = {s: have.get(s, 0) for s, offset in found.tables.items() if have.get(s, 0) < offset}
        fold.next_offset = min([found.next_offset, *behind.values()])
        reached = max([found.next_offset, *found.tables.values()])
        return Restored(fold, reached, tuple(sorted(behind)), self._unusable, self._versions)

    def _add_checkpoint(self, checkpoint: PartitionCheckpoint) -> None:
        self._versions.add(checkpoint.fold_version)
        best = self._checkpoint
        if checkpoint.fold_version != FOLD_VERSION or checkpoint.partition != self._partition:
            self._unusable += 1
        elif best is None or checkpoint.next_offset >= best.next_offset:
            self._checkpoint = checkpoint

    def _add_table(self, key: bytes, value: bytes) -> None:
        snapshot = _TABLE(value)
        self._versions.add(snapshot.fold_version)
        if (
            snapshot.fold_version != FOLD_VERSION
            or snapshot.partition != self._partition
            or snapshot.subject.encode() != key
        ):
            self._unusable += 1
        elif snapshot.next_offset >= self._tables.get(key, (0, b""))[0]:
            self._tables[key] = (snapshot.next_offset, value)
