"""The analyst on real topics: killed again and again, its counters are the sums over what the store holds."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from aiokafka import AIOKafkaProducer

from deploy.configured.workers import brokers_of
from deploy.settings import load
from processors.runtime.brokers.records import Taken
from schemas.topics import FINDINGS, ROUNDS, TOPICS
from tests.live.figures import tell
from tests.live.folding import apply_topics, in_turn, simulated
from tests.live.killing import in_lives
from tests.live.test_end_to_end import published
from tests.live.test_sink import execute
from tests.live.working import all_caught_up, behind, prepared, workers
from tests.runtime.topics import folded_topics, ledger_of

Environment = dict[str, str]

FROM_ROUNDS = """
    SELECT subject, ifNull(dealer, ''), assumeNotNull(gaming_day), toUInt64(count()), sum(net_cents)
    FROM `@`.rounds FINAL GROUP BY ALL ORDER BY ALL
"""
FROM_COUNTERS = """
    SELECT subject, dealer, gaming_day, sum(rounds), sum(net_cents)
    FROM `@`.counters FINAL GROUP BY ALL ORDER BY ALL
"""


@pytest.mark.parametrize("kills", [2, pytest.param(8, marks=[pytest.mark.soak, pytest.mark.timeout(900)])])
def test_an_analyst_killed_again_and_again_counts_every_round_and_finding_once(
    live_environment: Environment, tmp_path: Path, kills: int
) -> None:
    prepared(live_environment)
    left: list[int] = []

    def uncommitted() -> None:
        all_caught_up(live_environment, kinds=("fold",))  # which made what the dead one has still to count
        left.append(behind(live_environment).get("analyst", 0))

    rounds_each = 20 * kills
    tables = published() | simulated(tmp_path / "tables", 3, rounds_each, 5, live_environment)
    with workers(live_environment, tmp_path, "fold", "sink"):
        records = list(in_turn(tables, frame=5))
        in_lives(live_environment, tmp_path, ("analyst",), records, kills, uncommitted)
        with workers(live_environment, tmp_path, "analyst", named=True) as [last]:
            all_caught_up(live_environment, kinds=("fold", "analyst", "sink"))
            assert last.stop() == 0, last.log.read_text()[-2000:]
        all_caught_up(live_environment)
    assert behind(live_environment)["analyst"] == 0
    tell("kills", kills)
    tell("records to be counted again or first", sum(left))
    assert all(left), "something was to be counted again or first behind each kill"
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


def put(environment: Environment, records: Sequence[Taken]) -> None:
    """Append what a fold wrote to the topics of rounds and findings, all to one partition."""

    async def send() -> None:
        brokers = brokers_of(load(environment=environment).values)
        async with AIOKafkaProducer(**brokers.client_options(), acks="all") as out:
            for one in records:
                topic = brokers.topic(next(topic for topic in TOPICS if topic.name == one.place[0]))
                await out.send_and_wait(topic, one.value, key=one.key, partition=0)

    asyncio.run(send())


def test_an_analyst_that_is_started_again_counts_new_rounds_while_no_finding_comes(
    live_environment: Environment, tmp_path: Path
) -> None:
    apply_topics(live_environment)
    records = folded_topics(ledger_of(["breach_overpay"], 1200))
    rounds = [one for one in records if one.place[0] == ROUNDS.name]
    findings = [one for one in records if one.place[0] == FINDINGS.name]
    assert len(rounds) > 6
    assert findings
    with workers(live_environment, tmp_path, "analyst") as [first]:
        first.at_work()  # one that was never started is waited for by nobody
        put(live_environment, [*rounds[:3], *findings])
        all_caught_up(live_environment, seconds=60, kinds=("analyst",))
        assert first.stop() == 0, first.log.read_text()[-2000:]
    with workers(live_environment, tmp_path, "analyst") as [second]:
        second.at_work()
        for one in rounds[3:6]:  # each alone, so that it is taken after the one before
            put(live_environment, [one])
            all_caught_up(live_environment, seconds=60, kinds=("analyst",))
