"""Write off every snapshot of the fold, so that the ledger is folded again from its beginning.

A tombstone for each key, in its partition: whoever restores after it finds nothing, and the ledger has everything.
"""

from __future__ import annotations

from aiokafka import AIOKafkaProducer

from processors.runtime.brokers.clients import KafkaReader
from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.lag import admin_of, partitions_of
from processors.runtime.watch.logs import Log
from processors.runtime.watch.metrics import WorkerMetrics
from schemas.topics import SNAPSHOTS


async def forget(brokers: Brokers) -> int:
    """Write off all snapshots and checkpoints; how many there were. No fold may be running.

    Raises:
        NoTopics: the topic is not there.
        KafkaError: the brokers cannot be reached.
    """
    name = brokers.topic(SNAPSHOTS)
    reader = KafkaReader(brokers, WorkerMetrics("forget"), Log("forget"))
    async with admin_of(brokers) as admin:
        partitions = (await partitions_of(admin, brokers, [name]))[name]
    forgotten = 0
    async with AIOKafkaProducer(**brokers.client_options(), acks="all", enable_idempotence=True) as producer:
        for partition in partitions:
            keys: dict[bytes, bool] = {}
            async for batch in reader.snapshots(partition):
                keys.update((key, value is not None) for key, value in batch if key is not None)
            for key in (key for key, there in keys.items() if there):
                await producer.send_and_wait(name, None, key=key, partition=partition)
                forgotten += 1
    await reader.stop()
    return forgotten
