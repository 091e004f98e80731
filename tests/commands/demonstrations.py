"""Demonstrations as processes of their own, and what their folders hold."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from operator import lt
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from dashboards.ledger.acts import SUBJECT
from deploy.configured.desk_ledger import FILE as DESK
from deploy.demo.tables import FILE as BEGUN
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from producers.sqlite_log import SqliteLog
from tests.browser.site import free_port
from tests.embedded.ledgers import contents, folded
from tests.once import folder_of_run, once
from tests.starting import start
from tests.waiting import until

CATWALK = [sys.executable, "-m", "deploy.cli"]
ENOUGH = 150.0  # seconds within which anything here happens, on the slowest machine
UNOPENED = "unopened"  # of the run's demonstration what copies are made of: nobody has its store open


def demo(folder: Path, *arguments: object) -> list[str]:
    """The command line of a demonstration over the folder, on a free port: other tests run demonstrations beside it.

    It has no day before unless it is asked for, or was begun with one.
    """
    begun = "--history" in arguments or (folder / BEGUN).exists()
    history = () if begun else ("--history", 0)
    port = () if "--port" in arguments else ("--port", free_port())
    return [*CATWALK, "demo", "--data", str(folder), *map(str, (*history, *port, *arguments))]


def finished(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """A demonstration that ends by itself."""
    return subprocess.run(demo(folder, *arguments), capture_output=True, text=True, timeout=ENOUGH)


def started(folder: Path, *arguments: object, each: Sequence[int] = ()) -> subprocess.Popen[str]:
    """A demonstration that runs until it is stopped, and has recorded 300 more events, and of each table `each`."""
    before = events(folder)
    process = start(demo(folder, *arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def is_under_way() -> bool:
        found = recorded(folder)
        return sum(found) >= before + 300 and len(found) >= len(each) and not any(map(lt, found, each))

    until(is_under_way, running=process)
    return process


class Demonstrated(NamedTuple):
    """A demonstration that was killed twice on its way, asked to end when tables were live, and started once more.

    said: what its last life said. all_said: what all of its lives said.
    """

    folder: Path
    said: str
    all_said: str


@pytest.fixture(scope="session")
def demonstrated(tmp_path_factory: pytest.TempPathFactory) -> Demonstrated:
    """The run's demonstration of three tables with a day behind it; who goes on with it makes a `copy_of` it."""
    made = once(folder_of_run(tmp_path_factory) / "demonstration", _demonstrate)
    lives = [path.read_text(encoding="utf-8") for path in sorted(made.glob("life-*"))]
    return Demonstrated(made / "floor", lives[-1], "".join(lives))


def copy_of(demonstrated: Demonstrated, folder: Path) -> Path:
    """A demonstration that goes on where the run's stands, in a folder of its own."""
    return _copied(demonstrated.folder.with_name(UNOPENED), folder / "floor")


def _copied(folder: Path, to: Path) -> Path:
    """The store's own links are relative."""
    return Path(shutil.copytree(folder, to, symlinks=True))


def _demonstrate(made: Path) -> None:
    """The umask is that of most machines: files are readable by everyone."""
    folder = made / "floor"
    dealt_at_once = ("--history", 2, "--tables", 3, "--speed", 900)
    for life, over in enumerate(
        (partial(_has, folder, 50), partial(_has, folder, 1_000), partial(_is_live, folder))
    ):
        with (made / f"life-{life}").open("w") as said:
            process = start(demo(folder, *dealt_at_once), stdout=said, stderr=said, umask=0o022)
            until(over, (made / f"life-{life}").read_text, running=process)
            process.send_signal(signal.SIGKILL if life < 2 else signal.SIGTERM)
            assert process.wait(ENOUGH) == (-signal.SIGKILL if life < 2 else 0)
    again = finished(folder, "--for", 0.1)
    (made / "life-3").write_text(again.stdout + again.stderr, encoding="utf-8")
    assert again.returncode == 0, again
    _copied(folder, made / UNOPENED)


def _has(folder: Path, least: int) -> bool:
    return events(folder) >= least


def _is_live(folder: Path) -> bool:
    """Whether the desk is laid out, which is last before tables are live, and the tables have made something since."""
    if "shelved" not in people_did(folder):
        return False
    before = events(folder)
    return until(partial(_has, folder, before + 1_000)) is True


def people_did(folder: Path) -> list[str]:
    """What people have done at the desk of a demonstration, beside looking."""
    path = folder / DESK
    if not path.exists():
        return []
    with closing(SqliteLog(path, create=False, read_only=True)) as log:
        records = [msgspec.json.decode(line) for _, line in log.read_from(SUBJECT, 1)]
    acts = [one["data"]["act"] for one in records]
    return [act for act in acts if act not in ("raised", "accessed", "returned")]


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
