"""How far each group of workers is behind its topics: the end of each partition less the group's committed offset.

A sink may have committed what the store has lost since: `store_lag` compares these figures with the store.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError
from msgspec import Struct

from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.losses import apart, is_loss, let_go, started
from processors.runtime.brokers.standing import OffsetFault
from schemas.errors import ActionableError
from schemas.topics import GROUPS, NO_TOPIC_REMEDY, ConsumerGroup

PATIENCE: Final = 15.0  # seconds for all answers of the brokers together
_TRIES: Final = 3  # brokers that may be asked in vain in that time: one that stands still is passed over
UNANSWERED: Final = (KafkaError, OSError, TimeoutError)  # how a question to brokers that are away ends
_LOOK_SECONDS: Final = 0.5  # in which a broker hands over a record that is there
_MARKERS: Final = 8  # offsets at the end of a log that may be marks of transactions instead of records


class Behind(Struct, frozen=True, kw_only=True):
    """One partition that a group takes from; `committed` is None where it has committed nothing.

    `stored` is the offset before which the store holds everything, None where that was not looked up; `first` the first
    offset that the topic still has.
    """

    worker: str
    group: str
    topic: str
    partition: int
    committed: int | None
    end: int
    behind: int
    first: int = 0
    stored: int | None = None


class Lag(Struct, frozen=True, kw_only=True):
    """The lag of all groups at one moment; `absent` are optional workers that were never started and need not catch up.

    `faults` are partitions whose next records nobody would take; `unknown` says why the store could not be asked.
    """

    rows: tuple[Behind, ...]
    absent: tuple[str, ...]
    faults: tuple[OffsetFault, ...] = ()
    unknown: str = ""

    @property
    def behind(self) -> int:
        """Records that someone has still to take."""
        return sum(row.behind for row in self.rows if row.worker not in self.absent)


class NoTopics(ActionableError):
    """The topics are not there."""

    def __init__(self, name: str, servers: str) -> None:
        super().__init__(f"Kafka at {servers}", f"topic {name} is not there", NO_TOPIC_REMEDY)


class LagMeter:
    """Asks the brokers; one at a time."""

    def __init__(self, brokers: Brokers, seconds: float = PATIENCE) -> None:
        """`seconds` is the time for all answers of one measure together."""
        self._brokers = brokers
        self._seconds = seconds
        self._closing: set[asyncio.Task[None]] = set()
        self._admin: AIOKafkaAdminClient | None = None
        self._consumer: AIOKafkaConsumer | None = None
        self._lock = asyncio.Lock()

    async def measure(self, groups: Sequence[ConsumerGroup] = GROUPS) -> Lag:
        """How far each group is behind, asked in order: what an earlier one has written counts for the later.

        Raises:
            NoTopics: a topic is not there.
            UNANSWERED: the brokers cannot be asked.
        """
        async with self._lock:
            try:
                return await apart(self._measure(groups), self._seconds)
            except BaseException as error:
                self._drop()
                if is_loss(error) and not isinstance(error, UNANSWERED):
                    raise ConnectionError(f"the client failed: {type(error).__name__}") from error
                raise

    async def stop(self) -> None:
        """Let go of the connections."""
        self._drop()
        while self._closing:
            await asyncio.wait(self._closing)

    def _drop(self) -> None:
        """Have the clients closed beside whatever comes next: those of brokers that stand still take seconds."""
        for client in (self._admin, self._consumer):
            if client is not None:
                closing = asyncio.ensure_future(let_go(client))
                self._closing.add(closing)
                closing.add_done_callback(self._closing.discard)
        self._admin = self._consumer = None

    async def _measure(self, groups: Sequence[ConsumerGroup]) -> Lag:
        rows: list[Behind] = []
        absent: list[str] = []
        admin, consumer = await self._clients()
        for group in groups:
            found = await admin.list_consumer_group_offsets(self._brokers.group(group))
            committed = {place: one.offset for place, one in found.items() if one.offset >= 0}
            if group.optional and not committed and not await has_members(admin, self._brokers, group):
                absent.append(group.worker)
            names = [self._brokers.topic(topic) for topic in group.topics]
            numbers = await partitions_of(admin, self._brokers, names)
            places = [TopicPartition(name, partition) for name in names for partition in numbers[name]]
            rows += await _rows(consumer, group.worker, self._brokers.group(group), places, committed)
        return Lag(rows=tuple(rows), absent=tuple(absent))

    async def _clients(self) -> tuple[AIOKafkaAdminClient, AIOKafkaConsumer]:
        options = self._brokers.client_options()
        options["request_timeout_ms"] = int(self._seconds * 1000 / _TRIES)
        if self._admin is None:
            self._admin = await started(AIOKafkaAdminClient(**options))
        if self._consumer is None:
            consumer = AIOKafkaConsumer(**options, enable_auto_commit=False, fetch_max_wait_ms=100)
            self._consumer = await started(consumer)
        return self._admin, self._consumer


async def _rows(
    consumer: AIOKafkaConsumer,
    worker: str,
    group: str,
    places: Sequence[TopicPartition],
    committed: Mapping[TopicPartition, int],
) -> list[Behind]:
    first = await consumer.beginning_offsets(places)
    ends = await consumer.end_offsets(places)
    starts = {place: max(committed.get(place, 0), first[place]) for place in places}
    near = {place: start for place, start in starts.items() if 0 < ends[place] - start <= _MARKERS}
    done = await _without_records(consumer, near, ends)
    return [
        Behind(
            worker=worker,
            group=group,
            topic=place.topic,
            partition=place.partition,
            committed=committed.get(place),
            end=ends[place],
            first=first[place],
            behind=0 if place in done else max(0, ends[place] - starts[place]),
        )
        for place in places
    ]


async def _without_records(
    consumer: AIOKafkaConsumer, starts: Mapping[TopicPartition, int], ends: Mapping[TopicPartition, int]
) -> set[TopicPartition]:
    """Places that have no record from their start to their end: marks of transactions have offsets too."""
    left, found = set(starts), set[TopicPartition]()
    if not left:
        return found
    consumer.assign(list(left))
    try:
        for place, start in starts.items():
            consumer.seek(place, start)
        until = time.monotonic() + _LOOK_SECONDS
        while left and time.monotonic() < until:
            taken = await consumer.getmany(*left, timeout_ms=100)
            for place in list(left):
                if taken.get(place):
                    left.discard(place)
                elif await consumer.position(place) >= ends[place]:
                    left.discard(place)
                    found.add(place)
    finally:
        consumer.unsubscribe()  # or it would go on to read these partitions for as long as it lives
    return found


@asynccontextmanager
async def admin_of(brokers: Brokers) -> AsyncIterator[AIOKafkaAdminClient]:
    """A client for questions about topics and groups; KafkaError where the brokers cannot be reached."""
    admin = await started(AIOKafkaAdminClient(**brokers.client_options()))
    try:
        yield admin
    finally:
        await let_go(admin)


async def has_members(admin: AIOKafkaAdminClient, brokers: Brokers, group: ConsumerGroup) -> bool:
    """Whether some worker is at work in this group."""
    return bool(await members_of(admin, brokers, group))


async def members_of(admin: AIOKafkaAdminClient, brokers: Brokers, group: ConsumerGroup) -> int:
    """How many workers are at work in this group."""
    answers: list[Any] = await admin.describe_consumer_groups([brokers.group(group)])
    of_groups = (one for answer in answers for one in answer.groups)
    return sum(len(members) for _error, _group, _state, _protocol_type, _protocol, members, *_ in of_groups)


async def partitions_of(
    admin: AIOKafkaAdminClient, brokers: Brokers, names: Sequence[str]
) -> dict[str, list[int]]:
    """Partitions of each of these topics.

    Raises:
        NoTopics: one is not there.
    """
    described = {one["topic"]: one for one in await admin.describe_topics(list(names))}
    found = {}
    for name in names:
        found[name] = sorted(part["partition"] for part in described.get(name, {}).get("partitions", ()))
        if not found[name]:
            raise NoTopics(name, brokers.servers)
    return found
