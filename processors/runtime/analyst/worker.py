"""One analyst process: where its state lies, and what counts for it."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Final

from processors.runtime.analyst.driver import AnalystDriver, AnalystOptions
from processors.runtime.analyst.partition import Entry
from processors.runtime.brokers.clients import KafkaOutbox, KafkaReader
from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.group import GroupSource
from processors.runtime.brokers.group_worker import GroupWorker, Work
from processors.runtime.brokers.lives import ended
from processors.runtime.brokers.process import ProcessOptions
from schemas.topics import ANALYSIS
from schemas.topics import ANALYST as GROUP

# Records of one key: a worker that had lost the partition may have written behind its successor.
_LAST: Final = 5


class AnalystWorkerOptions(ProcessOptions, frozen=True, kw_only=True):
    """How an analyst process runs."""

    analyst: AnalystOptions = AnalystOptions()


class AnalystWorker(GroupWorker):
    """A whole analyst process, without signals and exit status."""

    _options: AnalystWorkerOptions

    def __init__(self, brokers: Brokers, options: AnalystWorkerOptions | None = None) -> None:
        super().__init__(GROUP, brokers, options or AnalystWorkerOptions())
        self._outbox = KafkaOutbox(brokers, self.metrics, self.log)
        self._reader = KafkaReader(brokers, self.metrics, self.log)

    def begin(self, source: GroupSource) -> Work:
        """Count what the group delivers."""
        options = self._options.analyst
        driver = AnalystDriver(source, self._outbox, self._snapshots, self.metrics, self.health, options)
        return partial(self._until, driver)

    async def let_go(self) -> None:
        """Let go of the producer."""
        await self._outbox.stop()

    async def _snapshots(self, partition: int) -> list[Entry]:
        """The records of a partition's state, of each key the last few; however long the brokers are away."""
        found: dict[bytes | None, list[Entry]] = {}
        try:
            async for batch in self._reader.snapshots(partition, ANALYSIS):
                for key, value in batch:
                    of_key = found.setdefault(key, [])
                    of_key.append((key, value))
                    del of_key[:-_LAST]
        finally:
            await self._reader.stop()
        return [entry for of_key in found.values() for entry in of_key]

    async def _until(self, driver: AnalystDriver, stop: asyncio.Event) -> None:
        """Work until `stop` is set; a broker that is away then must not keep the process from ending."""
        working = asyncio.create_task(driver.run(stop))
        stopping = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                await asyncio.wait((working,), timeout=self._options.session_seconds)
            if working.done():
                working.result()
            else:
                self.log.warning("stopped without a last checkpoint: the next worker counts a little again")
        finally:
            await ended((working, stopping))
