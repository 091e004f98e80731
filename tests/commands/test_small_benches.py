"""Every benchmark runs, on as little as it takes: what was left unrun has ended in a traceback before.

`core` and `replay` are run by test_bench.py, those that need servers by live/test_bench.py.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks import analyst, rack
from benchmarks.console import pages, queue, searching, steps, viewers
from benchmarks.hands import revenue
from benchmarks.patterns import finding, power
from deploy.cli import bench
from tests.commands.run import Catwalk, catwalk

__all__ = ["catwalk"]  # a fixture

ELSEWHERE = {"core", "replay", "pipeline", "sink", "live"}
HERE = ("rack", "analyst", "console", "revenue", "patterns")
LONGER = ("console", "revenue", "patterns")  # a browser and servers; a store; a stream of a pattern
WITH_STORE = {"console": ("--rounds", 20_000, "--long", 500), "revenue": ("--rounds", 20_000)}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """As few rounds, questions, viewers and scenarios as there may be."""
    monkeypatch.setattr(rack, "figures", partial(rack.figures, rounds=2))
    for name, value in (("TABLES", 3), ("DAYS", 1), ("CHANGES", 40), ("SPEAKS", 20)):
        monkeypatch.setattr(analyst, name, value)
    monkeypatch.setattr(bench, "measure_viewers", partial(viewers.measure, seconds=1.0, viewers=2))
    monkeypatch.setattr(
        bench, "measure_queue", partial(queue.measure, seconds=1.0, viewers=2, already=30, loads=1)
    )
    fewer: list[tuple[ModuleType, str, float]] = [
        (searching, "TIMES", 1), (searching, "SCANS", 1), (pages, "LOADS", 1), (steps, "STEPS", 3),
        (pages, "ALERTS_FOR", 0.5), (bench, "SEEDS", 1), (queue, "ROUNDS", 1), (revenue, "TIMES", 1),
    ]  # fmt: skip
    for module, name, number in fewer:
        monkeypatch.setattr(module, name, number)
    shortest = min(finding.chosen([]), key=lambda one: one[2].rounds * one[1].tables)
    monkeypatch.setattr(power, "chosen", lambda _: [shortest])


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=pytest.mark.thorough) if one in LONGER else one for one in HERE]
)
def test_a_small_run_gives_figures_beside_their_peers(
    catwalk: Catwalk, small: None, tmp_path: Path, name: str
) -> None:
    told = tmp_path / "figures.json"
    ran = catwalk("bench", name, *WITH_STORE.get(name, ()), "--json", told)
    assert ran.status == 0, ran.err
    lines = ran.err.splitlines()
    assert all(line.startswith(f"{name}: ") for line in lines) if name in WITH_STORE else not lines
    figures = json.loads(told.read_bytes())["figures"]
    assert figures
    assert {figure["bench"] for figure in figures} == {name}
    assert "left out" not in ran.out


@pytest.mark.thorough
def test_the_console_tells_its_quick_figures_before_a_store_is_filled(catwalk: Catwalk, small: None) -> None:
    ran = catwalk("bench", "console", "--rounds", 20_000, "--long", 0)
    assert ran.status == 0, ran.err
    told = ran.err.splitlines()
    made = next(place for place, line in enumerate(told) if "20,000 of 20,000 rounds made" in line)
    quick = (
        "open alerts, first rows painted",
        "open alerts, all in the list",
        "alert raised to painted",
        "filter typed to list",
    )
    for figure in quick:
        assert any(f"console: {figure}" in line for line in told[:made]), figure
    assert not any("events is stored" in line for line in told), "0 leaves the long record out"


def test_the_rounds_are_those_of_a_store(catwalk: Catwalk) -> None:
    ran = catwalk("bench", "core", "--rounds", 20_000)
    assert (ran.status, "it is asked of `console` and `revenue` alone" in ran.err) == (2, True)


def test_help_names_every_benchmark(catwalk: Catwalk) -> None:
    said = catwalk("bench", "--help").out
    assert [name for name in bench.BENCHES if f"`{name}`" not in said] == []


def test_the_patterns_that_are_named_are_played_at_as_many_seeds(
    catwalk: Catwalk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[tuple[list[str], list[int], int]] = []

    def play(_out: Path, titles: list[str], seeds: range, jobs: int, _advance: object) -> int:
        asked.append((titles, list(seeds), jobs))
        return 0

    monkeypatch.setattr(power, "play", play)
    given = ("--seeds", 2, "--first", 7, "--jobs", 1)
    ran = catwalk("bench", "patterns", "--only", "counter_ramp_4", "--only", "moods", *given)
    assert (ran.status, asked) == (0, [(["counter_ramp_4", "moods"], [7, 8], 1)])
    assert "2 seeds of each scenario, only counter_ramp_4, moods" in ran.out


def test_a_pattern_that_nobody_knows_and_options_of_another_benchmark_are_refused(catwalk: Catwalk) -> None:
    ran = catwalk("bench", "patterns", "--only", "countng")
    assert (ran.status, "did you mean counting" in ran.err) == (2, True)
    ran = catwalk("bench", "core", "--seeds", 2)
    assert (ran.status, "they are asked of `patterns` alone" in ran.err) == (2, True)


def test_every_benchmark_has_a_small_run() -> None:
    assert bench.BENCHES.keys() == {*HERE, *ELSEWHERE}
