"""How far each group of workers is behind the topics it takes from: what was written less what it has committed.

What a sink has acknowledged is not what the store holds: `store_lag` holds these figures against the store.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any, Final

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError
from msgspec import Struct

from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.losses import apart, is_loss, let_go
from processors.runtime.brokers.standing import Fault
from schemas.topics import GROUPS, Group

PATIENCE: Final = 15.0  # seconds for all answers of the brokers together
_TRIES: Final = 3  # brokers that may be asked in vain in that time: one that stands still is passed over
UNANSWERED: Final = (KafkaError, OSError, TimeoutError)  # what asking brokers that are away ends with
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
    """All groups at one moment; `absent` are optional workers that were never started: nobody waits for them.

    `faults` are partitions whose next records nobody would take; `unknown` says why the store could not be asked.
    """

    rows: tuple[Behind, ...]
    absent: tuple[str, ...]
    faults: tuple[Fault, ...] = ()
    unknown: str = ""

    @property
    def behind(self) -> int:
        """Records that someone has still to take."""
        return sum(row.behind for row in self.rows if row.worker not in self.absent)


class NoTopics(Exception):
    """The topics are not there."""

    def __init__(self, name: str, servers: str) -> None:
        self.what = f"topic {name}"
        self.why = f"it is not there on {servers}"
        self.remedy = "`catwalk topics apply`, or name other brokers or another prefix"
        super().__init__(f"{self.what}: {self.why}; {self.remedy}")


class LagMeter:
    """Asks the brokers; one at a time."""

    def __init__(self, brokers: Brokers, seconds: float = PATIENCE) -> None:
        """All answers of one measure may take so many seconds."""
        self._brokers = brokers
        self._seconds = seconds
        self._closing: set[asyncio.Task[None]] = set()
        self._admin: AIOKafkaAdminClient | None = None
        self._consumer: AIOKafkaConsumer | None = None
        self._lock = asyncio.Lock()

    async def measure(self, groups: Sequence[Group] = GROUPS) -> Lag:
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

    async def _measure(self, groups: Sequence[Group]) -> Lag:
        rows: list[Behind] = []
        absent: list[str] = []
        await self._connect()
        for group in groups:
            committed = await self._committed(self._brokers.group(group))
            if group.optional and not committed and not await self._is_at_work(group):
                absent.append(group.worker)
            rows += await self._rows(group, committed)
        return Lag(rows=tuple(rows), absent=tuple(absent))

    async def _connect(self) -> None:
        options = self._brokers.client_options()
        options["request_timeout_ms"] = int(self._seconds * 1000 / _TRIES)
        if self._admin is None:
            self._admin = await _started(AIOKafkaAdminClient(**options))
        if self._consumer is None:
            consumer = AIOKafkaConsumer(**options, enable_auto_commit=False, fetch_max_wait_ms=100)
            self._consumer = await _started(consumer)

    async def _committed(self, group: str) -> dict[tuple[str, int], int]:
        assert self._admin is not None
        found = await self._admin.list_consumer_group_offsets(group)
        return {(tp.topic, tp.partition): one.offset for tp, one in found.items() if one.offset >= 0}

    async def _is_at_work(self, group: Group) -> bool:
        assert self._admin is not None
        return await has_members(self._admin, self._brokers, group)

    async def _rows(self, group: Group, committed: dict[tuple[str, int], int]) -> list[Behind]:
        consumer = self._consumer
        assert consumer is not None
        names = [self._brokers.topic(topic) for topic in group.topics]
        assert self._admin is not None
        numbers = await partitions_of(self._admin, self._brokers, names)
        places = [TopicPartition(name, partition) for name in names for partition in numbers[name]]
        first = await consumer.beginning_offsets(places)
        ends = await consumer.end_offsets(places)
        starts = {
            place: max(committed.get((place.topic, place.partition), 0), first[place]) for place in places
        }
        near = [place for place in places if 0 < ends[place] - starts[place] <= _MARKERS]
        done = await self._without_records({place: (starts[place], ends[place]) for place in near})
        return [
            Behind(
                worker=group.worker,
                group=self._brokers.group(group),
                topic=place.topic,
                partition=place.partition,
                committed=committed.get((place.topic, place.partition)),
                end=ends[place],
                first=first[place],
                behind=0 if place in done else max(0, ends[place] - starts[place]),
            )
            for place in places
        ]

    async def _without_records(self, spans: dict[TopicPartition, tuple[int, int]]) -> set[TopicPartition]:
        """Where no record is left to take up to the end: marks of transactions have offsets too."""
        consumer, left = self._consumer, dict(spans)
        found: set[TopicPartition] = set()
        assert consumer is not None
        if not left:
            return found
        consumer.assign(list(left))
        try:
            for place, (start, _) in left.items():
                consumer.seek(place, start)
            until = time.monotonic() + _LOOK_SECONDS
            while left and time.monotonic() < until:
                taken = await consumer.getmany(*left, timeout_ms=100)
                for place, (_, end) in list(left.items()):
                    if taken.get(place):
                        del left[place]
                    elif await consumer.position(place) >= end:
                        del left[place]
                        found.add(place)
        finally:
            consumer.unsubscribe()  # or it would go on to read these partitions for as long as it lives
        return found


async def has_members(admin: AIOKafkaAdminClient, brokers: Brokers, group: Group) -> bool:
    """Whether some worker is at work in this group."""
    answers: list[Any] = await admin.describe_consumer_groups([brokers.group(group)])
    for answer in answers:
        for _error, _group, _state, _protocol_type, _protocol, members, *_ in answer.groups:
            if members:
                return True
    return False


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


async def _started(client: Any) -> Any:
    try:
        await client.start()
    except BaseException:
        await let_go(client)
        raise
    return client
