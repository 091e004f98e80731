"""A witness cosigns a log that grows, and says what was rewritten of one that does not."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from deploy.checkpoints.folder import ENTRIES
from schemas.tlog.checkpoints import Checkpoint, cosigned_at, read_checkpoint, signed
from schemas.tlog.keys import signer
from schemas.tlog.notes import read_note
from tests.checkpoints.houses import KEY, OTHER, VKEY, House, built
from tests.checkpoints.test_attacks import (
    a_checkpoint_of_another_key,
    cut_the_entries,
    delete_an_entry,
    edit_an_entry,
    edit_and_rechain,
    remove_a_checkpoint,
    remove_all_checkpoints,
    the_whole_log_of_another_key,
)
from tests.commands.run import Catwalk, Ran, catwalk
from tests.tlog.test_merkle import root

__all__ = ["catwalk"]  # a fixture

WITNESS = signer("board.example/witness", bytes(range(2, 34)))


class Watched:
    """A house and the witness of its log."""

    def __init__(self, catwalk: Catwalk, folder: Path) -> None:
        self.house = built(folder / "house", rounds=3)
        self.key, self.state = folder / "witness.key", folder / "seen.json"
        self.key.write_text(WITNESS.text)
        self._catwalk = catwalk

    def look(self, *more: object) -> Ran:
        given = ("--log", VKEY, "--key", self.key, "--state", self.state)
        return self._catwalk("witness", "--checkpoints", self.house.log, *given, *more)

    def grow(self) -> None:
        self.house.record("BJ-1", 2)
        self.house.writer().write()

    def cosigned(self) -> list[int]:
        notes = {
            size: read_note((self.house.log / f"{size}.note").read_bytes()) for size in self.house.notes()
        }
        return [size for size, note in notes.items() if cosigned_at(note, WITNESS.verifier) is not None]


@pytest.fixture
def watched(catwalk: Catwalk, tmp_path: Path) -> Watched:
    return Watched(catwalk, tmp_path)


def test_each_new_checkpoint_is_cosigned_once(catwalk: Catwalk, watched: Watched) -> None:
    assert watched.look().status == 0
    assert watched.cosigned() == watched.house.notes()
    watched.grow()
    watched.grow()
    ran = watched.look("--format", "json")
    assert (ran.status, ran.json["cosigned"]) == (0, watched.house.notes()[-2:])
    assert ran.json["cosigner"] == WITNESS.cosigner.verifier.text
    assert watched.cosigned() == watched.house.notes()
    before = {path.name: path.read_bytes() for path in watched.house.log.iterdir()}
    assert watched.look("--format", "json").json["cosigned"] == []
    assert {path.name: path.read_bytes() for path in watched.house.log.iterdir()} == before
    watched.grow()
    verified = catwalk("verify", watched.house.ledger, "--checkpoints", watched.house.log, "--key", VKEY)
    assert verified.status == 0


def rewrite_the_log(house: House, choose: Random) -> object:
    """The house itself signs another history, from its first entry on."""
    edit_and_rechain(house, choose)
    shutil.rmtree(house.log)
    writer = house.writer()
    for _ in range(9):
        house.record("BJ-2", 1)
        writer.write()
    return None


def rewrite_one_checkpoint(house: House, choose: Random) -> object:
    """The house signs another log of the size that was seen."""
    path, size = house.log / ENTRIES, house.notes()[-1]
    entries = path.read_bytes().splitlines()
    said = json.loads(entries[-1])
    entries[-1] = json.dumps(said | {"root": "0" * 64}, separators=(",", ":")).encode()
    path.write_bytes(b"".join(line + b"\n" for line in entries))
    note = signed(Checkpoint(KEY.name, size, root(entries)), KEY)
    (house.log / f"{size}.note").write_bytes(note.content)
    return None


def roll_back(house: House, choose: Random) -> object:
    """The house takes back its last checkpoint with all its entries, as if it had never been."""
    *_, before, last = house.notes()
    (house.log / f"{last}.note").unlink()
    path = house.log / ENTRIES
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:before]))
    return None


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "rewritten",
    [
        rewrite_the_log, rewrite_one_checkpoint, roll_back, a_checkpoint_of_another_key, cut_the_entries,
        delete_an_entry, edit_an_entry, remove_a_checkpoint, remove_all_checkpoints, the_whole_log_of_another_key,
    ],
    ids=lambda one: one.__name__,
)  # fmt: skip
def test_a_log_that_did_not_only_grow_is_not_cosigned(
    watched: Watched, rewritten: Callable[[House, Random], object], seed: int
) -> None:
    assert watched.look().status == 0
    state = watched.state.read_bytes()
    rewritten(watched.house, Random(seed))
    notes = {size: (watched.house.log / f"{size}.note").read_bytes() for size in watched.house.notes()}
    ran = watched.look()
    assert (ran.status, ran.out, ran.err.count("\n")) == (1, "", 1), ran
    assert "nothing was cosigned" in ran.err
    assert watched.state.read_bytes() == state
    assert {
        size: (watched.house.log / f"{size}.note").read_bytes() for size in watched.house.notes()
    } == notes


def test_what_was_rewritten_is_said(watched: Watched) -> None:
    watched.look()
    last = watched.house.notes()[-1]
    rewrite_one_checkpoint(watched.house, Random(1))
    assert f"checkpoint {last} in" in watched.look().err
    assert f"of entries 1 to {last} some were written anew" in watched.look().err
    other = watched.house = House(watched.house.data.parent.parent / "other")
    for _ in range(3):
        for table in range(5):
            other.record(f"BJ-{table}", 1)
        other.writer().write()
    assert f"it does not contain checkpoint {last}" in watched.look().err


def test_a_crash_between_state_and_cosignature_is_made_good(watched: Watched) -> None:
    last = watched.house.notes()[-1]
    said = read_checkpoint(read_note((watched.house.log / f"{last}.note").read_bytes()))
    watched.state.write_text(json.dumps({"origin": KEY.name, "size": last, "root": said.root.hex()}))
    assert watched.look("--format", "json").json["cosigned"] == [last]


def test_what_cannot_be_witnessed_is_said_in_one_line(watched: Watched, tmp_path: Path) -> None:
    watched.key.write_text(KEY.text)
    assert "no witness" in watched.look().err
    watched.key.write_text(WITNESS.text)
    watched.state.write_text("no state")
    assert watched.look().status == 2
    watched.state.write_text(json.dumps({"origin": "another.example", "size": 1, "root": "0" * 64}))
    assert "give each log a state of its own" in watched.look().err
    watched.state.unlink()
    shutil.rmtree(watched.house.log)
    ran = watched.look()
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert OTHER.name == KEY.name
