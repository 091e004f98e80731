"""The lag of each group, with the sink's counted from the store instead of from the offsets that the sink committed.

A store that was restored from a backup lacks records which the sink's group has already acknowledged.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from msgspec import structs

from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.lag import PATIENCE, Behind, Lag, LagMeter
from processors.runtime.brokers.losses import apart
from processors.runtime.brokers.standing import KEEPERS, Bounds, Kept, OffsetFault, fault, worst_first
from processors.runtime.store.warehouse import WarehouseError
from schemas.topics import FOLD, GROUPS, SINK, ConsumerGroup

LookUp = Callable[[], Kept]


class StoreLagMeter:
    """Asks the brokers, and the store where the sink is asked about."""

    def __init__(self, brokers: Brokers, kept: LookUp, seconds: float = PATIENCE) -> None:
        """`kept` looks into the store (`kept_offsets`); what it raises as `WarehouseError` makes the lag unknown.

        All answers of the brokers together, and each of the store, are waited for no longer than so many seconds.
        """
        self._meter, self._kept, self._brokers = LagMeter(brokers, seconds), kept, brokers
        self._seconds = seconds

    async def measure(self, groups: Sequence[ConsumerGroup] = GROUPS) -> Lag:
        """How far each group is behind, and which records no worker would take.

        Raises:
            NoTopics: a topic is not there.
            UNANSWERED: the brokers cannot be asked.
        """
        if SINK not in groups:
            return held_against(await self._meter.measure(groups), self._brokers, None)
        # The store is asked on both sides of the brokers: sinks go on storing and acknowledging meanwhile.
        try:
            before = await self._look()
            lag = await self._meter.measure(groups)
            return held_against(lag, self._brokers, await self._look(), before)
        except WarehouseError as error:
            lag = await self._meter.measure(groups)
            return structs.replace(held_against(lag, self._brokers, None), unknown=str(error))

    async def stop(self) -> None:
        """Let go of the connections."""
        await self._meter.stop()

    async def _look(self) -> Kept:
        """Ask the store in a thread: whoever else works in this loop does not wait for it."""
        try:
            # Not by `wait_for`: in Python 3.11 it forgets a cancellation that comes with the answer.
            return await apart(asyncio.to_thread(self._kept), self._seconds)
        except TimeoutError:
            why = f"it has not answered for {self._seconds:.0f} s"
            raise WarehouseError("the store", why, "runbook clickhouse-outage") from None


def held_against(lag: Lag, brokers: Brokers, kept: Kept | None, before: Kept | None = None) -> Lag:
    """The lag, with the sink's counted from what the store holds; `kept` is None where the store could not be asked."""
    rows: list[Behind] = []
    faults: list[OffsetFault] = []
    for row in lag.rows:
        bounds = Bounds(
            topic=row.topic, partition=row.partition, committed=row.committed, first=row.first, end=row.end
        )
        found = None
        if row.worker == SINK.worker and kept is not None:
            place = (brokers.declared(row.topic), row.partition)
            stored = kept.offsets.get(place, 0)
            found = kept.fault(place, bounds, before)
            rows.append(structs.replace(row, stored=stored, behind=_lacking(row, bounds, stored)))
        else:
            rows.append(row)
            # The other workers keep their results in Kafka and check them themselves; their group's offset shows only
            # whether the topic has deleted the records that come next.
            if row.worker == FOLD.worker or (row.worker != SINK.worker and row.committed is not None):
                found = fault(bounds, row.committed or 0, KEEPERS[row.worker])
        if found is not None:
            faults.append(found)
    return structs.replace(lag, rows=tuple(rows), faults=worst_first(faults))


def _lacking(row: Behind, bounds: Bounds, stored: int) -> int:
    """Records that the store lacks: the group's own lag, and before its offset all that is not stored."""
    if stored < bounds.start:
        return row.behind + bounds.start - stored
    return max(0, min(row.behind, row.end - stored))


async def caught_up(
    measure: Callable[[Sequence[ConsumerGroup]], Awaitable[Lag]],
    groups: Sequence[ConsumerGroup],
    go_on: Callable[[], Awaitable[bool]],
) -> Lag:
    """Wait until each group in turn has taken what its topics held at the first look, or `go_on` says no.

    Groups come in the order in which work passes through them, so an earlier group has written its results before the
    next one is looked at. Returns the lag of the last look; `behind` counts only records that were waited for.
    """
    last: list[Behind] = []
    found = Lag(rows=(), absent=())
    for group in groups:
        found = await measure((group,))
        ends = {(row.topic, row.partition): row.end for row in found.rows}
        while True:
            rows = [
                structs.replace(row, behind=_left(row, ends[row.topic, row.partition])) for row in found.rows
            ]
            waits = any(row.behind for row in rows) or found.unknown
            if not waits or found.faults or not await go_on():
                break
            found = await measure((group,))
        last += rows
        if waits or found.faults:
            break
    return structs.replace(found, rows=tuple(last))


def _left(row: Behind, end: int) -> int:
    reached = row.stored if row.stored is not None else row.committed or 0
    return min(row.behind, max(0, end - reached))
