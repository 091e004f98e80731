"""The fold's ports on Kafka, over aiokafka beside Faust: an idempotent producer and a reader without a group.

Nothing here gives up: a client that fails is dropped and made anew, and the work is tried again, in order, until it
succeeds or the worker is stopped. Metrics and watchdog show how long that takes.
"""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from typing import Any, Final, TypeVar

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.errors import KafkaError

from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.lag import admin_of, partitions_of
from processors.runtime.brokers.losses import apart, let_go, started
from processors.runtime.brokers.records import LedgerRecord, Message
from processors.runtime.watch.logs import Log
from processors.runtime.watch.metrics import WorkerMetrics
from schemas.topics import EVENTS, RESULT_BYTES, SNAPSHOTS, Topic

_FIRST_WAIT: Final = 0.1  # seconds, doubled at each failure up to
_LONGEST_WAIT: Final = 5.0
_PATIENCE: Final = 10.0  # seconds for an answer
_BATCH: Final = 1 << 18  # frames of results travel in few requests
_FETCH: Final = 4 << 20
Answer = TypeVar("Answer")
_FAILURES = (KafkaError, OSError, TimeoutError, asyncio.InvalidStateError)


class GrowingPatience:
    """Waits longer after each failure, and says so."""

    def __init__(self, what: str, metrics: WorkerMetrics, log: Log) -> None:
        self._what, self._metrics, self._log = what, metrics, log
        self._failures = 0

    async def after(self, error: BaseException) -> None:
        """Wait after this failure."""
        self._failures += 1
        self._metrics.retries.labels(self._metrics.worker, self._what).inc()
        # Not each one: a broker that is away for an hour must not fill the disk.
        if self._failures & (self._failures - 1) == 0:
            self._log.warning("failed, will try again", what=self._what, error=type(error).__name__,
                              attempt=self._failures)  # fmt: skip
        await asyncio.sleep(min(_FIRST_WAIT * 2 ** (self._failures - 1), _LONGEST_WAIT))


class KafkaOutbox:
    """Sends messages by an idempotent producer: in order, and once each for as long as it lives."""

    def __init__(self, brokers: Brokers, metrics: WorkerMetrics, log: Log) -> None:
        self._brokers, self._metrics, self._log = brokers, metrics, log
        self._producer: AIOKafkaProducer | None = None

    async def send(self, messages: Sequence[Message]) -> None:
        """Send all, in order; all have reached every replica in sync when this returns."""
        patience = GrowingPatience("send", self._metrics, self._log)
        left = list(messages)
        while left:
            try:
                left = await self._try(left)
            except _FAILURES as error:
                await self.stop()
                await patience.after(error)

    async def stop(self) -> None:
        """Let go of the producer, whatever state it is in."""
        producer, self._producer = self._producer, None
        if producer is not None:
            await let_go(producer)

    async def _try(self, messages: list[Message]) -> list[Message]:
        """One attempt. Of a failure `messages` keeps everything from the first that failed on, so that order holds."""
        producer = await self._started()
        sent: list[asyncio.Future[Any]] = []
        try:
            for topic, key, value, partition in messages:
                headers = [("content-type", topic.content_types[0].encode())]
                name = self._brokers.topic(topic)
                sent.append(await producer.send(name, value, key=key, partition=partition, headers=headers))
        finally:
            results = await asyncio.gather(*sent, return_exceptions=True)
        failed = next((at for at, result in enumerate(results) if isinstance(result, BaseException)), None)
        if failed is None:
            return []
        error = results[failed]
        del messages[:failed]
        raise error if isinstance(error, KafkaError) else KafkaError(type(error).__name__)

    async def _started(self) -> AIOKafkaProducer:
        if self._producer is None:
            producer = AIOKafkaProducer(
                **self._brokers.client_options(),
                acks="all",
                enable_idempotence=True,
                compression_type="gzip",  # state is most of it: a quarter smaller than by lz4
                linger_ms=2,
                max_batch_size=_BATCH,
                max_request_size=RESULT_BYTES,
            )
            self._producer = await started(producer)
        return self._producer


class KafkaReader:
    """Reads ledger and snapshots at chosen offsets, without a group: it commits nothing and owns nothing."""

    def __init__(self, brokers: Brokers, metrics: WorkerMetrics, log: Log) -> None:
        self._brokers, self._metrics, self._log = brokers, metrics, log
        self._watcher: AIOKafkaConsumer | None = None
        self._partitions = 0

    async def snapshots(
        self, partition: int, topic: Topic = SNAPSHOTS
    ) -> AsyncIterator[list[tuple[bytes | None, bytes | None]]]:
        """Keys and values of a partition of a compacted topic, from its beginning to its present end."""
        first, end = await self.bounds(partition, topic)
        async for batch in self._read(TopicPartition(self._brokers.topic(topic), partition), first, end):
            yield [(one.key, one.value) for one in batch]

    async def records(
        self, partition: int, start: int, until: int, topic: Topic = EVENTS
    ) -> AsyncIterator[list[LedgerRecord]]:
        """Records from `start`, up to `until` and without it; the ledger's, or another topic's."""
        place = TopicPartition(self._brokers.topic(topic), partition)
        async for batch in self._read(place, start, until):
            yield [LedgerRecord.of(one, one.timestamp / 1000) for one in batch]

    async def bounds(self, partition: int, topic: Topic = EVENTS) -> tuple[int, int]:
        """First offset that is still there, and the offset of the record to come."""
        place = TopicPartition(self._brokers.topic(topic), partition)

        async def ask() -> tuple[int, int]:
            watcher = self._watcher = self._watcher or await self._started()
            first = await watcher.beginning_offsets([place])
            end = await watcher.end_offsets([place])
            return first[place], end[place]

        return await self._insist("bounds", ask)

    async def since(self, partition: int, moment: dt.datetime, topic: Topic = EVENTS) -> int:
        """The offset of the first record from this moment or later; of the record to come if there is none."""
        place = TopicPartition(self._brokers.topic(topic), partition)

        async def ask() -> int:
            watcher = self._watcher = self._watcher or await self._started()
            found = (await watcher.offsets_for_times({place: int(moment.timestamp() * 1000)}))[place]
            end: int = (await watcher.end_offsets([place]))[place]
            return end if found is None else int(found.offset)

        return await self._insist("since", ask)

    async def partitions(self) -> int:
        """How many partitions the ledger has."""

        async def ask() -> int:
            name = self._brokers.topic(EVENTS)
            async with admin_of(self._brokers) as admin:
                return len((await partitions_of(admin, self._brokers, [name]))[name])

        if not self._partitions:
            self._partitions = await self._insist("partitions", ask)
        return self._partitions

    async def _insist(self, what: str, ask: Callable[[], Coroutine[Any, Any, Answer]]) -> Answer:
        patience = GrowingPatience(what, self._metrics, self._log)
        while True:
            try:
                return await apart(ask(), _PATIENCE)
            except _FAILURES as error:
                await self.stop()
                await patience.after(error)

    async def stop(self) -> None:
        """Let go of what is open."""
        watcher, self._watcher = self._watcher, None
        if watcher is not None:
            await let_go(watcher)

    async def _read(self, place: TopicPartition, start: int, until: int) -> AsyncIterator[list[Any]]:
        patience = GrowingPatience("read", self._metrics, self._log)
        while start < until:
            consumer: AIOKafkaConsumer | None = None
            try:
                consumer = await self._started(_FETCH)
                consumer.assign([place])
                consumer.seek(place, start)
                while start < until:
                    found = (await consumer.getmany(place, timeout_ms=1000)).get(place, [])
                    wanted = [one for one in found if start <= one.offset < until]
                    if wanted:
                        yield wanted
                    # Behind the last record there may be none that can be read: holes have offsets too.
                    start = max(start, await consumer.position(place))
            except _FAILURES as error:
                await patience.after(error)
            finally:
                if consumer is not None:
                    await let_go(consumer)

    async def _started(self, fetch: int = 1 << 20) -> AIOKafkaConsumer:
        consumer = AIOKafkaConsumer(
            **self._brokers.client_options(),
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            max_partition_fetch_bytes=fetch,
            fetch_max_wait_ms=100,
        )
        return await started(consumer)
