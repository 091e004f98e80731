"""What a run of `make test` leaves behind: its commit, its result, its second tries, and the next run's order."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from tests.architecture.tracked import ROOT
from tests.gate.record import Gate, read, seconds_by_module, write
from tests.starting import start

ALONE = {key: text for key, text in os.environ.items() if not key.startswith(("GIT_", "PYTEST_"))}
TWICE = """
import pathlib, subprocess, pytest

@pytest.mark.flaky(reruns=1)
def test_of_luck():
    seen = pathlib.Path("seen")
    met = seen.exists()
    seen.touch()
    assert met

@pytest.mark.flaky(reruns=1)
def test_that_never_passes():
    assert False

def test_that_passes():
    subprocess.run(["sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"])
"""
TELLING = """
from tests.gate.telling import Telling, Work

def pytest_configure(config):
    config.pluginmanager.register(Work())
    config.pluginmanager.register(Telling())
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clean clone of some project."""
    folder = tmp_path / "clone"
    folder.mkdir()
    (folder / "file").write_text("first", encoding="utf-8")
    (folder / ".gitignore").write_text(".gate.json\nseen\n.pytest_cache\n__pycache__\n", encoding="utf-8")
    for command in (
        ("init", "-q"),
        ("add", "."),
        ("-c", "user.name=a", "-c", "user.email=b", "commit", "-qm", "c"),
    ):
        subprocess.run(["git", *command], cwd=folder, env=ALONE, check=True)
    return folder


def gate(folder: Path, *command: str) -> list[str]:
    run = f"import sys, pathlib; from tests.gate.__main__ import run; root = pathlib.Path({str(folder)!r}); "
    return [sys.executable, "-c", f"{run}sys.exit(run({list(command)!r}, root / '.gate.json', root))"]


def gone_through(folder: Path, *command: str) -> tuple[int, str, Gate]:
    done = subprocess.run(gate(folder, *command), cwd=ROOT, env=ALONE, capture_output=True, text=True)
    record = read(folder / ".gate.json")
    assert record is not None, done.stderr
    return done.returncode, done.stdout, record


def head(folder: Path) -> str:
    return subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=folder, env=ALONE, text=True).strip()


def test_a_gate_that_passes_names_the_commit_and_the_clean_tree(clone: Path) -> None:
    status, _, record = gone_through(clone, "true")
    assert (status, record.result, record.commit, record.clean, record.tests) == (
        0,
        "passed",
        head(clone),
        True,
        None,
    )


def test_a_gate_whose_commands_fail_fails_with_their_status(clone: Path) -> None:
    status, _, record = gone_through(clone, "sh", "-c", "exit 2")
    assert (status, record.result) == (2, "failed")


@pytest.mark.parametrize(
    "change",
    ["echo second > file", "touch new", "git -c user.name=a -c user.email=b commit -q --allow-empty -m d"],
)
def test_a_tree_that_changes_before_or_during_the_run_is_not_clean(clone: Path, change: str) -> None:
    assert not gone_through(clone, "sh", "-c", change)[2].clean
    assert gone_through(clone, "true")[2].clean is change.startswith("git")


@pytest.mark.parametrize(("ends_by", "result"), [(signal.SIGINT, "interrupted"), (signal.SIGKILL, "running")])
def test_a_gate_that_is_cut_off_never_says_it_passed(
    clone: Path, ends_by: signal.Signals, result: str
) -> None:
    assert gone_through(clone, "true")[2].result == "passed"
    with start(
        gate(clone, "sh", "-c", "echo begun; exec sleep 60"), cwd=ROOT, env=ALONE, stdout=subprocess.PIPE,
        text=True, start_new_session=True,
    ) as begun:  # fmt: skip
        assert begun.stdout is not None
        assert begun.stdout.readline() == "begun\n"
        if ends_by is signal.SIGINT:
            os.killpg(begun.pid, ends_by)
        else:
            begun.kill()
        begun.wait()
        if ends_by is signal.SIGKILL:
            os.killpg(begun.pid, ends_by)  # the command goes on without its gate
    record = read(clone / ".gate.json")
    assert record is not None
    assert record.result == result


def test_what_passed_at_a_second_try_is_printed_and_kept(clone: Path) -> None:
    folder = clone / "luck"
    folder.mkdir()
    (folder / "test_luck.py").write_text(TWICE, encoding="utf-8")
    (clone / "conftest.py").write_text(TELLING, encoding="utf-8")
    pytest_here = ("env", f"PYTHONPATH={ROOT}", sys.executable, "-m", "pytest", "-q")
    status, said, record = gone_through(clone, *pytest_here)
    assert (status, record.result) == (1, "failed")
    assert record.tests is not None
    assert record.tests.counts == {"passed": 2, "failed": 1}
    assert record.tests.second_tries == ["luck/test_luck.py::test_of_luck"]
    assert list(record.tests.seconds) == ["luck/test_luck.py"]
    assert record.tests.processor_seconds["luck/test_luck.py"] > 0.05, (
        "the process that a test started counts too"
    )
    assert "passed at a second try ====" in said
    assert "\nluck/test_luck.py::test_of_luck\n" in said
    assert "\nluck/test_luck.py::test_that_never_passes\n" not in said


def test_a_run_is_ordered_by_the_run_before_also_behind_a_run_that_was_cut_off(clone: Path) -> None:
    tests = {"counts": {}, "second_tries": [], "seconds": {"law/test_cases.py": 7.5}}
    (clone / ".gate.json").write_bytes(
        msgspec.json.encode({"commit": "", "clean": True, "result": "passed", "minutes": 1, "tests": tests})
    )
    asks = "from pathlib import Path; from tests.gate.record import *; print(seconds_by_module(Path('.gate.json')))"
    ask = ("env", f"PYTHONPATH={ROOT}", sys.executable, "-c", asks)
    for _ in range(2):  # the first run does not tell of any module either
        said = gone_through(clone, *ask)[1]
        assert "'law/test_cases.py': 7.5" in said


def test_the_order_is_that_of_the_last_run_and_else_of_an_earlier_one(tmp_path: Path) -> None:
    times, last = tmp_path / "seconds.json", tmp_path / ".gate.json"
    write(times, {"law/test_cases.py": 58, "live/test_fold.py": 130})
    assert seconds_by_module(last, times) == {"law/test_cases.py": 58, "live/test_fold.py": 130}
    told = {"counts": {}, "second_tries": [], "seconds": {"law/test_cases.py": 7.5}}
    last.write_bytes(
        msgspec.json.encode({"commit": "", "clean": True, "result": "failed", "minutes": 1, "tests": told})
    )
    assert seconds_by_module(last, times) == {"law/test_cases.py": 7.5, "live/test_fold.py": 130}
    last.write_bytes(b"{")
    assert seconds_by_module(last, times)["law/test_cases.py"] == 58
