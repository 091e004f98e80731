"""One fold process: its lives, its health and its figures, until it is stopped or cannot go on."""

from __future__ import annotations

import asyncio
from typing import Final

from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.lag import UNANSWERED, LagMeter, NoTopics
from processors.runtime.brokers.lives import live, together
from processors.runtime.brokers.reach import DEADLINE, Reach
from processors.runtime.fold.driver import FoldDriver
from processors.runtime.fold.life import FoldLife, WorkerOptions
from processors.runtime.watch.health import Health, HealthServer
from processors.runtime.watch.logs import Log
from processors.runtime.watch.metrics import WorkerMetrics
from schemas.topics import FOLD

__all__ = ["FoldWorker", "WorkerOptions"]

_NAME: Final = "fold"


class FoldWorker:
    """A whole fold process, without signals and exit status."""

    def __init__(self, brokers: Brokers, options: WorkerOptions | None = None) -> None:
        self.options = options or WorkerOptions()
        self._brokers = brokers
        self.metrics = WorkerMetrics(_NAME)
        self.health = Health()
        self._log = Log(_NAME)
        self._meter = LagMeter(brokers, DEADLINE)
        self._reach = Reach(f"Kafka at {brokers.servers}")
        self._life = self._born()
        self.health.watched.append(self._reach.why)
        self.metrics.ready.set_function(lambda: self.health.ready)
        self.metrics.lag_age.labels(_NAME).set_function(lambda: self._reach.age)

    @property
    def driver(self) -> FoldDriver:
        """What folds now, to look at."""
        return self._life.driver

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set; then make everything durable, tell the group, and leave it.

        Raises:
            Exception: what this process could not deal with; nothing unacknowledged is lost.
        """
        server = HealthServer(self.health, self.metrics)
        if self.options.health_port:
            await server.start(self.options.health_host, self.options.health_port)
        lives = 0

        async def life() -> None:
            nonlocal lives
            lives += 1
            if lives > 1:
                self._life = self._born()
            await self._life.run(stop, first=lives == 1)

        try:
            await together(
                live(life, stop, lambda: self._reach.answers, self.health, self.metrics, self._log),
                self._reach.follow(self._ask),
            )
        except Exception as error:
            self.health.failed = type(error).__name__
            self._log.error("cannot go on", error=type(error).__name__)
            raise
        finally:
            await self._meter.stop()
            await server.stop()
        self._log.info("stopped")

    def _born(self) -> FoldLife:
        return FoldLife(self._brokers, self.options, self.metrics, self.health, self._meter, self._log)

    async def _ask(self) -> str | None:
        """Ask the brokers how far this worker is behind; why that was in vain, or None."""
        life = self._life
        try:
            rows = (await self._meter.measure((FOLD,))).rows
        except NoTopics as error:
            return self._unknown(f"{error.what}: {error.why}")
        except UNANSWERED as error:
            return self._unknown(type(error).__name__)
        mine = life.partitions
        life.waiting = 0
        self.metrics.lag.clear()  # partitions given away are no longer behind here
        for row in (one for one in rows if one.partition in mine):
            waiting = unsettled = row.behind
            held = life.driver.held.get(row.partition)
            if held is not None:
                waiting = max(0, row.end - held.fold.next_offset)
                unsettled = max(0, row.end - held.durable)
            self.metrics.lag.labels(_NAME, row.topic, str(row.partition)).set(waiting)
            life.waiting += unsettled  # whose results and state are not durable yet
        return None

    def _unknown(self, why: str) -> str:
        self.metrics.lag.clear()  # a figure that stays as it was would say that it is so now
        self._life.waiting = None
        return why
