"""What must be there before work begins: brokers that answer, the fold's topics, snapshots beside their partitions."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.lag import UNANSWERED, admin_of, partitions_of
from processors.runtime.brokers.losses import apart
from processors.runtime.watch.logs import Log
from schemas.topics import DEADLETTER, EVENTS, FINDINGS, OBSERVATIONS, ROUNDS, SNAPSHOTS

_PATIENCE: Final = 10.0  # seconds for an answer
_PAUSE: Final = 1.0  # seconds between two attempts, each of them logged
_AGAIN: Final = 0.25  # ... and where none is
FIRST_CONTACT: Final = 10.0  # seconds

Answer = TypeVar("Answer")


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


async def answered(
    brokers: Brokers,
    ask: Callable[[], Awaitable[Answer]],
    seconds: float = FIRST_CONTACT,
    pause: float = _AGAIN,
    log: Log | None = None,
) -> Answer:
    """Ask until there is an answer: brokers that have just started know no coordinator of any group yet.

    Raises:
        BrokersAway: there has been none for so many seconds.
    """
    until = time.monotonic() + seconds
    while True:
        try:
            return await ask()
        except UNANSWERED as error:
            if time.monotonic() >= until:
                raise BrokersAway(brokers.servers, error) from error
            if log is not None:
                log.warning("no broker answers yet", error=type(error).__name__)
        await asyncio.sleep(pause)


async def require_topics(brokers: Brokers, seconds: float, log: Log) -> None:
    """Return when the topics are there; brokers that do not answer yet are waited for so long.

    Raises:
        BrokersAway: none answered in time.
        NoTopics: a topic is not there.
        PartitionsDiffer: the snapshots cannot be kept beside the ledger.
    """
    await answered(brokers, lambda: apart(_look(brokers), _PATIENCE), seconds, _PAUSE, log)


async def _look(brokers: Brokers) -> None:
    names = [
        brokers.topic(topic) for topic in (EVENTS, ROUNDS, FINDINGS, SNAPSHOTS, DEADLETTER, OBSERVATIONS)
    ]
    async with admin_of(brokers) as admin:
        found = await partitions_of(admin, brokers, names)
    ledger, snapshots = found[names[0]], found[names[3]]
    if ledger != snapshots:
        raise PartitionsDiffer(names[3], len(snapshots), len(ledger))
