"""One sink process: it takes records from the group, and stores them in threads of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final, TypeVar

from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.group import GroupSource
from processors.runtime.brokers.group_worker import GroupWorker, Work
from processors.runtime.brokers.process import ProcessOptions
from processors.runtime.brokers.reach import EVERY, PartReach
from processors.runtime.brokers.standing import Kept
from processors.runtime.sink.driver import FAILURES, SinkDriver, SinkOptions
from processors.runtime.sink.kept import kept_offsets
from processors.runtime.sink.store import BatchStore, Stored
from processors.runtime.store.rows import Rows
from processors.runtime.store.warehouse import StoreNotMade, Warehouse, WarehouseError
from schemas.topics import SINK

_AT_ONCE: Final = 4  # relations that are stored at once: most of an insert is waiting for the server's disk
OpenWarehouse = Callable[[], Warehouse]
Answer = TypeVar("Answer")


class SinkWorkerOptions(ProcessOptions, frozen=True, kw_only=True):
    """How a sink process runs."""

    sink: SinkOptions = SinkOptions()


class _InOwnThread:
    """A warehouse in a thread of its own, opened when it is first needed, and anew after each failure."""

    def __init__(self, opened: OpenWarehouse, thread: str) -> None:
        self._open = opened
        self._thread = ThreadPoolExecutor(1, thread)
        self._warehouse: Warehouse | None = None

    def stop(self) -> None:
        """Let go of the store; work under way is not waited for: a batch is stored again by whoever takes it next."""
        self._thread.submit(self._close)
        self._thread.shutdown(wait=False)

    async def _ask(self, ask: Callable[[Warehouse], Answer]) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._in_thread, ask)

    def _in_thread(self, ask: Callable[[Warehouse], Answer]) -> Answer:
        try:
            if self._warehouse is None:
                self._warehouse = self._open()
            return ask(self._warehouse)
        except FAILURES:
            self._close()
            raise

    def _close(self) -> None:
        warehouse, self._warehouse = self._warehouse, None
        if warehouse is not None:
            with suppress(*FAILURES):
                warehouse.close()


class LazyStore(_InOwnThread):
    """Stores batches one after the other, the relations of each at once."""

    def __init__(self, opened: OpenWarehouse) -> None:
        """`opened` gives a warehouse that several threads may use."""
        super().__init__(opened, "warehouse")
        self._parts = ThreadPoolExecutor(_AT_ONCE, "relations")

    async def store(self, rows: Rows) -> Stored:
        """Store a batch.

        Raises:
            WarehouseError, OSError: the store is away, or does not take it: store the same batch again.
        """
        return await self._ask(lambda warehouse: BatchStore(warehouse, self._parts).store(rows))

    async def kept(self) -> Kept:
        """The offset of each partition before which everything is stored.

        Raises:
            WarehouseError, OSError: the store is away, or has not the relations.
        """
        return await self._ask(kept_offsets)

    def stop(self) -> None:
        """Let go of the store, and of the threads behind a batch under way."""
        self._thread.submit(self._parts.shutdown, wait=False)
        super().stop()


class StoreLook(_InOwnThread):
    """Asks the store whether it answers, by a connection and a thread of its own: an insert may take a minute."""

    def __init__(self, opened: OpenWarehouse) -> None:
        """`opened` gives a warehouse that keeps no question waiting for longer than a look may take."""
        super().__init__(opened, "look")

    async def ask(self) -> str | None:
        """Why it does not answer, or None."""
        try:
            await self._ask(lambda warehouse: warehouse.query("SELECT 1"))
        except FAILURES as error:
            if isinstance(error, StoreNotMade):
                return f"{error.why}; {error.remedy}"
            return error.why if isinstance(error, WarehouseError) else type(error).__name__
        return None


class SinkWorker(GroupWorker):
    """A whole sink process, without signals and exit status."""

    _options: SinkWorkerOptions

    def __init__(
        self,
        brokers: Brokers,
        opened: OpenWarehouse,
        options: SinkWorkerOptions | None = None,
        *,
        looking: OpenWarehouse | None = None,
        store: str = "the store",
    ) -> None:
        """`looking` opens the warehouse once more for `StoreLook`; `store` names it to people."""
        super().__init__(SINK, brokers, options or SinkWorkerOptions())
        self._store = LazyStore(opened)  # kept from one membership to the next
        self._look = StoreLook(looking or opened)
        self.needs(PartReach(store, again=EVERY), self._look.ask)

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set; then store what was taken, tell the group, and leave it."""
        try:
            await super().run(stop)
        finally:
            self._store.stop()
            self._look.stop()

    def begin(self, source: GroupSource) -> Work:
        """Store what the group delivers."""
        return SinkDriver(source, self._store, self.metrics, self.health, self._options.sink).run
