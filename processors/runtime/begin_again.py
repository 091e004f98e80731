"""Set the groups of all workers back, so that the ledger is folded, counted and stored from its beginning.

The sink begins at the first event and the first dead letter, and of what the workers make (rounds, findings,
counters, state) behind what is there: all of it is made again. The analyst's state begins behind it too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient

from processors.runtime.analyst.partition import AnalystSnapshot
from processors.runtime.brokers import Brokers
from processors.runtime.fold.reset import forget
from processors.runtime.lag import partitions_of
from processors.runtime.rows import FOLD_VERSION
from schemas.messages import checkpoint_key
from schemas.topics import (
    ANALYSIS,
    ANALYST,
    DEADLETTER,
    EVENTS,
    FINDINGS,
    FOLD,
    GROUPS,
    ROUNDS,
    SINK,
    Group,
    Topic,
)

_FROM_THE_START: Final = (EVENTS, DEADLETTER)
_pack = msgspec.msgpack.Encoder().encode


class WorkersRun(Exception):
    """Workers are at work, and what they do would be mixed with what is done again."""

    def __init__(self, workers: Iterable[str]) -> None:
        names = ", ".join(workers)
        self.what = "rebuild"
        self.why = f"workers run: {names}"
        self.remedy = "stop all of them first; rebuild starts its own"
        super().__init__(f"{self.what}: {self.why}; {self.remedy}")


async def refuse_if_any_runs(brokers: Brokers) -> None:
    """Let nobody be at work.

    Raises:
        WorkersRun: someone is.
        KafkaError: the brokers cannot be reached.
    """
    admin = AIOKafkaAdminClient(**brokers.client_options())
    await admin.start()
    try:
        running = []
        for group in GROUPS:
            for answer in await admin.describe_consumer_groups([brokers.group(group)]):
                if any(described[5] or () for described in answer.groups):
                    running.append(group.worker)
    finally:
        await admin.close()
    if running:
        raise WorkersRun(running)


async def begin_again(brokers: Brokers) -> None:
    """Write off all state and set every group back.

    Raises:
        WorkersRun: a worker is at work.
        KafkaError: the brokers cannot be reached.
    """
    await refuse_if_any_runs(brokers)
    await forget(brokers)
    ends: dict[TopicPartition, int] = {}
    for group in (FOLD, SINK, ANALYST):
        ends |= await _set_back(brokers, group)
    await _count_anew(brokers, ends)


async def _set_back(brokers: Brokers, group: Group) -> dict[TopicPartition, int]:
    """Commit where the group begins again; where each of its topics ends."""
    options = brokers.client_options()
    places = await _places(brokers, group.topics)
    async with AIOKafkaConsumer(
        **options, group_id=brokers.group(group), enable_auto_commit=False
    ) as consumer:
        consumer.assign(places)
        first = await consumer.beginning_offsets(places)
        ends: dict[TopicPartition, int] = await consumer.end_offsets(places)
        early = {brokers.topic(topic) for topic in _FROM_THE_START}
        await consumer.commit(
            {place: first[place] if place.topic in early else ends[place] for place in places}
        )
    return ends


async def _count_anew(brokers: Brokers, ends: dict[TopicPartition, int]) -> None:
    """The analyst begins with nothing, behind what is there."""
    rounds, findings, name = brokers.topic(ROUNDS), brokers.topic(FINDINGS), brokers.topic(ANALYSIS)
    options = brokers.client_options()
    async with AIOKafkaProducer(**options, acks="all", enable_idempotence=True) as producer:
        for number in sorted(place.partition for place in ends if place.topic == rounds):
            nothing = AnalystSnapshot(
                fold_version=FOLD_VERSION,
                partition=number,
                rounds=ends[TopicPartition(rounds, number)],
                findings=ends[TopicPartition(findings, number)],
                tables=[],
            )
            key = checkpoint_key(number)
            await producer.send_and_wait(name, None, key=key, partition=number)
            await producer.send_and_wait(name, _pack(nothing), key=key, partition=number)


async def _places(brokers: Brokers, topics: Iterable[Topic]) -> list[TopicPartition]:
    names = [brokers.topic(topic) for topic in topics]
    admin = AIOKafkaAdminClient(**brokers.client_options())
    await admin.start()
    try:
        found = await partitions_of(admin, brokers, names)
    finally:
        await admin.close()
    return [TopicPartition(name, number) for name in names for number in sorted(found[name])]
