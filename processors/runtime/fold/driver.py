"""The fold of this worker's partitions: restore, fold, send, save state that is due, acknowledge; always in this order.

Messages are durable before the state behind them is, and before the group is told; folding does not wait for either.
A table's state may be saved after its records were acknowledged: what no snapshot holds is read from the ledger again.
A crash between any two of these steps repeats work and loses none: what is sent again is the same message. The group
may deliver offsets twice or leave some out: a partition knows the offset it needs next, passes over what it has seen,
and reads what was left out from the ledger itself.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from msgspec import Struct

from processors.runtime.brokers.records import FoldedRecords, LedgerRecord
from processors.runtime.fold.partition import AGES
from processors.runtime.fold.ports import Consumer, Delivery, LedgerReader, Outbox
from processors.runtime.fold.restore import Snapshots
from processors.runtime.fold.sender import Held, Sender
from processors.runtime.watch.health import Health
from processors.runtime.watch.logs import Log
from processors.runtime.watch.metrics import WorkerMetrics
from schemas.answers import FOLD_VERSION
from schemas.errors import ActionableError


class FoldOptions(Struct, frozen=True, kw_only=True):
    """How often a fold makes its results and state durable, and how much it does between two looks at anything else.

    A table is saved at the end of a round once it has not been for half of `old_seconds`, and after these in any case.
    When nothing came of it for a tenth to a fifth of them, or nothing of any for `quiet_seconds`, it is saved too if
    some hundred lines came since it was, or half of `old_seconds` have passed.
    A pause has all state written, whatever it is worth, while `pause_bytes` last; `pause_bytes_per_second` come back.
    `checkpoint_bytes_per_second` stretches the interval when many tables change: snapshots must not fill the disk.
    `most_waiting` is how many messages may wait to be sent while folding goes on.
    """

    checkpoint_seconds: float = 1.0
    checkpoint_events: int = 50_000
    old_seconds: float = 720.0
    quiet_seconds: float = 1.0
    pause_bytes: int = 1 << 20
    pause_bytes_per_second: int = 128
    checkpoint_bytes_per_second: int = 8 << 20
    slice_events: int = 500
    most_waiting: int = 5_000
    revoke_seconds: float = 5.0


class SnapshotsOfAnotherLedger(ActionableError):
    """The snapshots are ahead of the ledger: they were folded from another one, or its end was lost."""

    def __init__(self, partition: int, reached: int, end: int) -> None:
        why = f"they were folded up to offset {reached}, but the ledger ends at {end}"
        remedy = "if the ledger was made anew, run `catwalk fold --forget`; otherwise restore its lost end"
        super().__init__(f"snapshots of partition {partition}", why, remedy)


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
        self._sender = Sender(outbox, metrics, health, self._settle, clock)
        self._since: float | None = None
        self._took = self._aged = self._granted = clock()
        self._allowance = float(self._options.pause_bytes)
        self._in_pause = False
        self._events = 0
        self._uncommitted = 0

    @property
    def held(self) -> dict[int, Held]:
        """The partitions whose state is in memory, to look at."""
        return self._held

    async def take(self, deliveries: Sequence[Delivery]) -> None:
        """Fold records, send what they brought about, and acknowledge what has become durable."""
        async with self._assigned() as epoch:
            await self._take(deliveries, epoch)

    async def adopt(self, partition: int, committed: int) -> None:
        """Have a partition's state before its first record comes, and fold what no snapshot covers.

        A newer fold has everything up to `committed` to do again, and nobody delivers that.
        """
        async with self._assigned() as epoch:
            if partition not in self._held and not self._stopping:
                held = await self._restore(partition, epoch)
                if held.fold.next_offset < committed:
                    await self._reread(held, committed, epoch)

    async def tick(self) -> None:
        """Have state made durable if it is time; to be called several times in `checkpoint_seconds`."""
        self._grant()
        if self._sender.checkpointing:
            return
        self._age()
        held = self._held.values()
        pause = self._clock() - self._took >= self._options.quiet_seconds
        if pause and self._allowance > 0 and not all(one.fold.is_saved for one in held):
            self._in_pause = True
            self._begin_checkpoint(whole=True)
        elif pause and any(one.fold.is_due_in_a_pause for one in held):
            self._begin_checkpoint(pause=True)
        elif self._due():
            self._begin_checkpoint()

    def _grant(self) -> None:
        """Let more state be written in pauses, by the time that has passed."""
        now, options = self._clock(), self._options
        granted = self._allowance + (now - self._granted) * options.pause_bytes_per_second
        self._allowance, self._granted = min(options.pause_bytes, granted), now

    async def revoke(self) -> None:
        """Another worker may get the partitions: make durable what is folded if time allows, and forget it."""
        try:
            async with asyncio.timeout(self._options.revoke_seconds), self._lock:
                await self._checkpoint()
        except TimeoutError:
            self._log.warning(
                "gave partitions up without a checkpoint: their next worker folds a little again"
            )
        self._drop()
        self._metrics.rebalances.inc()

    async def finish(self) -> None:
        """Make everything durable, tell the group, and take nothing any more."""
        async with self._lock:
            await self._checkpoint()
            self._stopping = True

    @asynccontextmanager
    async def _assigned(self) -> AsyncIterator[int]:
        """Work alone, in this epoch; work whose partitions are lost meanwhile is abandoned."""
        async with self._lock:
            if self._generation != self._consumer.generation:
                self._generation = self._consumer.generation
                self._drop()  # an assignment that nobody gave up: nothing of it is trusted
            try:
                yield self._epoch
            except _Lost:
                self._log.info("abandoned: the partitions went to another worker")

    def _drop(self) -> None:
        self._epoch += 1
        for held in self._held.values():
            held.lost = True
        self._held = {}
        self._since = None
        self._events = self._uncommitted = 0
        self._measure()

    async def _take(self, deliveries: Sequence[Delivery], epoch: int) -> None:
        folded, begun = self._folding()
        self._took = begun
        for delivery in deliveries:
            if self._stopping or delivery.generation != self._consumer.generation:
                continue
            record = delivery.record
            held = self._held.get(record.partition) or await self._restore(record.partition, epoch)
            if record.offset > held.fold.next_offset:
                await self._emit(folded, epoch, begun)
                await self._reread(held, record.offset, epoch)
                folded, begun = self._folding()
            held.fold.take(record, folded)
            held.pending.append((record.offset, delivery.ack))
            folded.oldest = min(folded.oldest or record.at, record.at)
            if folded.events >= self._options.slice_events:
                await self._emit(folded, epoch, begun)
                folded, begun = self._folding()
        await self._emit(folded, epoch, begun)
        self._acknowledge()
        if self._since is None and (self._uncommitted or any(held.pending for held in self._held.values())):
            self._since = self._clock()
        await self._checkpoint_if_due(epoch)

    def _folding(self) -> tuple[FoldedRecords, float]:
        """An empty result and the time; its messages are the sender's list, so that none can be behind the state."""
        return FoldedRecords(self._sender.messages), self._clock()

    async def _emit(self, folded: FoldedRecords, epoch: int, begun: float) -> None:
        """Have the sender send what was folded; folding goes on meanwhile, unless too much waits."""
        if folded.records:
            self._metrics.took("fold", self._clock() - begun)
        if folded.messages:
            self._sender.oldest = min(self._sender.oldest or folded.oldest, folded.oldest)
            self._sender.wake()
            if len(folded.messages) > self._options.most_waiting:
                await self._sender.idle()
        await asyncio.sleep(0)  # heartbeats, health and signals have their turn
        self._count(folded)
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
        partitions = await self._reader.partitions()
        if epoch != self._epoch:
            raise _Lost
        restored = snapshots.restore(partitions)
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
            # Go on: alerts about new events must not wait. The hole in the tables' chains becomes a finding.
            self._log.error("the ledger no longer has what is needed", partition=partition, missing=first)
            lost = f"records {fold.next_offset} to {first - 1}, which the topic no longer has"
            self._health.without[f"the beginning of partition {partition} of the ledger"] = lost
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
                folded, begun = self._folding()
                for record in chunk:
                    held.fold.take(record, folded)
                self._since = self._since or self._clock()
                self._metrics.reread.inc(len(chunk))
                self._health.progress()
                await self._emit(folded, epoch, begun)
            await self._checkpoint_if_due(epoch)
        held.fold.next_offset = max(held.fold.next_offset, until)

    def _due(self) -> bool:
        if self._since is None:
            return False
        stretched = self._sender.last_bytes / self._options.checkpoint_bytes_per_second
        waited = self._clock() - self._since
        return waited >= max(self._options.checkpoint_seconds, stretched) or (
            self._events >= self._options.checkpoint_events and waited >= stretched
        )

    async def _checkpoint_if_due(self, epoch: int) -> None:
        if self._due():
            if self._sender.checkpointing:  # one after the other, or what is not acknowledged would grow
                await self._sender.idle()
            self._begin_checkpoint()
        if epoch != self._epoch:
            raise _Lost

    def _begin_checkpoint(self, *, whole: bool = False, pause: bool = False) -> None:
        self._since = None
        self._events = 0
        self._age()
        self._sender.checkpoint(self._held.values(), whole=whole, pause=pause)

    def _age(self) -> None:
        if self._clock() - self._aged >= self._options.old_seconds / AGES:
            self._aged = self._clock()
            for held in self._held.values():
                held.fold.age()

    async def _checkpoint(self) -> None:
        """Make the whole state durable, so that who goes on with it folds nothing again."""
        await self._sender.idle()
        self._begin_checkpoint(whole=True)
        await self._sender.idle()

    async def _settle(self) -> None:
        """What was made of every partition up to its last checkpoint is durable, and the state that was due."""
        self._measure()
        if self._in_pause:
            self._allowance -= self._sender.last_bytes
            self._in_pause = False
        self._acknowledge()
        if self._uncommitted:
            self._uncommitted = 0
            await self._consumer.commit()

    def _acknowledge(self) -> None:
        self._uncommitted += sum(held.acknowledge() for held in self._held.values())
        self._metrics.pending.set(sum(len(held.pending) for held in self._held.values()))

    def _count(self, folded: FoldedRecords) -> None:
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
        places = [place for held in self._held.values() for place in held.fold.places.values()]
        self._metrics.tables.set(len(places))
        self._metrics.aside.set(sum(len(place.aside.held) for place in places))


def _slices(records: list[LedgerRecord], size: int) -> list[list[LedgerRecord]]:
    return [records[at : at + size] for at in range(0, len(records), size)]
