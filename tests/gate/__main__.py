"""Runs the commands of `make test` and writes what came of them: `python -m tests.gate COMMAND...`.

`python -m tests.gate --times` writes `seconds.json` again, from the last run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec
from msgspec.structs import replace

from tests.gate.record import GATE, TIMES, Gate, Tests, read, seconds_by_module, write
from tests.gate.telling import VARIABLE

TESTS = TIMES.parents[1]
LONG = 2  # seconds from which a module's time is worth a line of seconds.json


def run(command: list[str], path: Path, root: Path) -> int:
    """Run a command in the folder `root`, and write its record to `path`; returns the command's exit status."""
    began = time.monotonic()
    last = read(path)
    before = last.seconds if last is not None else {}
    gate = Gate(_git(root, "rev-parse", "HEAD"), _is_clean(root), "running", 0.0, before=before)
    write(path, gate)
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "tests.json"
        try:
            status = subprocess.run(command, cwd=root, env={**os.environ, VARIABLE: str(told)}).returncode
            result = "failed" if status else "passed"
        except KeyboardInterrupt:
            status, result = 130, "interrupted"
        tests = msgspec.json.decode(told.read_bytes(), type=Tests) if told.exists() else None
    minutes = round((time.monotonic() - began) / 60, 2)
    unmoved = gate.clean and _is_clean(root) and _git(root, "rev-parse", "HEAD") == gate.commit
    write(path, replace(gate, clean=unmoved, result=result, minutes=minutes, tests=tests))
    return status


def _is_clean(root: Path) -> bool:
    """Whether git knows of no change in the tree; where there is no git, nobody can say so."""
    status = subprocess.run(["git", "status", "--porcelain"], cwd=root, capture_output=True, text=True)
    return status.returncode == 0 and status.stdout == ""


def _git(root: Path, *command: str) -> str:
    return subprocess.run(["git", *command], cwd=root, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    if sys.argv[1:] == ["--times"]:
        here = {name: took for name, took in sorted(seconds_by_module().items()) if (TESTS / name).exists()}
        write(TIMES, {name: round(took) for name, took in here.items() if took >= LONG})
    else:
        sys.exit(run(sys.argv[1:], GATE, Path.cwd()))
