"""Demonstrations as processes of their own, and what their folders hold."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from operator import lt
from pathlib import Path

from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from producers.sqlite_log import SqliteLog
from tests.browser.site import free_port
from tests.embedded.ledgers import contents, folded
from tests.starting import start
from tests.waiting import until

CATWALK = [sys.executable, "-m", "deploy.cli"]
ENOUGH = 150.0  # seconds within which anything here happens, on the slowest machine


def demo(folder: Path, *arguments: object) -> list[str]:
    """The command line of a demonstration over the folder, on a free port: other tests run demonstrations beside it.

    It has no day before unless it is asked for.
    """
    history = () if "--history" in arguments else ("--history", 0)
    port = () if "--port" in arguments else ("--port", free_port())
    return [*CATWALK, "demo", "--data", str(folder), *map(str, (*history, *port, *arguments))]


def finished(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """A demonstration that ends by itself."""
    return subprocess.run(demo(folder, *arguments), capture_output=True, text=True, timeout=ENOUGH)


def started(folder: Path, *arguments: object, each: Sequence[int] = ()) -> subprocess.Popen[str]:
    """A demonstration that runs until it is stopped, and has recorded 300 events, and of each table at least `each`."""
    process = start(demo(folder, *arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def is_under_way() -> bool:
        found = recorded(folder)
        return sum(found) >= 300 and len(found) >= len(each) and not any(map(lt, found, each))

    until(is_under_way, running=process)
    return process


def events(folder: Path) -> int:
    """Number of records in the folder's ledger."""
    return sum(recorded(folder))


def recorded(folder: Path) -> list[int]:
    """Number of records of each table in the folder's ledger."""
    path = folder / "ledger.db"
    if not path.exists() or not path.stat().st_size:
        return []
    try:
        log = SqliteLog(path, create=False, read_only=True)
    except Exception:  # being made at this moment
        return []
    try:
        return [log.head(subject).sequence for subject in log.subjects()]
    finally:
        log.close()


def assert_whole(folder: Path) -> None:
    """The ledger's chains hold, and the store holds what folding the ledger anew gives."""
    verified = subprocess.run(
        [*CATWALK, "verify", str(folder / "ledger.db")], capture_output=True, text=True, timeout=ENOUGH
    )
    assert verified.returncode == 0, verified
    log = SqliteLog(folder / "ledger.db", read_only=True)
    store = ChdbWarehouse(folder / "warehouse")
    try:
        assert contents(store) == contents(folded(log))
    finally:
        store.close()
        log.close()
