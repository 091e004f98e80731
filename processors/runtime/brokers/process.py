"""What the process of any worker has: health, figures, a log, and questions to the parts it cannot work without."""

from __future__ import annotations

import asyncio

from msgspec import Struct

from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.lag import LagMeter
from processors.runtime.brokers.lives import Life, live, together
from processors.runtime.brokers.membership import Membership
from processors.runtime.brokers.reach import DEADLINE, Ask, PartReach
from processors.runtime.brokers.watchdog import Mine, OwnLag
from processors.runtime.watch.health import Health, HealthServer
from processors.runtime.watch.logs import Log
from processors.runtime.watch.metrics import WorkerMetrics
from schemas.topics import ConsumerGroup


class ProcessOptions(Struct, frozen=True, kw_only=True):
    """How a worker's process runs; `member` keeps its partitions for it over a restart.

    `stuck_seconds` is how long records may wait while the worker takes none and gives no reason. After that it begins
    its work anew; the second time the process ends.
    """

    member: str | None = None
    session_seconds: float = 15.0
    stuck_seconds: float = 60.0
    health_host: str = "127.0.0.1"
    health_port: int = 0


class WorkerProcess:
    """A worker's whole process, without signals and exit status."""

    def __init__(self, group: ConsumerGroup, brokers: Brokers, options: ProcessOptions, mine: Mine) -> None:
        """`mine` picks this worker's rows out of the lag of its group."""
        self.metrics = WorkerMetrics(group.worker)
        self.health = Health()
        self.log = Log(group.worker)
        self._brokers, self._group, self._options = brokers, group, options
        self.membership = Membership(brokers, group, options.member, options.session_seconds)
        self._reach = PartReach(f"Kafka at {brokers.servers}")
        self._lag = OwnLag(LagMeter(brokers, DEADLINE), group, mine, self.metrics)
        self._asked: list[tuple[PartReach, Ask]] = []
        self.needs(self._reach, self._lag.ask)
        self.health.watched.append(lambda: self._lag.missing)
        self.metrics.fold.labels(group.worker).set(brokers.fold)
        self.metrics.ready.set_function(lambda: self.health.ready)
        self.metrics.lag_age.labels(group.worker).set_function(lambda: self._reach.age)

    def needs(self, reach: PartReach, ask: Ask) -> None:
        """The worker is not ready while this part does not answer."""
        self._asked.append((reach, ask))
        self.health.watched.append(reach.why)

    async def live_until(self, stop: asyncio.Event, life: Life) -> None:
        """Live, and anew after each loss of a broker, until `stop` is set; health and figures go on meanwhile.

        Raises:
            Exception: what this process could not deal with; nothing unacknowledged is lost.
        """
        server = HealthServer(self.health, self.metrics)
        if self._options.health_port:
            await server.start(self._options.health_host, self._options.health_port)
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
            self.membership.let_go()
            await self._lag.stop()
            await server.stop()
