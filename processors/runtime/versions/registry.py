"""The topic that says which version of the fold is in force: read whole, and appended to record by record.

One record is one step: it is there or it is not, whatever dies on the way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from processors.runtime.brokers.clients import KafkaOutbox, KafkaReader
from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.lag import UNANSWERED, admin_of, partitions_of
from processors.runtime.brokers.preflight import BrokersAway
from processors.runtime.brokers.records import Message
from processors.runtime.watch.logs import Log
from processors.runtime.watch.metrics import WorkerMetrics
from schemas import fold_versions
from schemas.fold_versions import Entry, VersionsStanding
from schemas.topics import VERSIONS

_SECONDS: Final = 20.0  # for all answers of the brokers together
Answer = TypeVar("Answer")


async def standing(brokers: Brokers) -> VersionsStanding:
    """What the topic says now.

    Raises:
        BrokersAway: they do not answer.
        NoTopics: the topic is not there.
    """
    return await _answered(brokers, lambda: _standing(brokers))


async def append(brokers: Brokers, entry: Entry) -> VersionsStanding:
    """Append an entry, on every replica in sync when this returns; what the topic says behind it.

    Raises:
        BrokersAway: they do not answer; the entry may be there or not.
        NoTopics: the topic is not there.
    """

    async def send() -> VersionsStanding:
        outbox = KafkaOutbox(brokers, WorkerMetrics("versions"), Log("versions"))
        try:
            await outbox.send([Message(VERSIONS, fold_versions.KEY, fold_versions.encoded(entry), 0)])
        finally:
            await outbox.stop()
        return await _standing(brokers)

    return await _answered(brokers, send)


async def _answered(brokers: Brokers, ask: Callable[[], Awaitable[Answer]]) -> Answer:
    try:
        async with asyncio.timeout(_SECONDS):
            return await ask()
    except UNANSWERED as error:
        raise BrokersAway(brokers.servers, error) from error


async def _standing(brokers: Brokers) -> VersionsStanding:
    async with admin_of(brokers) as admin:
        await partitions_of(admin, brokers, [brokers.topic(VERSIONS)])
    reader = KafkaReader(brokers, WorkerMetrics("versions"), Log("versions"))
    found = VersionsStanding()
    try:
        first, end = await reader.bounds(0, VERSIONS)
        async for batch in reader.records(0, first, end, VERSIONS):
            found = fold_versions.read((one.value for one in batch), found)
    finally:
        await reader.stop()
    return found
