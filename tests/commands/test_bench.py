"""`catwalk bench`: figures beside their peers, the dearest checks, and the same as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from benchmarks import core, replay
from benchmarks.live.arrivals import results_of
from benchmarks.live.feed import subject_of
from benchmarks.live.measure import spread_of
from processors.law.check import REGISTRY
from processors.pipeline import TablePipeline
from tests.commands.run import Catwalk, catwalk

__all__ = ["catwalk"]  # a fixture

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def streams(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one short stream, measured once beside two simulated rounds of each ruleset."""
    monkeypatch.setattr(replay, "ROUNDS", 2)
    monkeypatch.setattr(replay, "REPEATS", 1)
    monkeypatch.setattr(core, "taking_turns", _once(core.taking_turns))
    monkeypatch.setattr(core, "best", _once(core.best))
    lines = (EXAMPLES / "lawful_free_bet_590.ndjson").read_bytes().splitlines()[:200]
    (tmp_path / "lawful_short.ndjson").write_bytes(b"\n".join(lines) + b"\n")
    return tmp_path


def _once(measured: Callable[..., Any]) -> Callable[..., Any]:
    return partial(measured, repeats=1)


def test_every_figure_stands_beside_its_peer_and_the_dearest_checks_are_named(
    catwalk: Catwalk, streams: Path, tmp_path: Path
) -> None:
    before = dict(REGISTRY)
    told = tmp_path / "figures.json"
    ran = catwalk("bench", "--streams", streams, "--long", 1000, "--json", told)
    assert (ran.status, ran.err) == (0, "")
    kept = json.loads(told.read_bytes())
    assert [figure["bench"] for figure in kept["figures"]] == ["core"] * 2 + ["replay"] * 7
    for figure in kept["figures"]:
        assert figure["peer"] == "bare msgspec decode"
        assert figure["ratio"] == pytest.approx(figure["value"] / figure["peer_value"])
    assert len(kept["dearest"]) == 5
    assert all(
        cost["check"] in REGISTRY and cost["calls"] and 0 < cost["share"] < 1 for cost in kept["dearest"]
    )
    assert sorted(kept["dearest"], key=lambda cost: -cost["microseconds"]) == kept["dearest"]
    assert kept["dearest"][0]["check"] in ran.out
    assert "MB peak resident" in ran.out
    assert before == REGISTRY


def test_it_measures_the_examples_from_any_folder(
    catwalk: Catwalk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []

    def measured(streams: Path) -> list[core.Measurement]:
        asked.append(streams)
        return [core.Measurement("a figure", 1.0, "ms", "its peer", 1.0)]

    monkeypatch.setattr(core, "measure", measured)
    monkeypatch.chdir(tmp_path)
    ran = catwalk("bench", "core")
    assert (ran.status, ran.err) == (0, "")
    assert [one.is_dir() and any(one.glob("lawful_*.ndjson")) for one in asked] == [True]


def test_an_unknown_benchmark_and_a_folder_without_streams_are_said_in_a_line(
    catwalk: Catwalk, tmp_path: Path
) -> None:
    for arguments, words in (
        (("sums",), "no such benchmark"),
        (("--streams", tmp_path), "no lawful_*.ndjson"),
    ):
        ran = catwalk("bench", *arguments)
        assert (ran.status, ran.out, len(ran.err.splitlines())) == (2, "", 1)
        assert words in ran.err


def test_a_result_of_the_live_property_that_never_comes_is_lost_and_not_passed_over() -> None:
    lines = (EXAMPLES / "breach_overpay.ndjson").read_bytes().splitlines()
    wanted = results_of(lines)
    assert {relation for relation, *_ in wanted} == {"rounds", "findings"}
    made = TablePipeline(subject_of(lines[0]))
    rounds = [one for line in lines for one in made.advance(line).rounds]
    assert sum(relation == "rounds" for relation, *_ in wanted) == len(rounds)
    due = dict.fromkeys(wanted, 1.0)
    seen = dict.fromkeys(sorted(wanted)[1:], 1.25)
    found = spread_of(due, seen)
    assert (found.results, found.lost, found.p50, found.p99) == (len(wanted) - 1, 1, 250.0, 250.0)
