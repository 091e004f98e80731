"""Set the groups of workers back: to fold, count and store everything again, or to store what a store lacks.

For a rebuild the sink begins at the first event and the first dead letter, but behind the last of the records that
workers make (rounds, findings, counters, state), since all of those are made again. The analyst begins behind them too,
but reads all observations from the first: they stand in the order in which they were weighed, and those that are made
again change nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition

from processors.runtime.analyst.partition import AnalystSnapshot
from processors.runtime.brokers.clients import KafkaReader
from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.group import bounds_of
from processors.runtime.brokers.lag import admin_of, has_members, partitions_of
from processors.runtime.brokers.records import Place
from processors.runtime.brokers.standing import STORE, Bounds, Kept, OffsetFault, RecordsMissing
from processors.runtime.watch.logs import Log
from processors.runtime.watch.metrics import WorkerMetrics
from schemas import topics
from schemas.answers import FOLD_VERSION
from schemas.errors import ActionableError
from schemas.messages import checkpoint_key
from schemas.topics import ConsumerGroup, Topic

_FROM_THE_START: Final = (topics.EVENTS, topics.DEADLETTER, topics.OBSERVATIONS)
_pack = msgspec.msgpack.Encoder().encode


class WorkersRun(ActionableError):
    """Workers are at work, and their results would mix with those that are made again."""

    def __init__(self, workers: Iterable[str], what: str) -> None:
        remedy = "stop all of them first" + ("; rebuild starts its own" if what == "rebuild" else "")
        super().__init__(what, f"workers run: {', '.join(workers)}", remedy)


async def refuse_if_any_runs(
    brokers: Brokers, groups: Iterable[ConsumerGroup] = topics.GROUPS, what: str = "rebuild"
) -> None:
    """Make sure that no worker of these groups is at work.

    Raises:
        WorkersRun: a worker is.
        KafkaError: the brokers cannot be reached.
    """
    async with admin_of(brokers) as admin:
        running = [group.worker for group in groups if await has_members(admin, brokers, group)]
    if running:
        raise WorkersRun(running, what)


async def forget(brokers: Brokers, topic: Topic = topics.SNAPSHOTS) -> int:
    """Write off all state in a compacted topic, the fold's snapshots if none is named; how many records there were.

    No worker that keeps state there may be running. Each key gets a tombstone in its partition: whoever restores after
    it finds nothing, and the ledger has everything.

    Raises:
        NoTopics: the topic is not there.
        KafkaError: the brokers cannot be reached.
    """
    name = brokers.topic(topic)
    reader = KafkaReader(brokers, WorkerMetrics("forget"), Log("forget"))
    async with admin_of(brokers) as admin:
        partitions = (await partitions_of(admin, brokers, [name]))[name]
    forgotten = 0
    async with AIOKafkaProducer(**brokers.client_options(), acks="all", enable_idempotence=True) as producer:
        for partition in partitions:
            keys: dict[bytes, bool] = {}
            async for batch in reader.snapshots(partition, topic):
                keys.update((key, value is not None) for key, value in batch if key is not None)
            for key in (key for key, there in keys.items() if there):
                await producer.send_and_wait(name, None, key=key, partition=partition)
                forgotten += 1
    await reader.stop()
    return forgotten


async def begin_again(brokers: Brokers, *, counted: bool) -> dict[Place, int]:
    """Write off all state and set every group back; returns the sink's first offset in each partition.

    Unless an analyst is to count, its group stays without offsets where none was ever started: its state says where it
    begins, and no lag is shown for it.

    Raises:
        WorkersRun: a worker is at work.
        KafkaError: the brokers cannot be reached.
    """
    await refuse_if_any_runs(brokers)
    await forget(brokers)
    await forget(brokers, topics.ANALYSIS)
    begins: dict[TopicPartition, int] = {}
    for group in (topics.FOLD, topics.SINK, topics.ANALYST):
        begins |= await _set_back(brokers, group, always=counted or not group.optional)
    await _count_anew(brokers, begins)
    return {
        (topic.name, place.partition): offset
        for topic in topics.SINK.topics
        for place, offset in begins.items()
        if place.topic == brokers.topic(topic)
    }


async def set_back(brokers: Brokers, kept: Kept) -> int:
    """Set the sink's group back to where the store's progress stands; the number of records taken again for it.

    A partition in which the group stands no further stays as it is. Nothing is set back unless everything can be.

    Raises:
        WorkersRun: a sink is at work.
        RecordsMissing: a topic no longer has what the store lacks, or is not the one that was stored; or the store
            does not say where it stands.
        KafkaError: the brokers cannot be reached.
    """
    await refuse_if_any_runs(brokers, (topics.SINK,), "sink --set-back")
    places = {brokers.topic(topic): topic for topic in topics.SINK.topics}
    back: dict[TopicPartition, int] = {}
    faults: list[OffsetFault] = []
    again = 0
    async with _member(brokers, topics.SINK) as consumer:
        for place, one in (await _bounds(brokers, topics.SINK, consumer)).items():
            found = kept.fault((places[place.topic].name, place.partition), one, kept)
            if found is not None and found.kind == "ahead" and kept.keeper is STORE:
                back[place] = found.stored
                again += one.start - found.stored
            elif found is not None:
                faults.append(found)
        if faults:
            raise RecordsMissing(faults)
        if back:
            await consumer.commit(back)
    return again


async def _set_back(brokers: Brokers, group: ConsumerGroup, *, always: bool) -> dict[TopicPartition, int]:
    """Commit the offsets at which the group begins again, `always` or where it had some, and return them."""
    early = {brokers.topic(topic) for topic in _FROM_THE_START}
    async with _member(brokers, group) as consumer:
        bounds = await _bounds(brokers, group, consumer)
        begins = {place: one.first if place.topic in early else one.end for place, one in bounds.items()}
        if always or any(one.committed is not None for one in bounds.values()):
            await consumer.commit(begins)
    return begins


def _member(brokers: Brokers, group: ConsumerGroup) -> AIOKafkaConsumer:
    """A consumer that may commit for a group at which no worker is at work."""
    options = brokers.client_options()
    return AIOKafkaConsumer(**options, group_id=brokers.group(group), enable_auto_commit=False)


async def _bounds(
    brokers: Brokers, group: ConsumerGroup, consumer: AIOKafkaConsumer
) -> dict[TopicPartition, Bounds]:
    names = [brokers.topic(topic) for topic in group.topics]
    async with admin_of(brokers) as admin:
        found = await partitions_of(admin, brokers, names)
    places = [TopicPartition(name, number) for name in names for number in found[name]]
    consumer.assign(places)
    return await bounds_of(consumer, places)


async def _count_anew(brokers: Brokers, begins: dict[TopicPartition, int]) -> None:
    """Give the analyst an empty state that begins behind the records that are there."""
    rounds, findings, name = (
        brokers.topic(topics.ROUNDS),
        brokers.topic(topics.FINDINGS),
        brokers.topic(topics.ANALYSIS),
    )
    options = brokers.client_options()
    async with AIOKafkaProducer(**options, acks="all", enable_idempotence=True) as producer:
        for number in sorted(place.partition for place in begins if place.topic == rounds):
            nothing = AnalystSnapshot(
                fold_version=FOLD_VERSION,
                partition=number,
                rounds=begins[TopicPartition(rounds, number)],
                findings=begins[TopicPartition(findings, number)],
                begun=begins[TopicPartition(rounds, number)],
            )
            key = checkpoint_key(number)
            await producer.send_and_wait(name, _pack(nothing), key=key, partition=number)
