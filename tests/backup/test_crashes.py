"""A backup and a restore that are killed at every place where something reaches the disk."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.backup.house import a_house, files_of, lines_of
from tests.commands.run import Catwalk, catwalk

__all__ = ["catwalk"]  # a fixture

KILLED = -9
# Each command is a process that kills itself as a power cut would, before the wait for the disk whose number is given:
# with all others in a row until one is not killed. They are forked, so that they need not be imported again and again.
DRIVER = """
import os, signal, sys
from deploy.backup import making, manifest, restoring
from deploy.cli.main import main
to_disk = manifest.to_disk
first, folder, *command = sys.argv[1:]
for number in range(int(first), 30):
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        print(number, os.waitstatus_to_exitcode(status), flush=True)
        if status == 0:
            break
        continue
    left = number
    def counted(path):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        to_disk(path)
    for module in (making, manifest, restoring):
        module.to_disk = counted
    if command[0] == "backup":
        command = ["backup", "--out", f"{folder}/copy-{number}"]
    else:
        os.environ["CATWALK_DATA"] = f"{folder}/home-{number}"
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os._exit(main(command))
"""


def killed(first: int, folder: Path, *command: object) -> list[tuple[int, int]]:
    """Run a command that is killed at its so-many-eth wait for the disk, and so on; number and status of each."""
    arguments = [sys.executable, "-c", DRIVER, str(first), str(folder), *map(str, command)]
    ran = subprocess.run(arguments, capture_output=True, text=True, timeout=120, check=True)
    seen = [line.split() for line in ran.stdout.splitlines()]
    return [(int(number), int(status)) for number, status in seen]


@pytest.mark.thorough
def test_a_backup_that_is_killed_is_none_and_one_that_was_written_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catwalk: Catwalk
) -> None:
    house = a_house(tmp_path / "house")
    before = lines_of(house / "ledger.db")
    seen = []
    monkeypatch.setenv("CATWALK_DATA", str(house))
    for number, status in killed(0, tmp_path, "backup"):
        copy = tmp_path / f"copy-{number}"
        verified = catwalk("backup", "--verify", copy)
        whole = verified.status == 0
        assert whole or "a backup that was interrupted is none" in verified.err
        assert status == 0 or status == KILLED
        assert whole or status == KILLED
        monkeypatch.setenv("CATWALK_DATA", str(tmp_path / f"home-{number}"))
        ran = catwalk("restore", copy)
        assert ran.status == (0 if whole else 2)
        assert (tmp_path / f"home-{number}").exists() == whole
        seen.append((status, whole))
    assert (KILLED, False) in seen
    assert seen[-1] == (0, True), "the last one was not killed"
    assert lines_of(house / "ledger.db") == before
    monkeypatch.setenv("CATWALK_DATA", str(house))
    again = catwalk("backup", "--out", tmp_path / "copy-0")
    assert (again.status, "what an interrupted backup left, remove" in again.err) == (2, True)


@pytest.mark.thorough
def test_a_restore_that_is_killed_goes_on_when_it_is_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catwalk: Catwalk
) -> None:
    house = a_house(tmp_path / "house")
    monkeypatch.setenv("CATWALK_DATA", str(house))
    copy = tmp_path / "copy"
    assert catwalk("backup", "--out", copy).status == 0
    written = files_of(copy)
    places = set()
    for number, status in killed(0, tmp_path, "restore", copy):
        home = tmp_path / f"home-{number}"
        monkeypatch.setenv("CATWALK_DATA", str(home))
        assert status in (0, KILLED)
        names = {path.name for path in home.iterdir() if not path.name.startswith("desk_memory")}
        places.add(tuple(sorted(names)))
        assert not (home / "ledger.db").exists() or (home / "desk.db").exists(), "the ledger comes last"
        if "restoring" in names:
            ran = catwalk("restore", copy)
            assert ran.status == 0, ran.err
        assert lines_of(home / "ledger.db") == lines_of(house / "ledger.db")
        assert {path.name for path in home.iterdir()} >= {
            "console.db",
            "desk.db",
            "desk_memory.db",
            "ledger.db",
        }
        assert not (home / "restoring").exists()
    assert status == 0, "the last one was not killed"
    assert len(places) >= 4, "some were killed between two files"
    assert files_of(copy) == written


def test_what_was_made_in_a_half_restored_home_is_not_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catwalk: Catwalk
) -> None:
    monkeypatch.setenv("CATWALK_DATA", str(a_house(tmp_path / "house")))
    copy, home = tmp_path / "copy", tmp_path / "home-5"
    assert catwalk("backup", "--out", copy).status == 0
    monkeypatch.setenv("CATWALK_DATA", str(home))
    assert (5, KILLED) in killed(5, tmp_path, "restore", copy)
    assert (home / "restoring").is_dir()
    (home / "ledger.db").write_bytes(b"somebody's")
    ran = catwalk("restore", copy)
    assert (ran.status, "found ledger.db, expected a home that holds nothing" in ran.err) == (2, True)
    assert (home / "ledger.db").read_bytes() == b"somebody's"
