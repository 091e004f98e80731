"""A broker that dies, stops or is restarted under a fold: it waits, goes on, and loses nothing."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from deploy.stack.stack import Stack
from tests.live.folding import (
    Environment,
    apply_topics,
    caught_up,
    expected,
    in_turn,
    produce,
    simulated,
    worker,
    written,
)


@pytest.mark.soak  # in every run test_brokers_away pauses the broker of a fold, test_brokers_killed kills it
@pytest.mark.parametrize("how", ["killed", "paused"])
def test_a_fold_rides_out_a_broker_that_is_away(
    how: str, own_stack: Callable[..., Stack], live_environment: Environment, tmp_path: Path
) -> None:
    stack = own_stack(clickhouse=False)
    environment = {**live_environment, "CATWALK_KAFKA": stack.kafka_addresses}
    apply_topics(environment)
    tables = simulated(tmp_path / "simulated", 3, 40, 4, environment)
    records = list(in_turn(tables))
    half, broker = len(records) // 2, stack.brokers[0]
    with worker(environment, tmp_path / "fold.log", "--session", "10") as fold:
        fold.ready()
        produce(environment, records[:half])
        time.sleep(0.3)
        if how == "killed":
            broker.process.kill()
            time.sleep(6.0)
            broker.start()
            broker.wait()
        else:
            broker.process.pause()
            time.sleep(15.0)
            broker.process.resume()
        produce(environment, records[half:])
        caught_up(environment)
        found = written(environment)
        assert (found.rounds, found.findings) == expected(tables)
        assert fold.process.poll() is None, "the same process went on"
        assert fold.stop() == 0


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_of_three_brokers_each_may_die_in_turn(
    own_stack: Callable[..., Stack], live_environment: Environment, tmp_path: Path
) -> None:
    stack = own_stack(brokers=3, clickhouse=False)
    environment = {**live_environment, "CATWALK_KAFKA": stack.kafka_addresses}
    apply_topics(environment)
    tables = simulated(tmp_path / "simulated", 3, 60, 4, environment)
    records = list(in_turn(tables))
    share = len(records) // 4
    with worker(environment, tmp_path / "fold.log", "--session", "10") as fold:
        fold.ready()
        for step, broker in enumerate((*stack.brokers, None)):
            produce(environment, records[step * share : (step + 1) * share if step < 3 else None])
            if broker is not None:
                broker.process.kill()
                time.sleep(8.0)
                broker.start()
                broker.wait()
        caught_up(environment, 240.0)
        found = written(environment)
        assert (found.rounds, found.findings) == expected(tables)
        assert fold.process.poll() is None, "the same process went on"
        assert fold.stop() == 0
