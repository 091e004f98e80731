"""What must be there before work begins: brokers that answer, the fold's topics, snapshots beside their partitions."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from math import inf
from typing import Final, TypeVar

from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.lag import UNANSWERED, NoTopics, admin_of, partitions_of
from processors.runtime.brokers.losses import apart
from processors.runtime.watch.logs import Log
from schemas.amounts import amount
from schemas.errors import ActionableError
from schemas.topics import EVENTS, Topic

_PATIENCE: Final = 10.0  # seconds for an answer
_PAUSE: Final = 1.0  # seconds between two attempts, each of them logged
_TELL_AGAIN: Final = 60.0  # ... and before the log says once more which topic is missing
_AGAIN: Final = 0.25  # ... and where none is
FIRST_CONTACT: Final = 10.0  # seconds

Answer = TypeVar("Answer")


class BrokersAway(ActionableError):
    """No broker answers."""

    def __init__(self, servers: str, error: BaseException) -> None:
        why = f"it does not answer ({type(error).__name__})"
        remedy = "check that it runs (`catwalk stack status`) and the settings that begin with kafka"
        super().__init__(f"Kafka at {servers}", why, remedy)


class PartitionsDiffer(ActionableError):
    """The compacted topic has not the partitions of the ledger, so that state has no place beside its records."""

    def __init__(self, name: str, found: int, wanted: int) -> None:
        why = f"it has {amount(found, 'partition')}, and the ledger's topic {wanted}"
        remedy = "delete it and `catwalk topics apply`: the fold fills it again"
        super().__init__(f"topic {name}", why, remedy)


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


async def require_topics(
    brokers: Brokers,
    topics: Sequence[Topic],
    log: Log,
    seconds: float = inf,
    stop: asyncio.Event | None = None,
) -> Mapping[str, Sequence[int]]:
    """Wait for topics that are not there, until `stop` is set; the partitions of each, none if it was.

    Every worker waits so, and says it alike: whoever makes them need not start anything again.

    Raises:
        BrokersAway: the brokers did not answer for so many seconds.
    """
    names = [brokers.topic(topic) for topic in topics]
    told_at = -inf
    while stop is None or not stop.is_set():
        try:
            return await answered(
                brokers, lambda: apart(_look(brokers, names), _PATIENCE), seconds, _PAUSE, log
            )
        except NoTopics as error:
            if time.monotonic() - told_at >= _TELL_AGAIN:
                told_at = time.monotonic()
                log.warning("waits", why=str(error))
        await asyncio.sleep(_PAUSE)
    return {}


async def _look(brokers: Brokers, names: Sequence[str]) -> Mapping[str, Sequence[int]]:
    async with admin_of(brokers) as admin:
        return await partitions_of(admin, brokers, names)


def require_same_partitions(brokers: Brokers, found: Mapping[str, Sequence[int]], beside: Topic) -> None:
    """Make sure that a topic has the ledger's partitions.

    Raises:
        PartitionsDiffer: what it holds cannot be kept beside the ledger.
    """
    ledger, other = found[brokers.topic(EVENTS)], found[brokers.topic(beside)]
    if ledger != other:
        raise PartitionsDiffer(brokers.topic(beside), len(other), len(ledger))
