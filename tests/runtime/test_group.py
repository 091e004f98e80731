"""What a group is told of work that is done: soon, not each time, and nothing of another assignment."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from aiokafka import TopicPartition
from aiokafka.errors import KafkaError

from processors.runtime.brokers import group as module
from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.group import GroupSource
from processors.runtime.watch.logs import Log
from processors.runtime.watch.metrics import WorkerMetrics
from schemas.topics import SINK
from tests.clocks import Seconds

EVENTS = "catwalk.events"


class FakeConsumer:
    """Keeps what it is told, unless the brokers are away; never has a record."""

    def __init__(self, *_: object, **__: object) -> None:
        self.told: list[dict[tuple[str, int], int]] = []
        self.away = False

    async def start(self) -> None:
        pass

    def subscribe(self, *_: object, **__: object) -> None:
        pass

    async def getmany(self, **_: object) -> Mapping[TopicPartition, Any]:
        return {}

    async def commit(self, offsets: Mapping[TopicPartition, int]) -> None:
        if self.away:
            raise KafkaError
        self.told.append({(place.topic, place.partition): at for place, at in offsets.items()})

    async def stop(self) -> None:
        pass


class Member:
    """A member of the sink's group, its clock, and the client below it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.consumer, self.clock = FakeConsumer(), Seconds()
        monkeypatch.setattr(module, "AIOKafkaConsumer", lambda *_, **__: self.consumer)
        self.source = GroupSource(
            Brokers(servers="nowhere:1"), SINK, WorkerMetrics("sink"), Log("sink"), clock=self.clock
        )

    async def joined(self) -> Member:
        assert await self.source.start(asyncio.Event())
        await self.source.on_partitions_assigned({TopicPartition(EVENTS, number) for number in range(3)})
        return self

    async def done(self, seconds: float = 0.2, **offsets: int) -> None:
        """So many seconds later records before these offsets of partitions p0, p1 ... are done."""
        self.clock.now += seconds
        await self.source.commit({(EVENTS, int(name[1:])): at for name, at in offsets.items()})


def test_it_is_told_once_a_second_of_what_has_changed_and_of_the_last_when_nothing_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def story() -> list[dict[tuple[str, int], int]]:
        member = await Member(monkeypatch).joined()
        for number in range(1, 11):
            await member.done(p0=number, p1=7)
        member.clock.now += 1.0
        await member.source.take(10, 0.01)
        await member.source.take(10, 0.01)
        return member.consumer.told

    first, *more = asyncio.run(story())
    assert first == {(EVENTS, 0): 1, (EVENTS, 1): 7}
    assert more == [{(EVENTS, 0): 6}, {(EVENTS, 0): 10}]


def test_what_could_not_be_told_is_told_later(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> list[dict[tuple[str, int], int]]:
        member = await Member(monkeypatch).joined()
        member.consumer.away = True
        await member.done(p0=3)
        member.consumer.away = False
        await member.done(0.5, p0=4)
        assert member.consumer.told == []
        member.clock.now += 1.0
        await member.source.take(10, 0.01)
        return member.consumer.told

    assert asyncio.run(story()) == [{(EVENTS, 0): 4}]


def test_who_gives_partitions_up_or_leaves_tells_the_last_and_later_nothing_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def story() -> list[dict[tuple[str, int], int]]:
        member = await Member(monkeypatch).joined()
        await member.done(p0=1)
        await member.done(p0=2)
        await member.source.on_partitions_revoked({TopicPartition(EVENTS, 0)})
        member.consumer.away = True
        await member.done(2.0, p1=5)
        await member.source.on_partitions_revoked({TopicPartition(EVENTS, 1)})
        member.consumer.away = False
        await member.source.on_partitions_assigned({TopicPartition(EVENTS, 2)})
        await member.done(2.0, p2=8)
        await member.done(p2=9)
        await member.source.stop()
        return member.consumer.told

    p0, p2 = (EVENTS, 0), (EVENTS, 2)
    assert asyncio.run(story()) == [{p0: 1}, {p0: 2}, {p2: 8}, {p2: 9}]
