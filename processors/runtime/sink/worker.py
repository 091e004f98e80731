"""One sink process: the group, the driver, its watchdog, its health; until it is stopped or fails."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final

from msgspec import Struct

from processors.runtime.brokers import Brokers
from processors.runtime.group import GroupSource
from processors.runtime.health import Health, HealthServer
from processors.runtime.lag import LagMeter
from processors.runtime.logs import Log
from processors.runtime.metrics import WorkerMetrics
from processors.runtime.rows import Rows
from processors.runtime.sink.driver import FAILURES, SinkDriver, SinkOptions
from processors.runtime.sink.store import BatchStore, Stored
from processors.runtime.warehouse import Warehouse
from processors.runtime.watchdog import OwnLag, guarded, watch
from schemas.topics import SINK

_AT_ONCE: Final = 4  # relations that are stored at once: most of an insert is waiting for the server's disk
OpenWarehouse = Callable[[], Warehouse]


class WorkerOptions(Struct, frozen=True, kw_only=True):
    """How a sink process runs; `member` keeps its partitions for it over a restart.

    `stuck_seconds` is how long records may wait without any being stored, while nothing is known to be amiss,
    before the process ends itself.
    """

    sink: SinkOptions = SinkOptions()
    member: str | None = None
    session_seconds: float = 15.0
    stuck_seconds: float = 60.0
    health_host: str = "127.0.0.1"
    health_port: int = 0


class LazyStore:
    """The warehouse in threads of its own, opened when it is first needed, and anew after each failure."""

    def __init__(self, opened: OpenWarehouse) -> None:
        """`opened` gives a warehouse that several threads may use."""
        self._open = opened
        self._thread = ThreadPoolExecutor(1, "warehouse")  # batches, one after the other
        self._parts = ThreadPoolExecutor(_AT_ONCE, "relations")
        self._warehouse: Warehouse | None = None
        self._store: BatchStore | None = None

    async def store(self, rows: Rows) -> Stored:
        """Store a batch.

        Raises:
            WarehouseError, OSError: the store is away, or does not take it: store the same batch again.
        """
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._in_thread, rows)

    def stop(self) -> None:
        """Let go of the store; a batch under way is not waited for: it is stored again by whoever takes it next."""
        self._thread.submit(self._close)
        self._thread.submit(self._parts.shutdown, wait=False)
        self._thread.shutdown(wait=False)

    def _in_thread(self, rows: Rows) -> Stored:
        try:
            if self._store is None:
                self._warehouse = self._open()
                self._store = BatchStore(self._warehouse, self._parts)
            return self._store.store(rows)
        except FAILURES:
            self._close()
            raise

    def _close(self) -> None:
        warehouse, self._warehouse, self._store = self._warehouse, None, None
        if warehouse is not None:
            with suppress(*FAILURES):
                warehouse.close()


class SinkWorker:
    """A whole sink process, without signals and exit status."""

    def __init__(self, brokers: Brokers, opened: OpenWarehouse, options: WorkerOptions | None = None) -> None:
        self.options = options or WorkerOptions()
        self.metrics = WorkerMetrics("sink")
        self.health = Health()
        self._log = Log("sink")
        self._store = LazyStore(opened)
        self._source = GroupSource(
            brokers, SINK, self.metrics, self._log, self.options.member, self.options.session_seconds
        )
        self._lag = OwnLag(LagMeter(brokers), SINK, lambda: self._source.assignment, self.metrics)
        self.driver = SinkDriver(
            self._source, self._store.store, self.metrics, self.health, self.options.sink, time.monotonic
        )

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set; then store what was taken, tell the group, and leave it.

        Raises:
            Exception: what this process could not deal with; nothing uncommitted is lost.
        """
        server = HealthServer(self.health, self.metrics)
        if self.options.health_port:
            await server.start(self.options.health_host, self.options.health_port)
        try:
            if await self._source.start(stop):
                self.health.well("start")
                self.metrics.ready.set(1)
                self._log.info("started")
                watching = watch("sink", self._lag, self.health, self.options.stuck_seconds)
                await guarded(self.driver.run(stop), watching)
        except Exception as error:
            self.health.failed = type(error).__name__
            self._log.error("cannot go on", error=type(error).__name__)
            raise
        finally:
            self.metrics.ready.set(0)
            await self._source.stop()
            await self._lag.stop()
            self._store.stop()
            await server.stop()
