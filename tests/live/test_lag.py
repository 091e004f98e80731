"""`catwalk lag` as a person or a script asks it."""

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from aiokafka import AIOKafkaProducer

from deploy.configured.workers import brokers_of
from deploy.settings import load
from deploy.stack.stack import Stack
from schemas.topics import CLOUDEVENT, EVENTS
from tests.commands.run import Catwalk, catwalk
from tests.live.folding import Environment, Sent, caught_up, expected, in_turn, produce, worker, written
from tests.live.folding import catwalk as process
from tests.live.working import prepared
from tests.pipeline.streams import lines_of
from tests.runtime.tables import subject_of
from tests.sampling import one_in

__all__ = ["catwalk"]


@pytest.fixture
def topics(live_environment: Environment, monkeypatch: pytest.MonkeyPatch) -> Environment:
    """Topics and relations that are there, also for commands of this process."""
    prepared(live_environment)
    for name, value in live_environment.items():
        monkeypatch.setenv(name, value)
    return live_environment


def test_it_counts_what_nobody_has_taken_and_says_so_by_partition(
    topics: Environment, catwalk: Catwalk
) -> None:
    lines = list(lines_of("lawful_free_bet_590")[:100])
    key = subject_of(lines[0]).encode()
    produce(topics, in_turn({key: lines}))
    shown = catwalk("lag", "--worker", "fold", "--format", "json")
    assert shown.status == 0
    assert shown.json["behind"] == 100
    rows = shown.json["partitions"]
    assert [row["behind"] for row in rows if row["behind"]] == [100]
    assert {row["committed"] for row in rows} == {None}
    assert {row["topic"] for row in rows} == {topics["CATWALK_KAFKA_PREFIX"] + "catwalk.events"}
    begun = time.monotonic()
    assert catwalk("lag", "--worker", "fold", "--wait", "--seconds", "1").status == 1
    assert time.monotonic() - begun >= 1.0
    told = catwalk("lag", "--worker", "fold").out
    assert "100 records behind in all" in told
    [line] = [one for one in told.splitlines() if one.startswith("fold ")]
    assert line.split(None, 2)[:2] == ["fold", "100"]
    assert line.endswith("none runs: start `catwalk fold`")
    assert told.count(topics["CATWALK_KAFKA_PREFIX"]) == 1, "one line a worker"
    told = catwalk("lag", "--worker", "fold", "--partitions").out
    assert told.count("│ fold") == 3


def test_it_returns_as_soon_as_nothing_is_behind(
    topics: Environment, catwalk: Catwalk, tmp_path: Path
) -> None:
    lines = list(lines_of("lawful_free_bet_590"))
    key = subject_of(lines[0]).encode()
    with worker(topics, tmp_path / "fold.log") as fold:
        fold.ready()
        produce(topics, [Sent(key, one, CLOUDEVENT) for one in lines])
        assert catwalk("lag", "--worker", "fold", "--wait", "--seconds", "60").status == 0
        told = json.loads(process(topics, "lag", "--worker", "fold", "--format", "json"))
        assert (told["behind"], told["running"]) == (0, {"fold": 1})
        assert catwalk("lag", "--worker", "fold").out.splitlines()[0].split() == [
            "fold",
            "0",
            "behind",
            "1",
            "runs",
        ]


def test_an_analyst_that_was_never_started_is_shown_and_not_waited_for(
    topics: Environment, catwalk: Catwalk
) -> None:
    shown = catwalk("lag", "--wait", "--seconds", "5", "--format", "json")
    assert shown.status == 0, "all topics are empty"
    assert shown.json["absent"] == ["analyst"]
    assert "not started" in catwalk("lag").out


def test_marks_of_transactions_are_no_records_and_stop_nobody(topics: Environment, tmp_path: Path) -> None:
    """A ledger written in transactions has offsets that hold no record, also at its end."""
    lines = list(lines_of("lawful_free_bet_590")[:400])
    key = subject_of(lines[0]).encode()

    async def write(parts: list[list[bytes]], name: str) -> None:
        brokers = brokers_of(load(environment=topics).values)
        async with AIOKafkaProducer(**brokers.client_options(), transactional_id=name) as out:
            for part in parts:
                async with out.transaction():
                    for line in part:
                        await out.send(brokers.topic(EVENTS), line, key=key)

    with worker(topics, tmp_path / "fold.log") as fold:
        fold.ready()
        asyncio.run(write([lines[:100], lines[100:150], [lines[150]], [lines[151]], lines[152:300]], "a"))
        caught_up(topics)
        asyncio.run(write([lines[300:]], "b"))
        caught_up(topics)
        assert fold.stop() == 0
    found = written(topics)
    assert (found.rounds, found.findings) == expected({key: lines})
    assert found.letters == []


@pytest.mark.soak  # a broker of its own
def test_a_broker_that_has_never_seen_a_group_is_asked_until_it_can_say(
    own_stack: Callable[..., Stack], catwalk: Catwalk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The first question after groups makes a new broker make their topic, and it refuses until that is there."""
    stack = own_stack(clickhouse=False)
    for name, value in (("MODE", "distributed"), ("KAFKA", stack.kafka_addresses), ("DATA", str(tmp_path))):
        monkeypatch.setenv(f"CATWALK_{name}", value)
    assert catwalk("topics", "apply").status == 0
    shown = catwalk("lag", "--format", "json")
    assert shown.status == 0
    assert shown.json["behind"] == 0
    assert {row["committed"] for row in shown.json["partitions"]} == {None}
    # There is no store, so nobody knows what it lacks: that is said, and waiting for it does not succeed.
    assert len(shown.err.splitlines()) == 1
    assert shown.json["unknown"] in shown.err
    assert catwalk("lag", "--wait", "--seconds", "0").status == 1
    assert "at least 0 records behind in all" in catwalk("lag").out
    assert catwalk("lag", "--worker", "fold", "--wait", "--seconds", "10").status == 0


def test_without_topics_or_broker_it_says_what_to_do(
    live_environment: Environment, catwalk: Catwalk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in live_environment.items():
        monkeypatch.setenv(name, value)
    shown = catwalk("lag")
    assert (shown.status, shown.out) == (2, "")
    assert "catwalk topics apply" in shown.err
    monkeypatch.setenv("CATWALK_KAFKA", "127.0.0.1:1")
    shown = catwalk("lag")
    assert (shown.status, len(shown.err.splitlines())) == (2, 1)
    assert "catwalk stack status" in shown.err


@pytest.mark.parametrize("command", one_in(3, ["sink", "analyst", "lag"]))
def test_where_everything_runs_in_one_process_there_are_no_workers(
    command: str, catwalk: Catwalk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CATWALK_MODE", "embedded")
    shown = catwalk(command)
    assert (shown.status, len(shown.err.splitlines())) == (2, 1)
    assert "CATWALK_MODE=distributed" in shown.err
