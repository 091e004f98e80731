"""The sink on a real ClickHouse server beside bare clickhouse-driver, and how long an event takes to be an answer.

Throughput counts the whole of the sink's work on a record (decode, rows, the question what is stored, insert) beside
the same rows handed to the driver as ready columns; figures are rows in a second of this processor, and of the clock
as notes. Latency is from the moment a live event is handed to a gateway to its finding or round standing on its
topic, and in ClickHouse, with gateway, `catwalk fold` and `catwalk sink` as processes of their own.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice, zip_longest
from pathlib import Path

import msgspec
from aiokafka import AIOKafkaConsumer
from clickhouse_driver import Client

from benchmarks.core import Figure, part_of, spread
from benchmarks.ready_group import ReadyGroup
from benchmarks.replay import simulated
from benchmarks.stopwatch import Stopwatch
from deploy.configured.store import server, topology
from deploy.configured.workers import brokers_of
from deploy.settings import Settings
from processors.runtime.brokers.records import Folded, Message, Record, Taken
from processors.runtime.fold.partition import PartitionFold
from processors.runtime.sink.driver import SinkDriver, SinkOptions
from processors.runtime.sink.intake import Intake
from processors.runtime.sink.worker import LazyStore
from processors.runtime.store.rows import Rows
from processors.runtime.store.server_warehouse import ServerWarehouse
from processors.runtime.store.values import columns
from processors.runtime.watch.health import Health
from processors.runtime.watch.metrics import WorkerMetrics
from schemas.topics import CLOUDEVENT, EVENTS, FINDINGS, ROUNDS
from schemas.warehouse import RELATIONS

ROUNDS_OF_A_TABLE = 150
# Events a second, of some hundred busy tables and of some thousand, for so many seconds.
RATES = {100: 20.0, 3_000: 20.0}
WARM = 5.0  # seconds before that, in which nothing is measured
LIVE_TABLES = 12
_FIRST = 4_000  # events after which something has come of them
_BEAT = 0.005  # seconds between two looks at what is due to be sent
_LOOK = 0.02  # seconds between two looks into ClickHouse
_FAST = {"async_insert": 0}


def measure_sink(settings: Settings, rates: Mapping[int, float] = RATES) -> tuple[list[Figure], list[str]]:
    """All figures and notes.

    Raises:
        WarehouseError, KafkaError: a server does not answer.
    """
    with _own(settings) as mine:
        store = server(mine)
        try:
            throughput, notes = _throughput(mine)
            size = _bytes_an_event(mine, store)
        finally:
            store.close()
    latency: list[Figure] = []
    for rate, seconds in rates.items():
        with _own(settings) as mine:
            latency += asyncio.run(_latency(mine, rate, seconds))
    return [*throughput, size, *latency], notes


@contextmanager
def _own(settings: Settings) -> Iterator[Settings]:
    """Settings with a database, topics and groups of this run's own; the database is gone afterwards."""
    name = f"bench_{uuid.uuid4().hex[:8]}"
    mine = msgspec.structs.replace(settings, clickhouse_database=name, kafka_prefix=f"{name}.")
    store = server(mine)
    store.migrate()
    store.close()
    try:
        yield mine
    finally:
        with _client(mine) as client:
            client.execute(f"DROP DATABASE `{topology(mine).database}` SYNC")


def _client(settings: Settings) -> Client:
    return Client(
        settings.clickhouse_host,
        port=settings.clickhouse_port,
        user=settings.clickhouse_user,
        password=settings.clickhouse_password,
    )


def _records(streams: Sequence[list[bytes]]) -> list[Taken]:
    """What the topics hold once these tables were recorded and folded."""
    made: list[Taken] = []
    for number, lines in enumerate(streams):
        fold = PartitionFold(number)
        for offset, line in enumerate(lines):
            key = line.partition(b'"subject":"')[2].partition(b'"')[0]
            made.append(
                Taken((EVENTS.name, number), offset, key, line, (("content-type", CLOUDEVENT.encode()),))
            )
            into = Folded()
            fold.take(Record(number, offset, key, line, CLOUDEVENT), into)
            made.extend(_taken(message, number, len(made)) for message in into.messages)
    return made


def _taken(message: Message, partition: int, offset: int) -> Taken:
    return Taken((message.topic.name, partition), offset, message.key, message.value)


async def _store_all(settings: Settings, records: Sequence[Taken]) -> None:
    """What a sink worker does with these records, but for the group."""
    source, store = ReadyGroup(records), LazyStore(lambda: server(settings))
    driver = SinkDriver(source, store, WorkerMetrics("sink"), Health())
    await driver.run(source.done)
    store.stop()


def _throughput(settings: Settings) -> tuple[list[Figure], list[str]]:
    records = _records(simulated(10, ROUNDS_OF_A_TABLE))
    watch = Stopwatch()
    watch.start()
    asyncio.run(_store_all(settings, records))
    watch.took()
    ready: list[Rows] = []
    rows = events = 0
    for at in range(0, len(records), SinkOptions().batch_rows):
        intake = Intake()
        for record in records[at : at + SinkOptions().batch_rows]:
            intake.take(record)
        ready.append(intake.rows)
        rows, events = rows + intake.count, events + intake.events
    bare, took = _bare(settings, ready), watch.seconds
    name, peer = "sink: records to stored rows", "bare clickhouse-driver, the same rows as ready columns"
    figures = [
        Figure(name, rows / watch.cpu, "rows/s of processor", peer, rows / bare.cpu),
        Figure(f"{name}, by the clock", rows / took, "rows/s", peer, rows / bare.seconds),
    ]
    return figures, [
        f"the sink stored {events:,} events, {rows:,} rows, in {took:.1f} s: {events / took:,.0f} events/s"
    ]


def _bare(settings: Settings, batches: Sequence[Rows]) -> Stopwatch:
    """How long the driver alone takes for ready columns."""
    ready = [(name, columns(RELATIONS[name], rows)) for batch in batches for name, rows in batch.items()]
    watch = Stopwatch()
    with _client(settings) as client:
        for name in {name for name, _ in ready}:
            client.execute(f"TRUNCATE TABLE `{topology(settings).database}`.`{name}`")
        watch.start()
        for name, values in ready:
            names = ", ".join(f"`{column}`" for column in RELATIONS[name].column_names)
            into = f"INSERT INTO `{topology(settings).database}`.`{name}` ({names}) VALUES"
            client.execute(into, values, columnar=True, settings=_FAST)
    watch.took()
    return watch


def _bytes_an_event(settings: Settings, store: ServerWarehouse) -> Figure:
    """What one event and all that comes of it take on the server's disk, merged."""
    with _client(settings) as client:
        for name in RELATIONS:
            client.execute(f"OPTIMIZE TABLE `{topology(settings).database}`.`{name}` FINAL")
        [[held]] = client.execute(
            "SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = %(name)s",
            {"name": topology(settings).database},
        )
    [(events, size)] = store.query("SELECT count(), sum(length(line)) FROM events FINAL")
    name, peer = "ClickHouse: an event and all that comes of it", "the event's own line"
    return Figure(name, held / events, "bytes", peer, size / events)


async def _latency(settings: Settings, rate: int, seconds: float) -> list[Figure]:
    """Live events at a steady rate: until their result is on its topic, and until it is in ClickHouse."""
    environment = os.environ | {
        "CATWALK_MODE": "distributed",
        "CATWALK_KAFKA_PREFIX": settings.kafka_prefix,
        "CATWALK_CLICKHOUSE_DATABASE": settings.clickhouse_database,
    }
    with tempfile.TemporaryDirectory(prefix="catwalk-bench-") as folder:
        applying = _started(environment, Path(folder), "topics", "apply")
        if await asyncio.to_thread(applying.wait):
            raise RuntimeError("the topics could not be made")
        journal = str(Path(folder) / "journal.db")
        workers = [
            _started(environment, Path(folder), kind, "--health-port", "0") for kind in ("fold", "sink")
        ]
        gateway = _started(environment, Path(folder), "record", "--to", "kafka", "--ledger", journal, "-")
        try:
            return await _measured(settings, gateway, rate, seconds)
        finally:
            for process in (gateway, *workers):
                process.terminate()
            for process in (gateway, *workers):
                await asyncio.to_thread(process.wait, 60)


def _started(environment: Mapping[str, str], folder: Path, *words: str) -> subprocess.Popen[bytes]:
    with (folder / f"{words[0]}.log").open("wb") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "deploy.cli", *words],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
        )


class _Times:
    """When each event was sent, and when what came of it was seen where."""

    def __init__(self) -> None:
        self.sent: dict[tuple[str, int], float] = {}
        self.on_topic: dict[tuple[str, int], float] = {}
        self.in_store: dict[tuple[str, int], float] = {}

    def latencies(self, seen: Mapping[tuple[str, int], float]) -> list[float]:
        return sorted(at - self.sent[place] for place, at in seen.items() if place in self.sent)


async def _measured(
    settings: Settings, gateway: subprocess.Popen[bytes], rate: int, seconds: float
) -> list[Figure]:
    brokers = brokers_of(settings)
    options = brokers.client_options()
    times, over = _Times(), asyncio.Event()
    names = [brokers.topic(ROUNDS), brokers.topic(FINDINGS)]
    async with AIOKafkaConsumer(*names, **options, auto_offset_reset="earliest") as consumer:
        watching = [
            asyncio.create_task(_watch_topics(consumer, times, over)),
            asyncio.create_task(_watch_store(settings, times, over)),
        ]
        await asyncio.to_thread(_feed, gateway, rate, seconds, times)
        due = len(times.on_topic)
        until = time.perf_counter() + 30
        while time.perf_counter() < until and len(times.in_store) < max(due, len(times.on_topic)):
            await asyncio.sleep(0.2)
        over.set()
        await asyncio.gather(*watching)
    return [
        *_figures(f"event to its result on its topic, {rate} events/s", times.latencies(times.on_topic)),
        *_figures(f"event to its result in ClickHouse, {rate} events/s", times.latencies(times.in_store)),
    ]


def _feed(gateway: subprocess.Popen[bytes], rate: int, seconds: float, times: _Times) -> None:
    """Hand live events to the gateway at this rate, of all tables by turns; the first seconds warm up."""
    warm, count = _FIRST + int(WARM * rate), _FIRST + int((WARM + seconds) * rate)
    rounds = max(2, count // (LIVE_TABLES * 35))  # a round has about fifty events
    by_turns = (
        line for row in zip_longest(*simulated(LIVE_TABLES, rounds)) for line in row if line is not None
    )
    lines = [(_place(line), line) for line in islice(by_turns, count)]
    assert gateway.stdin is not None
    first = lines[:_FIRST]
    gateway.stdin.write(b"".join(line + b"\n" for _, line in first))
    gateway.stdin.flush()
    while not times.in_store:
        time.sleep(_BEAT)  # all workers are there when something has come through
    begun, at = time.perf_counter(), len(first)
    while at < len(lines):
        now = time.perf_counter()
        due = lines[at : len(first) + int((now - begun) * rate)]
        times.sent |= {place: now for number, (place, _) in enumerate(due, at) if number >= warm}
        gateway.stdin.write(b"".join(line + b"\n" for _, line in due))
        gateway.stdin.flush()
        at += len(due)
        time.sleep(_BEAT)


def _place(line: bytes) -> tuple[str, int]:
    event = msgspec.json.decode(line)
    return event["subject"], event["sequence"]


async def _watch_topics(consumer: AIOKafkaConsumer, times: _Times, over: asyncio.Event) -> None:
    while not over.is_set():
        for records in (await consumer.getmany(timeout_ms=50)).values():
            now = time.perf_counter()
            for record in records:
                told = msgspec.json.decode(record.value)
                one = told.get("round") or told["finding"]
                times.on_topic.setdefault((one["subject"], one.get("last_sequence") or one["sequence"]), now)


async def _watch_store(settings: Settings, times: _Times, over: asyncio.Event) -> None:
    sql = (
        "SELECT subject, last_sequence FROM `@`.rounds UNION ALL SELECT subject, sequence FROM `@`.findings"
    ).replace("@", topology(settings).database)
    with _client(settings) as client:
        while not over.is_set():
            rows = await asyncio.to_thread(client.execute, sql)
            now = time.perf_counter()
            for place in rows:
                times.in_store.setdefault(place, now)
            await asyncio.sleep(_LOOK)


def _figures(name: str, latencies: Sequence[float]) -> list[Figure]:
    """Median and 99th percentile; the peer of both is the median."""
    if not latencies:
        return []
    milliseconds = [1000 * one for one in latencies]
    return spread(name, milliseconds, "ms", "median", [part_of(milliseconds, 50)], (50, 99))
