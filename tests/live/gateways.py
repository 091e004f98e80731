"""Gateways as processes of their own against a real broker, and what the topic holds afterwards, read without them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from kafka import KafkaConsumer, TopicPartition

from deploy.configured.kafka import connection
from deploy.settings import PREFIX, Settings, load
from producers.kafka.topics import TopicAdmin
from schemas.answers import FOLD_VERSION
from schemas.topics import EVENTS, Topic
from tests.starting import start
from tests.waiting import until

REPOSITORY = Path(__file__).resolve().parents[2]


class Ran(NamedTuple):
    """What came of a command."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Ledger:
    """A deployment with topics of its own: commands run against it, and what its topics hold."""

    def __init__(self, servers: str, prefix: str, folder: Path, partitions: int = 3, copies: int = 1) -> None:
        own = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
        self.folder = folder
        self.environment: Mapping[str, str] = own | {
            "CATWALK_DATA": str(folder),
            "CATWALK_KAFKA": servers,
            "CATWALK_KAFKA_PREFIX": prefix,
            "CATWALK_KAFKA_PARTITIONS": str(partitions),
        }
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        settings = self.settings
        with TopicAdmin(connection(settings)) as admin:
            admin.apply(admin.forms(prefix, partitions, copies))

    @property
    def settings(self) -> Settings:
        return load(environment=self.environment).values

    def file(self, name: str, lines: list[bytes]) -> Path:
        path = self.folder / name
        path.write_bytes(b"".join(line + b"\n" for line in lines))
        return path

    def start(self, *words: object, stdin: int | None = None) -> subprocess.Popen[bytes]:
        """A `record --to kafka` that runs beside the test."""
        return start(
            [sys.executable, "-m", "deploy.cli", "record", "--to", "kafka", *map(str, words)],
            env=self.environment,
            cwd=REPOSITORY,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def record(self, *words: object, stdin: bytes | None = None, seconds: float = 120) -> Ran:
        """Run `record --to kafka` to its end."""
        running = self.start(*words, "--format", "json", stdin=None if stdin is None else subprocess.PIPE)
        out, err = running.communicate(stdin, timeout=seconds)
        return Ran(running.returncode, out.decode(), err.decode())

    def records(self, topic: Topic = EVENTS) -> list[Any]:
        """All records of a topic, partition by partition."""
        name = topic.named(self.settings.kafka_prefix, FOLD_VERSION)
        consumer = KafkaConsumer(
            bootstrap_servers=self.settings.kafka, group_id=None, auto_offset_reset="earliest"
        )
        found: list[Any] = []
        try:
            # A client may answer None until the brokers have told it of the topic.
            for partition in sorted(until(lambda: consumer.partitions_for_topic(name))):
                where = TopicPartition(name, partition)
                end = consumer.end_offsets([where])[where]
                consumer.assign([where])
                consumer.seek(where, 0)
                while consumer.position(where) < end:
                    found += consumer.poll(timeout_ms=1_000).get(where, [])
        finally:
            consumer.close()
        return found

    def lines(self) -> dict[str, list[bytes]]:
        """Every line of each table in the order of its partition, repeated ones too."""
        tables: dict[str, list[bytes]] = {}
        for record in self.records():
            tables.setdefault(record.key.decode(), []).extend(record.value.split(b"\n"))
        return tables


def repeated(lines: Mapping[str, list[bytes]]) -> int:
    """How many lines stand in the topic again."""
    return sum(len(found) - len(set(found)) for found in lines.values())


def distinct(lines: Mapping[str, list[bytes]]) -> dict[str, list[bytes]]:
    """Each table's lines where they stand first."""
    return {table: list(dict.fromkeys(found)) for table, found in lines.items()}
