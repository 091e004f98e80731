"""What the process of any worker over a consumer group does: join, work under a watchdog, tell its health, let go."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from msgspec import Struct

from processors.runtime.brokers import Brokers
from processors.runtime.group import GroupSource
from processors.runtime.health import Health, HealthServer
from processors.runtime.lag import LagMeter
from processors.runtime.logs import Log
from processors.runtime.metrics import WorkerMetrics
from processors.runtime.watchdog import OwnLag, guarded, watch
from schemas.topics import Group


class GroupOptions(Struct, frozen=True, kw_only=True):
    """How such a process runs; `member` keeps its partitions for it over a restart.

    `stuck_seconds` is how long records may wait without any being taken, while nothing is known to be amiss,
    before the process ends itself.
    """

    member: str | None = None
    session_seconds: float = 15.0
    stuck_seconds: float = 60.0
    health_host: str = "127.0.0.1"
    health_port: int = 0


class GroupWorker:
    """A whole process, without signals and exit status; what it works at is handed to `run`."""

    def __init__(self, group: Group, brokers: Brokers, options: GroupOptions) -> None:
        self.metrics = WorkerMetrics(group.worker)
        self.health = Health()
        self.log = Log(group.worker)
        self.source = GroupSource(
            brokers, group, self.metrics, self.log, options.member, options.session_seconds
        )
        self._name, self._options = group.worker, options
        self._lag = OwnLag(LagMeter(brokers), group, lambda: self.source.assignment, self.metrics)

    async def run(
        self,
        stop: asyncio.Event,
        work: Callable[[asyncio.Event], Awaitable[None]],
        let_go: Callable[[], Awaitable[None]],
    ) -> None:
        """Join the group and work until `stop` is set; then leave it, and let go of what the work held.

        Raises:
            Exception: what this process could not deal with; nothing uncommitted is lost.
        """
        server = HealthServer(self.health, self.metrics)
        if self._options.health_port:
            await server.start(self._options.health_host, self._options.health_port)
        try:
            if await self.source.start(stop):
                self.health.well("start")
                self.metrics.ready.set(1)
                self.log.info("started")
                watching = watch(self._name, self._lag, self.health, self._options.stuck_seconds)
                await guarded(work(stop), watching)
        except Exception as error:
            self.health.failed = type(error).__name__
            self.log.error("cannot go on", error=type(error).__name__)
            raise
        finally:
            self.metrics.ready.set(0)
            await self.source.stop()
            await let_go()
            await self._lag.stop()
            await server.stop()
