"""A property's ledger, on its topic, folded once more for a comparison with the store."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Final, Protocol

from msgspec import Struct, structs

from processors.runtime.brokers.clients import KafkaReader
from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.lag import admin_of, partitions_of
from processors.runtime.brokers.preflight import BrokersAway
from processors.runtime.brokers.records import LedgerRecord
from processors.runtime.reconcile.counters import Counted
from processors.runtime.reconcile.marks import Marks, position_of, table_marks
from processors.runtime.reconcile.proven import NOTHING_PROVEN, ProvenStore
from processors.runtime.reconcile.reconciler import Reconciled, Reconciler
from processors.runtime.reconcile.topics_again import (
    PartitionAgain,
    PeopleAgain,
    letters_again,
)
from processors.runtime.store.warehouse import Warehouse
from processors.runtime.watch.logs import Log
from processors.runtime.watch.metrics import WorkerMetrics
from schemas.amounts import amount, verb
from schemas.errors import ActionableError
from schemas.topics import DEADLETTER, EVENTS, OBSERVATIONS, Topic

_SILENCE: Final = 60.0  # seconds without a record that is there
Ends = Mapping[tuple[str, int], int]


class BeginningGone(ActionableError):
    """A topic no longer has its first records: what came of them can be held against nothing."""

    def __init__(self, topic: str, partition: int, first: int) -> None:
        why = f"its first {amount(first, 'record')} {verb(first, 'is')} gone from it"
        remedy = "restore the topic's beginning, and let no retention be set on it"
        super().__init__(f"topic {topic}, partition {partition}", why, remedy)


class ReconcileWanted(Struct, frozen=True, kw_only=True):
    """What is to be done: `counted` compares the analyst's counters too, `kept_since` is the store's retention.

    `home` names ledger and store. What records before `settled` lead to is proven for later comparisons, if nothing
    differs; None of it where there is no such moment. `proven` is what an earlier comparison has proven.
    """

    repair: bool = False
    counted: bool = True
    kept_since: dt.datetime | None = None
    home: str = ""
    settled: dt.datetime | None = None
    proven: ProvenStore | None = None
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


async def hold_property(
    brokers: Brokers, store: Warehouse, owed: Ends, asked: ReconcileWanted
) -> tuple[Reconciled, ProvenStore | None]:
    """Hold the store against the topics; it owes what comes of records before these offsets.

    With what was proven, which must fit, only later records are read. What rests on earlier ones is asked for as
    digests: where one differs, that is all that is known, and a comparison from the first record names the rows.

    Workers go on meanwhile, so records behind them are folded too, up to where the ledger ends once the store is read.

    Raises:
        BrokersAway: a record that is there does not come.
        WarehouseError: the store does not answer, or does not take a repair.
    """
    reader = _reader(brokers)
    try:
        return await PropertyComparison(reader, lambda: ends_of(brokers), store, owed, asked).run()
    except _Silent as error:
        raise BrokersAway(brokers.servers, error) from error
    finally:
        await reader.stop()


class RecordReader(Protocol):
    """Reads topics at chosen offsets, as a `KafkaReader` does."""

    def records(
        self, partition: int, start: int, until: int, topic: Topic
    ) -> AsyncIterator[list[LedgerRecord]]:
        """Records from `start`, up to `until` and without it."""

    async def since(self, partition: int, moment: dt.datetime, topic: Topic) -> int:
        """The offset of the first record from this moment or later; of the record to come if there is none."""


class _Silent(TimeoutError):
    """A record that is there does not come."""


class PropertyComparison:
    """The partitions of the ledger and their dead letters, read up to where they end now and again."""

    def __init__(
        self,
        reader: RecordReader,
        ends: Callable[[], Awaitable[Ends]],
        store: Warehouse,
        owed: Ends,
        asked: ReconcileWanted,
    ) -> None:
        """`ends` says where the topics end now; see `hold_property`."""
        self._reader, self._ends, self._store, self._owed, self._asked = reader, ends, store, owed, asked
        before = asked.proven or NOTHING_PROVEN
        self._into = Reconciler(
            store, repair=asked.repair, kept_since=asked.kept_since, proven=before.seals, rows=before.rows
        )
        self._marks = Marks(self._into, table_marks(store), position_of)
        self._counted = Counted(before.counted)
        self._read = dict(before.read)
        numbers = sorted(number for topic, number in owed if topic == EVENTS.name)
        observed = sorted(number for topic, number in owed if topic == OBSERVATIONS.name and asked.counted)
        self._people = {
            number: PeopleAgain(number, self._into, self._counted, before.people.get(number))
            for number in observed
        }
        self._again = {
            number: PartitionAgain(
                number, self._into, self._marks, self._counted,
                partitions=len(numbers), before=before.fold.get(number),
            )
            for number in numbers
        }  # fmt: skip

    async def run(self) -> tuple[Reconciled, ProvenStore | None]:
        """What was found; and what it proves if nothing differs and something was to be proven."""
        proven = await self._prove()
        await self._go_on(self._owed)
        self._into.cut()
        self._counted.cut()
        for partition in self._again.values():
            partition.cut()
        await self._go_on(await self._ends())
        self._marks.finish()
        found = self._into.finish()
        if self._asked.counted:
            self._counted.compare(self._store, self._into)
            found = self._into.found()
            if self._asked.repair and self._counted.differs:
                await self._go_on(await self._ends())
                self._counted.put_back(self._into)
        if proven is None or not found.identical:
            return found, None
        return found, structs.replace(proven, seals=self._into.seals())

    async def _prove(self) -> ProvenStore | None:
        """Read what has settled, and keep where fold, sink and analyst stand then; its seals have no digests yet."""
        asked = self._asked
        if asked.settled is None:
            return None
        topics = {topic.name: topic for topic in (EVENTS, DEADLETTER, OBSERVATIONS)}
        settled = {
            place: max(
                self._read.get(place, 0),
                min(end, await self._reader.since(place[1], asked.settled, topics[place[0]])),
            )
            for place, end in self._owed.items()
        }
        await self._go_on(settled)
        self._into.seal()
        return ProvenStore(
            home=asked.home,
            at=dt.datetime.now(dt.UTC),
            read=settled,
            fold={number: again.state() for number, again in self._again.items()},
            people={number: people.state() for number, people in self._people.items()},
            counted=self._counted.state(),
            seals={},
            rows=self._into.rows_sealed,
        )

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
        batches = self._reader.records(number, self._read.get(place, 0), ends[place], topic)
        self._read[place] = max(self._read.get(place, 0), ends[place])
        while True:
            try:
                async with asyncio.timeout(_SILENCE):
                    batch = await anext(batches)
            except StopAsyncIteration:
                return
            except TimeoutError as error:
                raise _Silent from error
            yield batch


def _reader(brokers: Brokers) -> KafkaReader:
    return KafkaReader(brokers, WorkerMetrics("reconcile"), Log("reconcile"))
