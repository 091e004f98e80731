"""How far each group of workers is behind the topics it takes from: what was written less what it has committed.

What a sink has acknowledged is not what the store holds: `store_lag` holds these figures against the store.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError
from msgspec import Struct

from processors.runtime.brokers import Brokers
from processors.runtime.standing import Fault
from schemas.topics import GROUPS, Group

_PATIENCE: Final = 15.0  # seconds for all answers of the brokers together
UNANSWERED: Final = (KafkaError, OSError, TimeoutError)  # what asking brokers that are away ends with
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

    def __init__(self, brokers: Brokers) -> None:
        self._brokers = brokers
        self._admin: AIOKafkaAdminClient | None = None
        self._consumer: AIOKafkaConsumer | None = None
        self._lock = asyncio.Lock()

    async def measure(self, groups: Sequence[Group] = GROUPS) -> Lag:
        """How far each group is behind, asked in order: what an earlier one has written counts for the later.

        Raises:
            NoTopics: a topic is not there.
            UNANSWERED: the brokers cannot be asked.
        """
        rows: list[Behind] = []
        absent: list[str] = []
        try:
            async with self._lock, asyncio.timeout(_PATIENCE):
                await self._connect()
                for group in groups:
                    committed = await self._committed(self._brokers.group(group))
                    if group.optional and not committed and not await self._has_members(group):
                        absent.append(group.worker)
                    rows += await self._rows(group, committed)
        except UNANSWERED:
            await self.stop()
            raise
        return Lag(rows=tuple(rows), absent=tuple(absent))

    async def stop(self) -> None:
        """Let go of the connections."""
        admin, self._admin = self._admin, None
        consumer, self._consumer = self._consumer, None
        with suppress(*UNANSWERED):
            if admin is not None:
                await asyncio.wait_for(admin.close(), _PATIENCE)
            if consumer is not None:
                await asyncio.wait_for(consumer.stop(), _PATIENCE)

    async def _connect(self) -> None:
        options = self._brokers.client_options()
        if self._admin is None:
            self._admin = await _started(AIOKafkaAdminClient(**options), "close")
        if self._consumer is None:
            consumer = AIOKafkaConsumer(**options, enable_auto_commit=False, fetch_max_wait_ms=100)
            self._consumer = await _started(consumer, "stop")

    async def _committed(self, group: str) -> dict[tuple[str, int], int]:
        assert self._admin is not None
        found = await self._admin.list_consumer_group_offsets(group)
        return {(tp.topic, tp.partition): one.offset for tp, one in found.items() if one.offset >= 0}

    async def _has_members(self, group: Group) -> bool:
        assert self._admin is not None
        answers: list[Any] = await self._admin.describe_consumer_groups([self._brokers.group(group)])
        return any(described[5] for one in answers for described in one.groups)  # its members

    async def _rows(self, group: Group, committed: dict[tuple[str, int], int]) -> list[Behind]:
        consumer = self._consumer
        assert consumer is not None
        names = [self._brokers.topic(topic) for topic in group.topics]
        assert self._admin is not None
        numbers = await partitions_of(self._admin, self._brokers, names)
        places = [TopicPartition(name, partition) for name in names for partition in numbers[name]]
        first = await consumer.beginning_offsets(places)
        ends = await consumer.end_offsets(places)
        rows = []
        for place in places:
            at = committed.get((place.topic, place.partition))
            start = max(at or 0, first[place])
            behind = max(0, ends[place] - start)
            if 0 < behind <= _MARKERS and await self._is_hole(place, start, ends[place]):
                behind = 0
            rows.append(
                Behind(
                    worker=group.worker,
                    group=self._brokers.group(group),
                    topic=place.topic,
                    partition=place.partition,
                    committed=at,
                    end=ends[place],
                    behind=behind,
                    first=first[place],
                )
            )
        return rows

    async def _is_hole(self, place: TopicPartition, start: int, end: int) -> bool:
        """Whether no record is left to take up to the end: marks of transactions have offsets too."""
        consumer = self._consumer
        assert consumer is not None
        consumer.assign([place])
        consumer.seek(place, start)
        found = await consumer.getmany(place, timeout_ms=500)
        return not found.get(place) and await consumer.position(place) >= end


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


async def _started(client: Any, let_go: str) -> Any:
    try:
        await client.start()
    except BaseException:
        with suppress(*UNANSWERED):
            await getattr(client, let_go)()
        raise
    return client
