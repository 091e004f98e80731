"""Replay keeps no more in memory for a long stream than for a short one."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from producers.simulator.floor.setup import usual_setup
from producers.simulator.session import simulate_table

ROOT = Path(__file__).resolve().parents[2]
STATUS = Path("/proc/self/status")
MEGABYTE = 1024  # kB, as the kernel counts

# The kernel's high-water mark of this process alone; getrusage counts what the parent had before it started us.
REPLAY = """
import sys
from pathlib import Path
from deploy.cli.main import main
status = main(["replay", *sys.argv[1:]])
(peak,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(peak.split()[1])
sys.exit(status)
"""


def _peak(stream: Path, out: Path, *options: str) -> int:
    """The most memory, in kB, that replaying the stream took."""
    ran = subprocess.run(
        [sys.executable, "-c", REPLAY, str(stream), "--out", str(out), *options],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    return int(ran.stdout.splitlines()[-1])


def _stream(path: Path, events: int) -> Path:
    with path.open("wb") as stream:
        for line in islice(simulate_table(usual_setup("free_bet_672a", "T-1"), 10**9, 1), events):
            stream.write(line + b"\n")
    return path


def _assert_constant(tmp_path: Path, few: int, many: int, *options: str) -> None:
    small = _peak(_stream(tmp_path / "few.ndjson", few), tmp_path / "few", *options)
    large = _peak(_stream(tmp_path / "many.ndjson", many), tmp_path / "many", *options)
    assert large - small < 8 * MEGABYTE, (small, large)


@pytest.mark.skipif(not STATUS.exists(), reason="the high-water mark is read from /proc")
class TestPeakMemory:
    def test_of_fifty_thousand_events_is_that_of_five_thousand(self, tmp_path: Path) -> None:
        _assert_constant(tmp_path, 5_000, 50_000, "--no-patterns")

    @pytest.mark.soak  # what exact play has computed is kept until most situations have come: some 10 MB
    def test_of_the_detectors_is_bounded(self, tmp_path: Path) -> None:
        _assert_constant(tmp_path, 150_000, 400_000)

    @pytest.mark.soak  # what is kept of sums and words that were worked out before is full after some hundred thousand
    def test_of_six_hundred_thousand_events_is_that_of_a_hundred_thousand(self, tmp_path: Path) -> None:
        _assert_constant(tmp_path, 100_000, 600_000, "--no-patterns")

    @pytest.mark.soak
    def test_of_a_hundred_thousand_lines_of_garbage_is_no_more(self, tmp_path: Path) -> None:
        few, many = tmp_path / "few.ndjson", tmp_path / "many.ndjson"
        few.write_bytes(b"noise\n" * 1_000)
        many.write_bytes(b"noise\n" * 50_000)
        assert _peak(many, tmp_path / "b") - _peak(few, tmp_path / "a") < 8 * MEGABYTE
