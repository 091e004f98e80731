"""The fold of this worker's partitions: restore, fold, send, checkpoint, acknowledge; in this order, always.

Messages are durable before the state behind them is, and state is durable before the group is told. A crash
between any two of these steps repeats work and loses none: what is sent again is the same message. The offsets that
the group hands over are not trusted to be whole: a partition knows the offset it needs next, passes over what it has
seen, and reads what was left out from the ledger itself.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from msgspec import Struct

from processors.runtime.fold.partition import PartitionFold
from processors.runtime.fold.ports import Ack, Consumer, Delivery, LedgerReader, Outbox
from processors.runtime.fold.records import Folded, Message, Record
from processors.runtime.fold.restore import Snapshots
from processors.runtime.health import Health
from processors.runtime.logs import Log
from processors.runtime.metrics import WorkerMetrics
from processors.runtime.rows import FOLD_VERSION


class FoldOptions(Struct, frozen=True, kw_only=True):
    """How often a fold makes its state durable, and how much it does between two looks at anything else.

    `checkpoint_bytes_per_second` stretches the interval when many tables change: snapshots must not fill the disk.
    `most_waiting` is how many messages may wait to be sent while folding goes on.
    """

    checkpoint_seconds: float = 1.0
    checkpoint_events: int = 50_000
    checkpoint_bytes_per_second: int = 8 << 20
    slice_events: int = 500
    most_waiting: int = 5_000
    revoke_seconds: float = 5.0


class SnapshotsOfAnotherLedger(Exception):
    """The snapshots are ahead of the ledger: they were folded from another one, or its end was lost."""

    def __init__(self, partition: int, reached: int, end: int) -> None:
        self.what = f"snapshots of partition {partition}"
        self.why = f"they were folded up to offset {reached}, but the ledger ends at {end}"
        self.remedy = (
            "if the ledger was made anew, run `catwalk fold --forget`; otherwise restore its lost end"
        )
        super().__init__(f"{self.what}: {self.why}; {self.remedy}")


@dataclass(slots=True)
class Held:
    """A partition this worker holds; `durable` is the offset up to which its state would survive a crash."""

    fold: PartitionFold
    durable: int
    pending: deque[tuple[int, Ack]] = field(default_factory=deque)

    def acknowledge(self) -> int:
        """Acknowledge, in order, what is durable; how many records that was."""
        done = 0
        while self.pending and self.pending[0][0] < self.durable:
            self.pending.popleft()[1]()
            done += 1
        return done


class _Lost(Exception):
    """The assignment changed while something was awaited."""


class FoldDriver:
    """Takes what the consumer group delivers; one at a time, whatever calls it."""

    def __init__(
        self,
        outbox: Outbox,
        reader: LedgerReader,
        consumer: Consumer,
        metrics: WorkerMetrics,
        health: Health,
        options: FoldOptions | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._outbox = outbox
        self._reader = reader
        self._consumer = consumer
        self._metrics = metrics
        self._health = health
        self._options = options or FoldOptions()
        self._clock = clock
        self._log = Log("fold")
        self._lock = asyncio.Lock()
        self._epoch = 0
        self._generation = consumer.generation
        self._stopping = False
        self._held: dict[int, Held] = {}
        self._outgoing: list[Message] = []
        self._oldest = 0.0
        self._sending: asyncio.Task[None] | None = None
        self._since: float | None = None
        self._events = 0
        self._uncommitted = 0
        self._last_bytes = 0

    @property
    def held(self) -> dict[int, Held]:
        """The partitions whose state is in memory, to look at."""
        return self._held

    async def take(self, deliveries: Sequence[Delivery]) -> None:
        """Fold records, send what they brought about, and acknowledge what has become durable."""
        async with self._lock:
            self._renew()
            try:
                await self._take(deliveries, self._epoch)
            except _Lost:
                self._log.info("abandoned: the partitions went to another worker")

    async def adopt(self, partition: int, committed: int) -> None:
        """Have a partition's state before its first record comes, and fold what no snapshot covers.

        A newer fold has everything up to `committed` to do again, and nobody delivers that.
        """
        async with self._lock:
            self._renew()
            epoch = self._epoch
            try:
                if partition not in self._held and not self._stopping:
                    held = await self._restore(partition, epoch)
                    if held.fold.next_offset < committed:
                        await self._reread(held, committed, epoch)
            except _Lost:
                self._log.info("abandoned: the partitions went to another worker")

    async def tick(self) -> None:
        """Make state durable if it is time; to be called several times in `checkpoint_seconds`."""
        if self._due() and not self._lock.locked():
            async with self._lock:
                if self._due():
                    with suppress(_Lost):
                        await self._checkpoint(self._epoch)

    async def revoke(self) -> None:
        """Another worker may get the partitions: make durable what is folded if time allows, and forget it."""
        try:
            async with asyncio.timeout(self._options.revoke_seconds), self._lock:
                with suppress(_Lost):
                    await self._checkpoint(self._epoch)
        except TimeoutError:
            self._log.warning(
                "gave partitions up without a checkpoint: their next worker folds a little again"
            )
        self._drop()
        self._metrics.rebalances.inc()

    async def finish(self) -> None:
        """Make everything durable, tell the group, and take nothing any more."""
        async with self._lock:
            with suppress(_Lost):
                await self._checkpoint(self._epoch)
            self._stopping = True

    def _renew(self) -> None:
        if self._generation != self._consumer.generation:
            self._generation = self._consumer.generation
            self._drop()  # an assignment that nobody gave up: nothing of it is trusted

    def _drop(self) -> None:
        self._epoch += 1
        self._held = {}
        self._since = None
        self._events = self._uncommitted = 0
        self._measure()

    async def _take(self, deliveries: Sequence[Delivery], epoch: int) -> None:
        folded, begun = Folded(), self._clock()
        for delivery in deliveries:
            if self._stopping or delivery.generation != self._consumer.generation:
                continue
            record = delivery.record
            held = self._held.get(record.partition) or await self._restore(record.partition, epoch)
            if record.offset > held.fold.next_offset:
                await self._emit(folded, epoch, begun)
                folded, begun = Folded(), self._clock()
                await self._reread(held, record.offset, epoch)
            held.fold.take(record, folded)
            held.pending.append((record.offset, delivery.ack))
            folded.oldest = min(folded.oldest or record.at, record.at)
            if folded.events >= self._options.slice_events:
                await self._emit(folded, epoch, begun)
                folded, begun = Folded(), self._clock()
        await self._emit(folded, epoch, begun)
        self._acknowledge()
        if self._since is None and (self._uncommitted or any(held.pending for held in self._held.values())):
            self._since = self._clock()
        if self._due():
            await self._checkpoint(epoch)

    async def _emit(self, folded: Folded, epoch: int, begun: float) -> None:
        """Hand over what was folded to be sent, in order; folding goes on meanwhile, unless too much waits."""
        if folded.records:
            self._metrics.took("fold", self._clock() - begun)
        if folded.messages:
            self._outgoing += folded.messages
            self._oldest = min(self._oldest or folded.oldest, folded.oldest)
            if self._sending is None or self._sending.done():
                await self._sent(epoch)  # what ended it, if something did
                self._sending = asyncio.create_task(self._send())
            elif len(self._outgoing) > self._options.most_waiting:
                await self._sent(epoch)
        await asyncio.sleep(0)  # heartbeats, health and signals have their turn
        self._count(folded)
        if epoch != self._epoch:
            raise _Lost

    async def _send(self) -> None:
        """Send until nothing waits; what is folded meanwhile goes together, so that no round trip is waited for."""
        while self._outgoing:
            messages, self._outgoing = self._outgoing, []
            oldest, self._oldest = self._oldest, 0.0
            begun = self._clock()
            await self._outbox.send(messages)
            self._health.progress()
            self._metrics.took("send", self._clock() - begun)
            if oldest:
                self._metrics.took("end_to_end", max(0.0, time.time() - oldest))

    async def _sent(self, epoch: int) -> None:
        """Wait until everything that was folded is durable."""
        if self._sending is not None:
            await asyncio.shield(self._sending)
        if epoch != self._epoch:
            raise _Lost

    async def _restore(self, partition: int, epoch: int) -> Held:
        begun = self._clock()
        snapshots = Snapshots(partition)
        async for batch in self._reader.snapshots(partition):
            self._health.progress()
            for key, value in batch:
                snapshots.add(key, value)
        first, end = await self._reader.bounds(partition)
        if epoch != self._epoch:
            raise _Lost
        restored = snapshots.restore()
        fold = restored.fold
        if restored.reached > end:
            raise SnapshotsOfAnotherLedger(partition, restored.reached, end)
        if restored.behind or restored.unusable:
            self._log.warning(
                "snapshots do not cover the checkpoint: the ledger is read again",
                partition=partition, behind=len(restored.behind), next_offset=fold.next_offset,
                records=restored.unusable, until=restored.reached,
            )  # fmt: skip
        if first > fold.next_offset:
            self._log.error("the ledger no longer has what is needed", partition=partition, missing=first)
            fold.next_offset = first
        held = self._held[partition] = Held(fold, fold.next_offset)
        took = self._clock() - begun
        self._metrics.took("restore", took)
        self._log.info(
            "restored", partition=partition, tables=len(fold.places), next_offset=fold.next_offset,
            seconds=round(took, 3), fold_version=FOLD_VERSION,
        )  # fmt: skip
        self._measure()
        return held

    async def _reread(self, held: Held, until: int, epoch: int) -> None:
        """Fold what the group left out, or another checkpoint had covered, from the ledger itself."""
        partition, start = held.fold.partition, held.fold.next_offset
        self._log.warning("reading the ledger again", partition=partition, offset=start, until=until)
        async for records in self._reader.records(partition, start, until):
            for chunk in _slices(records, self._options.slice_events):
                folded, begun = Folded(), self._clock()
                for record in chunk:
                    held.fold.take(record, folded)
                self._since = self._since or self._clock()
                self._metrics.reread.inc(len(chunk))
                self._health.progress()
                await self._emit(folded, epoch, begun)
            if self._due():
                await self._checkpoint(epoch)
        held.fold.next_offset = max(held.fold.next_offset, until)

    def _due(self) -> bool:
        if self._since is None:
            return False
        stretched = self._last_bytes / self._options.checkpoint_bytes_per_second
        waited = self._clock() - self._since
        return waited >= max(self._options.checkpoint_seconds, stretched) or (
            self._events >= self._options.checkpoint_events and waited >= stretched
        )

    async def _checkpoint(self, epoch: int) -> None:
        """Make the state of every partition durable, then acknowledge up to there and tell the group."""
        await self._sent(epoch)
        behind = [held for held in self._held.values() if held.fold.next_offset > held.durable]
        begun, size = self._clock(), 0
        for held in behind:
            reached = held.fold.next_offset
            messages: list[Message] = list(held.fold.checkpoint())
            size += sum(len(message.value) for message in messages)
            await self._outbox.send(messages)
            held.fold.checkpointed()
            held.durable = reached
            if epoch != self._epoch:
                raise _Lost
        if behind:
            self._health.progress()
            self._measure()
            self._last_bytes = size
            self._metrics.took("checkpoint", self._clock() - begun)
            self._metrics.checkpoint_bytes.set(size)
            self._metrics.checkpointed.set_to_current_time()
        self._since = None
        self._events = 0
        self._acknowledge()
        if self._uncommitted:
            self._uncommitted = 0
            await self._consumer.commit()

    def _acknowledge(self) -> None:
        self._uncommitted += sum(held.acknowledge() for held in self._held.values())
        self._metrics.pending.set(sum(len(held.pending) for held in self._held.values()))

    def _count(self, folded: Folded) -> None:
        metrics, worker = self._metrics, self._metrics.worker
        self._events += folded.events
        metrics.records.inc(folded.records)
        metrics.events.inc(folded.events)
        metrics.skipped.inc(folded.skipped)
        metrics.duplicates.inc(folded.duplicates)
        for status, number in folded.rounds.items():
            metrics.rounds.labels(worker, status).inc(number)
        for (verdict, severity), number in folded.findings.items():
            metrics.findings.labels(worker, verdict, severity).inc(number)
        for kind, number in folded.dead.items():
            metrics.dead_letters.labels(worker, kind).inc(number)
        for defect in folded.defects:
            self._log.error("the fold failed on a line: it was set aside", origin=defect[0], error=defect[1])

    def _measure(self) -> None:
        self._metrics.partitions.set(len(self._held))
        self._metrics.tables.set(sum(len(held.fold.places) for held in self._held.values()))


def _slices(records: list[Record], size: int) -> list[list[Record]]:
    return [records[at : at + size] for at in range(0, len(records), size)]
