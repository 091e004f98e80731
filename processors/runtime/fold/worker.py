"""One fold process: the group, the driver, its clock, its watchdog, its health; until it is stopped or fails."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from aiokafka.errors import KafkaError
from msgspec import Struct

from processors.runtime.brokers import Brokers
from processors.runtime.fold.app import FaustGroup
from processors.runtime.fold.driver import FoldDriver, FoldOptions
from processors.runtime.fold.kafka import KafkaOutbox, KafkaReader, Patience
from processors.runtime.fold.preflight import BrokersAway, require_topics
from processors.runtime.health import Health, HealthServer
from processors.runtime.lag import LagMeter, NoTopics
from processors.runtime.logs import Log
from processors.runtime.metrics import WorkerMetrics
from processors.runtime.watchdog import Watchdog
from schemas.topics import FOLD

_LOOK: Final = 0.2  # seconds between two looks at the assignment


class WorkerOptions(Struct, frozen=True, kw_only=True):
    """How a fold process runs; `member` keeps its partitions for it over a restart.

    `start_seconds` is how long brokers are waited for at the start, `stuck_seconds` how long records may wait
    without any being taken before the process ends itself.
    """

    fold: FoldOptions = FoldOptions()
    member: str | None = None
    session_seconds: float = 15.0
    start_seconds: float = 30.0
    stuck_seconds: float = 60.0
    watch_seconds: float = 2.0
    health_host: str = "127.0.0.1"
    health_port: int = 0


class FoldWorker:
    """A whole fold process, without signals and exit status."""

    def __init__(self, brokers: Brokers, options: WorkerOptions | None = None) -> None:
        self.options = options or WorkerOptions()
        self._brokers = brokers
        self.metrics = WorkerMetrics("fold")
        self.health = Health()
        self._log = Log("fold")
        self._outbox = KafkaOutbox(brokers, self.metrics, self._log)
        self._reader = KafkaReader(brokers, self.metrics, self._log)
        self._group = FaustGroup(brokers, self.options.member, self.options.session_seconds)
        self.driver = FoldDriver(
            self._outbox, self._reader, self._group, self.metrics, self.health, self.options.fold
        )
        self._meter = LagMeter(brokers)
        self._failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set; then make everything durable, tell the group, and leave it.

        Raises:
            Exception: what this process could not deal with; nothing unacknowledged is lost.
        """
        server = HealthServer(self.health, self.metrics)
        if self.options.health_port:
            await server.start(self.options.health_host, self.options.health_port)
        take = self._group.connect(self.driver)
        tasks = [
            asyncio.create_task(self._guarded(task))
            for task in (self._start, take, self._keep_time, self._adopt, self._watch)
        ]
        stopping: asyncio.Task[object] = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait((stopping, self._failed), return_when=asyncio.FIRST_COMPLETED)
            self.health.unwell("stop", "stopping")
            self.metrics.ready.set(0)
            if not self._failed.done():
                await self._finish()
        finally:
            stopping.cancel()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._let_go()
            await server.stop()
        if self._failed.done():
            self._failed.result()
        self._log.info("stopped")

    def _fail(self, error: BaseException) -> None:
        if isinstance(error, KafkaError | OSError):
            error = BrokersAway(self._brokers.servers, error)
        if not self._failed.done():
            self.health.failed = type(error).__name__
            self._log.error("cannot go on", error=type(error).__name__)
            self._failed.set_exception(error)

    async def _guarded(self, task: Callable[[], Awaitable[None]]) -> None:
        try:
            await task()
        except Exception as error:
            self._fail(error)

    async def _start(self) -> None:
        self._log.info("starting")
        self.health.unwell("state", "no state yet")
        await require_topics(self._brokers, self.options.start_seconds, self._log)
        await self._group.start()
        self.health.well("start")
        self._log.info("started", partitions=self._group.partitions, generation=self._group.generation)

    async def _adopt(self) -> None:
        """Has the state of every partition it is given, whether records come or not; then it is ready."""
        patience = Patience("adopt", self.metrics, self._log)
        while True:
            await asyncio.sleep(_LOOK)
            if "start" in self.health.reasons:
                continue
            missing = [one for one in self._group.partitions if one not in self.driver.held]
            if missing:
                self.health.unwell("state", "restoring")
                try:
                    rows = {row.partition: row for row in (await self._meter.measure((FOLD,))).rows}
                except (KafkaError, OSError, TimeoutError) as error:
                    await patience.after(error)
                    continue
                patience = Patience("adopt", self.metrics, self._log)
                for partition in missing:
                    await self.driver.adopt(partition, rows[partition].committed or 0)
            self.health.well("state")
            self.metrics.ready.set(self.health.ready)

    async def _finish(self) -> None:
        """The last checkpoint; a broker that is away must not keep the process from ending."""
        try:
            async with asyncio.timeout(self.options.session_seconds):
                await self.driver.finish()
        except TimeoutError:
            self._log.warning("stopped without a last checkpoint: the next worker folds a little again")

    async def _let_go(self) -> None:
        for part in (self._group, self._outbox, self._reader, self._meter):
            try:
                await part.stop()
            except Exception as error:  # each is let go of, whatever befell the others
                self._log.warning("did not stop well", what=type(part).__name__, error=type(error).__name__)

    async def _keep_time(self) -> None:
        while True:
            await asyncio.sleep(self.options.fold.checkpoint_seconds / 4)
            await self.driver.tick()
            failure = self._group.failure
            if failure is not None:
                raise failure

    async def _watch(self) -> None:
        """Ends a process that takes nothing though there is something to take and the brokers answer."""
        watchdog = Watchdog("fold", self.options.stuck_seconds)
        while True:
            await asyncio.sleep(self.options.watch_seconds)
            behind = None
            with suppress(KafkaError, OSError, TimeoutError, NoTopics):
                behind = await self._lag()
            watchdog.look(behind, self.health.moved)

    async def _lag(self) -> int:
        """Records of this worker's partitions whose results and state are not durable yet."""
        mine = self._group.partitions
        rows = (await self._meter.measure((FOLD,))).rows
        behind = 0
        self.metrics.lag.clear()  # partitions given away are no longer behind here
        for row in (one for one in rows if one.partition in mine):
            waiting = unsettled = row.behind
            held = self.driver.held.get(row.partition)
            if held is not None:
                waiting = max(0, row.end - held.fold.next_offset)
                unsettled = max(0, row.end - held.durable)
            self.metrics.lag.labels("fold", row.topic, str(row.partition)).set(waiting)
            behind += unsettled
        return behind
