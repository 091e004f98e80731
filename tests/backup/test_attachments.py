"""Files attached to cases are in a backup, are proven there, and are in the home that is made of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.console.case_files import FOLDER, FolderFiles
from tests.backup.house import a_house
from tests.commands.run import Catwalk, catwalk

__all__ = ["catwalk"]  # a fixture
STATEMENT = b"%PDF-1.7\nstatement of the floor supervisor\n"


@pytest.mark.parametrize("elsewhere", [False, True], ids=["beside the users", "in a folder of their own"])
def test_attached_files_are_copied_proven_and_put_back(
    tmp_path: Path, catwalk: Catwalk, monkeypatch: pytest.MonkeyPatch, elsewhere: bool
) -> None:
    house, home, copy = a_house(tmp_path / "house"), tmp_path / "home", tmp_path / "copy"
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "files" if elsewhere else house / FOLDER
    if elsewhere:
        monkeypatch.setenv("CATWALK_CASE_FILES", str(folder))
    digest = FolderFiles(folder).keep(STATEMENT)
    (folder / "new-unfinished").write_bytes(b"half a fi")
    monkeypatch.setenv("CATWALK_DATA", str(house))
    assert catwalk("backup", "--out", copy).status == 0
    assert (copy / digest).read_bytes() == STATEMENT
    assert not (copy / "new-unfinished").exists()
    monkeypatch.setenv("CATWALK_DATA", str(home))
    if elsewhere:
        monkeypatch.setenv("CATWALK_CASE_FILES", str(tmp_path / "restored"))
    assert catwalk("restore", copy).status == 0
    restored = tmp_path / "restored" if elsewhere else home / FOLDER
    assert FolderFiles(restored).read(digest, len(STATEMENT)) == STATEMENT
    (copy / digest).write_bytes(STATEMENT[:-1] + b"!")
    refused = catwalk("backup", "--verify", copy)
    assert (refused.status, "altered" in refused.err, digest in refused.err) == (1, True, True)
