"""The fold worker on a real broker: what it writes is what `replay` writes, whatever happens to it."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec
import pytest
from aiokafka import AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient, NewPartitions

from deploy.configured.workers import brokers_of
from deploy.settings import load
from processors.runtime.brokers.clients import KafkaOutbox
from processors.runtime.brokers.watchdog import Stuck
from processors.runtime.fold.worker import FoldWorker, FoldWorkerOptions
from schemas.answers import FOLD_VERSION
from schemas.messages import PartitionCheckpoint, checkpoint_key
from schemas.topics import FINDINGS, FRAME, ROUNDS, SNAPSHOTS
from tests.live.figures import tell
from tests.live.folding import (
    REPOSITORY,
    Environment,
    Sent,
    Worker,
    apply_topics,
    base64_of,
    catwalk,
    caught_up,
    expected,
    in_turn,
    produce,
    read,
    simulated,
    worker,
    written,
)
from tests.live.killing import known
from tests.pipeline.hostile import GARBAGE
from tests.pipeline.streams import EXAMPLES, lines_of
from tests.runtime.tables import subject_of
from tests.waiting import PATIENCE, until

SHORT_SESSION = ("--session", "6")


@pytest.fixture
def topics(live_environment: Environment) -> Environment:
    """An environment whose topics are there."""
    apply_topics(live_environment)
    return live_environment


@pytest.mark.soak  # test_end_to_end holds an export against replay in every run
def test_rounds_and_findings_are_those_of_replay_byte_for_byte(topics: Environment, tmp_path: Path) -> None:
    tables = simulated(tmp_path / "simulated", 4, 25, 3, topics)
    published = {subject_of(lines_of(path.stem)[0]).encode(): list(lines_of(path.stem))
                 for path in sorted(EXAMPLES.glob("breach_*.ndjson"))}  # fmt: skip
    framed = {key: lines for key, lines in published.items() if key not in tables}
    with worker(topics, tmp_path / "fold.log") as fold:
        produce(topics, in_turn(tables))
        fold.ready()
        produce(topics, in_turn(framed, 50))
        caught_up(topics)
        found = written(topics)
        assert (found.rounds, found.findings) == expected({**tables, **framed})
        assert len(found.findings) > 5
        catwalk(topics, "replay", str(tmp_path / "simulated"), "--out", str(tmp_path / "out"))
        assert without_file(tmp_path / "out" / "rounds.ndjson") <= found.rounds
        assert without_file(tmp_path / "out" / "findings.ndjson") <= found.findings
        assert (found.letters, found.repeated) == ([], 0)
        lines = sum(len(one) for one in (*tables.values(), *framed.values()))
        assert fold.measure("catwalk_events_total") == lines
        until(lambda: not fold.measure("catwalk_lag_records"))  # it looks every two seconds
        assert fold.get("healthz")[0] == 200
        assert fold.stop() == 0
    for topic, holds in ((ROUNDS, "round"), (FINDINGS, "finding")):  # workers share a property table by table
        for key, value in read(topics, topic):
            assert key == json.loads(value)[holds]["subject"].encode()
    assert not any("exception" in line for line in fold.events())


def without_file(path: Path) -> set[bytes]:
    """Lines of a file of `replay`, but for the name of the file they came from."""
    lines = path.read_bytes().splitlines()
    assert lines or path.stem == "findings"
    return {b"{" + line.partition(b",")[2] for line in lines}


@pytest.mark.parametrize("storms", [1, pytest.param(4, marks=[pytest.mark.soak, pytest.mark.timeout(1_800)])])
def test_workers_that_come_and_go_fold_nothing_twice(
    topics: Environment, tmp_path: Path, storms: int
) -> None:
    """One, three, one, two: by TERM and by kill, while records come in."""
    tables = simulated(tmp_path / "simulated", 6, 30 if storms == 1 else 60 * storms, 21, topics)
    records = list(in_turn(tables))
    share = len(records) // (6 * storms)
    parts = iter([records[at : at + share] for at in range(0, len(records), share)])
    workers: list[Worker] = []
    try:
        for _ in range(storms):
            storm(topics, tmp_path, workers, parts)
        for part in parts:
            produce(topics, part)
        caught_up(topics)
        ends = [one.process.poll() for one in workers]
        assert {end for end in ends if end is not None} == {0, -9}, "each ended as it was asked to"
        alive = [one for one, end in zip(workers, ends, strict=True) if end is None]
        assert len(alive) == 2
        assert sum(one.measure("catwalk_rebalances_total") for one in alive) >= 2
        found = written(topics)
        assert (found.rounds, found.findings) == expected(tables)
        assert found.letters == []
        tell("workers that came", len(workers))
        tell("events", len(records))
        tell("rounds and findings written again", found.repeated)
    finally:
        for one in workers:
            one.kill()


def storm(topics: Environment, folder: Path, workers: list[Worker], parts: Iterator[list[Sent]]) -> None:
    """Workers come to be one, three, one and two; what was there before ends by kill, what comes stays."""

    def come(number: int) -> Worker:
        for _ in range(number):
            workers.append(Worker(topics, folder / f"fold-{len(workers)}.log", *SHORT_SESSION))
        return workers[-number]

    before = [one for one in workers if one.process.poll() is None]
    first = come(1)
    for step in range(6):
        part, before_it, folded = next(parts, []), known(topics).told, events_of(workers)
        produce(topics, part)
        match step:
            case 0:
                first.ready()
                for one in before:
                    one.kill()
            case 1:
                come(2).ready()
            case 2:
                assert first.stop() == 0
            case 3:
                until(partial(have_folded_more, workers, folded if part else -1))  # somebody is at the part
                workers[-2].kill()
            case 4:
                come(1).ready()
        until(partial(is_told_more, topics, before_it if part else -1))


def events_of(workers: Sequence[Worker]) -> float:
    """Events that those who live have folded."""
    return sum(one.measure("catwalk_events_total") for one in workers if one.process.poll() is None)


def have_folded_more(workers: Sequence[Worker], before: float) -> bool:
    return events_of(workers) > before


def is_told_more(topics: Environment, before: int) -> bool:
    return known(topics).told > before


@pytest.mark.soak  # test_poison sends it through all workers in every run
def test_poison_is_set_aside_and_its_neighbours_go_on(topics: Environment, tmp_path: Path) -> None:
    lines, other = list(lines_of("breach_overpay")), list(lines_of("lawful_fortune_670a10")[:300])
    key, neighbour = subject_of(lines[0]).encode(), subject_of(other[0]).encode()
    poison = {name: value for name, value in GARBAGE.items() if len(value) < 1_000_000}
    mine = [*lines[:60], *poison.values(), *lines[60:]]
    records = [Sent(key, line) for line in mine[:30]]
    records += [Sent(None, b"{}"), Sent(b"no/table", lines[0]), Sent(b"\xff", None)]
    records += list(in_turn({key: mine[30:], neighbour: other}))
    again = [Sent(key, b"\n".join(lines[20:50]), FRAME), *(Sent(neighbour, one) for one in other[-20:])]
    with worker(topics, tmp_path / "fold.log") as fold:
        produce(topics, [*records, *again])
        caught_up(topics)
        found = written(topics)
        assert (found.rounds, found.findings) == expected({key: mine, neighbour: other})
        letters = {
            (one["origin"].partition("@")[0].rpartition("/")[0], one["bytes_base64"]) for one in found.letters
        }
        assert letters == {
            ("catwalk.events", base64_of(value)) for value in (*poison.values(), b"{}", lines[0], b"")
        }
        assert len({one["origin"] for one in found.letters}) == len(poison) + 3
        assert fold.measure("catwalk_duplicates_total") == 50
        assert fold.measure("catwalk_dead_letters_total") == len(poison) + 3
        assert fold.stop() == 0
    shown = fold.log.read_text()
    assert not any(secret in shown for secret in ("P-", '"As"', "shoe jammed")), (
        "a log names no card and no patron"
    )


@pytest.mark.soak  # tests/pipeline sets them aside in every run
def test_a_megabyte_and_a_record_without_a_value_are_set_aside_whole(
    topics: Environment, tmp_path: Path
) -> None:
    lines = list(lines_of("lawful_free_bet_590")[:100])
    key, huge = subject_of(lines[0]).encode(), b'{"data":"' + b"x" * 1_000_000 + b'"}'
    records = [Sent(key, one) for one in lines[:50]] + [Sent(key, huge), Sent(key, None)]
    with worker(topics, tmp_path / "fold.log"):
        produce(topics, records + [Sent(key, one) for one in lines[50:]])
        caught_up(topics)
    found = written(topics)
    assert sorted(one["bytes_base64"] for one in found.letters) == ["", base64_of(huge)]
    assert sum(b'"integrity.schema"' in one for one in found.findings) == 2
    assert len(found.rounds) == len(expected({key: lines})[0])


def test_a_clean_stop_leaves_nothing_to_do_again(topics: Environment, tmp_path: Path) -> None:
    lines = list(lines_of("lawful_manual_shoe_657a8"))
    key = subject_of(lines[0]).encode()
    with worker(topics, tmp_path / "a.log") as fold:
        fold.ready()
        produce(topics, [Sent(key, one) for one in lines[:700]])
        time.sleep(0.5)
        assert fold.stop() == 0
    with worker(topics, tmp_path / "b.log") as fold:
        produce(topics, [Sent(key, one) for one in lines[700:]])
        caught_up(topics)
        assert fold.stop() == 0
    found = written(topics)
    assert (found.rounds, found.findings, found.repeated) == (*expected({key: lines}), 0)


def test_snapshots_written_off_make_the_next_worker_fold_everything_again(
    topics: Environment, tmp_path: Path
) -> None:
    lines = list(lines_of("breach_overpay"))
    key = subject_of(lines[0]).encode()
    for attempt in ("first", "second"):
        with worker(topics, tmp_path / f"{attempt}.log") as fold:
            if attempt == "first":
                produce(topics, [Sent(key, one) for one in lines])
            caught_up(topics)
            fold.ready()
            assert fold.stop() == 0
        once = written(topics)
        if attempt == "first":
            assert once.repeated == 0
            catwalk(topics, "fold", "--forget")
    assert (once.rounds, once.findings) == expected({key: lines})
    assert once.repeated == len(once.rounds) + len(once.findings)
    assert len({key for key, _ in read(topics, SNAPSHOTS)}) >= 2


@pytest.mark.soak  # test_clocks moves the clocks of devices in every run
def test_a_gateways_clock_that_jumps_changes_nothing(topics: Environment, tmp_path: Path) -> None:
    """Order is the sequence's alone, whatever a gateway's clock says: an hour back, a day ahead, and back again."""
    plain, now = list(lines_of("breach_overpay")), int(time.time() * 1000)
    key = subject_of(plain[0]).encode()
    with worker(topics, tmp_path / "fold.log"):
        jumps = (0, -3_600_000, 86_400_000)
        produce(topics, [Sent(key, one, at=now + jumps[at // 40 % 3]) for at, one in enumerate(plain)])
        caught_up(topics)
    found = written(topics)
    assert (found.rounds, found.findings) == expected({key: plain})


def refused(environment: Environment) -> str:
    """What a worker that cannot start says: one line, after its log."""
    done = subprocess.run(
        [sys.executable, "-m", "deploy.cli", "fold", "--start", "1"],
        env=dict(environment), cwd=REPOSITORY, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    said = [line for line in done.stderr.splitlines() if not line.startswith("{")]
    assert len(said) == 1, done.stderr
    return said[0]


def test_a_worker_that_cannot_start_says_why_and_what_to_do(live_environment: Environment) -> None:
    assert "does not answer" in refused({**live_environment, "CATWALK_KAFKA": "127.0.0.1:1"})


def test_snapshots_of_another_ledger_stop_the_worker_before_it_writes_anything(topics: Environment) -> None:
    """A ledger that was made anew: what was folded from the old one must not hide what the new one holds."""
    lines = list(lines_of("breach_overpay"))
    key = subject_of(lines[0]).encode()
    produce(topics, [Sent(key, one) for one in lines])
    ahead = PartitionCheckpoint(fold_version=FOLD_VERSION, partition=0, next_offset=10**6, tables={})

    async def write() -> None:
        brokers = brokers_of(load(environment=topics).values)
        async with AIOKafkaProducer(**brokers.client_options()) as out:
            for partition in range(3):
                value = msgspec.msgpack.encode(msgspec.structs.replace(ahead, partition=partition))
                name = brokers.topic(SNAPSHOTS)
                await out.send_and_wait(name, value, key=checkpoint_key(partition), partition=partition)

    asyncio.run(write())
    assert "catwalk fold --forget" in refused(topics)
    assert read(topics, ROUNDS) == []
    assert catwalk(topics, "fold", "--forget") == ""


def test_snapshots_that_lie_in_other_partitions_than_the_ledger_are_refused(topics: Environment) -> None:
    async def add() -> None:
        brokers = brokers_of(load(environment=topics).values)
        admin = AIOKafkaAdminClient(**brokers.client_options())
        await admin.start()
        await admin.create_partitions({brokers.topic(SNAPSHOTS): NewPartitions(total_count=5)})
        await admin.close()

    asyncio.run(add())
    assert "has 5 partitions, and the ledger's topic 3" in refused(topics)


def test_a_worker_that_takes_nothing_begins_anew_then_ends_itself_and_has_acknowledged_nothing(
    topics: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = list(lines_of("breach_overpay"))
    key = subject_of(lines[0]).encode()
    produce(topics, [Sent(key, one) for one in lines])
    begun_anew = []

    async def send(outbox: KafkaOutbox, _messages: object) -> None:
        begun_anew.append(outbox)
        await asyncio.Event().wait()  # as a client does that has fallen silent

    monkeypatch.setattr(KafkaOutbox, "send", send)  # the one thing that is broken here

    async def story() -> None:
        options = FoldWorkerOptions(stuck_seconds=3.0, watch_seconds=0.5, session_seconds=6.0)
        stuck = FoldWorker(brokers_of(load(environment=topics).values), options)
        with pytest.raises(Stuck, match="none was taken"):
            await asyncio.wait_for(stuck.run(asyncio.Event()), PATIENCE)

    asyncio.run(story())
    assert len(set(begun_anew)) == 2
    assert read(topics, ROUNDS) == []
    shown = json.loads(catwalk(topics, "lag", "--worker", "fold", "--format", "json"))
    assert {row["committed"] for row in shown["partitions"]} == {None}
    assert shown["behind"] == len(lines)
