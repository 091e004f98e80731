"""One analyst process: where its state lies, and what counts for it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError

from processors.runtime.analyst.driver import AnalystDriver, AnalystOptions
from processors.runtime.brokers import Brokers
from processors.runtime.fold.kafka import KafkaOutbox, Patience
from processors.runtime.group_worker import GroupOptions, GroupWorker
from processors.runtime.logs import Log
from processors.runtime.metrics import WorkerMetrics
from schemas.messages import checkpoint_key
from schemas.topics import ANALYSIS
from schemas.topics import ANALYST as GROUP

_FAILURES: Final = (KafkaError, OSError, TimeoutError)


class WorkerOptions(GroupOptions, frozen=True, kw_only=True):
    """How an analyst process runs."""

    analyst: AnalystOptions = AnalystOptions()


class KafkaSnapshots:
    """The compacted topic in which the analyst's state lies."""

    def __init__(self, brokers: Brokers, metrics: WorkerMetrics, log: Log) -> None:
        self._brokers, self._metrics, self._log = brokers, metrics, log

    async def read(self, partition: int) -> list[bytes]:
        """All snapshots of a partition; however long the brokers are away."""
        patience = Patience("restore", self._metrics, self._log)
        while True:
            try:
                return await self._read(TopicPartition(self._brokers.topic(ANALYSIS), partition))
            except _FAILURES as error:
                await patience.after(error)

    async def _read(self, place: TopicPartition) -> list[bytes]:
        found: list[bytes] = []
        consumer = AIOKafkaConsumer(**self._brokers.client_options(), enable_auto_commit=False)
        try:
            await consumer.start()
            consumer.assign([place])
            await consumer.seek_to_beginning(place)
            end = (await consumer.end_offsets([place]))[place]
            while await consumer.position(place) < end:
                for one in (await consumer.getmany(place, timeout_ms=1000)).get(place, []):
                    if one.key == checkpoint_key(place.partition):
                        found = [*found[-4:], one.value] if one.value is not None else []
        finally:
            with suppress(*_FAILURES):
                await consumer.stop()
        return found


class AnalystWorker:
    """A whole analyst process, without signals and exit status."""

    def __init__(self, brokers: Brokers, options: WorkerOptions | None = None) -> None:
        self.options = options or WorkerOptions()
        self._worker = worker = GroupWorker(GROUP, brokers, self.options)
        self._outbox = KafkaOutbox(brokers, worker.metrics, worker.log)
        snapshots = KafkaSnapshots(brokers, worker.metrics, worker.log)
        self.driver = AnalystDriver(
            worker.source, self._outbox, snapshots, worker.metrics, worker.health, self.options.analyst
        )

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set; then make durable what was counted, tell the group, and leave it.

        Raises:
            Exception: what this process could not deal with; nothing uncommitted is lost.
        """
        await self._worker.run(stop, self._until, self._outbox.stop)

    async def _until(self, stop: asyncio.Event) -> None:
        """Work until told to stop; a broker that is away then must not keep the process from ending."""
        working = asyncio.create_task(self.driver.run(stop))
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        try:
            await asyncio.wait_for(working, self.options.session_seconds)
        except TimeoutError:
            self._worker.log.warning(
                "stopped without a last checkpoint: the next worker counts a little again"
            )
