"""Workers are killed at a stated point of their work: they stand still, somebody looks where that is, and they end.

Who stands still writes nothing more and tells its group nothing more: what is seen then is so when it is killed.
"""

from __future__ import annotations

import asyncio
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient

from deploy.configured.workers import brokers_of
from deploy.settings import load
from processors.runtime.brokers.lag import partitions_of
from schemas.topics import FINDINGS, FOLD, ROUNDS, SNAPSHOTS
from tests.live.folding import Sent, produce
from tests.live.working import Process, behind, workers
from tests.waiting import until

Environment = Mapping[str, str]
PIECES = 4  # so often records come until the point is met


@contextmanager
def still(*processes: subprocess.Popen[Any]) -> Iterator[None]:
    """Processes stand still, every thread of them, and go on afterwards unless they were killed."""
    try:
        for one in processes:
            one.send_signal(signal.SIGSTOP)
        until(lambda: all(_stands_still(one.pid) for one in processes))
        yield
    finally:
        for one in processes:
            one.send_signal(signal.SIGCONT)


def _stands_still(pid: int) -> bool:
    threads = list(Path(f"/proc/{pid}/task").glob("*/stat"))
    return all(one.read_text().rpartition(")")[2].split()[0] == "T" for one in threads)


def in_lives(
    environment: Environment,
    folder: Path,
    kinds: Sequence[str],
    records: Sequence[Sent],
    lives: int,
) -> None:
    """Produce records while workers live so often, each life ended by `kill -9` at a stated point.

    The point is that no group was told of everything that its worker has before it.
    """
    share = len(records) // (lives + 1)
    for life in range(lives):
        mine = records[life * share : (life + 1) * share]
        with workers(environment, folder, *kinds, named=True) as started:
            before = [one.at_work().taken() for one in started]
            produce(environment, mine[: share // 2])
            for one, taken in zip(started, before, strict=True):
                until(partial(one.has_taken_more_than, taken), partial(str, f"{one.kind} takes nothing"))
            _kill_with_records_in_hand(environment, started, mine[share // 2 :])
    produce(environment, records[lives * share :])


def _kill_with_records_in_hand(
    environment: Environment, started: Sequence[Process], records: Sequence[Sent]
) -> None:
    size = -(-len(records) // PIECES)
    pieces = iter([records[at : at + size] for at in range(0, len(records), size)])
    for piece in pieces:
        produce(environment, piece)
        if until(partial(_killed_or_done, environment, started)) == "killed":
            produce(environment, [one for piece in pieces for one in piece])
            return
    raise AssertionError("each time the groups were told of everything before anybody could look")


def _killed_or_done(environment: Environment, started: Sequence[Process]) -> str:
    left = _in_hand(environment, started)
    if not any(left):
        return "done"
    if all(left):
        with still(*(one.process for one in started)):
            if all(_in_hand(environment, started)):
                for one in started:
                    one.kill()
                return "killed"
    return ""


def _in_hand(environment: Environment, started: Sequence[Process]) -> list[int]:
    """Records that each worker has still to take, or took without telling its group."""
    left = behind(environment)
    return [left.get(one.kind, 0) for one in started]


class Known(NamedTuple):
    """How many records tell of results, how many of state, and how many of the ledger the fold's group was told of."""

    results: int
    states: int
    told: int


def known(environment: Environment) -> Known:
    """What stands on the topics, and what the fold's group was told, at this moment."""

    async def ask() -> Known:
        brokers = brokers_of(load(environment=environment).values)
        options = brokers.client_options()
        results, states = [brokers.topic(ROUNDS), brokers.topic(FINDINGS)], [brokers.topic(SNAPSHOTS)]
        admin = AIOKafkaAdminClient(**options)
        await admin.start()
        try:
            numbers = await partitions_of(admin, brokers, [*results, *states])
            committed = await admin.list_consumer_group_offsets(brokers.group(FOLD))
        finally:
            await admin.close()
        places = [TopicPartition(name, one) for name, found in numbers.items() for one in found]
        async with AIOKafkaConsumer(**options) as consumer:
            ends = await consumer.end_offsets(places)
        told = sum(place.offset for place in committed.values() if place.offset >= 0)
        of_results = sum(end for place, end in ends.items() if place.topic in results)
        return Known(of_results, sum(ends.values()) - of_results, told)

    return asyncio.run(ask())
