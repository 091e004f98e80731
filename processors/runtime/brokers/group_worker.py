"""The process of a worker over a consumer group: it joins, works under a watchdog, and leaves."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial

from processors.runtime.brokers.clients import GrowingPatience
from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.group import GroupSource
from processors.runtime.brokers.lag import UNANSWERED, Behind
from processors.runtime.brokers.lives import together
from processors.runtime.brokers.preflight import BrokersAway, require_topics
from processors.runtime.brokers.process import ProcessOptions, WorkerProcess
from processors.runtime.brokers.watchdog import watch
from schemas.topics import ConsumerGroup

Work = Callable[[asyncio.Event], Awaitable[None]]


class GroupWorker(WorkerProcess):
    """The process of any worker over `GroupSource`; each kind of worker says what it does in a membership."""

    def __init__(self, group: ConsumerGroup, brokers: Brokers, options: ProcessOptions) -> None:
        super().__init__(group, brokers, options, self._mine)
        self._source: GroupSource | None = None

    def begin(self, source: GroupSource) -> Work:
        """The work of one membership, made anew for each: a loss of a broker may end one."""
        raise NotImplementedError  # each kind of worker has work of its own

    async def let_go(self) -> None:
        """Let go of what the work of a membership held."""

    async def run(self, stop: asyncio.Event) -> None:
        """Join the group and work until `stop` is set; then leave the group, with all work done that can be.

        Raises:
            Exception: what this process could not deal with; nothing uncommitted is lost.
        """
        await self.live_until(stop, partial(self._membership, stop))

    async def _membership(self, stop: asyncio.Event) -> None:
        options = self._options
        await self._insist(stop, "topics", self._topics_there)
        await self._insist(stop, "name", self.membership.take)
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
                await together(self.begin(source)(stop), watching)
        finally:
            self._source = None
            self.health.unwell("start", "not in its group")
            await source.stop()
            await self.let_go()

    async def _topics_there(self, stop: asyncio.Event) -> None:
        await require_topics(self._brokers, self._group.topics, self.log, 0.0, stop)

    async def _insist(
        self, stop: asyncio.Event, what: str, ask: Callable[[asyncio.Event], Awaitable[None]]
    ) -> None:
        """Ask the brokers, however long they are away."""
        patience = GrowingPatience(what, self.metrics, self.log)
        while not stop.is_set():
            try:
                await ask(stop)
            except (BrokersAway, *UNANSWERED) as error:
                await patience.after(error)
            else:
                return

    def _mine(self, rows: Sequence[Behind]) -> Iterator[tuple[Behind, int, int]]:
        assigned = self._source.assignment if self._source is not None else frozenset()
        for row in rows:
            if (self._brokers.declared(row.topic), row.partition) in assigned:
                yield row, row.behind, row.behind
