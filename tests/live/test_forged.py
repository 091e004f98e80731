"""A hostile client of a real broker: it may write the ledger's topic, and displaces no true event of a table."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

from aiokafka import AIOKafkaProducer

from deploy.configured.workers import brokers_of
from deploy.settings import load
from processors.runtime.brokers.records import is_misplaced
from schemas.topics import CLOUDEVENT, EVENTS
from tests.live.folding import Environment, catwalk
from tests.live.test_sink import execute
from tests.live.working import all_caught_up, prepared, workers
from tests.runtime.test_forged import CLEAN, FORGERIES, KEY, LINES, digest, forged

Headers = list[tuple[str, bytes]]
AHEAD = [one for name, made in FORGERIES.items() if "passed" not in name for one in made(100, 1)]


def put(
    environment: Environment, lines: Sequence[bytes], headers: Headers, partition: int | None = None
) -> int:
    """Write to the ledger's topic as a client that is no gateway; how many partitions the topic has."""

    async def send() -> int:
        brokers = brokers_of(load(environment=environment).values)
        name = brokers.topic(EVENTS)
        async with AIOKafkaProducer(**brokers.client_options(), acks="all") as out:
            said = [("content-type", CLOUDEVENT.encode()), *headers]
            for line in lines:
                await out.send_and_wait(name, line, key=KEY, headers=said, partition=partition)
            return len(await out.partitions_for(name))

    return asyncio.run(send())


def record(environment: Environment, folder: Path, lines: Sequence[bytes]) -> None:
    """One gateway process, with a claim of its own."""
    path = folder / "shift.ndjson"
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    catwalk(environment, "record", "--to", "kafka", str(path))


def test_forged_fenced_and_misplaced_records_are_named_and_every_true_event_is_there(
    live_environment: Environment, tmp_path: Path
) -> None:
    environment = dict(live_environment)
    prepared(environment)
    follows = [forged(180, 0, digest(LINES[179]), mark) for mark in (50, 51)]
    with workers(environment, tmp_path, "fold", "sink") as [fold, _]:
        record(environment, tmp_path, LINES[:100])
        all_caught_up(environment)
        number = put(environment, AHEAD, [("epoch", b"77"), ("gateway", b"nobody")])
        all_caught_up(environment)
        fold.kill()
        with workers(environment, tmp_path, "fold"):
            record(environment, tmp_path, LINES[100:180])
            put(environment, follows[:1], [("epoch", b"1"), ("gateway", b"nobody")])
            put(environment, follows[1:], [])
            [mine] = [one for one in range(number) if not is_misplaced(KEY, one, number)]
            put(environment, LINES[180:182], [("epoch", b"9")], (mine + 1) % number)
            record(environment, tmp_path, LINES[180:])
            all_caught_up(environment)
    told = execute(environment, "SELECT sequence, line FROM `@`.events FINAL ORDER BY subject, sequence")
    assert told == [(at, line.decode()) for at, line in enumerate(LINES, 1)]
    rounds = execute(environment, "SELECT record FROM `@`.rounds FINAL ORDER BY round")
    assert [one.encode() for (one,) in rounds] == CLEAN[0]
    found = execute(environment, "SELECT check_id, record FROM `@`.findings FINAL ORDER BY ALL")
    ours = [
        name for name, _ in found if name in ("integrity.stray", "integrity.writer", "integrity.partition")
    ]
    assert {name: ours.count(name) for name in ours} == {
        "integrity.stray": len(AHEAD), "integrity.writer": 2, "integrity.partition": 2,
    }  # fmt: skip
    assert sorted(one.encode() for name, one in found if name not in ours) == sorted(CLEAN[1])
    kept = execute(environment, "SELECT count() FROM `@`.dead_letters FINAL")
    assert kept == [(len(AHEAD) + 4,)]
    catwalk(environment, "export", "--out", str(tmp_path / "out"))
    exported = (tmp_path / "out" / "rounds.ndjson").read_bytes().splitlines()
    assert [json.loads(one)["round"] for one in exported][: len(rounds)] == [
        json.loads(one)["round"] for (one,) in rounds
    ]
    catwalk(environment, "reconcile")  # ends with 0: the store is what the ledger gives
