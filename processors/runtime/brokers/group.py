"""A consumer group over aiokafka for workers whose work may be done twice: batches of records, commits by hand.

Offsets are committed only when the caller commits them, and up to a second later: each is a record that the brokers
keep, and who decides where work goes on is the store, or the worker's state. After a rebalance the group delivers again
from the committed offsets: a caller that sees another `generation` drops everything that it took before and has not
committed.

A worker does not trust the group's offset alone. It compares `bounds` with what it has stored, and chooses by `seek`
where to go on; behind that offset no record is left out unnoticed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf
from typing import Any, Final

from aiokafka import AIOKafkaConsumer, ConsumerRebalanceListener, TopicPartition
from aiokafka.coordinator.assignors.range import RangePartitionAssignor
from aiokafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor
from aiokafka.errors import CommitFailedError, IllegalStateError, KafkaError

from processors.runtime.brokers.clients import GrowingPatience
from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.losses import let_go
from processors.runtime.brokers.records import Place, Taken
from processors.runtime.brokers.standing import KEEPERS, Bounds, RecordsMissing, fault
from processors.runtime.watch.logs import Log
from processors.runtime.watch.metrics import WorkerMetrics
from schemas.topics import ConsumerGroup

_FAILURES: Final = (KafkaError, OSError, TimeoutError)
_PATIENCE: Final = 10.0
_LEAVE: Final = 5.0  # seconds to leave in; without that the group notices by the session's end
_MOMENT: Final = 1.0  # seconds for what the client knows without asking
_IDLE_MS: Final = 24 * 3_600_000  # a warehouse may be away for long, and that is no reason to leave the group
_FETCH: Final = 1 << 20  # bytes that are read ahead of each partition
# By ranges each topic is dealt alike: with three workers and eight partitions turns would part those of one number.
_TOGETHER: Final = (RangePartitionAssignor,)
_IN_TURN: Final = (RoundRobinPartitionAssignor,)
# A broker answers when it has so many bytes, or after so long: rows and counters wait for company anyway, and an answer
# for each event would cost more than the event.
_FETCH_LEAST: Final = 16 << 10
_FETCH_WAIT_MS: Final = 100
_TELL_SECONDS: Final = 1.0  # from one commit to the next, at least


class GroupSource(ConsumerRebalanceListener):  # type: ignore[misc]  # aiokafka is not typed
    """A member of a consumer group."""

    def __init__(
        self,
        brokers: Brokers,
        group: ConsumerGroup,
        metrics: WorkerMetrics,
        log: Log,
        member: str | None = None,
        session_seconds: float = 15.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._brokers, self._group = brokers, group
        self._metrics, self._log = metrics, log
        self._member, self._session, self._clock = member, session_seconds, clock
        self._names = {brokers.topic(topic): topic.name for topic in group.topics}
        self._topics = {topic.name: brokers.topic(topic) for topic in group.topics}
        self._consumer: AIOKafkaConsumer | None = None
        self._generation = 0
        self._next: dict[Place, int] = {}  # offset behind the last record taken, where that is known
        self._told: dict[Place, int] = {}  # what the group was told under this assignment
        self._untold: dict[Place, int] = {}
        self._told_at = -inf

    @property
    def generation(self) -> int:
        """The assignment in force."""
        return self._generation

    @property
    def assignment(self) -> frozenset[Place]:
        """Topics and partitions that are this worker's now."""
        return frozenset(map(self._place, self._require().assignment()))

    async def bounds(self) -> Mapping[Place, Bounds]:
        """Where the group stands in each partition of this worker, and where the partition begins and ends.

        Asks again for as long as the brokers do not answer; empty when the partitions were dealt anew meanwhile.
        """
        patience = GrowingPatience("bounds", self._metrics, self._log)
        generation = self._generation
        while generation == self._generation:
            try:
                async with asyncio.timeout(_PATIENCE):
                    return await self._bounds()
            except (IllegalStateError, *_FAILURES) as error:
                await patience.after(error)
        return {}

    def partitions(self, topic: str) -> int:
        """How many partitions a topic has, whoever holds them."""
        return len(self._require().partitions_for_topic(self._topics[topic]) or ())

    def seek(self, place: Place, offset: int) -> None:
        """Go on at this offset; a later gap in the records is measured from it."""
        self._require().seek(self._partition(place), offset)
        self._next[place] = offset

    def hold(self, places: Iterable[Place]) -> None:
        """Take from all partitions but these."""
        held = {self._partition(place) for place in places} & self._require().assignment()
        paused = self._require().paused()
        self._require().resume(*(paused - held))
        self._require().pause(*(held - paused))

    async def waiting(self, place: Place) -> bool:
        """Whether the client knows of records in this partition that it has not delivered yet.

        The client's position is compared, not the last record taken: the position is right after a `seek`, before
        anything was taken, and it passes marks of transactions, which are no records.
        """
        consumer, partition = self._require(), self._partition(place)
        if partition not in consumer.assignment():
            return False
        end = consumer.highwater(partition)
        if end is None:
            return False
        try:
            async with asyncio.timeout(_MOMENT):
                return int(await consumer.position(partition)) < int(end)
        except (IllegalStateError, *_FAILURES):
            return False  # it has no position now: nobody need wait for it

    async def start(self, stop: asyncio.Event) -> bool:
        """Join the group, however long the brokers are away; False when `stop` is set before."""
        patience = GrowingPatience("join", self._metrics, self._log)
        while not stop.is_set():
            consumer = AIOKafkaConsumer(
                **self._brokers.client_options(),
                group_id=self._brokers.group(self._group),
                group_instance_id=self._member,
                client_id=f"catwalk-{self._group.worker}",
                enable_auto_commit=False,
                auto_offset_reset="earliest",
                session_timeout_ms=int(self._session * 1000),
                heartbeat_interval_ms=int(min(3.0, self._session / 3) * 1000),
                max_poll_interval_ms=_IDLE_MS,
                max_partition_fetch_bytes=_FETCH,
                fetch_min_bytes=_FETCH_LEAST,
                fetch_max_wait_ms=_FETCH_WAIT_MS,
                partition_assignment_strategy=_TOGETHER if self._group.together else _IN_TURN,
            )
            try:
                await consumer.start()
            except _FAILURES as error:
                await let_go(consumer)
                await patience.after(error)
            else:
                self._consumer = consumer
                consumer.subscribe(list(self._names), listener=self)
                return True
        return False

    async def on_partitions_revoked(self, revoked: set[TopicPartition]) -> None:
        """Records taken and not committed belong to another worker now."""
        if revoked:
            await self._tell(_MOMENT)
            self._generation += 1
            self._forget()

    async def on_partitions_assigned(self, assigned: set[TopicPartition]) -> None:
        """These partitions are this worker's now."""
        self._generation += 1
        self._forget()
        self._metrics.rebalances.inc()
        self._metrics.partitions.set(len(assigned))
        self._log.info("assigned", partitions=len(assigned), generation=self._generation)

    async def take(self, most: int, wait: float) -> Sequence[Taken]:
        """Up to `most` records; none if none came for `wait` seconds.

        Raises:
            RecordsMissing: the topic no longer has the records that come next.
        """
        found: Mapping[TopicPartition, Sequence[Any]] = {}
        await self._tell_if_due()
        generation = self._generation
        try:
            found = await self._require().getmany(timeout_ms=max(1, int(wait * 1000)), max_records=most)
            await self._refuse_what_is_cut(found)
        except _FAILURES as error:
            self._log.warning("take failed, will try again", error=type(error).__name__)
            if generation == self._generation:
                self._put_back(found)
            await asyncio.sleep(1.0)
            return ()
        self._next |= {self._place(tp): records[-1].offset + 1 for tp, records in found.items() if records}
        return [
            Taken(place, one.offset, one.key, one.value, one.headers, one.timestamp / 1000)
            for place, records in ((self._place(tp), records) for tp, records in found.items())
            for one in records
        ]

    async def _refuse_what_is_cut(self, found: Mapping[TopicPartition, Sequence[Any]]) -> None:
        """Refuse a gap: a client whose next record was deleted goes on in silence with the first that is left.

        A jump in offsets alone is lawful: marks of transactions have offsets, and compaction leaves holes.
        """
        jumped = {}
        for tp, records in found.items():
            following = self._next.get(self._place(tp))
            if records and following is not None and records[0].offset > following:
                jumped[tp] = following
        if not jumped:
            return
        first = await self._require().beginning_offsets(list(jumped))
        faults = []
        for tp, following in jumped.items():
            left = Bounds(
                topic=tp.topic, partition=tp.partition, committed=None, first=first[tp], end=first[tp]
            )
            faults.append(fault(left, following, KEEPERS[self._group.worker]))
        if any(faults):
            raise RecordsMissing(filter(None, faults))

    def _put_back(self, found: Mapping[TopicPartition, Sequence[Any]]) -> None:
        """Have the group deliver again what was fetched and could not be handed to the caller."""
        for tp, records in found.items():
            if records:
                self._require().seek(tp, self._next.get(self._place(tp), records[0].offset))

    async def commit(self, offsets: Mapping[Place, int]) -> None:
        """Commit soon: everything before these offsets is done. A failure costs only work that is done again."""
        self._untold |= {place: at for place, at in offsets.items() if self._told.get(place) != at}
        await self._tell_if_due()

    async def _tell_if_due(self) -> None:
        if self._clock() - self._told_at >= _TELL_SECONDS:
            await self._tell()

    async def _tell(self, seconds: float = _LEAVE) -> None:
        """Tell the group what it does not know yet, in so many seconds at most; what fails is told later."""
        if not self._untold:
            return
        telling, generation = dict(self._untold), self._generation
        self._told_at = self._clock()
        try:
            async with asyncio.timeout(seconds):
                await self._require().commit({self._partition(place): at for place, at in telling.items()})
        except (CommitFailedError, IllegalStateError, *_FAILURES) as error:
            self._log.warning("the commit failed", error=type(error).__name__)
            return
        if generation == self._generation:
            self._told |= telling
            self._untold = {p: at for p, at in self._untold.items() if telling.get(p) != at}

    def _forget(self) -> None:
        """Of another assignment nothing is known."""
        for known in (self._next, self._told, self._untold):
            known.clear()

    async def stop(self) -> None:
        """Leave the group."""
        if self._consumer is not None:
            await self._tell(_MOMENT)
        consumer, self._consumer = self._consumer, None
        if consumer is not None:
            await let_go(consumer, _LEAVE)

    async def _bounds(self) -> Mapping[Place, Bounds]:
        consumer = self._require()
        places = sorted(consumer.assignment())
        if not places:
            return {}
        return {self._place(tp): bounds for tp, bounds in (await bounds_of(consumer, places)).items()}

    def _place(self, tp: TopicPartition) -> Place:
        return self._names[tp.topic], tp.partition

    def _partition(self, place: Place) -> TopicPartition:
        return TopicPartition(self._topics[place[0]], place[1])

    def _require(self) -> Any:
        if self._consumer is None:
            raise RuntimeError("the group has not been joined")
        return self._consumer


async def bounds_of(
    consumer: AIOKafkaConsumer, places: Sequence[TopicPartition]
) -> dict[TopicPartition, Bounds]:
    """Where the consumer's group stands in each of these partitions, and where the partition begins and ends."""
    committed = dict(zip(places, await asyncio.gather(*map(consumer.committed, places)), strict=True))
    first = await consumer.beginning_offsets(places)
    end = await consumer.end_offsets(places)
    return {
        tp: Bounds(
            topic=tp.topic, partition=tp.partition, committed=committed[tp], first=first[tp], end=end[tp]
        )
        for tp in places
    }
