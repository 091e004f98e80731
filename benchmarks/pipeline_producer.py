"""The gateway from its journal to the broker's acknowledgement, beside bare kafka-python with the same settings.

Both send the same records to the same broker in the same run, in turns; the fastest of each counts. What the gateway
adds is reading the journal, the headers, the bounds, the claims, and the note of how far each table has come.
"""

from __future__ import annotations

import tempfile
import time
import uuid
from contextlib import closing
from itertools import chain, cycle, islice
from pathlib import Path

from kafka import KafkaProducer
from kafka.admin import KafkaAdminClient
from msgspec.structs import replace

from benchmarks.core import Measurement, lawful_streams
from producers.kafka.connection import Connection
from producers.kafka.gateway import Gateway, GatewayPlan
from producers.kafka.journal import Journal
from producers.kafka.shipments import Framing
from producers.kafka.topics import TopicAdmin
from producers.log import EMPTY
from schemas.topics import EVENTS, WRITERS

TABLES = 8
PARTITIONS = 6
SINGLE = 40_000
FRAMED = 400_000
FRAME_OF = 50
REPEATS = 3
MOST_UNANSWERED = 20_000  # events on the way: the gateway's own bound


def measure_producer(
    connection: Connection, folder: Path, single: int = SINGLE, framed: int = FRAMED
) -> list[Measurement]:
    """Events a second one a record, and in frames; lines are those of the lawful streams of a folder."""
    lines = list(chain.from_iterable(lawful_streams(folder)))
    own = replace(connection, prefix=f"{connection.prefix}bench{uuid.uuid4().hex[:8]}.")
    with TopicAdmin(own) as admin:
        forms = admin.forms(own.prefix, PARTITIONS, 1)
        admin.apply([form for form in forms if form.name in (own.topic(EVENTS), own.topic(WRITERS))])
    try:
        return [
            _figure(own, lines, single, Framing(least=1 << 60), "gateway, one event a record"),
            _figure(own, lines, framed, Framing(least=2, lines=FRAME_OF), f"gateway, frames of {FRAME_OF}"),
        ]
    finally:
        known = KafkaAdminClient.DEFAULT_CONFIG  # not all that other clients take
        client = KafkaAdminClient(**{k: v for k, v in own.options().items() if k in known})
        client.delete_topics([own.topic(EVENTS), own.topic(WRITERS)])
        client.close()


def _figure(own: Connection, lines: list[bytes], events: int, framing: Framing, name: str) -> Measurement:
    each = list(islice(cycle(lines), events // TABLES))
    count = len(each) * TABLES
    frame = framing.lines if framing.least <= framing.lines else 1
    ours = theirs = float("inf")
    for _ in range(REPEATS):
        ours = min(ours, by_gateway(own, each, framing))
        theirs = min(theirs, by_bare_producer(own, each, frame))
    return Measurement(name, count / ours, "events/s", "bare kafka-python, same settings", count / theirs)


def by_gateway(own: Connection, each: list[bytes], framing: Framing) -> float:
    """Seconds from a full journal to the last acknowledgement; the tables are claimed before."""
    tables = [f"bench-{uuid.uuid4().hex[:8]}-{n}" for n in range(TABLES)]
    with tempfile.TemporaryDirectory() as place:
        journal = Journal(Path(place) / "journal.db")
        for table in tables:
            journal.log.append(table, each, EMPTY)
        plan = GatewayPlan(framing=framing)
        with closing(Gateway(journal, own, plan, lambda: "2026-11-21T10:00:00.000000Z", _ignore)) as gateway:
            gateway.meet(tables)
            begun = time.perf_counter()
            gateway.start()
            if not gateway.wait(_ignore):
                raise gateway.away()
            return time.perf_counter() - begun


def by_bare_producer(own: Connection, each: list[bytes], frame: int) -> float:
    """Seconds in which the library sends the same records and has them acknowledged."""
    values = [b"\n".join(each[at : at + frame]) for at in range(0, len(each), frame)]
    keys = [f"bench-{uuid.uuid4().hex[:8]}-{n}".encode() for n in range(TABLES)]
    topic, most = own.topic(EVENTS), MOST_UNANSWERED // frame
    begun = time.perf_counter()
    producer = KafkaProducer(**own.producer_options())
    sent = []
    for value in values:
        for key in keys:
            sent.append(producer.send(topic, value, key=key))
        if len(sent) > most:
            sent[len(sent) // 2].get(60)
            del sent[: len(sent) // 2]
    producer.flush()
    if not all(record.succeeded() for record in sent):
        raise RuntimeError("a record of the peer failed")
    seconds = time.perf_counter() - begun
    producer.close()
    return seconds


def _ignore(_told: object) -> None:
    return None
