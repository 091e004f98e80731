"""What `make install` shows of the packages that it installs: bars on a terminal, and nothing in a file."""

from __future__ import annotations

import os
import pty
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("terminal", [True, False])
def test_a_progress_bar_runs_while_packages_install_where_someone_looks_on(
    tmp_path: Path, terminal: bool
) -> None:
    asked = tmp_path / "asked"
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\necho "$@" >>{asked}\n')
    python.chmod(0o700)
    main, theirs = pty.openpty()
    stderr = theirs if terminal else subprocess.PIPE
    done = subprocess.run(
        ["sh", "deploy/packages.sh", str(python)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=stderr,
        check=False,
    )
    os.close(theirs)
    os.close(main)
    assert done.returncode == 0
    [by_uv] = [line for line in asked.read_text().splitlines() if line.startswith("-m uv")]
    assert ("--quiet" in by_uv) is not terminal, "uv draws its bars unless it is told to be quiet"
    assert "--require-hashes" in by_uv
