"""What the process of any worker over a consumer group does: join, work under a watchdog, tell its health, let go."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from msgspec import Struct

from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.group import GroupSource
from processors.runtime.brokers.lag import LagMeter
from processors.runtime.brokers.lives import live, together
from processors.runtime.brokers.reach import DEADLINE, Ask, Reach
from processors.runtime.brokers.records import Place
from processors.runtime.watch.health import Health, HealthServer
from processors.runtime.watch.logs import Log
from processors.runtime.watch.metrics import WorkerMetrics
from processors.runtime.watch.watchdog import OwnLag, watch
from schemas.topics import Group

Work = Callable[[asyncio.Event], Awaitable[None]]


class GroupOptions(Struct, frozen=True, kw_only=True):
    """How such a process runs; `member` keeps its partitions for it over a restart.

    `stuck_seconds` is how long records may wait without any being taken, while nothing is known to be amiss,
    before the work is begun anew, and the second time the process ends itself.
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
        self._brokers, self._group, self._options = brokers, group, options
        self._source: GroupSource | None = None
        self._reach = Reach(f"Kafka at {brokers.servers}")
        self._lag = OwnLag(LagMeter(brokers, DEADLINE), group, self._assignment, self.metrics)
        self._asked: list[tuple[Reach, Ask]] = [(self._reach, self._lag.ask)]
        self.health.watched.append(self._reach.why)
        self.metrics.ready.set_function(lambda: self.health.ready)
        self.metrics.lag_age.labels(group.worker).set_function(lambda: self._reach.age)

    def needs(self, reach: Reach, ask: Ask) -> None:
        """The worker is not ready while this part does not answer either."""
        self._asked.append((reach, ask))
        self.health.watched.append(reach.why)

    async def run(
        self,
        stop: asyncio.Event,
        begin: Callable[[GroupSource], Work],
        let_go: Callable[[], Awaitable[None]],
    ) -> None:
        """Join the group and work until `stop` is set; then leave it, and let go of what the work held.

        `begin` makes the work anew on each membership: a loss of a broker may end one.

        Raises:
            Exception: what this process could not deal with; nothing uncommitted is lost.
        """
        server = HealthServer(self.health, self.metrics)
        if self._options.health_port:
            await server.start(self._options.health_host, self._options.health_port)

        async def life() -> None:
            await self._member(stop, begin, let_go)

        try:
            await together(
                live(life, stop, lambda: self._reach.answers, self.health, self.metrics, self.log),
                *(reach.follow(ask) for reach, ask in self._asked),
            )
        except Exception as error:
            self.health.failed = type(error).__name__
            self.log.error("cannot go on", error=type(error).__name__)
            raise
        finally:
            self.health.unwell("stop", "stopping")
            await self._lag.stop()
            await server.stop()

    async def _member(
        self,
        stop: asyncio.Event,
        begin: Callable[[GroupSource], Work],
        let_go: Callable[[], Awaitable[None]],
    ) -> None:
        """One membership of the group, from joining to leaving."""
        options = self._options
        source = GroupSource(
            self._brokers, self._group, self.metrics, self.log, options.member, options.session_seconds
        )
        try:
            if await source.start(stop):
                self._source = source
                self.health.well("start")
                self.log.info("started")
                watching = watch(
                    self._group.worker, lambda: self._lag.waiting, self.health, options.stuck_seconds
                )
                await together(begin(source)(stop), watching)
        finally:
            self._source = None
            self.health.unwell("start", "not in its group")
            await source.stop()
            await let_go()

    def _assignment(self) -> frozenset[Place]:
        return self._source.assignment if self._source is not None else frozenset()
