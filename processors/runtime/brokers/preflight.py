"""What must be there before a fold starts: brokers that answer, the topics, and snapshots beside their partitions."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError

from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.lag import partitions_of
from processors.runtime.brokers.losses import apart, let_go
from processors.runtime.watch.logs import Log
from schemas.topics import DEADLETTER, EVENTS, FINDINGS, ROUNDS, SNAPSHOTS

_PATIENCE: Final = 10.0  # seconds for an answer
_PAUSE: Final = 1.0  # seconds between two attempts


class BrokersAway(Exception):
    """No broker answers."""

    def __init__(self, servers: str, error: BaseException) -> None:
        self.what = f"Kafka at {servers}"
        self.why = f"it does not answer ({type(error).__name__})"
        self.remedy = "check that it runs (`catwalk stack status`) and the settings that begin with kafka"
        super().__init__(f"{self.what}: {self.why}; {self.remedy}")


class PartitionsDiffer(Exception):
    """The compacted topic has not the partitions of the ledger, so that state has no place beside its records."""

    def __init__(self, name: str, found: int, wanted: int) -> None:
        self.what = f"topic {name}"
        self.why = f"it has {found} partitions, and the ledger's topic {wanted}"
        self.remedy = "delete it and `catwalk topics apply`: the fold fills it again"
        super().__init__(f"{self.what}: {self.why}; {self.remedy}")


async def require_topics(brokers: Brokers, seconds: float, log: Log) -> None:
    """Return when the topics are there; brokers that do not answer yet are waited for so long.

    Raises:
        BrokersAway: none answered in time.
        NoTopics: a topic is not there.
        PartitionsDiffer: the snapshots cannot be kept beside the ledger.
    """
    until = time.monotonic() + seconds
    while True:
        try:
            await apart(_look(brokers), _PATIENCE)
        except (KafkaError, OSError, TimeoutError) as error:
            if time.monotonic() >= until:
                raise BrokersAway(brokers.servers, error) from error
            log.warning("no broker answers yet", error=type(error).__name__)
            await asyncio.sleep(_PAUSE)
        else:
            return


async def _look(brokers: Brokers) -> None:
    names = [brokers.topic(topic) for topic in (EVENTS, ROUNDS, FINDINGS, SNAPSHOTS, DEADLETTER)]
    admin = AIOKafkaAdminClient(**brokers.client_options())
    try:
        await admin.start()
        found = await partitions_of(admin, brokers, names)
    finally:
        await let_go(admin)
    ledger, snapshots = found[names[0]], found[names[3]]
    if ledger != snapshots:
        raise PartitionsDiffer(names[3], len(snapshots), len(ledger))
