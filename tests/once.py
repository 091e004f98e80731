"""What one worker of a run makes, and all of them use."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def folder_of_run(factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of this run see."""
    base = factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Within, no other worker is at work on the folder; it is there."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "users.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def once(folder: Path, make: Callable[[Path], object]) -> Path:
    """A folder that `make` has filled: the first worker of the run calls it, every other waits and has what is made."""
    with locked(folder):
        made = folder / "made"
        if not made.exists():
            make(folder)
            made.touch()
    return folder
