"""The topics in memory: what a fold writes about a ledger, and a group that delivers it again and again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from processors.runtime.brokers.records import FoldedRecords, LedgerRecord, Message, Place, Taken
from processors.runtime.brokers.standing import Bounds, Kept
from processors.runtime.fold.partition import PartitionFold
from processors.runtime.sink.kept import kept_offsets
from processors.runtime.sink.store import BatchStore, Stored
from processors.runtime.store.rows import Rows
from processors.runtime.store.warehouse import NOTHING, Parameter, Row
from producers.log import EventLog
from producers.memory_log import MemoryLog
from schemas.topics import CLOUDEVENT, EVENTS, OBSERVATIONS
from schemas.warehouse import Migration, Relation
from tests.embedded.ledgers import append, lines_of, subject_of

AT = 1_772_500_000.0


class Crash(Exception):
    """The process ends here."""


def ledger_of(names: Sequence[str], events: int = 400) -> EventLog:
    """A ledger with the first events of each stream, one of each table by turns."""
    log = MemoryLog()
    for row in zip_longest(*(lines_of(name)[:events] for name in names)):
        for name, line in zip(names, row, strict=True):
            if line is not None:
                append(log, subject_of(name), [line])
    return log


def folded_topics(
    log: EventLog, checkpoint: int = 150, partition: int = 0, *, observations: bool = False
) -> list[Taken]:
    """What the topics hold once a ledger was recorded and folded, the records in the order of their making.

    Observations, which no sink takes, are left out unless they are asked for.
    """
    fold, out = PartitionFold(partition), Topics()
    for offset, (_, subject, _, line) in enumerate(log.tail()):
        out.put(Message(EVENTS, subject.encode(), line))
        into = FoldedRecords()
        fold.take(LedgerRecord(partition, offset, subject.encode(), line, CLOUDEVENT, AT), into)
        for message in into.messages:
            if observations or message.topic is not OBSERVATIONS:
                out.put(message)
        if offset % checkpoint == checkpoint - 1:
            out.put_all(fold.checkpoint(whole=True))
    out.put_all(fold.checkpoint(whole=True))
    return out.records


class Topics:
    """One partition of each topic, in memory."""

    def __init__(self) -> None:
        self.records: list[Taken] = []
        self.ends: dict[str, int] = {}

    def put(self, message: Message) -> None:
        name = message.topic.name
        offset = self.ends.get(name, 0)
        self.ends[name] = offset + 1
        headers = [("content-type", message.topic.content_types[0].encode())]
        self.records.append(Taken((name, 0), offset, message.key, message.value, headers, AT))

    def put_all(self, messages: Iterable[Message]) -> None:
        for message in messages:
            self.put(message)


class FakeGroup:
    """Delivers records `run` at a time; a new life begins at what is committed, and so does a rebalance."""

    def __init__(self, records: Sequence[Taken], run: int = 40) -> None:
        self._records = records
        self._run = run
        self.committed: dict[Place, int] = {}
        self.generation = 0
        self.delivered = 0
        self.taken = 0
        self.begins: dict[Place, int] = {}  # the first offset that a topic still has, where that is not 0
        self.mine = frozenset(record.place for record in records)
        self._at: dict[Place, int] = {}
        self._left: list[Taken] = []
        self.restart()

    @property
    def done(self) -> bool:
        return not self._left and all(
            record.offset < self.committed.get(record.place, 0) for record in self._records
        )

    def restart(self) -> None:
        """Go back to what is committed: the process was started again, or the partitions were dealt anew."""
        self.generation += 1
        self._at = dict(self.committed)
        self._deal()

    def _deal(self) -> None:
        self._left = [
            one
            for one in self._records
            if one.place in self.mine
            and one.offset >= max(self._at.get(one.place, 0), self.begins.get(one.place, 0))
        ]

    async def bounds(self) -> Mapping[Place, Bounds]:
        ends = {one.place: one.offset + 1 for one in self._records}
        return {
            place: Bounds(
                topic=place[0],
                partition=place[1],
                committed=self.committed.get(place),
                first=self.begins.get(place, 0),
                end=ends.get(place, 0),
            )
            for place in self.mine
        }

    def partitions(self, topic: str) -> int:
        return 1

    def seek(self, place: Place, offset: int) -> None:
        self._at[place] = offset
        self._deal()

    async def take(self, most: int, wait: float) -> Sequence[Taken]:
        size = min(most, self._run)
        taken, self._left = self._left[:size], self._left[size:]
        self._at |= {one.place: one.offset + 1 for one in taken}
        self.delivered += len(taken)
        self.taken += 1
        return taken

    async def commit(self, offsets: Mapping[Place, int]) -> None:
        for place, offset in offsets.items():
            assert offset >= self.committed.get(place, 0), "a commit never goes back"
            self.committed[place] = offset


class Mortal:
    """A store whose process ends before or after its n-th insert; afterwards it works."""

    def __init__(self, store: Any, inserts: int, after: bool, error: Exception | None = None) -> None:
        self._store, self.left, self._after = store, inserts, after
        self._error = error or Crash()

    def insert(self, relation: Relation, rows: Sequence[Row]) -> None:
        self.left -= bool(rows)
        if self.left == 0 and rows and not self._after:
            raise self._error
        self._store.insert(relation, rows)
        if self.left == 0 and rows:
            raise self._error

    def query(self, sql: str, parameters: Mapping[str, Parameter] = NOTHING) -> list[Row]:
        return list(self._store.query(sql, parameters))

    def migrate(self) -> tuple[Migration, ...]:
        return ()

    def remove(self, relation: Relation, keys: Sequence[Row]) -> None:
        raise NotImplementedError

    def clear(self) -> None:
        raise NotImplementedError

    def close(self) -> None:
        return None


class DirectStore:
    """The batch store in the caller's own thread."""

    def __init__(self, warehouse: object) -> None:
        self._warehouse = warehouse
        self._store = BatchStore(warehouse)  # type: ignore[arg-type]  # any warehouse
        self.done: list[Stored] = []

    async def kept(self) -> Kept:
        return kept_offsets(self._warehouse)  # type: ignore[arg-type]  # any warehouse

    async def store(self, rows: Rows) -> Stored:
        stored = self._store.store(rows)
        self.done.append(stored)
        return stored
