"""The analyst's work: restore, count and weigh, send suspicions, counters and state, commit; always in this order."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Final, Protocol

import msgspec
from msgspec import Struct

from processors.runtime.analyst.partition import Entry, PartitionTally
from processors.runtime.brokers.records import Place
from processors.runtime.brokers.standing import COUNTS, Bounds, RecordsMissing, fault
from processors.runtime.fold.ports import Outbox
from processors.runtime.sink.driver import SinkSource
from processors.runtime.watch.health import Health
from processors.runtime.watch.metrics import WorkerMetrics
from schemas.topics import FINDINGS, ROUNDS


class AnalystOptions(Struct, frozen=True, kw_only=True):
    """When state is made durable: after so many records, or when the first has waited so long."""

    records: int = 20_000
    linger_seconds: float = 0.5
    take_records: int = 2_000


class Group(SinkSource, Protocol):
    """The consumer group's side, with what is needed to begin elsewhere than at its commits."""

    @property
    def assignment(self) -> frozenset[Place]:
        """Topics and partitions that are this worker's now."""

    def hold(self, places: Iterable[Place]) -> None:
        """Take from all places but these."""

    async def waiting(self, place: Place) -> bool:
        """Whether records of this place are known to wait."""


# Reads keys and values of a partition's state, in order; retries for ever inside.
ReadSnapshots = Callable[[int], Awaitable[list[Entry]]]
_SKEW: Final = 6 * 3600.0  # seconds of event time that one topic may be read ahead of the other


class AnalystDriver:
    """Counts what the group delivers."""

    def __init__(
        self,
        group: Group,
        outbox: Outbox,
        snapshots: ReadSnapshots,
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
        self._holding: list[Place] = []
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
        if taken or self._holding:  # a held place is also let go as soon as its twin has nothing more
            self._holding = await self._too_far()
            if self._group.generation != self._generation:
                return
            self._group.hold(self._holding)
        due = self._pending and self._clock() - self._since >= self._options.linger_seconds
        if due or self._pending >= self._options.records:
            await self.flush()

    async def flush(self) -> None:
        """Send suspicions, then counters and state, then tell the group."""
        if not self._pending or self._group.generation != self._generation:
            return
        begun = self._clock()
        suspicions = [message for tally in self._held.values() for message in tally.people.suspicions()]
        if suspicions:  # the state behind them says that they were raised
            await self._outbox.send(suspicions)
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
        """State of every partition that is this worker's now, as it was last made durable.

        The state decides where counting goes on, whatever the group has acknowledged.

        Raises:
            RecordsMissing: the topics do not have what comes behind the state.
        """
        generation = self._group.generation
        held: dict[int, PartitionTally] = {}
        for number in sorted({number for _, number in self._group.assignment}):
            held[number] = PartitionTally.restore(number, await self._snapshots(number))
        bounds = await self._group.bounds()
        if self._group.generation != generation:
            return  # dealt anew meanwhile; once more
        self._refuse_what_is_missing(bounds, held)
        for topic, number in bounds:
            self._group.seek((topic, number), held[number].offsets[topic])
        self._held, self._pending = held, 0
        self._holding = []
        self._group.hold(())
        self._generation = generation
        self._metrics.tables.set(sum(len(tally.tables) for tally in held.values()))

    def _refuse_what_is_missing(
        self, bounds: Mapping[Place, Bounds], held: Mapping[int, PartitionTally]
    ) -> None:
        found = []
        for (topic, number), one in bounds.items():
            counted = held[number].offsets[topic]
            # The state alone decides where counting goes on: the group's offset is left out of the comparison.
            on_topic = msgspec.structs.replace(one, committed=None)
            found.append(fault(on_topic, counted, COUNTS, counted))
        missing = [one for one in found if one is not None]
        if missing:
            error = RecordsMissing(missing)
            self._health.unwell("state", str(error))
            raise error

    async def _too_far(self) -> list[Place]:
        """Places (of rounds or of findings) that are read far ahead of their twin, while records of the twin wait.

        A twin with records of which none was taken since the start counts as far behind: its time is not known.
        """
        found = []
        for number, tally in list(self._held.items()):
            for topic, other in ((ROUNDS.name, FINDINGS.name), (FINDINGS.name, ROUNDS.name)):
                if topic in tally.told and await self._group.waiting((other, number)):
                    behind = tally.told.get(other)
                    if behind is None or tally.told[topic] - behind > _SKEW:
                        found.append((topic, number))
        return found
