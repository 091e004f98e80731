"""The fold worker on a real broker, beside a Faust agent that does nothing with the same records.

Each run is a process of its own over records that are all there before it starts: from the first record it takes to
the last one being durable and acknowledged. The peer takes the same records through the same Faust settings.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from aiokafka import AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from msgspec import Struct

from benchmarks.core import Figure, best, write_long_stream
from benchmarks.pipeline_peers import PEERS
from processors.pipeline import TablePipeline
from processors.runtime.brokers import Brokers
from processors.runtime.fold.app import FaustGroup
from processors.runtime.fold.partition import PartitionFold
from processors.runtime.fold.ports import Delivery
from processors.runtime.fold.records import Folded, Record
from processors.runtime.fold.worker import FoldWorker
from schemas.codec import decode
from schemas.topics import CLOUDEVENT, DEADLETTER, EVENTS, FINDINGS, FRAME, ROUNDS, SNAPSHOTS, Group

SINGLE = 30_000  # events, one a record
FRAMED = 150_000  # events in frames
FRAME_OF = 50
PARTITIONS = 3
NOTHING = Group(worker="nothing", name="catwalk.nothing", topics=(EVENTS,))
Tables = Mapping[bytes, Sequence[bytes]]


class Measured(Struct):
    """What one process did: records, events, seconds of the clock, and of the processor."""

    records: int
    events: int
    seconds: float
    cpu: float


class _Nothing:
    """A driver that acknowledges and does nothing else."""

    def __init__(self, records: int, done: asyncio.Event) -> None:
        self._left, self._done = records, done
        self.begun = 0.0

    async def take(self, deliveries: Sequence[Delivery]) -> None:
        """Acknowledge."""
        self.begun = self.begun or time.perf_counter()
        for delivery in deliveries:
            delivery.ack()
        self._left -= len(deliveries)
        if self._left <= 0:
            self._done.set()

    async def revoke(self) -> None:
        """Nothing is held."""


async def do_nothing(brokers: Brokers, records: int) -> float:
    """Seconds in which a Faust agent takes and acknowledges so many records."""
    done = asyncio.Event()
    driver = _Nothing(records, done)
    group = FaustGroup(brokers, group=NOTHING)
    taking = asyncio.create_task(_forever(group, driver))
    await done.wait()
    seconds = time.perf_counter() - driver.begun
    taking.cancel()
    await group.stop()
    return seconds


async def _forever(group: FaustGroup, driver: _Nothing) -> None:
    take = group.connect(driver)
    await group.start()
    await take()


async def fold_all(brokers: Brokers, records: int) -> float:
    """Seconds in which a fold worker takes so many records and has made everything durable."""
    worker = FoldWorker(brokers)
    stop = asyncio.Event()
    running = asyncio.create_task(worker.run(stop))
    begun = 0.0
    while True:
        await asyncio.sleep(0.005)
        taken = sum(held.fold.next_offset for held in worker.driver.held.values())
        begun = begun or (time.perf_counter() if taken else 0.0)
        durable = sum(held.durable for held in worker.driver.held.values())
        if durable >= records or running.done():
            break
    seconds = time.perf_counter() - begun
    stop.set()
    await running
    return seconds


def long_tables(folder: Path, events: int) -> dict[bytes, list[bytes]]:
    """Tables of that many events in all: the lawful streams of a folder, going on from their own ends."""
    sources = sorted(folder.glob("lawful_*.ndjson"))
    tables: dict[bytes, list[bytes]] = {}
    with tempfile.TemporaryDirectory() as place:
        for source in sources:
            lines = source.read_bytes().splitlines()
            target = Path(place) / source.name
            write_long_stream(target, lines, events // len(sources))
            tables.setdefault(decode(lines[0]).subject.encode(), target.read_bytes().splitlines())
    return tables


async def prepare(brokers: Brokers, tables: Tables, frame: int) -> int:
    """Create the topics and append all tables in turn; how many records."""
    admin = AIOKafkaAdminClient(**brokers.client_options())
    await admin.start()
    topics = (EVENTS, ROUNDS, FINDINGS, SNAPSHOTS, DEADLETTER)
    limits = [{"max.message.bytes": str(topic.max_message_bytes)} for topic in topics]
    await admin.create_topics(
        [
            NewTopic(brokers.topic(topic), PARTITIONS, 1, topic_configs=limit)
            for topic, limit in zip(topics, limits, strict=True)
        ]
    )
    await admin.close()
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
    admin = AIOKafkaAdminClient(**brokers.client_options())
    await admin.start()
    names = [brokers.topic(topic) for topic in (EVENTS, ROUNDS, FINDINGS, SNAPSHOTS, DEADLETTER)]
    await admin.delete_topics(names)
    await admin.close()


def in_own_process(work: str, brokers: Brokers, records: int, events: int) -> Measured:
    """Run one of `do_nothing` and `fold_all` in a process of its own."""
    connection = msgspec.json.encode(brokers).decode()
    command = [sys.executable, "-m", "benchmarks.pipeline_fold", work, connection, str(records), str(events)]
    done = subprocess.run(command, capture_output=True, check=True, timeout=600)
    return msgspec.json.decode(done.stdout, type=Measured)


def peer_seconds(python: str, peer: str, topic: str, servers: str, records: int) -> float:
    """Seconds in which a no-op of another library takes the same records; `python` is one that has it."""
    command = [python, "-m", "benchmarks.pipeline_peers", peer, servers, topic, str(records)]
    done = subprocess.run(command, capture_output=True, check=True, timeout=300)
    return float(msgspec.json.decode(done.stdout))


def measure_fold(brokers: Brokers, folder: Path, peers: str = "") -> list[Figure]:
    """Single records and frames, each beside the agent that does nothing; then the fold without any broker.

    `peers` is a Python that has quixstreams and arroyo; without one they are left out.
    """
    figures = []
    for name, events, frame in (
        ("fold worker, one event a record", SINGLE, 1),
        (f"fold worker, frames of {FRAME_OF}", FRAMED, FRAME_OF),
    ):
        tables = long_tables(folder, events)
        count = sum(len(lines) for lines in tables.values())
        own = msgspec.structs.replace(brokers, prefix=f"{brokers.prefix}bench{uuid.uuid4().hex[:8]}.")
        records = asyncio.run(prepare(own, tables, frame))
        try:
            nothing = in_own_process("nothing", own, records, count)
            folded = in_own_process("fold", own, records, count)
            others = {
                f"{peer}, doing nothing": peer_seconds(peers, peer, own.topic(EVENTS), own.servers, records)
                for peer in (PEERS if peers else ())
            }
        finally:
            asyncio.run(remove(own))
        for peer, seconds in {"Faust agent that does nothing": nothing.seconds, **others}.items():
            value = folded.events / folded.seconds
            figures.append(
                Figure(name=name, value=value, unit="events/s", peer=peer, peer_value=count / seconds)
            )
    return [*figures, without_broker(folder)]


def without_broker(folder: Path) -> Figure:
    """What the fold adds to the pipeline: snapshots left out, nothing sent."""
    tables = long_tables(folder, SINGLE)
    records = [
        Record(0, at, key, line, CLOUDEVENT, 1.0)
        for at, (key, line) in enumerate((key, line) for key, lines in tables.items() for line in lines)
    ]

    def fold() -> None:
        partition = PartitionFold(0)
        for record in records:
            partition.take(record, Folded())

    def pipelines() -> None:
        for key, lines in tables.items():
            pipeline = TablePipeline(key.decode())
            for line in lines:
                pipeline.advance(line)

    return Figure(
        name="fold without a broker",
        value=best(fold, len(records), 3),
        unit="events/s",
        peer="the pipeline alone",
        peer_value=best(pipelines, len(records), 3),
    )


def _child(work: str, connection: str, records: int, events: int) -> Measured:
    brokers = msgspec.json.decode(connection, type=Brokers)
    begun = time.process_time()
    run = do_nothing if work == "nothing" else fold_all
    seconds = asyncio.run(run(brokers, records))
    return Measured(records, events, seconds, time.process_time() - begun)


if __name__ == "__main__":
    result = _child(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    sys.stdout.buffer.write(msgspec.json.encode(result))
