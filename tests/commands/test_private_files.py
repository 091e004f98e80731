"""What the commands create is for their user alone, whatever the umask; what was asked for by --out is as it says."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands.run import Catwalk, catwalk
from tests.console.conftest import PASSWORD, port
from tests.console.test_desk_accepted import a_console
from tests.console.test_served import EXAMPLE

__all__ = ["catwalk", "port"]  # fixtures


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    """That of most machines: files are readable by everyone."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "house" / "data"
    monkeypatch.setenv("CATWALK_DATA", str(folder))
    return folder


def open_below(folder: Path) -> list[str]:
    """Everything in a folder, and the folder itself, that group or others have a right to."""
    paths = [folder, *folder.rglob("*")]
    return [
        f"{path} {stat.S_IMODE(path.lstat().st_mode):o}"
        for path in paths
        if not path.is_symlink() and stat.S_IMODE(path.lstat().st_mode) & 0o077
    ]


def mode(path: Path) -> str:
    return f"{stat.S_IMODE(path.stat().st_mode):o}"


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "deploy.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.thorough
def test_a_whole_data_folder_is_for_its_user_alone(data: Path, port: int, catwalk: Catwalk) -> None:
    """Ledger, store, desk, memory, users, openings, and what SQLite and the store's engine keep beside them."""
    assert catwalk("record", EXAMPLE).status == 0
    given = f"{PASSWORD}\n".encode()
    assert catwalk("console", "user", "add", "hale", "--role", "surveillance", stdin=given).status == 0
    with a_console(data, port):
        names = {path.name for path in data.iterdir()}
        assert {"ledger.db", "desk.db", "desk_memory.db", "console.db", "openings.db", "warehouse"} <= names
        assert {"desk.db-wal", "desk.db-shm", "console.db-wal", "warehouse.lock"} <= names
        assert open_below(data) == [], "while it runs"
    assert open_below(data.parent) == []
    assert sum(1 for _ in data.rglob("*")) > 50


def test_a_gateways_journal_is_too(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The journal is written before any broker is asked."""
    monkeypatch.setenv("CATWALK_KAFKA", "127.0.0.1:1")
    ran = run("record", EXAMPLE, "--to", "kafka", "--seconds", "0")
    assert ran.returncode == 2
    assert (data / "journal.db").exists()
    assert open_below(data) == []


def test_results_that_were_asked_for_are_as_the_user_has_them(
    data: Path, tmp_path: Path, catwalk: Catwalk
) -> None:
    out = tmp_path / "out"
    assert catwalk("simulate", "--out", out / "streams", "--tables", 1, "--rounds", 3).status == 0
    (stream,) = (out / "streams").iterdir()
    assert catwalk("replay", stream, "--out", out / "replayed").status == 0
    assert catwalk("record", stream).status == 0
    assert catwalk("replay", data / "ledger.db", "--out", out / "again").status == 0
    exported = run("export", "--out", out / "exported")
    assert exported.returncode == 0, exported.stderr
    for folder in ("streams", "replayed", "again", "exported"):
        assert mode(out / folder) == "755"
        assert {mode(path) for path in (out / folder).iterdir()} == {"644"}, folder
    assert open_below(data) == [], "reading a ledger leaves nothing beside it that others can read"
    assert os.umask(0o022) == 0o022, "and the umask is the caller's again"


def test_a_folder_that_was_open_is_tightened_and_what_is_left_is_named(data: Path, catwalk: Catwalk) -> None:
    """As an earlier release left it: the folder and all in it readable by everyone."""
    assert catwalk("record", EXAMPLE).status == 0
    data.chmod(0o755)
    (data / "ledger.db").chmod(0o644)
    (data / "notes.txt").write_text("not ours")
    found = catwalk("doctor", "--format", "json")
    (private,) = [row for row in found.json if row["name"] == "private files"]
    assert (private["state"], private["remedy"]) == ("absent", f"`chmod -R go= {data}`")
    assert "may read ledger.db" in private["found"]

    again = catwalk("record", EXAMPLE)
    assert (again.status, mode(data / "ledger.db"), mode(data / "notes.txt")) == (0, "600", "644")
    assert (
        f"catwalk: data folder {data}: other users of this machine may look into it (mode 0755)" in again.err
    )
    assert f"`chmod 700 {data}`" in again.err
    found = catwalk("doctor", "--format", "json")
    (private,) = [row for row in found.json if row["name"] == "private files"]
    assert (private["state"], private["remedy"]) == ("absent", f"`chmod 700 {data}`")

    data.chmod(0o700)
    assert "may look into it" not in catwalk("record", EXAMPLE).err
    (private,) = [row for row in catwalk("doctor", "--format", "json").json if row["name"] == "private files"]
    assert private["state"] == "ok"


def test_a_ledger_elsewhere_is_tightened_alone(tmp_path: Path, catwalk: Catwalk) -> None:
    ledger = tmp_path / "elsewhere.db"
    tmp_path.chmod(0o755)
    for _ in range(2):
        ran = catwalk("record", EXAMPLE, "--ledger", ledger)
        assert (ran.status, ran.err, mode(ledger), mode(tmp_path)) == (0, "", "600", "755")
        ledger.chmod(0o644)
