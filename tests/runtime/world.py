"""Kafka as the fold sees it, in memory: a ledger, a compacted topic, outputs, a group; and a crash at any step.

A step is anything that happens outside the process: a message that becomes durable, an acknowledgement, a commit.
A process is a driver with its memory; when it crashes the world stays, and the next one starts from the world.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, field

from processors.runtime.brokers.records import LedgerRecord, Message
from processors.runtime.fold.driver import FoldDriver, FoldOptions
from processors.runtime.fold.ports import Delivery
from processors.runtime.watch.health import Health
from processors.runtime.watch.metrics import WorkerMetrics
from schemas.topics import CLOUDEVENT, SNAPSHOTS
from tests.clocks import Seconds

Entry = tuple[bytes | None, bytes | None]


class Crash(BaseException):
    """The process is gone; no exception handler of ours may survive it."""


@dataclass
class World:
    """What outlives a process. `crash_at` is the step before which the process dies; steps are counted for ever."""

    records: list[LedgerRecord]
    sent: list[Message] = field(default_factory=list)
    snapshots: list[Entry] = field(default_factory=list)
    committed: int = 0
    steps: list[str] = field(default_factory=list)
    crash_at: int = -1
    reread: int = 0

    def step(self, name: str) -> None:
        if len(self.steps) == self.crash_at:
            self.crash_at = -1
            raise Crash(name)
        self.steps.append(name)

    @property
    def end(self) -> int:
        return self.records[-1].offset + 1 if self.records else 0

    def compact(self) -> None:
        """Keep the last record of each key, as the broker does in its own time."""
        self.snapshots = list(dict(self.snapshots).items())


class Process:
    """One fold process over the world; partition 0 is all there is."""

    def __init__(self, world: World, options: FoldOptions | None = None, generation: int = 1) -> None:
        self.world = world
        self.generation = generation
        self.clock = Seconds()
        self.metrics = WorkerMetrics("fold")
        self.health = Health()
        self.acked: list[int] = []
        self.fenced = self.dead = False
        self.position = world.committed
        self.committed = world.committed
        options = options or FoldOptions(slice_events=7, checkpoint_seconds=1.0, old_seconds=1.0)
        self.driver = FoldDriver(self, self, self, self.metrics, self.health, options, self.clock)

    def step(self, name: str) -> None:
        """A step of this process; after its crash it takes none, whatever of it still runs."""
        if self.dead:
            raise Crash(name)
        self.dead = True
        self.world.step(name)
        self.dead = False

    # the outbox
    async def send(self, messages: Sequence[Message]) -> None:
        for message in messages:
            await asyncio.sleep(0)
            kind = "snapshot" if message.topic is SNAPSHOTS else "output"
            self.step(f"before {kind}")
            if kind == "snapshot":
                self.world.snapshots.append((message.key, message.value))
            else:
                self.world.sent.append(message)
            self.step(f"after {kind}")

    # the reader
    async def snapshots(self, partition: int) -> AsyncIterator[list[Entry]]:
        yield self.world.snapshots[: len(self.world.snapshots) // 2]
        await asyncio.sleep(0)
        yield self.world.snapshots[len(self.world.snapshots) // 2 :]

    async def records(self, partition: int, start: int, until: int) -> AsyncIterator[list[LedgerRecord]]:
        found = [one for one in self.world.records if start <= one.offset < until]
        self.world.reread += len(found)
        for at in range(0, len(found), 50):
            await asyncio.sleep(0)
            yield found[at : at + 50]

    async def partitions(self) -> int:
        return 1

    async def bounds(self, partition: int) -> tuple[int, int]:
        return (self.world.records[0].offset if self.world.records else 0), self.world.end

    # the group
    async def commit(self) -> None:
        self.step("before commit")
        if self.fenced:
            return  # the group refuses who is no member any more
        prefix = self.committed
        for offset in sorted(set(self.acked)):
            if offset >= prefix:
                prefix = offset + 1
        self.world.committed = max(self.world.committed, prefix)
        self.step("after commit")

    def deliveries(self, start: int, until: int) -> list[Delivery]:
        return [
            Delivery(one, self._acknowledging(one.offset), self.generation)
            for one in self.world.records
            if start <= one.offset < until
        ]

    def _acknowledging(self, offset: int) -> Callable[[], object]:
        def ack() -> None:
            self.step("before ack")
            assert offset == max(self.acked, default=offset - 1) + 1, "acknowledged out of order"
            self.acked.append(offset)

        return ack

    async def run(self, batch: int = 12) -> None:
        """Take what the group delivers from its commit on, a checkpoint now and then; stop at the end."""
        await self.driver.adopt(0, self.world.committed)
        for at in range(self.world.committed, self.world.end, batch):
            self.clock.now += 0.6
            await self.driver.take(self.deliveries(at, at + batch))
        await self.driver.finish()


def run_to_end(world: World, batch: int = 12, options: FoldOptions | None = None) -> int:
    """Processes one after the other until one gets through; how many crashed."""
    crashes = 0
    while True:
        try:
            asyncio.run(Process(world, options, generation=crashes + 1).run(batch))
        except Crash:
            crashes += 1
        else:
            return crashes


def ledger(lines: Iterable[tuple[str, bytes]], start: int = 0) -> list[LedgerRecord]:
    """One record for each line under its table's key."""
    return [
        LedgerRecord(0, offset, subject.encode(), line, CLOUDEVENT, 1.0)
        for offset, (subject, line) in enumerate(lines, start)
    ]


def distinct(messages: Iterable[Message]) -> set[Message]:
    """What a reader that knows repeated messages again is left with."""
    return set(messages)
