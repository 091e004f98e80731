"""`catwalk bench live`: a property of its own on the servers that the environment names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from kafka import KafkaAdminClient

from benchmarks import pipeline_fold
from deploy.configured.workers import brokers_of
from deploy.settings import Settings
from tests.live.folding import Environment
from tests.live.test_stack import catwalk

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
WORKERS = {"gateway", "fold", "sink", "analyst"}


@pytest.mark.soak  # five processes start, and events come at the pace of a clock
def test_it_says_what_a_rate_of_events_costs_and_how_soon_results_are_there(
    live_environment: Environment, tmp_path: Path
) -> None:
    figures = tmp_path / "figures.json"
    done = catwalk(
        "bench", "live", "--rate", "100", "--seconds", "4", "--tables", "6", "--json", str(figures),
        environment=live_environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "live: 100 events/s of 6 tables" in done.stdout
    [found] = json.loads(figures.read_bytes())["rates"]
    assert (found["rate"], found["tables"], found["events"]) == (100, 6, 400)
    assert found["processor"].keys() == WORKERS | {"load"}
    assert all(found["processor"][name] > 0 for name in WORKERS)
    assert 0 < found["workers"] < sum(found["processor"].values())
    assert found["kafka"]["catwalk.events"] > 50
    assert found["kafka"]["catwalk.rounds"] > 0
    assert found["clickhouse"]["events"] > 10
    for spread in (found["on_topic"], found["in_store"]):
        assert spread["lost"] == 0
        assert spread["results"] >= 6
        assert 0 < spread["p50"] <= spread["p95"] <= spread["p99"]
    assert found["in_store"]["p50"] > found["on_topic"]["p50"]
    admin = KafkaAdminClient(bootstrap_servers=live_environment["CATWALK_KAFKA"])
    left = [name for name in admin.list_topics() if name.startswith("bench_")]
    admin.close()
    assert left == []


def test_a_rate_is_asked_of_the_live_property_alone(live_environment: Environment) -> None:
    done = catwalk("bench", "core", "--rate", "100", environment=live_environment)
    assert done.returncode == 2
    assert "`catwalk bench live`" in done.stderr


@pytest.mark.soak  # a process for each of six works
def test_the_fold_is_measured_beside_agents_that_do_nothing(
    live_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline_fold, "SINGLE", 2_000)
    monkeypatch.setattr(pipeline_fold, "FRAMED", 4_000)
    figures, notes = pipeline_fold.measure_fold(brokers_of(live_settings), EXAMPLES)
    assert all(figure.value > 0 and figure.peer_value > 0 for figure in figures)
    assert {figure.name.removeprefix("pipeline: ") for figure in figures} >= {
        "fold worker, one event a record", "fold worker, frames of 50", "fold without a broker"
    }  # fmt: skip
    assert notes
