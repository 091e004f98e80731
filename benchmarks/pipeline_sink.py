"""The sink on a real ClickHouse server beside bare clickhouse-driver.

Throughput counts the whole of the sink's work on a record (decode, rows, the question what is stored, insert) beside
the same rows handed to the driver as ready columns; figures are rows in a second of this processor, and of the clock
as notes.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import msgspec
from clickhouse_driver import Client

from benchmarks.core import Measurement
from benchmarks.ready_group import ReadyGroup
from benchmarks.replay import simulated
from benchmarks.stopwatch import Stopwatch
from deploy.configured.store import server, topology
from deploy.settings import Settings
from processors.runtime.brokers.records import FoldedRecords, LedgerRecord, Message, Taken
from processors.runtime.fold.partition import PartitionFold
from processors.runtime.sink.driver import SinkDriver, SinkOptions
from processors.runtime.sink.intake import Intake
from processors.runtime.sink.worker import LazyStore
from processors.runtime.store.rows import Rows
from processors.runtime.store.server_warehouse import ServerWarehouse
from processors.runtime.store.values import columns
from processors.runtime.watch.health import Health
from processors.runtime.watch.metrics import WorkerMetrics
from schemas.topics import CLOUDEVENT, EVENTS
from schemas.warehouse import RELATIONS

ROUNDS_OF_A_TABLE = 150
_FAST = {"async_insert": 0}


def measure_sink(settings: Settings) -> tuple[list[Measurement], list[str]]:
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
    return [*throughput, size], notes


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
            into = FoldedRecords()
            fold.take(LedgerRecord(number, offset, key, line, CLOUDEVENT), into)
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


def _throughput(settings: Settings) -> tuple[list[Measurement], list[str]]:
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
        Measurement(name, rows / watch.cpu, "rows/s of processor", peer, rows / bare.cpu),
        Measurement(f"{name}, by the clock", rows / took, "rows/s", peer, rows / bare.seconds),
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


def _bytes_an_event(settings: Settings, store: ServerWarehouse) -> Measurement:
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
    return Measurement(name, held / events, "bytes", peer, size / events)
