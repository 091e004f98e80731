"""Fold workers as processes of their own, records for them, and what they are to come to."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient

from deploy.cli.main import main
from deploy.configured.kafka import connection
from deploy.configured.store import open_store, topology
from deploy.configured.workers import brokers_of
from deploy.settings import load
from deploy.upgrade.switching import name_the_first
from processors.runtime.brokers.lag import Lag, LagMeter, partitions_of
from processors.runtime.brokers.records import Message
from processors.runtime.store.form import drifts
from producers.kafka.topics import TopicAdmin
from schemas.topics import (
    CLOUDEVENT,
    DEADLETTER,
    EVENTS,
    FINDINGS,
    FOLD,
    FRAME,
    GROUPS,
    ROUNDS,
    ConsumerGroup,
    Topic,
)
from tests.runtime.tables import replayed, subject_of, told
from tests.starting import start
from tests.waiting import PATIENCE, until

REPOSITORY = Path(__file__).resolve().parents[2]
HOME = "RELEASE_UNDER_TEST"
Environment = Mapping[str, str]


class Sent(NamedTuple):
    """One record to be produced; `kind` is its content type, "" for none, `at` the producer's time in ms."""

    key: bytes | None
    value: bytes | None
    kind: str = CLOUDEVENT
    at: int | None = None


def home_of(environment: Environment) -> str:
    """The folder of the release whose code a process runs: this one, or the copy that the environment names."""
    return environment.get(HOME, str(REPOSITORY))


def catwalk(environment: Environment, *arguments: str, status: int = 0) -> str:
    """Run a command as a user does, in this process unless the code is another release's; its stdout."""
    if HOME in environment:
        done = subprocess.run(
            [sys.executable, "-m", "deploy.cli", *arguments],
            env=dict(environment), cwd=home_of(environment), capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == status, done.stderr[-2000:]
        return done.stdout
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with patch.dict(os.environ, environment, clear=True), redirect_stdout(out), redirect_stderr(err):
        ended = main(arguments)
    said, wrong = (one.buffer.getvalue().decode() for one in (out, err))
    assert ended == status, wrong[-2000:]
    return said


def apply_topics(environment: Environment) -> None:
    """The topics, as `catwalk topics apply` makes them, without a process of their own that imports it all."""
    settings = load(environment=environment).values
    with TopicAdmin(connection(settings)) as admin:
        wanted = admin.forms(settings.kafka_prefix, settings.kafka_partitions, settings.kafka_replication)
        admin.apply(wanted)
        assert admin.drifts(wanted) == []
    name_the_first(settings, "a test")


def migrate(environment: Environment) -> None:
    """The relations of the store, as `catwalk migrate` makes them, without a process of their own."""
    settings = load(environment=environment).values
    with closing(open_store(settings)) as store:
        store.migrate()
        assert drifts(store, topology(settings)) == []


class Worker:
    """One process with a health port, by default `catwalk fold`; its log is a file."""

    def __init__(self, environment: Environment, log: Path, *arguments: str, kind: str = "fold") -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.kind, self.log = kind, log
        command = [sys.executable, "-m", "deploy.cli", kind, "--health-port", str(self.port), *arguments]
        with log.open("ab") as out:
            self.process = start(command, env=dict(environment), cwd=REPOSITORY, stdout=out, stderr=out)

    def ready(self, seconds: float = PATIENCE) -> Worker:
        """Wait until it is at work."""
        until(
            lambda: self.get("readyz")[0] == 200,
            lambda: self.log.read_text()[-3000:],
            running=self.process,
            seconds=seconds,
        )
        return self

    def get(self, path: str) -> tuple[int, str]:
        """Status and body of one of its pages; 0 when it does not answer."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/{path}", timeout=5) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()
        except OSError:
            return 0, ""

    def measure(self, name: str) -> float:
        """The sum of a figure over its labels."""
        lines = [
            line for line in self.get("metrics")[1].splitlines() if line.startswith((name + "{", name + " "))
        ]
        return sum(float(line.rpartition(" ")[2]) for line in lines)

    def kill(self) -> None:
        """The way a power cut ends it."""
        self.process.kill()
        self.process.wait()

    def stop(self, seconds: float = 30.0) -> int:
        """Ask it to end; its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(seconds)

    def events(self) -> list[dict[str, Any]]:
        """The lines of its log."""
        return [json.loads(line) for line in self.log.read_text().splitlines() if line.startswith("{")]


@contextmanager
def worker(environment: Environment, log: Path, *arguments: str, kind: str = "fold") -> Iterator[Worker]:
    """A worker that is gone afterwards, whatever happened."""
    started = Worker(environment, log, *arguments, kind=kind)
    try:
        yield started
    finally:
        started.kill()


def produce(environment: Environment, records: Iterable[Sent]) -> int:
    """Append records to the ledger's topic, in order; how many."""

    async def send() -> int:
        brokers = brokers_of(load(environment=environment).values)
        done = []
        options = brokers.client_options()
        async with AIOKafkaProducer(
            **options, acks="all", enable_idempotence=True, max_request_size=1 << 21
        ) as out:
            name = brokers.topic(EVENTS)
            for key, value, kind, at in records:
                headers = [("content-type", kind.encode())] if kind else []
                done.append(await out.send(name, value, key=key, headers=headers, timestamp_ms=at))
            await asyncio.gather(*done)
        return len(done)

    return asyncio.run(send())


def read(environment: Environment, topic: Topic) -> list[tuple[bytes | None, bytes]]:
    """Keys and values of everything in a topic, partition by partition."""

    async def consume() -> list[tuple[bytes | None, bytes]]:
        brokers = brokers_of(load(environment=environment).values)
        admin = AIOKafkaAdminClient(**brokers.client_options())
        await admin.start()
        name = brokers.topic(topic)
        places = [TopicPartition(name, one) for one in (await partitions_of(admin, brokers, [name]))[name]]
        await admin.close()
        found = []
        async with AIOKafkaConsumer(**brokers.client_options(), auto_offset_reset="earliest") as consumer:
            consumer.assign(places)
            ends = await consumer.end_offsets(places)
            for place in places:
                consumer.seek(place, 0)
                while await consumer.position(place) < ends[place]:
                    records = await consumer.getmany(place, timeout_ms=1000)
                    found += [(one.key, one.value) for one in records.get(place, [])]
        return found

    return asyncio.run(consume())


def caught_up(environment: Environment, seconds: float = 120.0) -> None:
    """Wait until the fold has taken everything."""
    with lag_of(environment, FOLD) as measure:
        until(lambda: not measure().behind, lambda: measure().behind, seconds=seconds, every=0.2)


@contextmanager
def lag_of(environment: Environment, *groups: ConsumerGroup) -> Iterator[Callable[[], Lag]]:
    """A function that says how far these groups, or all, are behind."""
    meter = LagMeter(brokers_of(load(environment=environment).values))
    with asyncio.Runner() as runner:
        try:
            yield lambda: runner.run(meter.measure(groups or GROUPS))
        finally:
            runner.run(meter.stop())


class Result(NamedTuple):
    """What a fold wrote: distinct rounds and findings, dead letters, and how many were there again."""

    rounds: set[bytes]
    findings: set[bytes]
    letters: list[dict[str, Any]]
    repeated: int


def written(environment: Environment) -> Result:
    """What stands in the topics; one that says two things about one round or finding fails."""
    rounds, findings = (
        [value for _, value in read(environment, ROUNDS)],
        [value for _, value in read(environment, FINDINGS)],
    )
    letters = [value for _, value in read(environment, DEADLETTER)]
    for values, name in ((rounds, "round"), (findings, "finding")):
        identities = Counter(_identity(json.loads(value)[name]) for value in set(values))
        assert [one for one, times in identities.items() if times > 1] == [], "two versions of one result"
    repeated = sum(len(values) - len(set(values)) for values in (rounds, findings, letters))
    return Result(
        _inner(ROUNDS, rounds),
        _inner(FINDINGS, findings),
        [json.loads(one) for one in sorted(set(letters))],
        repeated,
    )


def _identity(result: dict[str, Any]) -> tuple[Any, ...]:
    return result["subject"], result.get("finding_id", (result.get("round"), result.get("first_sequence")))


def _inner(topic: Topic, values: Sequence[bytes]) -> set[bytes]:
    rounds, findings, _ = told([Message(topic, None, value) for value in values])
    return {*rounds, *findings}


def expected(tables: Mapping[bytes, Sequence[bytes]]) -> tuple[set[bytes], set[bytes]]:
    """Rounds and findings that `replay` makes of each table's lines."""
    each = [replayed(key.decode(), list(lines)) for key, lines in tables.items()]
    return {one for mine in each for one in mine[0]}, {one for mine in each for one in mine[1]}


def simulated(
    folder: Path, tables: int, rounds: int, seed: int, environment: Environment
) -> dict[bytes, list[bytes]]:
    """Lines of simulated tables by key."""
    catwalk(environment, "simulate", "--out", str(folder), "--tables", str(tables), "--rounds", str(rounds),
            "--seed", str(seed))  # fmt: skip
    streams = [path.read_bytes().splitlines() for path in sorted(folder.glob("*.ndjson"))]
    return {subject_of(lines[0]).encode(): lines for lines in streams}


def in_turn(tables: Mapping[bytes, Sequence[bytes]], frame: int = 1) -> Iterator[Sent]:
    """Records of all tables, one of each in turn; frames of so many lines."""
    left = {
        key: [lines[at : at + frame] for at in range(0, len(lines), frame)] for key, lines in tables.items()
    }
    while left:
        for key in list(left):
            lines = left[key].pop(0)
            yield Sent(key, b"\n".join(lines), CLOUDEVENT if frame == 1 else FRAME)
            if not left[key]:
                del left[key]


def base64_of(value: bytes) -> str:
    return base64.b64encode(value).decode()
