"""The sink against a store that is away for long, then slow, then refuses: memory stays flat, alerts come."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from clickhouse_driver import Client

from schemas.topics import FINDINGS
from tests.live.checker import check
from tests.live.figures import tell
from tests.live.folding import in_turn, produce, read, simulated
from tests.live.servers import database_of
from tests.live.test_end_to_end import published
from tests.live.working import Proxy, all_caught_up, behind, prepared, workers

Environment = dict[str, str]
MEGABYTE = 1 << 20


def execute(environment: Mapping[str, str], statement: str) -> list[tuple[Any, ...]]:
    client = Client(environment["CATWALK_CLICKHOUSE_HOST"], port=int(environment["CATWALK_CLICKHOUSE_PORT"]))
    try:
        found: list[tuple[Any, ...]] = client.execute(statement.replace("@", database_of(environment)))
        return found
    finally:
        client.disconnect()


@pytest.mark.soak
@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("seconds", [600])
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
