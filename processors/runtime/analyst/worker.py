"""One analyst process: the group, the driver, its health; until it is stopped or fails."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError
from msgspec import Struct

from processors.runtime.analyst.driver import AnalystDriver, AnalystOptions
from processors.runtime.brokers import Brokers
from processors.runtime.fold.kafka import KafkaOutbox, Patience
from processors.runtime.group import GroupSource
from processors.runtime.health import Health, HealthServer
from processors.runtime.lag import LagMeter
from processors.runtime.logs import Log
from processors.runtime.metrics import WorkerMetrics
from processors.runtime.watchdog import OwnLag, guarded, watch
from schemas.messages import checkpoint_key
from schemas.topics import ANALYSIS
from schemas.topics import ANALYST as GROUP

_FAILURES: Final = (KafkaError, OSError, TimeoutError)


class WorkerOptions(Struct, frozen=True, kw_only=True):
    """How an analyst process runs; `member` keeps its partitions for it over a restart."""

    analyst: AnalystOptions = AnalystOptions()
    member: str | None = None
    session_seconds: float = 15.0
    stuck_seconds: float = 60.0
    health_host: str = "127.0.0.1"
    health_port: int = 0


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
        self.metrics = WorkerMetrics("analyst")
        self.health = Health()
        self._log = Log("analyst")
        self._outbox = KafkaOutbox(brokers, self.metrics, self._log)
        self._group = GroupSource(
            brokers, GROUP, self.metrics, self._log, self.options.member, self.options.session_seconds
        )
        self._lag = OwnLag(LagMeter(brokers), GROUP, lambda: self._group.assignment, self.metrics)
        snapshots = KafkaSnapshots(brokers, self.metrics, self._log)
        self.driver = AnalystDriver(
            self._group, self._outbox, snapshots, self.metrics, self.health, self.options.analyst
        )

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set; then make durable what was counted, tell the group, and leave it.

        Raises:
            Exception: what this process could not deal with; nothing uncommitted is lost.
        """
        server = HealthServer(self.health, self.metrics)
        if self.options.health_port:
            await server.start(self.options.health_host, self.options.health_port)
        try:
            if await self._group.start(stop):
                self.health.well("start")
                self.metrics.ready.set(1)
                self._log.info("started")
                watching = watch("analyst", self._lag, self.health, self.options.stuck_seconds)
                await guarded(self._until(stop), watching)
        except Exception as error:
            self.health.failed = type(error).__name__
            self._log.error("cannot go on", error=type(error).__name__)
            raise
        finally:
            self.metrics.ready.set(0)
            await self._group.stop()
            await self._outbox.stop()
            await self._lag.stop()
            await server.stop()

    async def _until(self, stop: asyncio.Event) -> None:
        """Work until told to stop; a broker that is away then must not keep the process from ending."""
        working = asyncio.create_task(self.driver.run(stop))
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        try:
            await asyncio.wait_for(working, self.options.session_seconds)
        except TimeoutError:
            self._log.warning("stopped without a last checkpoint: the next worker counts a little again")
