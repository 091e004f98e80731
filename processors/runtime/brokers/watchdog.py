"""Notices a worker that takes nothing though there is something to take and the brokers answer.

A client library may hang without an error. The worker then makes its clients anew; if that does not help the process
ends, and its supervisor starts it again. Nothing is lost by either. A worker that gives a reason why it waits (the
store is away) is left alone.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from processors.runtime.brokers.lag import UNANSWERED, Behind, LagMeter, NoTopics
from processors.runtime.watch.health import Health
from processors.runtime.watch.metrics import WorkerMetrics
from schemas.errors import ActionableError
from schemas.topics import ConsumerGroup

_LOOK: Final = 5.0
# Of a group's rows those of this worker: each with the records that it has not taken, and those not durable yet.
Mine = Callable[[Sequence[Behind]], Iterable[tuple[Behind, int, int]]]


class Stuck(ActionableError):
    """Records wait, the brokers answer, and nothing is taken: the process must be started again."""

    def __init__(self, worker: str, seconds: float) -> None:
        why = f"records wait and none was taken for {seconds:.0f} s"
        remedy = "let its supervisor start it again; what it had not acknowledged is taken again"
        super().__init__(f"catwalk {worker}", why, remedy)


class Watchdog:
    """Compares at each look how many records wait and when the worker last did something."""

    def __init__(
        self, worker: str, seconds: float, clock: Callable[[], float] = time.monotonic, moved: float = -1.0
    ) -> None:
        """`seconds` is how long records may wait without any being taken, `moved` when one last was."""
        self._worker, self._seconds, self._clock = worker, seconds, clock
        self._since, self._moved = clock(), moved

    def look(self, behind: int | None, moved: float) -> None:
        """Look once: `behind` records wait (None: not known), and the worker last did something at `moved`.

        Raises:
            Stuck: records have waited too long.
        """
        now = self._clock()
        if not behind or moved != self._moved:
            self._since, self._moved = now, moved
        elif now - self._since > self._seconds:
            raise Stuck(self._worker, now - self._since)


async def watch(
    worker: str, waiting: Callable[[], int | None], health: Health, stuck_seconds: float, look: float = _LOOK
) -> None:
    """Look again and again; returns never. `waiting` says how many records wait, None if that is not known.

    Raises:
        Stuck: nothing was taken for so long.
    """
    watchdog = Watchdog(worker, stuck_seconds, asyncio.get_running_loop().time, health.moved)
    while True:
        await asyncio.sleep(look)
        watchdog.look(waiting() if health.ready else None, health.moved)


class OwnLag:
    """How many records wait for this worker, as the brokers said last; None while they do not answer."""

    def __init__(self, meter: LagMeter, group: ConsumerGroup, mine: Mine, metrics: WorkerMetrics) -> None:
        self.meter, self._group = meter, group
        self._mine, self._metrics = mine, metrics
        self.waiting: int | None = None
        self.missing: str | None = None  # topic that the brokers, which answer, have not

    async def ask(self) -> str | None:
        """Ask the brokers, and note the answer in the metrics; why there was none, or None."""
        try:
            rows = (await self.meter.measure((self._group,))).rows
        except NoTopics as error:
            self._unknown("")
            self.missing = str(error)
            return None
        except UNANSWERED as error:
            return self._unknown(type(error).__name__)
        self._metrics.lag.clear()  # partitions given away are no longer behind here
        self.waiting, self.missing = 0, None
        for row, behind, unsettled in self._mine(rows):
            self._metrics.lag.labels(self._metrics.worker, row.topic, str(row.partition)).set(behind)
            self.waiting += unsettled
        return None

    async def stop(self) -> None:
        """Let go of the connections."""
        await self.meter.stop()

    def _unknown(self, why: str) -> str:
        self._metrics.lag.clear()  # a figure that stays as it was would say that it is so now
        self.waiting = None
        return why
