"""Every benchmark runs, on as little as it takes: what was left unrun has ended in a traceback before.

`core` and `replay` are run by test_bench.py, those that need servers by live/test_bench.py.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks import analyst, console, console_pages, console_steps, console_viewers, rack
from benchmarks.patterns import finding, power
from deploy.cli import bench
from tests.commands.run import Catwalk, catwalk

__all__ = ["catwalk"]  # a fixture

ELSEWHERE = {"core", "replay", "pipeline", "sink", "live"}
HERE = ("rack", "analyst", "console", "patterns")
LONGER = ("console", "patterns")  # a browser and servers; a stream of a pattern


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """As few rounds, questions, viewers and scenarios as there may be."""
    monkeypatch.setattr(rack, "figures", partial(rack.figures, rounds=2))
    for name, value in (("TABLES", 3), ("DAYS", 1), ("CHANGES", 40), ("SPEAKS", 20)):
        monkeypatch.setattr(analyst, name, value)
    monkeypatch.setattr(bench, "measure_console", partial(console.measure, rounds=20_000, events=500))
    monkeypatch.setattr(bench, "measure_viewers", partial(console_viewers.measure, seconds=1.0, viewers=2))
    fewer: list[tuple[ModuleType, str, float]] = [
        (console, "TIMES", 1), (console, "SCANS", 1), (console_pages, "LOADS", 1), (console_steps, "STEPS", 3),
        (console_pages, "ALERTS_FOR", 0.5), (bench, "SEEDS", 1),
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
    ran = catwalk("bench", name, "--json", told)
    assert (ran.status, ran.err) == (0, "")
    figures = json.loads(told.read_bytes())["figures"]
    assert figures
    assert {figure["bench"] for figure in figures} == {name}
    assert "left out" not in ran.out


def test_every_benchmark_has_a_small_run() -> None:
    assert bench.BENCHES.keys() == {*HERE, *ELSEWHERE}
