"""The process of a worker over a consumer group: it joins, works under a watchdog, and leaves."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence

from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.group import GroupSource
from processors.runtime.brokers.lag import Behind
from processors.runtime.brokers.lives import together
from processors.runtime.brokers.process import ProcessOptions, WorkerProcess
from processors.runtime.watch.watchdog import watch
from schemas.topics import Group

Work = Callable[[asyncio.Event], Awaitable[None]]


class GroupWorker(WorkerProcess):
    """The process of any worker over `GroupSource`; its work is handed to `run`."""

    def __init__(self, group: Group, brokers: Brokers, options: ProcessOptions) -> None:
        super().__init__(group, brokers, options, self._mine)
        self._source: GroupSource | None = None

    async def run(
        self,
        stop: asyncio.Event,
        begin: Callable[[GroupSource], Work],
        let_go: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Join the group and work until `stop` is set; then leave it, and let go of what the work held.

        `begin` makes the work anew on each membership: a loss of a broker may end one.

        Raises:
            Exception: what this process could not deal with; nothing uncommitted is lost.
        """

        async def membership() -> None:
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
                if let_go is not None:
                    await let_go()

        await self.live_until(stop, membership)

    def _mine(self, rows: Sequence[Behind]) -> Iterator[tuple[Behind, int, int]]:
        assigned = self._source.assignment if self._source is not None else frozenset()
        for row in rows:
            if any(row.topic.endswith(topic) and row.partition == number for topic, number in assigned):
                yield row, row.behind, row.behind
