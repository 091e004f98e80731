"""One analyst process: where its state lies, and what counts for it."""

from __future__ import annotations

import asyncio
from functools import partial

from processors.runtime.analyst.driver import AnalystDriver, AnalystOptions
from processors.runtime.brokers.clients import KafkaOutbox, KafkaReader
from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.group import GroupSource
from processors.runtime.brokers.group_worker import GroupWorker, Work
from processors.runtime.brokers.lives import ended
from processors.runtime.brokers.process import ProcessOptions
from schemas.messages import checkpoint_key
from schemas.topics import ANALYSIS
from schemas.topics import ANALYST as GROUP


class WorkerOptions(ProcessOptions, frozen=True, kw_only=True):
    """How an analyst process runs."""

    analyst: AnalystOptions = AnalystOptions()


class AnalystWorker:
    """A whole analyst process, without signals and exit status."""

    def __init__(self, brokers: Brokers, options: WorkerOptions | None = None) -> None:
        self.options = options or WorkerOptions()
        self._worker = worker = GroupWorker(GROUP, brokers, self.options)
        self._outbox = KafkaOutbox(brokers, worker.metrics, worker.log)
        self._reader = KafkaReader(brokers, worker.metrics, worker.log)

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set; then make durable what was counted, tell the group, and leave it.

        Raises:
            Exception: what this process could not deal with; nothing uncommitted is lost.
        """
        await self._worker.run(stop, self._begin, self._outbox.stop)

    def _begin(self, source: GroupSource) -> Work:
        worker = self._worker
        driver = AnalystDriver(
            source, self._outbox, self._snapshots, worker.metrics, worker.health, self.options.analyst
        )
        return partial(self._until, driver)

    async def _snapshots(self, partition: int) -> list[bytes]:
        """The last snapshots of a partition's state; however long the brokers are away."""
        found: list[bytes] = []
        try:
            async for batch in self._reader.snapshots(partition, ANALYSIS):
                for key, value in batch:
                    if key == checkpoint_key(partition):
                        found = [*found[-4:], value] if value is not None else []
        finally:
            await self._reader.stop()
        return found

    async def _until(self, driver: AnalystDriver, stop: asyncio.Event) -> None:
        """Work until told to stop; a broker that is away then must not keep the process from ending."""
        working = asyncio.create_task(driver.run(stop))
        stopping = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                await asyncio.wait((working,), timeout=self.options.session_seconds)
            if working.done():
                working.result()
            else:
                self._worker.log.warning(
                    "stopped without a last checkpoint: the next worker counts a little again"
                )
        finally:
            await ended((working, stopping))
