"""A property's ledger, on its topic, folded once more for a comparison with the store."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from processors.runtime.brokers.clients import KafkaReader
from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.lag import admin_of, partitions_of
from processors.runtime.brokers.preflight import BrokersAway
from processors.runtime.brokers.records import LedgerRecord
from processors.runtime.reconcile.counters import Counted
from processors.runtime.reconcile.marks import Marks
from processors.runtime.reconcile.reconciler import Reconciled, Reconciler
from processors.runtime.reconcile.topics_again import (
    PartitionAgain,
    PeopleAgain,
    letters_again,
    offsets_of,
)
from processors.runtime.store.warehouse import Warehouse
from processors.runtime.watch.logs import Log
from processors.runtime.watch.metrics import WorkerMetrics
from schemas.topics import DEADLETTER, EVENTS, OBSERVATIONS, Topic

_SILENCE: Final = 60.0  # seconds without a record that is there
Ends = Mapping[tuple[str, int], int]


class BeginningGone(Exception):
    """A topic no longer has its first records: what came of them can be held against nothing."""

    def __init__(self, topic: str, partition: int, first: int) -> None:
        self.what = f"topic {topic}, partition {partition}"
        self.why = f"its first {first:,} records are gone from it"
        self.remedy = "restore the topic's beginning, and let no retention be set on it"
        super().__init__(f"{self.what}: {self.why}; {self.remedy}")


class ReconcileWanted(Struct, frozen=True, kw_only=True):
    """What is to be done: `counted` compares the analyst's counters too, `kept_since` is the store's retention."""

    repair: bool = False
    counted: bool = True
    kept_since: dt.datetime | None = None
    advance: Callable[[int], None] = lambda _events: None


async def ends_of(brokers: Brokers) -> Ends:
    """Where the ledger, its dead letters and the observations end now, by topic and partition.

    Raises:
        NoTopics: a topic is not there.
        UNANSWERED: the brokers cannot be asked.
    """
    found: dict[tuple[str, int], int] = {}
    names = {brokers.topic(topic): topic for topic in (EVENTS, DEADLETTER, OBSERVATIONS)}
    async with admin_of(brokers) as admin:
        partitions = await partitions_of(admin, brokers, list(names))
    reader = _reader(brokers)
    try:
        for name, topic in names.items():
            for number in partitions[name]:
                first, found[topic.name, number] = await reader.bounds(number, topic)
                if topic is not DEADLETTER and first:
                    raise BeginningGone(name, number, first)
    finally:
        await reader.stop()
    return found


async def hold_property(brokers: Brokers, store: Warehouse, owed: Ends, asked: ReconcileWanted) -> Reconciled:
    """Hold the store against the topics; it owes what comes of records before these offsets.

    Workers go on meanwhile, so records behind them are folded too, up to where the ledger ends once the store is read.

    Raises:
        BrokersAway: a record that is there does not come.
        WarehouseError: the store does not answer, or does not take a repair.
    """
    work = _Work(brokers, store, owed, asked)
    try:
        return await work.run()
    finally:
        await work.reader.stop()


class _Work:
    """One comparison: the partitions of the ledger and their dead letters, read up to where they end now and again."""

    def __init__(self, brokers: Brokers, store: Warehouse, owed: Ends, asked: ReconcileWanted) -> None:
        self.reader = _reader(brokers)
        self._brokers, self._store, self._owed, self._asked = brokers, store, owed, asked
        self._into = Reconciler(store, repair=asked.repair, kept_since=asked.kept_since)
        self._marks = Marks(store, self._into, offsets_of, repair=asked.repair)
        self._counted = Counted()
        self._read: dict[tuple[str, int], int] = {}
        numbers = sorted(number for topic, number in owed if topic == EVENTS.name)
        observed = sorted(number for topic, number in owed if topic == OBSERVATIONS.name and asked.counted)
        self._people = {number: PeopleAgain(number, self._into, self._counted) for number in observed}
        self._again = {
            number: PartitionAgain(number, self._into, self._marks, self._counted, partitions=len(numbers))
            for number in numbers
        }

    async def run(self) -> Reconciled:
        store, repair = self._store, self._asked.repair
        await self._go_on(self._owed)
        self._into.cut()
        self._counted.cut()
        for partition in self._again.values():
            partition.cut()
        await self._go_on(await ends_of(self._brokers))
        self._marks.finish()
        found = self._into.finish()
        if self._asked.counted:
            self._counted.compare(store, self._into, repair=repair)
            found = self._into.found()
            if repair and self._counted.removed:
                await self._go_on(await ends_of(self._brokers))
                self._counted.put_back(store)
        return found

    async def _go_on(self, ends: Ends) -> None:
        """Read dead letters, the ledger and observations up to these offsets; fold the ledger, weigh observations."""
        for number in (number for topic, number in sorted(ends) if topic == DEADLETTER.name):
            async for batch in self._records(number, ends, DEADLETTER):
                self._into.take(letters_again(batch), {})
        for number, partition in self._again.items():
            async for batch in self._records(number, ends, EVENTS):
                self._asked.advance(partition.take(batch))
        for number, people in self._people.items():
            async for batch in self._records(number, ends, OBSERVATIONS):
                people.take(batch)

    async def _records(self, number: int, ends: Ends, topic: Topic) -> AsyncIterator[Sequence[LedgerRecord]]:
        """Records that were not read yet; a reader tries for ever, and a person would wait for ever."""
        place = topic.name, number
        batches = self.reader.records(number, self._read.get(place, 0), ends[place], topic)
        self._read[place] = ends[place]
        while True:
            try:
                async with asyncio.timeout(_SILENCE):
                    batch = await anext(batches)
            except StopAsyncIteration:
                return
            except TimeoutError as error:
                raise BrokersAway(self._brokers.servers, error) from error
            yield batch


def _reader(brokers: Brokers) -> KafkaReader:
    return KafkaReader(brokers, WorkerMetrics("reconcile"), Log("reconcile"))
