"""One fold process: its lives, its health and its figures, until it is stopped or cannot go on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.lag import Behind
from processors.runtime.brokers.process import WorkerProcess
from processors.runtime.fold.driver import FoldDriver
from processors.runtime.fold.life import FoldLife, WorkerOptions
from schemas.topics import FOLD

__all__ = ["FoldWorker", "WorkerOptions"]


class FoldWorker(WorkerProcess):
    """A whole fold process, without signals and exit status."""

    _options: WorkerOptions

    def __init__(self, brokers: Brokers, options: WorkerOptions | None = None) -> None:
        super().__init__(FOLD, brokers, options or WorkerOptions(), self._mine)
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
        return FoldLife(self._brokers, self._options, self.metrics, self.health, self._lag, self.log)

    def _mine(self, rows: Sequence[Behind]) -> Iterator[tuple[Behind, int, int]]:
        partitions = self._life.partitions
        for row in (one for one in rows if one.partition in partitions):
            held = self.driver.held.get(row.partition)
            if held is None:
                yield row, row.behind, row.behind
            else:
                yield row, max(0, row.end - held.fold.next_offset), max(0, row.end - held.durable)
