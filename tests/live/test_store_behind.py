"""A group that has acknowledged what the store does not hold: nobody goes on, everybody says so, and it is mended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from aiokafka import TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, RecordsToDelete

from deploy.configured.workers import brokers_of
from deploy.settings import load
from processors.runtime.brokers.group import GroupSource
from processors.runtime.brokers.lag import partitions_of
from processors.runtime.brokers.records import Taken
from processors.runtime.brokers.standing import RecordsMissing
from processors.runtime.watch.logs import Log
from processors.runtime.watch.metrics import WorkerMetrics
from schemas.answers import FOLD_VERSION
from schemas.topics import ANALYST, EVENTS, ROUNDS
from schemas.warehouse import RELATIONS
from tests.commands.run import Catwalk, catwalk
from tests.embedded.ledgers import lines_of, subject_of
from tests.live.checker import check
from tests.live.folding import catwalk as process
from tests.live.folding import in_turn, produce
from tests.live.test_analyst import put
from tests.live.test_sink import execute
from tests.live.working import Process, all_caught_up, prepared, workers
from tests.runtime.topics import folded_topics, ledger_of

__all__ = ["catwalk"]

Environment = dict[str, str]
NAMES = ("breach_overpay", "breach_surrender_after_hit")


@pytest.fixture
def environment(live_environment: Environment, monkeypatch: pytest.MonkeyPatch) -> Environment:
    """Servers for workers, and for commands of this process."""
    for name, value in live_environment.items():
        monkeypatch.setenv(name, value)
    return live_environment


def tables_of(environment: Environment) -> dict[bytes, list[bytes]]:
    """Tables to be recorded, once topics and relations are there."""
    prepared(environment)
    return {subject_of(name).encode(): lines_of(name) for name in NAMES}


def emptied(environment: Environment) -> None:
    for name in RELATIONS:
        execute(environment, f"TRUNCATE TABLE `@`.{name}")


@contextmanager
def backup(environment: Environment) -> Iterator[Callable[[], None]]:
    """A backup of the database as it is now; what it gives restores it."""

    def restore() -> None:
        emptied(environment)
        for name in RELATIONS:
            execute(environment, f"INSERT INTO `@`.{name} SELECT * FROM `@_backup`.{name}")

    execute(environment, "CREATE DATABASE `@_backup`")
    try:
        for name in RELATIONS:
            execute(environment, f"CREATE TABLE `@_backup`.{name} AS `@`.{name}")
            execute(environment, f"INSERT INTO `@_backup`.{name} SELECT * FROM `@`.{name}")
        yield restore
    finally:
        execute(environment, "DROP DATABASE `@_backup`")


def stored_and_set_back(
    environment: Environment, tables: Mapping[bytes, Sequence[bytes]], folder: Path
) -> None:
    """All of these tables are folded and stored; then the store is that of a backup made after the first half."""
    sent = list(in_turn(tables, frame=20))
    with workers(environment, folder, "fold", "sink") as started:
        produce(environment, sent[: len(sent) // 2])
        all_caught_up(environment)
        with backup(environment) as restore:
            produce(environment, sent[len(sent) // 2 :])
            all_caught_up(environment)
            assert [one.stop() for one in started] == [0, 0]
            assert check(environment, tables).wrong == []
            restore()


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


def test_a_group_ahead_of_a_store_from_a_backup_stops_the_sink_is_said_everywhere_and_set_back_repairs_it(
    environment: Environment, catwalk: Catwalk, tmp_path: Path
) -> None:
    tables = tables_of(environment)
    stored_and_set_back(environment, tables, tmp_path)
    held = stored_events(environment)
    assert 0 < held < sum(map(len, tables.values()))

    said = ended(environment, tmp_path)
    assert said.startswith(f"catwalk: topic {environment['CATWALK_KAFKA_PREFIX']}catwalk.")
    assert "but the store holds only what is before offset " in said
    assert "`catwalk sink --set-back`" in said
    assert stored_events(environment) == held

    shown = catwalk("lag", "--format", "json")
    assert shown.status == 1
    for fault in shown.json["faults"]:
        assert fault["kind"] == "ahead"
        assert fault["stored"] < fault["committed"] == fault["end"]
    rows = [row for row in shown.json["partitions"] if row["worker"] == "sink"]
    assert shown.json["behind"] == sum(row["end"] - row["stored"] for row in rows) > 0
    assert EVENTS.name in str(shown.json["faults"])
    assert "`catwalk sink --set-back`" in shown.err
    assert catwalk("lag", "--wait", "--seconds", "3600").status == 1  # it does not wait for what nobody takes

    status, row = examined(catwalk)
    assert (status, row["state"]) == (1, "failed")
    assert "`catwalk sink --set-back`" in row["remedy"]

    shown = catwalk("export", "--out", str(tmp_path / "exported"))
    assert (shown.status, len(shown.err.splitlines())) == (2, 1)
    assert "`catwalk sink --set-back`" in shown.err
    assert not (tmp_path / "exported").exists()

    assert catwalk("sink", "--set-back").status == 0
    shown = catwalk("export", "--out", str(tmp_path / "partly"))
    assert (shown.status, "records are not folded and stored yet" in shown.err) == (1, True)
    with workers(environment, tmp_path, "sink") as [sink]:
        sink.at_work()
        shown = catwalk("sink", "--set-back")
        assert (shown.status, "workers run: sink; stop all of them first" in shown.err) == (2, True)
        assert catwalk("lag", "--wait", "--seconds", "60").status == 0
    status, row = examined(catwalk)
    assert (status, row["state"]) == (0, "ok")
    assert check(environment, tables).wrong == []
    equal_to_replay(catwalk, tables, tmp_path)


@pytest.mark.soak  # half a minute
def test_an_emptied_database_and_rounds_that_have_expired_stop_the_sink_and_rebuild_repairs_it(
    environment: Environment, catwalk: Catwalk, tmp_path: Path
) -> None:
    tables = tables_of(environment)
    produce(environment, in_turn(tables, frame=20))
    with workers(environment, tmp_path, "fold", "sink") as started:
        all_caught_up(environment)
        assert [one.stop() for one in started] == [0, 0]
    emptied(environment)
    said = ended(environment, tmp_path)
    assert "but the store holds only what is before offset 0" in said
    assert "`catwalk rebuild`" in said

    expired(environment)
    said = ended(environment, tmp_path)
    assert f"{ROUNDS.name}.v{FOLD_VERSION}, partition " in said
    assert "the topic begins at offset " in said
    assert "`catwalk rebuild`" in said
    assert stored_events(environment) == 0
    assert catwalk("lag", "--wait").status == 1
    assert examined(catwalk)[0] == 1
    shown = catwalk("sink", "--set-back")
    assert (shown.status, len(shown.err.splitlines())) == (2, 1)
    assert "`catwalk rebuild`" in shown.err

    shown = catwalk("rebuild", "--seconds", "90", "--format", "json")
    assert shown.status == 1, shown.err
    assert shown.json["after"]["events"] == sum(map(len, tables.values()))
    assert check(environment, tables).wrong == []
    assert catwalk("lag", "--wait", "--seconds", "30").status == 0
    equal_to_replay(catwalk, tables, tmp_path)


def examined(catwalk: Catwalk) -> tuple[int, dict[str, str]]:
    """The doctor's status, and what it says of the store's progress."""
    shown = catwalk("doctor", "--format", "json")
    [row] = [row for row in shown.json if row["name"] == "store's progress"]
    return shown.status, row


def test_records_that_expire_while_a_worker_takes_them_are_missed_by_name(
    environment: Environment,
) -> None:
    """A client whose next record is gone goes on with the first that is left, and says nothing."""
    process(environment, "topics", "apply")
    brokers = brokers_of(load(environment=environment).values)
    records = [
        one for one in folded_topics(ledger_of(["breach_overpay"], 1200)) if one.place[0] == ROUNDS.name
    ]
    put(environment, records[:6])

    async def work() -> None:
        source = GroupSource(brokers, ANALYST, WorkerMetrics("analyst"), Log("analyst"))
        assert await source.start(asyncio.Event())
        try:
            while not source.assignment:
                await source.take(1, 0.1)
            place = (ROUNDS.name, 0)
            source.seek(place, 0)
            taken = [one async for one in several(source, 3)]
            assert [one.offset for one in taken] == [0, 1, 2]
            source.seek(place, 3)
            source.hold([place])
            await delete(environment, before=5)
            source.hold([])
            with pytest.raises(
                RecordsMissing, match=r"begins at offset 5, but .* before offset 3: 2 records"
            ):
                _ = [one async for one in several(source, 1)]
        finally:
            await source.stop()

    asyncio.run(work())


async def several(source: GroupSource, number: int) -> AsyncIterator[Taken]:
    """The next records, one at a time."""
    async with asyncio.timeout(20):
        while number:
            for one in await source.take(1, 0.5):
                number -= 1
                yield one


def expired(environment: Environment) -> None:
    """Rounds on their topic are so old that the broker has removed them."""
    asyncio.run(delete(environment, before=-1))


async def delete(environment: Environment, before: int) -> None:
    """Remove rounds before this offset, -1 for all, of each partition that has any."""
    brokers = brokers_of(load(environment=environment).values)
    name = brokers.topic(ROUNDS)
    admin = AIOKafkaAdminClient(**brokers.client_options())
    await admin.start()
    try:
        partitions = (await partitions_of(admin, brokers, [name]))[name]
        chosen = partitions if before < 0 else [0]
        removed = {TopicPartition(name, one): RecordsToDelete(before_offset=before) for one in chosen}
        await admin.delete_records(removed)
    finally:
        await admin.close()


def equal_to_replay(catwalk: Catwalk, tables: dict[bytes, list[bytes]], folder: Path) -> None:
    """What `export` writes is what `replay` writes."""
    streams = folder / "streams"
    streams.mkdir()
    for key, lines in tables.items():
        (streams / f"{key.decode()}.ndjson").write_bytes(b"".join(line + b"\n" for line in lines))
    shown = catwalk("export", "--out", str(folder / "again"))
    assert (shown.status, shown.err) == (0, "")
    assert catwalk("replay", str(streams), "--out", str(folder / "replayed")).status == 0
    for name in ("rounds.ndjson", "findings.ndjson", "deadletters.ndjson", "summary.json"):
        assert (folder / "again" / name).read_bytes() == (folder / "replayed" / name).read_bytes(), name
