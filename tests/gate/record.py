"""What a run of `make test` leaves in `.gate.json`: the commit, the result, the minutes, the times of the tests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from tests.architecture.tracked import ROOT

GATE = ROOT / ".gate.json"
TIMES = Path(__file__).with_name("seconds.json")
"""Seconds of each module in an earlier run; a clone in which no run has ended yet has no others."""


class Tests(msgspec.Struct, frozen=True):
    """What pytest told of a run.

    counts: number of tests by outcome.
    second_tries: ids of the tests that failed and then passed.
    seconds: by module (a path below `tests`) the time of its tests, summed over the workers.
    processor_seconds: by module the processor time of its tests and of the processes that ended in them.
    """

    counts: dict[str, int] = {}
    second_tries: list[str] = []
    seconds: dict[str, float] = {}
    processor_seconds: dict[str, float] = {}


class Gate(msgspec.Struct, frozen=True):
    """One run of `make test`.

    clean: whether the tree held nothing but the commit, when the run began and when it ended.
    result: `passed`, `failed`, `interrupted`, or `running`, which also stands after a kill.
    minutes: duration of the whole run.
    tests: None if pytest did not end.
    before: seconds of each module in the last run before, by which this run is ordered.
    """

    commit: str
    clean: bool
    result: str
    minutes: float
    tests: Tests | None = None
    before: dict[str, float] = {}

    @property
    def seconds(self) -> dict[str, float]:
        """Seconds of each module as known now: of this run, and of the run before for what this run has not ended."""
        return self.before | (self.tests.seconds if self.tests is not None else {})


def write(path: Path, record: Gate | Tests | Mapping[str, int]) -> None:
    """Put a record into a file, one field a line."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n")


def read(path: Path) -> Gate | None:
    """The record in a file; None without the file, or where the file holds something else."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Gate)
    except (OSError, msgspec.MsgspecError):
        return None


def seconds_by_module(gate: Path = GATE, times: Path = TIMES) -> dict[str, float]:
    """What each module took: in the last run of this clone, else in the run that `seconds.json` was made from."""
    known = msgspec.json.decode(times.read_bytes(), type=dict[str, float])
    last = read(gate)
    return known | (last.seconds if last is not None else {})
