"""The sink's work: take, store, commit; always in this order, and one batch never overtakes another.

At every assignment the sink compares the group's offsets with those that the store itself keeps. A group ahead of its
store would leave records out for good, so the sink then takes nothing. A group behind its store is lawful: rows that
come again are found stored.

A batch is committed only when all of it is stored. While the warehouse is away the sink takes one more batch and no
further: memory does not grow, the topics keep what comes, and alerts do not wait for the sink.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, Protocol, TypeVar

from msgspec import Struct

from processors.runtime.brokers.records import Place, Taken
from processors.runtime.brokers.standing import Bounds, Kept, RecordsMissing
from processors.runtime.sink.admission import Admission
from processors.runtime.sink.intake import Intake
from processors.runtime.sink.store import Stored
from processors.runtime.store.rows import Rows
from processors.runtime.store.warehouse import Row, WarehouseError
from processors.runtime.watch.health import Health
from processors.runtime.watch.logs import Log
from processors.runtime.watch.metrics import WorkerMetrics
from schemas.topics import EVENTS

_FIRST_WAIT: Final = 0.1
_STORE: Final = "store"
_PROGRESS: Final = "progress"
_LOOK_AGAIN: Final = 0.5  # seconds between two looks at what seems to be missing
FAILURES: Final = (WarehouseError, OSError, EOFError)
Answer = TypeVar("Answer")


class SinkOptions(Struct, frozen=True, kw_only=True):
    """When a batch is stored: at so many rows or bytes, or when its first record has waited so long.

    `doubt_seconds` is how long the sink asks again when the store seems to lack records: the replica that answers may
    be a moment behind the replica that stored.
    """

    batch_rows: int = 50_000
    batch_bytes: int = 16 << 20
    linger_seconds: float = 0.2
    take_records: int = 2_000
    longest_wait: float = 10.0
    doubt_seconds: float = 3.0


class SinkSource(Protocol):
    """The consumer group's side."""

    @property
    def generation(self) -> int:
        """The assignment in force; what was taken under another will be delivered again, here or elsewhere."""

    async def bounds(self) -> Mapping[Place, Bounds]:
        """Where the group stands in this worker's partitions, and where they begin and end; empty if dealt anew."""

    def partitions(self, topic: str) -> int:
        """How many partitions a topic has, whoever holds them."""

    def seek(self, place: Place, offset: int) -> None:
        """Go on at this offset."""

    async def take(self, most: int, wait: float) -> Sequence[Taken]:
        """Up to `most` records; none if none came for `wait` seconds.

        Raises:
            RecordsMissing: the topic no longer has the records that come next.
        """

    async def commit(self, offsets: Mapping[Place, int]) -> None:
        """Tell the group that everything before these offsets is stored; a failure is no loss."""


class Store(Protocol):
    """The store's side."""

    async def store(self, rows: Rows) -> Stored:
        """Store a batch.

        Raises:
            FAILURES: store the same batch again.
        """

    async def kept(self) -> Kept:
        """The offset of each partition before which everything is stored.

        Raises:
            FAILURES: ask again.
        """


def _told(error: BaseException) -> str:
    """What a person reads of a failure: why, and what to do where the store has said it."""
    if not isinstance(error, WarehouseError):
        return type(error).__name__
    return f"{error.why[:200]}; {error.remedy}"


class SinkDriver:
    """Takes records of all topics and stores their rows."""

    def __init__(
        self,
        source: SinkSource,
        store: Store,
        metrics: WorkerMetrics,
        health: Health,
        options: SinkOptions | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._source, self._store = source, store
        self._metrics, self._health = metrics, health
        self._options = options or SinkOptions()
        self._clock = clock
        self._log = Log("sink")
        self._generation = -1
        self._admissions: dict[int, Admission] = {}
        self._intake = Intake(self._admissions)
        self._since = 0.0
        self._adopting = False
        self._storing: asyncio.Task[None] | None = None
        health.unwell(_PROGRESS, "not held against the store's progress yet")

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set; then store what was taken, if the store is there."""
        stopping = asyncio.create_task(stop.wait())
        step: asyncio.Task[None] | None = None
        self._health.well(_STORE)  # whoever worked here before may have been waiting for the store
        try:
            while not stop.is_set():
                step = asyncio.create_task(self.step())
                await asyncio.wait((step, stopping), return_when=asyncio.FIRST_COMPLETED)
                if not step.done() and self._storing is None and not self._adopting:
                    await step  # it waits for records, and not for long
                elif not step.done():
                    step.cancel()
                else:
                    step.result()
            self._start_storing()
            if self._storing is not None:
                await self._finish(self._storing)
        finally:
            for task in (stopping, step, self._storing):
                if task is not None:
                    task.cancel()

    async def step(self) -> None:
        """Take what is there, and store it when it is time.

        Raises:
            RecordsMissing: going on would leave records out.
        """
        if self._source.generation != self._generation:
            await self._adopt()
            return
        waited = self._clock() - self._since if self._intake.records else 0.0
        patience = max(0.0, self._options.linger_seconds - waited)
        taken = await self._source.take(self._options.take_records, patience)
        if self._source.generation != self._generation:
            return  # these are taken again from where the new assignment is found to stand
        if taken and not self._intake.records:
            self._since = self._clock()
        for record in taken:
            self._intake.take(record)
        if self._storing is not None and self._storing.done():
            self._storing.result()
            self._storing = None
        full = self._full()
        if self._storing is not None and full:
            await asyncio.shield(self._storing)
            self._storing = None
        if self._storing is None and (full or self._waited()):
            self._start_storing()

    async def _adopt(self) -> None:
        """Compare a new assignment with the store, and go on at the group's offsets.

        Records taken under another assignment and not committed are dropped: the group delivers them again.

        Raises:
            RecordsMissing: the group goes on, or the topic begins, at an offset beyond what is stored.
        """
        self._adopting, self._admissions = True, {}
        self._intake = Intake(self._admissions)
        try:
            until = self._clock() + self._options.doubt_seconds
            while True:
                generation = self._source.generation
                before = await self._insist("progress", self._store.kept)
                bounds = await self._source.bounds()
                kept = await self._insist("progress", self._store.kept)
                if generation != self._source.generation:
                    return  # dealt anew meanwhile; once more
                found = [kept.fault(place, one, before) for place, one in bounds.items()]
                faults = [one for one in found if one is not None]
                if not faults:
                    break
                error = RecordsMissing(faults)
                self._health.unwell(_PROGRESS, str(error))
                if self._clock() >= until:
                    self._log.error("records would be left out", what=error.what, why=error.why)
                    raise error
                await asyncio.sleep(_LOOK_AGAIN)
            for place, one in bounds.items():
                self._source.seek(place, one.start)
                if place[0] == EVENTS.name:
                    self._admissions[place[1]] = Admission(
                        self._source.partitions(EVENTS.name),
                        kept.offsets.get(place, 0),
                        kept.states.get(place, b""),
                    )
            self._generation = generation
            if generation > 0:  # before the first assignment nothing was held against anything
                self._health.well(_PROGRESS)
                self._log.info("nothing is left out", partitions=len(bounds), generation=generation)
        finally:
            self._adopting = False

    def _full(self) -> bool:
        options = self._options
        return self._intake.count >= options.batch_rows or self._intake.size >= options.batch_bytes

    def _waited(self) -> bool:
        return self._intake.records > 0 and self._clock() - self._since >= self._options.linger_seconds

    def _start_storing(self) -> None:
        intake, self._intake = self._intake, Intake(self._admissions)
        if intake.records:
            before = self._storing
            self._metrics.pending.set(intake.records)
            progress = intake.progress()  # now: the next batch moves the admissions on
            storing = self._store_all(intake, progress, self._generation, before)
            self._storing = asyncio.create_task(storing)

    async def _finish(self, storing: asyncio.Task[None]) -> None:
        """The last batch; a store that is away must not keep the process from ending."""
        try:
            await asyncio.wait_for(storing, self._options.longest_wait)
        except TimeoutError:
            self._log.warning("stopped with a batch not stored: the next worker takes it again")

    async def _store_all(
        self, intake: Intake, progress: list[Row], generation: int, before: asyncio.Task[None] | None
    ) -> None:
        """Store a batch, however long it takes, and tell the group."""
        if before is not None:
            await before
        begun = self._clock()
        rows = intake.rows | {"progress": [*intake.rows.get("progress", ()), *progress]}
        stored = await self._insist("insert", lambda: self._store.store(rows))
        self._metrics.took("insert", self._clock() - begun)
        if generation == self._source.generation:
            await self._source.commit(intake.offsets)
        self._count(intake, stored)

    async def _insist(self, what: str, ask: Callable[[], Awaitable[Answer]]) -> Answer:
        """Ask the store until it does this, however long it is away."""
        failures = 0
        while True:
            try:
                answer = await ask()
            except FAILURES as error:
                failures += 1
                self._metrics.retries.labels(self._metrics.worker, what).inc()
                self._health.unwell(_STORE, f"the warehouse does not store: {_told(error)}")
                if failures & (failures - 1) == 0:  # an outage of an hour must not fill the log
                    self._log.warning("store failed, will try again", error=type(error).__name__,
                                      why=str(error)[:200], attempt=failures)  # fmt: skip
                await asyncio.sleep(min(_FIRST_WAIT * 2 ** min(failures - 1, 10), self._options.longest_wait))
            else:
                self._health.well(_STORE)
                return answer

    def _count(self, intake: Intake, stored: Stored) -> None:
        metrics = self._metrics
        metrics.pending.set(0)
        metrics.records.inc(intake.records)
        metrics.events.inc(intake.events)
        metrics.duplicates.inc(stored.known)
        if intake.oldest:
            metrics.took("end_to_end", max(0.0, time.time() - intake.oldest))
        if intake.unreadable:
            metrics.dead_letters.labels(metrics.worker, "unreadable").inc(intake.unreadable)
        if stored.known:
            self._log.info("rows were there already", rows=stored.known)
        for _ in stored.findings:
            metrics.findings.labels(metrics.worker, "breached", "critical").inc()
        if stored.refused or stored.misfits:
            self._log.error("rows refused", rows=stored.refused + len(stored.misfits),
                            why="the store holds others for their keys, or they fit nowhere")  # fmt: skip
        self._health.progress()
