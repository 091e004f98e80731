"""What rounds and findings lines come to, and when each was seen on its topic, and in ClickHouse."""

from __future__ import annotations

import asyncio
import datetime as dt
import time
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
from aiokafka import AIOKafkaConsumer
from clickhouse_driver import Client
from msgspec import Struct

from benchmarks.live.feed import subject_of
from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.records import FoldedRecords, LedgerRecord
from processors.runtime.fold.partition import PartitionFold
from schemas.topics import CLOUDEVENT, FINDINGS, ROUNDS

LOOK: Final = (
    0.05  # seconds between two looks into ClickHouse: a row may be seen so much later than it was there
)
_POLL_MS: Final = 50
_RELATIONS: Final = ("rounds", "findings")
Result = tuple[str, str, dt.datetime]  # relation, table, and the time that the deciding event says


class _Named(Struct):
    subject: str


class _Told(Struct):
    at: dt.datetime
    round: _Named | None = None
    finding: _Named | None = None


_told = msgspec.json.Decoder(_Told).decode


def result_of(value: bytes) -> Result | None:
    """The result that a message of the topics of rounds and findings tells; None for another message."""
    told = _told(value)
    if told.round is not None:
        return "rounds", told.round.subject, told.at
    return ("findings", told.finding.subject, told.at) if told.finding is not None else None


def results_of(lines: Iterable[bytes]) -> set[Result]:
    """What a fold makes of these lines, so that a result that never comes is missed and not passed over."""
    fold, into = PartitionFold(0), FoldedRecords()
    for offset, line in enumerate(lines):
        fold.take(LedgerRecord(0, offset, subject_of(line).encode(), line, CLOUDEVENT), into)
    made = (result_of(one.value) for one in into.messages if one.topic in (ROUNDS, FINDINGS))
    return {one for one in made if one is not None}


class Arrivals:
    """When a result was first seen on its topic, and when as a row; two findings of one event count as one."""

    def __init__(self, brokers: Brokers, client: Client, database: str) -> None:
        self._brokers, self._client, self._database = brokers, client, database
        self.on_topic: dict[Result, float] = {}
        self.in_store: dict[Result, float] = {}
        self._seen: dict[tuple[str, str], int] = {}  # relation and partition -> last block looked at

    async def watch(self, over: asyncio.Event) -> None:
        """Look until it is over."""
        await asyncio.gather(self._watch_topics(over), self._watch_store(over))

    async def _watch_topics(self, over: asyncio.Event) -> None:
        names = [self._brokers.topic(topic) for topic in (ROUNDS, FINDINGS)]
        options: dict[str, Any] = self._brokers.client_options() | {
            "auto_offset_reset": "earliest", "fetch_max_wait_ms": 20
        }  # fmt: skip
        async with AIOKafkaConsumer(*names, **options) as consumer:
            while not over.is_set():
                for records in (await consumer.getmany(timeout_ms=_POLL_MS)).values():
                    now = time.perf_counter()
                    for record in records:
                        if (result := result_of(record.value)) is not None:
                            self.on_topic.setdefault(result, now)

    async def _watch_store(self, over: asyncio.Event) -> None:
        while not over.is_set():
            rows = await asyncio.to_thread(self._new)
            now = time.perf_counter()
            for relation, subject, at in rows:
                said = at if at.tzinfo is not None else at.replace(tzinfo=dt.UTC)
                self.in_store.setdefault((relation, subject, said), now)
            await asyncio.sleep(LOOK)

    def _new(self) -> list[Result]:
        """Rows of parts that were not looked at: to read the whole relations each time would be the greater load."""
        parts = self._client.execute(
            "SELECT table, name, partition_id, max_block_number FROM system.parts"
            " WHERE active AND database = %(database)s AND table IN %(tables)s",
            {"database": self._database, "tables": _RELATIONS},
        )
        found: list[Result] = []
        for relation in _RELATIONS:
            new = {
                name: (partition, block)
                for table, name, partition, block in parts
                if table == relation and block > self._seen.get((relation, partition), -1)
            }
            if new:
                found += self._rows(relation, new)
        return found

    def _rows(self, relation: str, parts: Mapping[str, tuple[str, int]]) -> list[Result]:
        rows = self._client.execute(
            f"SELECT _part, subject, decided_at FROM `{self._database}`.`{relation}` WHERE _part IN %(parts)s",
            {"parts": list(parts)},
        )
        # A part that was merged between the two questions is found in its successor at the next look.
        for partition, block in {parts[part] for part, *_ in rows}:
            known = self._seen.get((relation, partition), -1)
            self._seen[relation, partition] = max(known, block)
        return [(relation, subject, at) for _, subject, at in rows]
