"""Three brokers, one killed while tables are dealt: nothing is lost, and how long anybody had to wait is measured."""

from __future__ import annotations

import asyncio
import json
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from aiokafka import AIOKafkaConsumer
from kafka import KafkaAdminClient
from kafka.errors import KafkaError

from deploy.configured.workers import brokers_of
from deploy.settings import load
from deploy.stack.stack import Stack
from schemas.topics import FINDINGS, ROUNDS
from tests.live.figures import tell
from tests.live.folding import Environment, caught_up, expected, simulated, worker, written
from tests.live.gateways import Ledger, distinct, repeated
from tests.waiting import until

PACE = 250.0  # events a second: the tables of a large property
Event = tuple[str, int]


class Listener:
    """Hears rounds and findings as anybody would who reads their topics: which event decided one, and when it came."""

    def __init__(self, environment: Environment) -> None:
        self._brokers = brokers_of(load(environment=environment).values)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._listen()))
        self.heard: dict[Event, float] = {}

    @contextmanager
    def listening(self) -> Iterator[None]:
        self._thread.start()
        try:
            yield
        finally:
            self._ended.set()
            self._thread.join()

    async def _listen(self) -> None:
        names = [self._brokers.topic(topic) for topic in (ROUNDS, FINDINGS)]
        options = self._brokers.client_options()
        async with AIOKafkaConsumer(*names, **options, auto_offset_reset="earliest") as consumer:
            while not self._ended.is_set():
                for records in (await consumer.getmany(timeout_ms=50)).values():
                    for record in records:
                        self._hear(json.loads(record.value))

    def _hear(self, told: dict[str, dict[str, object]]) -> None:
        result = told.get("round") or told["finding"]
        event = str(result["subject"]), int(str(result.get("sequence") or result["last_sequence"]))
        self.heard.setdefault(event, time.monotonic())


def deal(
    feed: subprocess.Popen[bytes],
    lines: Sequence[tuple[str, int, bytes]],
    at: Mapping[int, Callable[[], None]],
) -> dict[Event, float]:
    """Write lines at their pace, and do something else at some of them; when each was written."""
    assert feed.stdin is not None
    written_at: dict[Event, float] = {}
    begun = time.monotonic()
    for number, (subject, sequence, line) in enumerate(lines):
        if number in at:
            at[number]()
        time.sleep(max(0.0, begun + number / PACE - time.monotonic()))
        written_at[subject, sequence] = time.monotonic()
        feed.stdin.write(line + b"\n")
        feed.stdin.flush()
    feed.stdin.close()
    return written_at


@pytest.mark.soak  # a minute; one broker that dies is ridden out in every run
@pytest.mark.parametrize("losses", [1, pytest.param(6, marks=[pytest.mark.soak, pytest.mark.timeout(1_800)])])
@pytest.mark.timeout(600)
def test_a_broker_killed_while_tables_are_dealt_loses_nothing_and_delays_by_seconds(
    own_stack: Callable[..., Stack], live_environment: Environment, tmp_path: Path, losses: int
) -> None:
    stack = own_stack(3, clickhouse=False)
    ledger = Ledger(stack.kafka_addresses, "", tmp_path / "data", copies=3)
    environment = {**live_environment, **ledger.environment, "CATWALK_MODE": "distributed"}
    tables = simulated(tmp_path / "simulated", 4, 40 * losses, 4, environment)
    lines = dealt_in_turn(tables)
    step = len(lines) // (2 * losses + 1)
    killed: list[float] = []

    def lose(number: int) -> Callable[[], None]:
        def kill() -> None:
            if number:  # as whoever looks after brokers does before touching the next one
                # In this order: until its session has ended, a killed broker counts as one with all its copies.
                stack.brokers[(number - 1) % 3].wait()
                in_sync(stack.kafka_addresses)
            killed.append(time.monotonic())
            stack.brokers[number % 3].process.kill()

        return kill

    acts: dict[int, Callable[[], None]] = {}
    for number in range(losses):
        acts[(2 * number + 1) * step] = lose(number)
        acts[(2 * number + 2) * step] = stack.brokers[number % 3].start
    listener = Listener(environment)
    with (
        worker(environment, tmp_path / "one.log", "--session", "10") as one,
        worker(environment, tmp_path / "two.log", "--session", "10") as two,
    ):
        one.ready()
        two.ready()
        with listener.listening(), ledger.start("-", "--seconds", 120, stdin=subprocess.PIPE) as feed:
            written_at = deal(feed, lines, acts)
            assert feed.wait(200) == 0
            caught_up(environment, 240.0)
            time.sleep(1.0)
        found = written(environment)
        assert (one.process.poll(), two.process.poll()) == (None, None), "the same processes went on"
    assert distinct(ledger.lines()) == {key.decode(): mine for key, mine in tables.items()}
    assert (found.rounds, found.findings) == expected(tables)
    tell("brokers lost", losses)
    tell("events", len(lines))
    tell("events sent again", repeated(ledger.lines()))
    tell("rounds and findings written again", found.repeated)
    tell_latencies(written_at, listener.heard, killed)


def in_sync(addresses: str, seconds: float = 240.0) -> None:
    """Wait until every partition has all its copies again."""
    until(lambda: not copies_missing(addresses), lambda: "a copy is missing", seconds=seconds, every=0.5)


def copies_missing(addresses: str) -> bool:
    try:
        admin = KafkaAdminClient(bootstrap_servers=addresses)
    except KafkaError:  # the one that is asked first is just starting
        return True
    try:
        parts = [part for one in admin.describe_topics() for part in one["partitions"]]
    except KafkaError:
        return True
    finally:
        admin.close()
    return any(len(part["isr_nodes"]) < 3 for part in parts)


def dealt_in_turn(tables: Mapping[bytes, Sequence[bytes]]) -> list[tuple[str, int, bytes]]:
    """Subject, sequence and line of all tables' events, each table's at its own pace."""
    placed = [
        (number / len(lines), key.decode(), number, line)
        for key, lines in tables.items()
        for number, line in enumerate(lines, 1)
    ]
    return [(subject, number, line) for _, subject, number, line in sorted(placed)]


def tell_latencies(
    written_at: Mapping[Event, float], heard: Mapping[Event, float], killed: Sequence[float]
) -> None:
    """From the deciding event at the gateway to its round or finding on the topic; apart where a broker was lost."""
    quiet: list[float] = []
    lost: list[float] = []
    for event, at in heard.items():
        begun = written_at[event]
        (lost if any(-1 < begun - moment < 15 for moment in killed) else quiet).append(at - begun)
    assert len(quiet) > 50
    assert len(lost) > 10
    for name, seconds in (("in quiet times", sorted(quiet)), ("in the 15 s after a loss", sorted(lost))):
        half, most = seconds[len(seconds) // 2], seconds[int(len(seconds) * 0.99)]
        tell(f"ms {name}: half within", round(half * 1000))
        tell("99 of 100", round(most * 1000))
        tell("all", round(seconds[-1] * 1000))
    assert max(lost) < 60, "longer than the session of a worker and the election of a leader take together"
