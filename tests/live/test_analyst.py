"""The analyst on real topics: what it counts does not wait for findings."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from aiokafka import AIOKafkaProducer

from deploy.configured.workers import brokers_of
from deploy.settings import load
from processors.runtime.brokers.records import Taken
from schemas.topics import FINDINGS, ROUNDS, TOPICS
from tests.live.folding import apply_topics
from tests.live.working import all_caught_up, workers
from tests.runtime.topics import folded_topics, ledger_of

Environment = dict[str, str]


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
