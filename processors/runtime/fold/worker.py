"""One fold process: its lives, its health and its figures, until it is stopped or cannot go on.

A life holds all clients of the brokers (group, reader, outbox) and the state between them. The process begins another
life when the loss of a broker has ended one, and restores partitions from their snapshots.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Final

from aiokafka.errors import KafkaError

from processors.runtime.brokers.clients import GrowingPatience, KafkaOutbox, KafkaReader
from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.lag import Behind
from processors.runtime.brokers.lives import ended
from processors.runtime.brokers.losses import ClientGaveUp, is_loss
from processors.runtime.brokers.membership import Membership
from processors.runtime.brokers.preflight import require_same_partitions, require_topics
from processors.runtime.brokers.process import ProcessOptions, WorkerProcess
from processors.runtime.brokers.watchdog import OwnLag, Watchdog
from processors.runtime.fold.app import FaustGroup
from processors.runtime.fold.driver import FoldDriver, FoldOptions
from processors.runtime.watch.health import Health
from processors.runtime.watch.logs import Log
from processors.runtime.watch.metrics import WorkerMetrics
from schemas.topics import DEADLETTER, EVENTS, FINDINGS, FOLD, OBSERVATIONS, ROUNDS, SNAPSHOTS

_LAST_SECONDS: Final = 10.0  # for the last checkpoint
_TOPICS: Final = (EVENTS, ROUNDS, FINDINGS, SNAPSHOTS, DEADLETTER, OBSERVATIONS)
_LOOK: Final = 0.2  # seconds between two looks at the assignment


class FoldWorkerOptions(ProcessOptions, frozen=True, kw_only=True):
    """How a fold process runs; `start_seconds` is how long it waits for brokers at its start."""

    fold: FoldOptions = FoldOptions()
    start_seconds: float = 30.0
    watch_seconds: float = 2.0


class FoldLife:
    """One membership of the group, with its state."""

    def __init__(
        self,
        brokers: Brokers,
        options: FoldWorkerOptions,
        metrics: WorkerMetrics,
        health: Health,
        lag: OwnLag,
        log: Log,
        membership: Membership,
    ) -> None:
        self._brokers, self._options, self._lag = brokers, options, lag
        self._membership = membership
        self._metrics, self._health, self._log = metrics, health, log
        self._outbox = KafkaOutbox(brokers, metrics, log)
        self._reader = KafkaReader(brokers, metrics, log)
        self._group = FaustGroup(brokers, options.member, options.session_seconds)
        self.driver = FoldDriver(self._outbox, self._reader, self._group, metrics, health, options.fold)
        self._failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @property
    def partitions(self) -> tuple[int, ...]:
        """Partitions of the ledger that are this process's now."""
        return self._group.partitions

    async def run(self, stop: asyncio.Event, *, first: bool) -> None:
        """Work until `stop` is set; then make everything durable, tell the group, and leave it.

        In the `first` life of a process brokers are not waited for without end: a wrong address must be noticed.

        Raises:
            Exception: what ended it; nothing unacknowledged is lost.
        """
        seconds = self._options.start_seconds if first else math.inf
        take = self._group.connect(self.driver)
        works = (lambda: self._start(seconds), take, self._keep_time, self._adopt, self._watch)
        tasks: list[asyncio.Future[object]] = [asyncio.ensure_future(self._guarded(work)) for work in works]
        stopping: asyncio.Future[object] = asyncio.ensure_future(stop.wait())
        try:
            await asyncio.wait((stopping, self._failed), return_when=asyncio.FIRST_COMPLETED)
            if not self._failed.done():
                self._health.unwell("stop", "stopping")
                await self._finish()
        finally:
            await ended((stopping, *tasks))
            await self._let_go()
        if self._failed.done():
            self._failed.result()

    def _fail(self, error: BaseException) -> None:
        if not self._failed.done():
            self._failed.set_exception(error)

    async def _guarded(self, work: Callable[[], Awaitable[None]]) -> None:
        """Whatever ends a part of the work ends this life: nobody would notice a missing part."""
        try:
            await work()
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            self._fail(ClientGaveUp("the client library gave up"))
        except Exception as error:
            self._fail(error)

    async def _start(self, seconds: float) -> None:
        self._log.info("starting")
        self._health.unwell("start", "joining its group")
        self._health.unwell("state", "no state yet")
        found = await require_topics(self._brokers, _TOPICS, self._log, seconds)
        require_same_partitions(self._brokers, found, SNAPSHOTS)
        await self._membership.take()
        await self._group.start()
        self._health.well("start")
        self._log.info("started", partitions=self._group.partitions, generation=self._group.generation)

    async def _adopt(self) -> None:
        """Restore the state of every assigned partition, whether records come or not; then the fold is ready."""
        patience = GrowingPatience("adopt", self._metrics, self._log)
        while True:
            await asyncio.sleep(_LOOK)
            if "start" in self._health.reasons:
                continue
            missing = [one for one in self._group.partitions if one not in self.driver.held]
            if missing:
                self._health.unwell("state", "restoring")
                try:
                    rows = {row.partition: row for row in (await self._lag.meter.measure((FOLD,))).rows}
                except (KafkaError, OSError, TimeoutError) as error:
                    await patience.after(error)
                    continue
                patience = GrowingPatience("adopt", self._metrics, self._log)
                for partition in missing:
                    await self.driver.adopt(partition, rows[partition].committed or 0)
            self._health.well("state")

    async def _finish(self) -> None:
        """The last checkpoint; a broker that is away must not keep the process from ending."""
        finishing = asyncio.ensure_future(self.driver.finish())
        seconds = min(self._options.session_seconds, _LAST_SECONDS)
        await asyncio.wait((finishing, self._failed), timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if finishing.done():
            finishing.result()
            return
        await ended((finishing,))
        self._log.warning("stopped without a last checkpoint: the next worker folds a little again")

    async def _let_go(self) -> None:
        await asyncio.gather(*(self._part_let_go(part) for part in (self._group, self._outbox, self._reader)))

    async def _part_let_go(self, part: FaustGroup | KafkaOutbox | KafkaReader) -> None:
        try:
            await part.stop()
        except Exception as error:
            if not is_loss(error):
                raise
            self._log.warning("did not stop well", what=type(part).__name__, error=type(error).__name__)

    async def _keep_time(self) -> None:
        while True:
            await asyncio.sleep(self._options.fold.checkpoint_seconds / 4)
            await self.driver.tick()
            failure = self._group.failure
            if failure is not None:
                raise failure

    async def _watch(self) -> None:
        """Ends a life that takes nothing though there is something to take and the brokers answer."""
        watchdog = Watchdog("fold", self._options.stuck_seconds)
        while True:
            await asyncio.sleep(self._options.watch_seconds)
            watchdog.look(self._lag.waiting, self._health.moved)


class FoldWorker(WorkerProcess):
    """A whole fold process, without signals and exit status."""

    _options: FoldWorkerOptions

    def __init__(self, brokers: Brokers, options: FoldWorkerOptions | None = None) -> None:
        super().__init__(FOLD, brokers, options or FoldWorkerOptions(), self._mine)
        self._life = self._born()

    @property
    def driver(self) -> FoldDriver:
        """The driver of the present life, to look at."""
        return self._life.driver

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set; then make everything durable, tell the group, and leave it.

        Raises:
            Exception: what this process could not deal with; nothing unacknowledged is lost.
        """
        lives = 0

        async def life() -> None:
            nonlocal lives
            lives += 1
            if lives > 1:
                self._life = self._born()
            await self._life.run(stop, first=lives == 1)

        await self.live_until(stop, life)
        self.log.info("stopped")

    def _born(self) -> FoldLife:
        self._lag.waiting = None  # what waited for the life before says nothing of this one
        return FoldLife(
            self._brokers, self._options, self.metrics, self.health, self._lag, self.log, self.membership
        )

    def _mine(self, rows: Sequence[Behind]) -> Iterator[tuple[Behind, int, int]]:
        partitions = self._life.partitions
        for row in (one for one in rows if one.partition in partitions):
            held = self.driver.held.get(row.partition)
            if held is None:
                yield row, row.behind, row.behind
            else:
                yield row, max(0, row.end - held.fold.next_offset), max(0, row.end - held.durable)
