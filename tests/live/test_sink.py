"""The sink against a store that is away, slow, refuses, dies, or stores and does not say so."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from clickhouse_driver import Client

from deploy.stack.stack import Stack
from schemas.topics import FINDINGS
from tests.live.checker import check
from tests.live.figures import tell
from tests.live.folding import in_turn, produce, read, simulated
from tests.live.servers import database_of
from tests.live.test_end_to_end import published
from tests.live.working import Proxy, Unacknowledged, all_caught_up, behind, events_in, prepared, workers
from tests.waiting import until

Environment = dict[str, str]
MEGABYTE = 1 << 20


def execute(environment: Mapping[str, str], statement: str) -> list[tuple[Any, ...]]:
    client = Client(environment["CATWALK_CLICKHOUSE_HOST"], port=int(environment["CATWALK_CLICKHOUSE_PORT"]))
    try:
        found: list[tuple[Any, ...]] = client.execute(statement.replace("@", database_of(environment)))
        return found
    finally:
        client.disconnect()


@pytest.mark.parametrize(
    "seconds",
    [
        pytest.param(6, marks=pytest.mark.soak),
        pytest.param(600, marks=[pytest.mark.soak, pytest.mark.timeout(1_200)]),
    ],
)
def test_a_store_that_is_away_then_slow_then_refuses_delays_rows_and_nothing_else(
    live_environment: Environment, proxied: tuple[Proxy, Environment], tmp_path: Path, seconds: int
) -> None:
    proxy, through = proxied
    prepared(live_environment)
    tables = published() | simulated(tmp_path / "tables", 3, min(10 * seconds, 800), 9, live_environment)
    halves = {key: len(lines) // 2 for key, lines in tables.items()}
    produce(live_environment, in_turn({key: lines[: halves[key]] for key, lines in tables.items()}))
    with workers(live_environment, tmp_path, "fold"), workers(through, tmp_path, "sink") as [sink]:
        all_caught_up(live_environment)
        memory = sink.resident
        proxy.refuse = True
        proxy.cut()
        produce(live_environment, in_turn({key: lines[halves[key] :] for key, lines in tables.items()}))
        time.sleep(seconds)
        all_caught_up(live_environment, kinds=("fold",))
        assert len(read(live_environment, FINDINGS)) > 0, "alerts do not wait for the store"
        assert behind(live_environment)["sink"] > 0
        assert sink.process.poll() is None
        assert sink.said("store failed, will try again")
        assert sink.resident < memory + 150 * MEGABYTE
        tell("seconds without a store", seconds)
        tell("MB grown", (sink.resident - memory) // MEGABYTE)
        proxy.delay, proxy.refuse = (
            1.5,
            False,
        )  # an insert asks and is answered several times: some five seconds
        time.sleep(10)
        execute(live_environment, "ALTER TABLE `@`.events MODIFY SETTING parts_to_throw_insert = 1")
        proxy.delay = 0.0
        time.sleep(4)
        left = behind(live_environment)["sink"]
        execute(live_environment, "ALTER TABLE `@`.events RESET SETTING parts_to_throw_insert")
        well = time.monotonic()
        all_caught_up(live_environment)
        tell("records behind", left)
        tell("records/s caught up", round(left / (time.monotonic() - well)))
    verdict = check(live_environment, tables)
    assert verdict.wrong == []


@pytest.mark.soak  # workers are killed at that moment in every run: test_end_to_end
def test_an_insert_that_is_stored_and_never_answered_is_stored_once(
    live_environment: Environment, proxied: tuple[Proxy, Environment], tmp_path: Path
) -> None:
    proxy, through = proxied
    prepared(live_environment)
    tables = published()
    proxy.cut_answers = 6
    produce(live_environment, in_turn(tables))
    with workers(live_environment, tmp_path, "fold"), workers(through, tmp_path, "sink") as [sink]:
        all_caught_up(live_environment)
        assert proxy.cuts > 2, "connections were cut between data and answer"
        assert sink.said("store failed, will try again")
    assert check(live_environment, tables).wrong == []


@pytest.mark.parametrize(
    "patience", [4, pytest.param(60, marks=[pytest.mark.soak, pytest.mark.timeout(600)])]
)
def test_a_server_that_vanishes_without_closing_its_connections_delays_the_sink_by_no_more_than_is_set(
    live_environment: Environment, proxied: tuple[Proxy, Environment], tmp_path: Path, patience: int
) -> None:
    """The data were sent, and no answer and no end of the connection ever comes; new connections work."""
    proxy, through = proxied
    prepared(live_environment)
    tables = published()
    proxy.silence_answers = 1
    produce(live_environment, in_turn(tables))
    through = through | {"CATWALK_CLICKHOUSE_ANSWER_SECONDS": str(patience)}
    with workers(live_environment, tmp_path, "fold"), workers(through, tmp_path, "sink") as [sink]:
        until(lambda: not proxy.silence_answers, lambda: sink.log.read_text()[-2000:])
        silent = time.monotonic()
        all_caught_up(live_environment)
        took = time.monotonic() - silent
        assert sink.said("store failed, will try again")
    tell("seconds until all was stored", round(took, 1))
    assert took > patience - 1, "the answer was waited for"
    assert check(live_environment, tables).wrong == []


@pytest.mark.soak  # test_end_to_end kills it in every run
def test_a_sink_killed_between_its_inserts_stores_what_is_left_and_nothing_twice(
    live_environment: Environment, proxied: tuple[Proxy, Environment], tmp_path: Path
) -> None:
    """Killed when the store has rows whose answer has not come yet."""
    proxy, through = proxied
    prepared(live_environment)
    tables = published() | simulated(tmp_path / "tables", 2, 30, 3, live_environment)
    unacknowledged = Unacknowledged(proxy, partial(events_in, live_environment))
    with workers(through, tmp_path, "sink") as [sink]:
        sink.at_work()
        with unacknowledged.rows(lambda: produce(live_environment, in_turn(tables, frame=50))):
            sink.kill()
    with workers(live_environment, tmp_path, "fold", "sink") as [_, again]:
        all_caught_up(live_environment)
        assert again.said("rows were there already"), "nothing was delivered twice: the test proves nothing"
    assert check(live_environment, tables).wrong == []


def test_a_server_killed_while_rows_come_loses_none_that_it_had_acknowledged(
    live_environment: Environment, own_stack: Callable[..., Stack], tmp_path: Path
) -> None:
    stack = own_stack(kafka=False)
    environment = live_environment | {"CATWALK_CLICKHOUSE_PORT": str(stack.plan.clickhouse_port)}
    prepared(environment)
    tables = published() | simulated(tmp_path / "tables", 2, 30, 3, environment)
    with workers(environment, tmp_path, "fold", "sink"):
        for number, sent in enumerate(in_turn(tables, frame=50)):
            produce(environment, [sent])
            if number == 8:
                stack.clickhouse.process.kill()
            if number == 16:
                stack.up([stack.clickhouse])
        all_caught_up(environment)
    assert check(environment, tables).wrong == []
