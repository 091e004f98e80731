"""What pytest tells of a run: the tests that passed at a second try, and the time of each module."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.gate.record import Tests, write

VARIABLE = "GATE_TESTS"
"""The environment's name for the file that a run of `make test` wants to be told in."""
OUTCOMES = ("passed", "failed", "error", "skipped", "xfailed", "xpassed")


def module_of(nodeid: str) -> str:
    """The module of a test, as a path below `tests`."""
    return nodeid.partition("::")[0].removeprefix("tests/")


class Work:
    """Puts the processor time of each phase of a test into its report; registered in every process.

    Processes that have ended count, as the children of a test. Servers that several tests share count for none.
    """

    def __init__(self) -> None:
        self._before = 0.0

    def pytest_collection_finish(self) -> None:
        self._before = _processor_seconds()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        now = _processor_seconds()
        vars(report)["processor_seconds"] = now - self._before
        self._before = now
        return report


def _processor_seconds() -> float:
    """Of this process and of its children that have ended."""
    return sum(os.times()[:4])


class Telling:
    """Hears the reports of all workers; registered in the process that the user started, and in no worker."""

    def __init__(self) -> None:
        """`GATE_TESTS` is taken out of the environment: a test that starts pytest must not write there."""
        self._to = os.environ.pop(VARIABLE, None)
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._processor: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[module_of(report.nodeid)] += report.duration
        self._processor[module_of(report.nodeid)] += getattr(report, "processor_seconds", 0.0)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Names what passed at a second try, and writes the run down where a gate asked for it."""
        failed = {one.nodeid for kind in ("failed", "error") for one in terminalreporter.getreports(kind)}
        second = sorted({one.nodeid for one in terminalreporter.getreports("rerun")} - failed)
        if second:
            terminalreporter.section("passed at a second try")
            for name in second:
                terminalreporter.write_line(name)
        if self._to is not None:
            counts = Counter({kind: len(terminalreporter.getreports(kind)) for kind in OUTCOMES})
            seconds, processor = (
                {name: round(took, 1) for name, took in sorted(times.items())}
                for times in (self._seconds, self._processor)
            )
            write(Path(self._to), Tests(dict(+counts), second, seconds, processor))
