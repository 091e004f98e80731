"""A copy that is not as it was written is refused: the place, what was found and expected, and what to do are said."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deploy.backup import restoring
from deploy.backup.checking import check
from tests.backup.house import EDIT, EVENTS, TABLES, a_house, files_of, forge, rewrite
from tests.commands.run import Catwalk, catwalk

__all__ = ["catwalk"]  # a fixture


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house and its backup, which tests copy."""
    return a_house(tmp_path_factory.mktemp("house") / "data")


@pytest.fixture
def copy(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catwalk: Catwalk) -> Path:
    """A backup of its own; the settings name an empty home."""
    monkeypatch.setenv("CATWALK_DATA", str(kept))
    made = catwalk("backup", "--out", tmp_path / "copy")
    assert (made.status, made.err) == (0, "")
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path / "new"))
    return tmp_path / "copy"


def flip(copy: Path) -> None:
    """One bit in the middle of the ledger."""
    path = copy / "ledger.db"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def cut(copy: Path) -> None:
    path = copy / "desk.db"
    path.write_bytes(path.read_bytes()[:-1])


def longer(copy: Path) -> None:
    with (copy / "console.db").open("ab") as file:
        file.write(b"\0")


def without(name: str) -> Callable[[Path], None]:
    return lambda copy: (copy / name).unlink()


def half_a_manifest(copy: Path) -> None:
    path = copy / "manifest.json"
    path.write_bytes(path.read_bytes()[:400])


def another_hash(copy: Path) -> None:
    """Without making the digest anew."""
    path = copy / "manifest.json"
    path.write_bytes(path.read_bytes().replace(b'"cut": "20', b'"cut": "19'))


def edited(copy: Path) -> None:
    """A record is edited, and the manifest made to fit."""
    forge(
        copy,
        "ledger.db",
        EDIT,
    )


def shortened(copy: Path) -> None:
    """A table's last record is gone, and the ledger's own note of it with it: the manifest alone knows."""
    forge(
        copy,
        "ledger.db",
        "DELETE FROM records WHERE subject = 1 AND sequence = 60",
        "UPDATE subjects SET sequence = 59 WHERE number = 1",
    )


def ledger_cut_below_the_desk(copy: Path) -> None:
    """The whole table is gone, of which the desk speaks, from the ledger and from the manifest."""
    forge(
        copy, "ledger.db",
        "DELETE FROM records WHERE subject = 1",
        "DELETE FROM identities",
        "DELETE FROM subjects WHERE number = 1",
    )  # fmt: skip

    def change(said: dict[str, Any]) -> None:
        (file,) = [one for one in said["files"] if one["name"] == "ledger.db"]
        file["tables"] = [end for end in file["tables"] if end["subject"] != TABLES[0]]
        file["records"] -= EVENTS

    rewrite(copy, change)


def no_ledger(copy: Path) -> None:
    """Another file in its place, and the manifest made to fit."""
    (copy / "ledger.db").unlink()
    forge(copy, "ledger.db", "CREATE TABLE notes (text)", "PRAGMA user_version = 1")


def elsewhere(copy: Path) -> None:
    """A file that would be put outside of the home."""

    def change(said: dict[str, Any]) -> None:
        (file,) = [one for one in said["files"] if one["name"] == "desk.db"]
        file["name"] = "../desk.db"

    rewrite(copy, change)
    (copy.parent / "desk.db").write_bytes((copy / "desk.db").read_bytes())


def newer(copy: Path) -> None:
    rewrite(copy, lambda said: said.update(format=3, catwalk="9.0.0"))


def older(copy: Path) -> None:
    rewrite(copy, lambda said: said.update(format=0, catwalk="0.0.1"))


def newer_ledger(copy: Path) -> None:
    def change(said: dict[str, Any]) -> None:
        (file,) = [one for one in said["files"] if one["name"] == "ledger.db"]
        file["form"] = 2

    rewrite(copy, change)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (flip, ("copy/ledger.db: altered: found SHA-256 ", ", expected ", "; restore from another copy")),
        (cut, ("copy/desk.db: cut off: found ", " bytes, expected ", "; restore from another copy")),
        (longer, ("copy/console.db: altered: found ", " bytes, expected ", "; restore from another copy")),
        (without("desk.db"), ("copy/desk.db: missing: found no file, expected ", "another copy")),
        (without("manifest.json"), ("copy: no backup: found no manifest.json", "interrupted", "another copy")),
        (half_a_manifest, ("copy/manifest.json: altered or cut off: ", "; restore from another copy")),
        (another_hash, ("copy/manifest.json: altered: found content of digest ", ", expected ")),
        (edited, ("copy/ledger.db: table FB90-1, record 10: altered: found that it does not carry", "another copy")),
        (shortened, ("ledger.db: altered: found table FB90-1 up to record 59", "expected table FB90-1 up to")),
        (ledger_cut_below_the_desk, ("copy/desk.db: table desk, record 3: ", "event 60 of table FB90-1; ")),
        (no_ledger, ("copy/ledger.db: damaged: ", "; expected a ledger; restore from another copy")),
        (elsewhere, ("copy/manifest.json: altered: found a file '../desk.db', expected plain names",)),
        (newer, ("a newer release (catwalk 9.0.0): found form 3, expected 1 or 2; restore it with catwalk 9.0.0",)),
        (older, ("an older release (catwalk 0.0.1): found form 0, expected 1 or 2; restore it with catwalk 0.0.1",)),
        (newer_ledger, ("copy/ledger.db: of another release: found form 2, expected at most 1",)),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_copy_is_said_and_nothing_is_touched(
    damage: Callable[[Path], None], said: tuple[str, ...], copy: Path, tmp_path: Path, catwalk: Catwalk
) -> None:
    damage(copy)
    before = files_of(copy)
    for ran, status in (
        (catwalk("backup", "--verify", copy), 1),
        (catwalk("restore", copy), 2),
    ):
        assert (ran.status, ran.out, ran.err.count("\n")) == (status, "", 1), ran.err
        assert all(one in ran.err for one in said), ran.err
    assert files_of(copy) == before
    assert not (tmp_path / "new").exists()


def test_a_digest_kept_elsewhere_tells_a_copy_that_was_made_anew(copy: Path, catwalk: Catwalk) -> None:
    digest = catwalk("backup", "--verify", copy, "--format", "json").json["digest"]
    assert catwalk("backup", "--verify", copy, "--digest", digest).status == 0
    rewrite(copy, lambda said: said.update(cut="2026-01-01T00:00:00Z"))
    assert catwalk("backup", "--verify", copy).status == 0, "whoever can write the copy can make it fit"
    for arguments in (("backup", "--verify", copy), ("restore", copy)):
        ran = catwalk(*arguments, "--digest", digest)
        assert ran.status == (1 if arguments[0] == "backup" else 2)
        assert "another backup than the one that is asked for: found digest " in ran.err
        assert digest in ran.err


def test_nothing_is_written_over(copy: Path, tmp_path: Path, catwalk: Catwalk) -> None:
    before = files_of(copy)
    ran = catwalk("backup", "--out", copy)
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "found no ledger, desk, journal or users" in ran.err
    home = tmp_path / "new"
    for name in ("ledger.db", "desk.db", "console.db", "desk_memory.db", "journal.db"):
        home.mkdir()
        (home / name).write_bytes(b"something")
        ran = catwalk("restore", copy)
        assert (ran.status, ran.out) == (2, "")
        assert f"{home}: found {name}, expected a home that holds nothing; " in ran.err
        assert files_of(home) == {name: b"something"}
        shutil.rmtree(home)
    (home / "warehouse").mkdir(parents=True)
    assert "found warehouse, expected a home that holds nothing" in catwalk("restore", copy).err
    assert files_of(copy) == before


def test_a_folder_that_holds_something_gets_no_backup(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catwalk: Catwalk
) -> None:
    monkeypatch.setenv("CATWALK_DATA", str(kept))
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "letter.txt").write_text("not ours")
    ran = catwalk("backup", "--out", tmp_path / "out")
    assert (ran.status, "it holds something, and nothing is written over" in ran.err) == (2, True)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["letter.txt"]


def test_a_disk_without_room_is_said_before_anything_is_copied(
    copy: Path, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catwalk: Catwalk
) -> None:
    full = shutil.disk_usage("/")._replace(free=1_000)
    monkeypatch.setattr("shutil.disk_usage", lambda _path: full)
    ran = catwalk("restore", copy)
    assert (ran.status, "0.0 MB are free; make room" in ran.err) == (2, True)
    monkeypatch.setenv("CATWALK_DATA", str(kept))
    ran = catwalk("backup", "--out", tmp_path / "more")
    assert (ran.status, "0.0 MB are free; make room" in ran.err) == (2, True)
    assert not (tmp_path / "more").exists()


def test_a_copy_of_a_release_that_said_less_or_more_is_taken(copy: Path, catwalk: Catwalk) -> None:
    """What another release of the same form did not write, or writes besides, is no alteration."""

    def change(said: dict[str, Any]) -> None:
        del said["settings"]
        said |= {"catwalk": "0.0.9", "weather": "rain"}

    rewrite(copy, change)
    ran = catwalk("restore", copy)
    assert (ran.status, "made by catwalk 0.0.9; this is " in ran.out) == (0, True), ran.err


def test_a_copy_that_changes_while_it_is_put_back_leaves_nothing(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catwalk: Catwalk
) -> None:

    def altered_behind_it(*given: Any) -> Any:
        manifest = check(*given)
        flip(copy)
        return manifest

    monkeypatch.setattr(restoring, "check", altered_behind_it)
    ran = catwalk("restore", copy)
    assert (ran.status, "ledger.db: altered meanwhile: found SHA-256 " in ran.err) == (2, True), ran.err
    assert list((tmp_path / "new").iterdir()) == []


def test_a_folder_of_somebody_else_is_not_taken_for_an_interrupted_restore(
    copy: Path, tmp_path: Path, catwalk: Catwalk
) -> None:
    notes = tmp_path / "new" / "restoring" / "notes.txt"
    notes.parent.mkdir(parents=True)
    notes.write_text("not ours")
    ran = catwalk("restore", copy)
    assert (ran.status, "found restoring, which no restore has made" in ran.err) == (2, True)
    assert notes.read_text() == "not ours"
