"""Alarms at lawful shifts are counted over many sittings, each shift once, with exact limits."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from benchmarks.honest.shifts import Shift, watch
from benchmarks.honest.summary import limits, shifts, summaries
from tests.detectors.worlds import changed, mispaid, table


def _sitting(out: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks.honest", str(out), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.soak
def test_a_sitting_goes_on_where_the_last_one_was_killed(tmp_path: Path) -> None:
    out = tmp_path / "honest.ndjson"
    assert _sitting(out, "--streams", "1").returncode == 0
    whole = out.read_bytes()
    out.write_bytes(whole + whole[:40])  # a kill left half of the second line
    again = _sitting(out, "--streams", "1")
    assert again.stdout == f"{out}: 2 table-shifts\n", again.stderr
    counted = list(shifts([out, out]))
    assert [one.seed for one in counted] == [0, 1]
    assert all(one.rounds > 300 and one.peaks and one.alarms == [] for one in counted)
    [summary] = summaries(counted)
    assert summary.shifts == 2
    by_family = {one.family: one for one in summary.families}
    assert by_family["any"].alarms == 0
    assert by_family["sensor_health"].shifts == 2


def test_an_alarm_is_counted_with_the_evidence_that_it_had() -> None:
    stream = changed(table(1, 150), mispaid(0.05, 1, way="patrons"))
    rounds, events, alarms, peaks = watch(iter(stream), "S-1")
    assert (rounds, events) == (150, len(stream))
    assert alarms == ["pattern.dealer_mispay.for_patrons suspected dealer=D-011"]
    assert [name for name, peak in peaks.items() if peak >= 10_000] == ["dealer_mispay"]
    one = Shift(
        seed=1, detectors="d", tables="t", ruleset="free_bet_672a", worn=False, erring=False, rounds=rounds,
        events=events, seconds=1.0, alarms=alarms, peaks=peaks,
    )  # fmt: skip
    again = msgspec.json.decode(msgspec.json.encode(one), type=Shift)
    [summary] = summaries([again])
    assert {row.family for row in summary.families if row.alarms} == {"dealer_mispay", "any"}
    assert {row.family for row in summary.families if row.alarms_at_05} == {"dealer_mispay", "any"}
    other = msgspec.structs.replace(again, detectors="e")
    assert [(row.detectors, row.shifts) for row in summaries([again, other, again])] == [("d", 2), ("e", 1)]


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(0, 10_000, 0.0, 3.688e-4), (5, 100, 0.01643, 0.11283), (10, 10, 0.69150, 1.0)],
)
def test_limits_are_those_of_clopper_and_pearson(hits: int, of: int, low: float, high: float) -> None:
    assert limits(hits, of) == pytest.approx((low, high), rel=1e-3)
