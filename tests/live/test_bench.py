"""`catwalk bench live`: a property of its own on the servers that the environment names."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest
from kafka import KafkaAdminClient

from benchmarks import pipeline_fold, pipeline_producer, pipeline_sink
from benchmarks.live import measure
from benchmarks.pipeline_producer import measure_producer
from deploy.cli import bench
from tests.commands.run import Catwalk, catwalk
from tests.live.folding import Environment
from tests.live.test_stack import catwalk as process

__all__ = ["catwalk"]  # a fixture

WORKERS = {"gateway", "fold", "sink", "analyst"}


@pytest.mark.soak  # five processes start, and events come at the pace of a clock
def test_it_says_what_a_rate_of_events_costs_and_how_soon_results_are_there(
    live_environment: Environment, tmp_path: Path
) -> None:
    figures = tmp_path / "figures.json"
    done = process(
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
    done = process("bench", "core", "--rate", "100", environment=live_environment)
    assert done.returncode == 2
    assert "`catwalk bench live`" in done.stderr


@pytest.fixture
def small(live_environment: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    """The servers for commands of this process, and as few events, rounds and seconds as there may be."""
    for name, value in live_environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(bench, "measure_producer", partial(measure_producer, single=800, framed=800))
    fewer: list[tuple[ModuleType, str, float]] = [
        (pipeline_fold, "SINGLE", 700), (pipeline_fold, "FRAMED", 1_400), (pipeline_producer, "REPEATS", 1),
        (pipeline_sink, "ROUNDS_OF_A_TABLE", 2), (measure, "WARM", 1.0), (measure, "_AGAIN", 0.5),
    ]  # fmt: skip
    for module, which, number in fewer:
        monkeypatch.setattr(module, which, number)


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        ("pipeline", {
            "gateway, one event a record", "gateway, frames of 50", "fold worker, one event a record",
            "fold worker, frames of 50", "fold without a broker",
        }),
        ("sink", {"sink: records to stored rows", "ClickHouse: an event and all that comes of it"}),
    ],
)  # fmt: skip
def test_a_small_run_gives_figures_beside_their_peers(
    catwalk: Catwalk, small: None, tmp_path: Path, name: str, figures: set[str]
) -> None:
    told = tmp_path / "figures.json"
    ran = catwalk("bench", name, "--json", told)
    assert ran.status == 0, ran.err
    found = json.loads(told.read_bytes())["figures"]
    assert {figure["name"] for figure in found} >= figures
    assert all(figure["value"] > 0 and figure["peer_value"] > 0 for figure in found)


def test_a_small_property_comes_to_an_end(catwalk: Catwalk, small: None, tmp_path: Path) -> None:
    told = tmp_path / "figures.json"
    ran = catwalk("bench", "live", "--rate", "60", "--seconds", "2", "--tables", "2", "--json", told)
    assert ran.status == 0, ran.err
    [found] = json.loads(told.read_bytes())["rates"]
    assert (found["events"], found["on_topic"]["lost"], found["in_store"]["lost"]) == (120, 0, 0)
