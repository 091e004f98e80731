"""The analyst's work: restore, count, send counters and state, commit; in this order, always."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Final, Protocol

from msgspec import Struct

from processors.runtime.analyst.partition import PartitionTally
from processors.runtime.fold.ports import Outbox
from processors.runtime.health import Health
from processors.runtime.metrics import WorkerMetrics
from processors.runtime.sink.driver import Source
from processors.runtime.sink.intake import Place
from schemas.topics import FINDINGS, ROUNDS


class AnalystOptions(Struct, frozen=True, kw_only=True):
    """When state is made durable: after so many records, or when the first has waited so long."""

    records: int = 20_000
    linger_seconds: float = 0.5
    take_records: int = 2_000


class Group(Source, Protocol):
    """The consumer group's side, with what is needed to begin elsewhere than at its commits."""

    @property
    def assignment(self) -> frozenset[Place]:
        """Topics and partitions that are this worker's now."""

    def seek(self, place: Place, offset: int) -> None:
        """Go on at this offset."""

    def hold(self, places: Iterable[Place]) -> None:
        """Take from all places but these."""

    def waiting(self, place: Place) -> bool:
        """Whether records of this place are known to wait."""


class Snapshots(Protocol):
    """Where state lies."""

    async def read(self, partition: int) -> list[bytes]:
        """All snapshots of a partition that are there. Retries for ever inside."""


_SKEW: Final = 6 * 3600.0  # seconds of event time that one topic may be read ahead of the other


class AnalystDriver:
    """Counts what the group delivers."""

    def __init__(
        self,
        group: Group,
        outbox: Outbox,
        snapshots: Snapshots,
        metrics: WorkerMetrics,
        health: Health,
        options: AnalystOptions | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._group, self._outbox, self._snapshots = group, outbox, snapshots
        self._metrics, self._health = metrics, health
        self._options = options or AnalystOptions()
        self._clock = clock
        self._generation = -1
        self._held: dict[int, PartitionTally] = {}
        self._pending = 0
        self._since = 0.0

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set; then make durable what was counted."""
        while not stop.is_set():
            await self.step()
        await self.flush()

    async def step(self) -> None:
        """Take what is there, count it, and make it durable when it is time."""
        if self._group.generation != self._generation:
            await self._adopt()
        waited = self._clock() - self._since if self._pending else 0.0
        patience = max(0.0, self._options.linger_seconds - waited)
        taken = await self._group.take(self._options.take_records, patience)
        if self._group.generation != self._generation:
            return  # these are read again from where the state of the new assignment stands
        if taken and not self._pending:
            self._since = self._clock()
        for record in taken:
            self._held[record.place[1]].take(record)
        self._pending += len(taken)
        if taken:
            self._group.hold(self._too_far())
        due = self._pending and self._clock() - self._since >= self._options.linger_seconds
        if due or self._pending >= self._options.records:
            await self.flush()

    async def flush(self) -> None:
        """Send counters and state, then tell the group."""
        if not self._pending or self._group.generation != self._generation:
            return
        begun = self._clock()
        messages = [message for tally in self._held.values() for message in tally.messages()]
        await self._outbox.send(messages)
        for tally in self._held.values():
            tally.sent()
        self._metrics.took("checkpoint", self._clock() - begun)
        self._metrics.records.inc(self._pending)
        self._pending = 0
        if self._group.generation == self._generation:
            await self._group.commit(self._offsets())
        self._health.progress()

    def _offsets(self) -> Mapping[Place, int]:
        return {
            (topic, number): offset
            for number, tally in self._held.items()
            for topic, offset in tally.offsets.items()
            if (topic, number) in self._group.assignment
        }

    async def _adopt(self) -> None:
        """State of every partition that is this worker's now, as it was last made durable."""
        generation = self._group.generation
        held: dict[int, PartitionTally] = {}
        for number in sorted({number for _, number in self._group.assignment}):
            held[number] = PartitionTally.restore(number, iter(await self._snapshots.read(number)))
        if self._group.generation != generation:
            return  # dealt anew meanwhile; once more
        for place in self._group.assignment:
            self._group.seek(place, held[place[1]].offsets[place[0]])
        self._held, self._pending = held, 0
        self._group.hold(())
        self._generation = generation
        self._metrics.tables.set(sum(len(tally.tables) for tally in held.values()))

    def _too_far(self) -> list[Place]:
        """Places that are read far ahead of their twin while that one has records waiting."""
        found = []
        for number, tally in self._held.items():
            for topic, other in ((ROUNDS.name, FINDINGS.name), (FINDINGS.name, ROUNDS.name)):
                if topic in tally.told and self._group.waiting((other, number)):
                    behind = tally.told.get(other, 0.0)
                    if tally.told[topic] - behind > _SKEW:
                        found.append((topic, number))
        return found
