"""Folding goes on while state is on its way, and nothing is acknowledged before it has arrived."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.records import Message
from processors.runtime.fold.app import FaustGroup
from processors.runtime.fold.driver import FoldOptions
from processors.runtime.fold.ports import Delivery
from schemas.topics import SNAPSHOTS
from tests.runtime.tables import lively
from tests.runtime.world import Process, World, distinct, run_to_end

RECORDS = lively(110)


class Slow(Process):
    """A process whose state does not arrive until the gate is opened."""

    def __init__(self, world: World, options: FoldOptions | None = None) -> None:
        super().__init__(world, options)
        self.gate = asyncio.Event()
        self.asked = 0

    async def send(self, messages: Sequence[Message]) -> None:
        if any(message.topic is SNAPSHOTS for message in messages):
            self.asked += 1
            await self.gate.wait()
        await super().send(messages)


def test_records_are_folded_while_state_is_on_its_way_and_acknowledged_when_it_is_there() -> None:
    world, clean = World(list(RECORDS)), World(list(RECORDS))
    run_to_end(clean)

    async def story() -> None:
        process = Slow(world)
        await process.driver.take(process.deliveries(0, 40))
        process.clock.now += 1.1
        await process.driver.tick()
        while not process.asked:
            await asyncio.sleep(0)
        await process.driver.take(process.deliveries(40, 90))
        assert process.driver.held[0].fold.next_offset == 90
        assert process.acked == [], "its state is not durable"
        process.gate.set()
        while not process.acked:
            await asyncio.sleep(0)
        assert process.acked == list(range(40)), "the state was that of the moment it was taken"
        await process.driver.take(process.deliveries(90, world.end))
        await process.driver.finish()

    asyncio.run(story())
    assert world.committed == world.end
    assert distinct(world.sent) == distinct(clean.sent)
    assert dict(world.snapshots) == dict(clean.snapshots)


def test_folding_waits_when_the_next_state_is_due_before_the_last_has_arrived() -> None:
    world = World(list(RECORDS))

    async def story() -> None:
        process = Slow(world, FoldOptions(checkpoint_seconds=1.0, slice_events=7, old_seconds=1.0))
        await process.driver.take(process.deliveries(0, 180))
        for until in (200, 220, 240):
            process.clock.now += 1.1
            taking = asyncio.create_task(process.driver.take(process.deliveries(until - 20, until)))
            await asyncio.sleep(0.05)
        assert not taking.done(), "what is not acknowledged must not grow without end"
        process.gate.set()
        await taking
        await process.driver.finish()
        assert process.acked == list(range(240))

    asyncio.run(story())


class Nobody:
    async def take(self, deliveries: Sequence[Delivery]) -> None:
        raise NotImplementedError

    async def revoke(self) -> None:
        raise NotImplementedError


@contextmanager
def unconnected() -> Iterator[Any]:
    """A group that never reaches a broker."""
    group: Any = FaustGroup(Brokers(servers="127.0.0.1:1"))
    try:
        yield group
    finally:
        group._app.consumer._thread.thread_loop.close()
        group._folder.cleanup()


def test_partitions_that_have_nothing_do_not_keep_the_others_waiting() -> None:
    async def story() -> None:
        with unconnected() as group:
            thread = group._app.consumer._thread
            consumer = thread._create_worker_consumer(group._app.transport)
            consumer._closed = True  # it was never started
            assert consumer._fetch_max_wait_ms <= 50

    asyncio.run(story())


@pytest.mark.parametrize("room", [True, False])
def test_a_record_goes_in_at_once_where_there_is_room_and_no_wait_outlives_the_assignment(room: bool) -> None:
    delivered: list[str] = []

    async def delivery() -> None:
        if not room:
            await asyncio.Event().wait()
        task = asyncio.current_task()
        assert task is not None
        delivered.append(task.get_name())

    async def story() -> None:
        with unconnected() as group:
            group.connect(Nobody())
            app = group._app
            app.flow_control.resume()
            [channel] = app.topics
            while not room and not channel.queue.full():
                channel.queue.force_put_nowait(None)
            waits = app.consumer.wait_first(delivery(), app.consumer.suspend_flow.wait())
            draining = asyncio.create_task(waits, name="drain")
            await asyncio.sleep(0.01)
            assert delivered == ["drain"] * room
            app.consumer.stop_flow()
            await asyncio.wait_for(draining, 30)

    asyncio.run(story())
