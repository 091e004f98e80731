"""The analyst on real topics: killed again and again, its counters are the sums over what the store holds."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.live.folding import in_turn, produce, simulated
from tests.live.test_end_to_end import published
from tests.live.test_sink import execute
from tests.live.working import Process, all_caught_up, behind, prepared, workers

Environment = dict[str, str]

FROM_ROUNDS = """
    SELECT subject, ifNull(dealer, ''), assumeNotNull(gaming_day), toUInt64(count()), sum(net_cents)
    FROM `@`.rounds FINAL GROUP BY ALL ORDER BY ALL
"""
FROM_COUNTERS = """
    SELECT subject, dealer, gaming_day, sum(rounds), sum(net_cents)
    FROM `@`.counters FINAL GROUP BY ALL ORDER BY ALL
"""


@pytest.mark.parametrize("kills", [2, pytest.param(30, marks=pytest.mark.soak)])
def test_an_analyst_killed_again_and_again_counts_every_round_and_finding_once(
    live_environment: Environment, tmp_path: Path, kills: int
) -> None:
    prepared(live_environment)
    tables = published() | simulated(tmp_path / "tables", 3, 60, 5, live_environment)
    produce(live_environment, in_turn(tables, frame=25))
    with workers(live_environment, tmp_path, "fold", "sink"):
        for _ in range(kills):
            analyst = Process(live_environment, tmp_path, "analyst")
            time.sleep(4)
            analyst.kill()
        with workers(live_environment, tmp_path, "analyst") as [last]:
            all_caught_up(live_environment, kinds=("fold", "analyst", "sink"))
            assert last.stop() == 0, last.log.read_text()[-2000:]
        all_caught_up(live_environment)
    assert behind(live_environment)["analyst"] == 0
    rounds = execute(live_environment, FROM_ROUNDS)
    assert execute(live_environment, FROM_COUNTERS) == rounds
    assert len(rounds) > 8
    stakes = "SELECT sum(staked_cents), count() FROM `@`.stakes FINAL"
    assert execute(
        live_environment, "SELECT sum(handle_cents), sum(stakes) FROM `@`.counters FINAL"
    ) == execute(live_environment, stakes)
    reached = (
        "SELECT count() FROM `@`.findings AS f FINAL INNER JOIN (SELECT subject, max(last_sequence) AS last"
        " FROM `@`.rounds FINAL GROUP BY subject) AS r ON r.subject = f.subject WHERE f.sequence <= r.last"
    )
    counted = "SELECT sum(breached + indeterminate + interpretation + suspected) FROM `@`.counters FINAL"
    assert execute(live_environment, counted) == execute(live_environment, reached)
