"""One sink process: the store in threads of its own, and what takes from the group for it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final, NamedTuple, TypeVar

from processors.runtime.brokers import Brokers
from processors.runtime.group_worker import GroupOptions, GroupWorker
from processors.runtime.rows import Rows
from processors.runtime.sink.driver import FAILURES, SinkDriver, SinkOptions
from processors.runtime.sink.kept import kept_offsets
from processors.runtime.sink.store import BatchStore, Stored
from processors.runtime.standing import Kept
from processors.runtime.warehouse import Warehouse
from schemas.topics import SINK

_AT_ONCE: Final = 4  # relations that are stored at once: most of an insert is waiting for the server's disk
OpenWarehouse = Callable[[], Warehouse]
Answer = TypeVar("Answer")


class WorkerOptions(GroupOptions, frozen=True, kw_only=True):
    """How a sink process runs."""

    sink: SinkOptions = SinkOptions()


class _Held(NamedTuple):
    """An open warehouse, and what stores batches in it."""

    warehouse: Warehouse
    batches: BatchStore


class LazyStore:
    """The warehouse in threads of its own, opened when it is first needed, and anew after each failure."""

    def __init__(self, opened: OpenWarehouse) -> None:
        """`opened` gives a warehouse that several threads may use."""
        self._open = opened
        self._thread = ThreadPoolExecutor(1, "warehouse")  # batches, one after the other
        self._parts = ThreadPoolExecutor(_AT_ONCE, "relations")
        self._held: _Held | None = None

    async def store(self, rows: Rows) -> Stored:
        """Store a batch.

        Raises:
            WarehouseError, OSError: the store is away, or does not take it: store the same batch again.
        """
        return await self._ask(lambda held: held.batches.store(rows))

    async def kept(self) -> Kept:
        """The offset of each partition before which everything is stored.

        Raises:
            WarehouseError, OSError: the store is away, or has not the relations.
        """
        return await self._ask(lambda held: kept_offsets(held.warehouse))

    def stop(self) -> None:
        """Let go of the store; a batch under way is not waited for: it is stored again by whoever takes it next."""
        self._thread.submit(self._close)
        self._thread.submit(self._parts.shutdown, wait=False)
        self._thread.shutdown(wait=False)

    async def _ask(self, ask: Callable[[_Held], Answer]) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._in_thread, ask)

    def _in_thread(self, ask: Callable[[_Held], Answer]) -> Answer:
        try:
            if self._held is None:
                warehouse = self._open()
                self._held = _Held(warehouse, BatchStore(warehouse, self._parts))
            return ask(self._held)
        except FAILURES:
            self._close()
            raise

    def _close(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            with suppress(*FAILURES):
                held.warehouse.close()


class SinkWorker:
    """A whole sink process, without signals and exit status."""

    def __init__(self, brokers: Brokers, opened: OpenWarehouse, options: WorkerOptions | None = None) -> None:
        options = options or WorkerOptions()
        self._worker = GroupWorker(SINK, brokers, options)
        self._store = LazyStore(opened)
        self.driver = SinkDriver(
            self._worker.source,
            self._store,
            self._worker.metrics,
            self._worker.health,
            options.sink,
            time.monotonic,
        )

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set; then store what was taken, tell the group, and leave it.

        Raises:
            Exception: what this process could not deal with; nothing uncommitted is lost.
        """
        await self._worker.run(stop, self.driver.run, self._let_go)

    async def _let_go(self) -> None:
        self._store.stop()
