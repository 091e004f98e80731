"""A consumer group that has acknowledged what the store does not hold: nobody goes on, everybody says so, it is mended."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from aiokafka import TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, RecordsToDelete

from deploy.cli.settings import load
from deploy.workers import brokers_of
from processors.runtime.lag import partitions_of
from schemas.topics import EVENTS, ROUNDS
from schemas.warehouse import RELATIONS
from tests.embedded.ledgers import lines_of, subject_of
from tests.live.checker import check
from tests.live.folding import REPOSITORY, catwalk, in_turn, produce
from tests.live.test_sink import execute
from tests.live.working import Process, all_caught_up, prepared, workers

Environment = dict[str, str]
NAMES = ("breach_overpay", "breach_surrender_after_hit")


def run(environment: Environment, *arguments: str) -> tuple[int, str, str]:
    """A command as a user gives it: status, stdout, stderr."""
    done = subprocess.run(
        [sys.executable, "-m", "deploy.cli", *arguments],
        env=environment, cwd=REPOSITORY, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def stored_and_emptied(environment: Environment, folder: Path) -> dict[bytes, list[bytes]]:
    """Tables that were folded and stored, and acknowledged; and then the database lost every row."""
    prepared(environment)
    tables = {subject_of(name).encode(): lines_of(name) for name in NAMES}
    produce(environment, in_turn(tables, frame=20))
    with workers(environment, folder, "fold", "sink") as started:
        all_caught_up(environment)
        assert [one.stop() for one in started] == [0, 0]
    assert check(environment, tables).wrong == []
    for name in RELATIONS:
        execute(environment, f"TRUNCATE TABLE `@`.{name}")
    return tables


def ended(environment: Environment, folder: Path) -> str:
    """A sink was started and has ended with status 2; the last line it wrote."""
    sink = Process(environment, folder, "sink")
    try:
        assert sink.process.wait(60) == 2, sink.log.read_text()[-2000:]
    finally:
        sink.kill()
    return sink.log.read_text().splitlines()[-1]


def stored_events(environment: Environment) -> int:
    [(count,)] = execute(environment, "SELECT count() FROM `@`.events")
    return int(count)


def test_a_group_ahead_of_the_store_stops_the_sink_is_said_everywhere_and_set_back_repairs_it(
    live_environment: Environment, tmp_path: Path
) -> None:
    tables = stored_and_emptied(live_environment, tmp_path)

    said = ended(live_environment, tmp_path)
    assert "catwalk.events, partition " in said
    assert "only what is before offset 0" in said
    assert "`catwalk sink --set-back`" in said
    assert stored_events(live_environment) == 0

    status, out, err = run(live_environment, "lag", "--format", "json")
    told: dict[str, Any] = json.loads(out)
    assert status == 1
    lacking = {row["topic"]: 0 for row in told["partitions"] if row["worker"] == "sink"}
    for row in told["partitions"]:
        if row["worker"] == "sink":
            assert row["behind"] == row["end"], row
            lacking[row["topic"]] += row["behind"]
    assert lacking[live_environment["CATWALK_KAFKA_PREFIX"] + EVENTS.name] > 0
    assert {fault["stored"] for fault in told["faults"]} == {0}
    assert all(fault["committed"] > 0 for fault in told["faults"])
    assert "`catwalk sink --set-back`" in err
    assert run(live_environment, "lag", "--wait", "--seconds", "30")[0] == 1

    status, out, _ = run(live_environment, "doctor", "--format", "json")
    [row] = [row for row in json.loads(out) if row["name"] == "store's progress"]
    assert (status, row["state"]) == (1, "failed")
    assert "`catwalk sink --set-back`" in row["remedy"]

    status, _, err = run(live_environment, "export", "--out", str(tmp_path / "exported"))
    assert (status, len(err.splitlines())) == (2, 1)
    assert "`catwalk sink --set-back`" in err
    assert not (tmp_path / "exported").exists()

    catwalk(live_environment, "sink", "--set-back")
    with workers(live_environment, tmp_path, "sink"):
        assert run(live_environment, "sink", "--set-back")[0] == 2, "a sink is at work"
        assert run(live_environment, "lag", "--wait", "--seconds", "60")[0] == 0
        status, out, _ = run(live_environment, "doctor", "--format", "json")
        [row] = [row for row in json.loads(out) if row["name"] == "store's progress"]
        assert (status, row["state"]) == (0, "ok")
    assert check(live_environment, tables).wrong == []
    equal_to_replay(live_environment, tables, tmp_path)


def test_a_topic_that_begins_behind_what_the_store_holds_stops_the_sink_and_rebuild_repairs_it(
    live_environment: Environment, tmp_path: Path
) -> None:
    tables = stored_and_emptied(live_environment, tmp_path)
    expired(live_environment)

    said = ended(live_environment, tmp_path)
    assert "catwalk.rounds, partition " in said
    assert "the topic begins at offset " in said
    assert "`catwalk rebuild`" in said
    assert run(live_environment, "lag")[0] == 1
    status, _, err = run(live_environment, "sink", "--set-back")
    assert (status, len(err.splitlines())) == (2, 1)
    assert "`catwalk rebuild`" in err

    status, out, err = run(live_environment, "rebuild", "--seconds", "90", "--format", "json")
    assert status == 1, err
    assert json.loads(out)["after"]["events"] == sum(map(len, tables.values()))
    assert check(live_environment, tables).wrong == []
    assert run(live_environment, "lag", "--wait", "--seconds", "30")[0] == 0
    equal_to_replay(live_environment, tables, tmp_path)


def expired(environment: Environment) -> None:
    """Rounds on their topic are so old that the broker has removed them."""

    async def delete() -> None:
        brokers = brokers_of(load(environment=environment).values)
        name = brokers.topic(ROUNDS)
        admin = AIOKafkaAdminClient(**brokers.client_options())
        await admin.start()
        try:
            partitions = (await partitions_of(admin, brokers, [name]))[name]
            await admin.delete_records(
                {TopicPartition(name, one): RecordsToDelete(before_offset=-1) for one in partitions}
            )
        finally:
            await admin.close()

    asyncio.run(delete())


def equal_to_replay(environment: Environment, tables: dict[bytes, list[bytes]], folder: Path) -> None:
    """What `export` writes is what `replay` writes."""
    streams = folder / "streams"
    streams.mkdir()
    for key, lines in tables.items():
        (streams / f"{key.decode()}.ndjson").write_bytes(b"".join(line + b"\n" for line in lines))
    status, _, err = run(environment, "export", "--out", str(folder / "again"))
    assert (status, err) == (0, "")
    catwalk(environment, "replay", str(streams), "--out", str(folder / "replayed"))
    for name in ("rounds.ndjson", "findings.ndjson", "deadletters.ndjson", "summary.json"):
        assert (folder / "again" / name).read_bytes() == (folder / "replayed" / name).read_bytes(), name
