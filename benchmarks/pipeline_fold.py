"""The fold worker on a real broker, beside a Faust agent that does nothing with the same records.

Each run is a process of its own over records that are all there before it starts: from the first record it takes to
the last one being durable and acknowledged. The peer takes the same records through the same Faust settings.
Figures are events in a second of the processor, which other work on the machine does not change; those of the clock
are given as notes.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from aiokafka import AIOKafkaProducer
from aiokafka.admin import NewTopic
from msgspec import Struct

from benchmarks.core import Measurement, best, lawful_streams, subject_of, write_long_stream
from benchmarks.pipeline_peers import PEERS
from benchmarks.stopwatch import Stopwatch
from processors.pipeline import TablePipeline
from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.lag import admin_of
from processors.runtime.brokers.records import FoldedRecords, LedgerRecord
from processors.runtime.fold.app import FaustGroup, faust_app
from processors.runtime.fold.partition import PartitionFold
from processors.runtime.fold.ports import Delivery
from processors.runtime.fold.worker import FoldWorker
from schemas.topics import (
    CLOUDEVENT,
    DEADLETTER,
    EVENTS,
    FINDINGS,
    FRAME,
    OBSERVATIONS,
    ROUNDS,
    SNAPSHOTS,
    ConsumerGroup,
)

SINGLE = 30_000  # events, one a record
FRAMED = 150_000  # events in frames
FRAME_OF = 50
PARTITIONS = 3
TOPICS = (EVENTS, ROUNDS, FINDINGS, OBSERVATIONS, SNAPSHOTS, DEADLETTER)
NOTHING = ConsumerGroup(worker="nothing", name="catwalk.nothing", topics=(EVENTS,))
AGENT = ConsumerGroup(worker="agent", name="catwalk.agent", topics=(EVENTS,))
Tables = Mapping[bytes, Sequence[bytes]]


class Measured(Struct):
    """What one process took from the first record to the last: seconds of the clock, and of the processor."""

    seconds: float
    cpu: float


class _Nothing:
    """A driver that acknowledges and does nothing else."""

    def __init__(self, records: int) -> None:
        self.done, self.watch = asyncio.Event(), Stopwatch(records)

    async def take(self, deliveries: Sequence[Delivery]) -> None:
        """Acknowledge."""
        self.watch.start()
        for delivery in deliveries:
            delivery.ack()
        if self.watch.took(len(deliveries)):
            self.done.set()

    async def revoke(self) -> None:
        """Nothing is held."""


async def plain_agent(brokers: Brokers, records: int) -> Stopwatch:
    """A Faust agent as its manual has it takes so many records."""
    done, watch = asyncio.Event(), Stopwatch(records)
    with tempfile.TemporaryDirectory() as folder:
        app = faust_app(brokers, AGENT, None, 15.0, Path(folder))
        topic = app.topic(
            brokers.topic(EVENTS),
            key_type=bytes, value_type=bytes, key_serializer="raw", value_serializer="raw",
        )  # fmt: skip

        async def nothing(stream: Any) -> None:
            async for _ in stream:
                if watch.took():
                    done.set()

        app.agent(topic, name="nothing", concurrency=1)(nothing)
        await app.start()
        await done.wait()
        await app.stop()
    return watch


async def do_nothing(brokers: Brokers, records: int) -> Stopwatch:
    """The fold's own group takes and acknowledges so many records."""
    driver = _Nothing(records)
    group = FaustGroup(brokers, group=NOTHING)
    taking = asyncio.create_task(_forever(group, driver))
    await driver.done.wait()
    taking.cancel()
    await group.stop()
    return driver.watch


async def _forever(group: FaustGroup, driver: _Nothing) -> None:
    take = group.connect(driver)
    await group.start()
    await take()


async def fold_all(brokers: Brokers, records: int) -> Stopwatch:
    """A fold worker takes so many records and makes everything durable."""
    worker = FoldWorker(brokers)
    stop = asyncio.Event()
    running = asyncio.create_task(worker.run(stop))
    watch = Stopwatch()
    while sum(held.durable for held in worker.driver.held.values()) < records and not running.done():
        await asyncio.sleep(0.005)
        if any(held.fold.next_offset for held in worker.driver.held.values()):
            watch.start()
    watch.took()
    stop.set()
    await running
    return watch


def long_tables(folder: Path, events: int) -> dict[bytes, list[bytes]]:
    """Tables of that many events in all: the lawful streams of a folder, going on from their own ends."""
    streams = lawful_streams(folder)
    tables: dict[bytes, list[bytes]] = {}
    with tempfile.TemporaryDirectory() as place:
        target = Path(place) / "long.ndjson"
        for lines in streams:
            write_long_stream(target, lines, events // len(streams))
            tables.setdefault(subject_of(lines[0]).encode(), target.read_bytes().splitlines())
    return tables


async def prepare(brokers: Brokers, tables: Tables, frame: int) -> int:
    """Create the topics and append all tables in turn; how many records."""
    made = []
    for topic in TOPICS:
        limit = {"max.message.bytes": str(topic.max_message_bytes)}
        made.append(NewTopic(brokers.topic(topic), PARTITIONS, 1, topic_configs=limit))
    async with admin_of(brokers) as admin:
        await admin.create_topics(made)
    kind = (CLOUDEVENT if frame == 1 else FRAME).encode()
    sent = []
    async with AIOKafkaProducer(
        **brokers.client_options(), acks="all", linger_ms=20, max_batch_size=1 << 18, compression_type="lz4"
    ) as producer:
        name, at = brokers.topic(EVENTS), 0
        while any(at < len(lines) for lines in tables.values()):
            for key, lines in tables.items():
                value = b"\n".join(lines[at : at + frame])
                if value:
                    headers = [("content-type", kind)]
                    sent.append(await producer.send(name, value, key=key, headers=headers))
            at += frame
        await asyncio.gather(*sent)
    return len(sent)


async def remove(brokers: Brokers) -> None:
    """Delete the topics."""
    async with admin_of(brokers) as admin:
        await admin.delete_topics([brokers.topic(topic) for topic in TOPICS])


def in_own_process(work: str, brokers: Brokers, records: int) -> Measured:
    """Run one of `plain_agent`, `do_nothing` and `fold_all` in a process of its own."""
    connection = msgspec.json.encode(brokers).decode()
    return _child(sys.executable, "pipeline_fold", work, connection, str(records))


def of_peer(python: str, peer: str, brokers: Brokers, records: int) -> Measured:
    """A no-op of another library takes the same records; `python` is one that has it."""
    return _child(python, "pipeline_peers", peer, brokers.servers, brokers.topic(EVENTS), str(records))


def _child(python: str, module: str, *arguments: str) -> Measured:
    command = [python, "-m", f"benchmarks.{module}", *arguments]
    done = subprocess.run(command, capture_output=True, check=True, timeout=600)
    return msgspec.json.decode(done.stdout, type=Measured)


def measure_fold(brokers: Brokers, folder: Path, peers: str = "") -> tuple[list[Measurement], list[str]]:
    """Single records and frames, each beside agents that do nothing; then the fold without any broker.

    `peers` is a Python that has quixstreams and arroyo; without one they are left out.
    """
    figures: list[Measurement] = []
    notes: list[str] = []
    for name, events, frame in (
        ("fold worker, one event a record", SINGLE, 1),
        (f"fold worker, frames of {FRAME_OF}", FRAMED, FRAME_OF),
    ):
        tables = long_tables(folder, events)
        count = sum(len(lines) for lines in tables.values())
        own = msgspec.structs.replace(brokers, prefix=f"{brokers.prefix}bench{uuid.uuid4().hex[:8]}.")
        records = asyncio.run(prepare(own, tables, frame))
        try:
            others = {
                "Faust agent that does nothing": in_own_process("agent", own, records),
                "the fold's own reading, doing nothing": in_own_process("nothing", own, records),
            }
            folded = in_own_process("fold", own, records)
            if peers:
                others |= {f"{peer}, doing nothing": of_peer(peers, peer, own, records) for peer in PEERS}
        finally:
            asyncio.run(remove(own))
        notes += [
            f"{what}: {count / done.seconds:,.0f} events/s by the clock, {records / done.seconds:,.0f} records/s"
            for what, done in {name: folded, **others}.items()
        ]
        figures += [
            Measurement(name, count / folded.cpu, "events/CPU s", peer, count / done.cpu)
            for peer, done in others.items()
        ]
    return [*figures, without_broker(folder)], notes


def without_broker(folder: Path) -> Measurement:
    """What the fold adds to the pipeline: snapshots left out, nothing sent."""
    tables = long_tables(folder, SINGLE)
    records = [
        LedgerRecord(0, at, key, line, CLOUDEVENT, 1.0)
        for at, (key, line) in enumerate((key, line) for key, lines in tables.items() for line in lines)
    ]

    def fold() -> None:
        partition, into = PartitionFold(0), FoldedRecords()
        for record in records:
            partition.take(record, into)

    def pipelines() -> None:
        for key, lines in tables.items():
            pipeline = TablePipeline(key.decode())
            for line in lines:
                pipeline.advance(line)

    ours, theirs = (best(work, len(records), 3) for work in (fold, pipelines))
    return Measurement("fold without a broker", ours, "events/CPU s", "the pipeline alone", theirs)


if __name__ == "__main__":
    what, connection, number = sys.argv[1:]
    run = {"agent": plain_agent, "nothing": do_nothing, "fold": fold_all}[what]
    asyncio.run(run(msgspec.json.decode(connection, type=Brokers), int(number))).write()
