"""Checkpoints are written by whoever holds the ledger; a crash between an entry and its signature is made good."""

from __future__ import annotations

import json
import multiprocessing
import signal
import time
from functools import partial
from pathlib import Path
from random import Random

import pytest

from deploy.checkpoints.folder import ENTRIES
from deploy.checkpoints.keeping import checkpoints_kept
from deploy.checkpoints.keys import Signing
from deploy.errors import NotAsWritten, UserError
from deploy.settings import Settings
from schemas.tlog.checkpoints import read_checkpoint
from schemas.tlog.notes import read_note
from schemas.tlog.statements import read_statement
from tests.checkpoints.houses import KEY, OTHER, VKEY, House, built
from tests.commands.run import Catwalk, catwalk
from tests.tlog.test_merkle import root
from tests.waiting import until

__all__ = ["catwalk"]  # a fixture

OVERPAID = Path(__file__).resolve().parents[2] / "examples" / "breach_overpay.ndjson"


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    path = tmp_path / "signing.key"
    path.write_text(KEY.text + "\n")
    return path


@pytest.fixture
def here(tmp_path: Path, key_file: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """A house whose settings ask for checkpoints."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CATWALK_SIGNING_KEY", str(key_file))
    monkeypatch.setenv("CATWALK_CHECKPOINTS", "checkpoints")
    return House(tmp_path)


def fits(catwalk: Catwalk, house: House, *keys: str) -> bool:
    given = [word for key in keys or (VKEY,) for word in ("--key", key)]
    ran = catwalk("verify", house.ledger, "--checkpoints", house.log, *given, "--format", "json")
    assert ran.json["log"]["fits"] == (ran.status == 0), ran
    return ran.status == 0


def settings_of(house: House, key_file: Path, seconds: int = 60) -> Settings:
    return Settings(
        data=str(house.data),
        signing_key=str(key_file),
        checkpoints=str(house.log),
        checkpoint_seconds=seconds,
    )


def test_entries_and_checkpoints_are_the_merkle_trees_that_the_rfc_defines(tmp_path: Path) -> None:
    house = built(tmp_path)
    lines, entries = house.lines(), (house.log / ENTRIES).read_bytes().splitlines()
    for said in map(read_statement, entries):
        assert said.root == root(lines[said.subject][: said.size]).hex()
        assert said.checkpoint in house.notes()
    for size in house.notes():
        checkpoint = read_checkpoint(read_note((house.log / f"{size}.note").read_bytes()))
        assert (checkpoint.origin, checkpoint.size, checkpoint.root) == (KEY.name, size, root(entries[:size]))
    assert list(json.loads(entries[0]))[:4] == ["subject", "size", "root", "head"]


def test_recording_ends_with_a_checkpoint_and_again_only_if_something_grew(
    catwalk: Catwalk, here: House
) -> None:
    assert catwalk("record", OVERPAID).status == 0
    assert here.notes() == [1]
    assert catwalk("record", OVERPAID).status == 0
    assert here.notes() == [1]
    here.act(2)
    here.record("BJ-1", 2)
    assert catwalk("record", "-", stdin=b"").status == 0
    assert here.notes() == [1, 3]
    assert fits(catwalk, here)


def test_a_checkpoint_is_written_while_records_come(tmp_path: Path, key_file: Path) -> None:
    house = House(tmp_path)
    with checkpoints_kept(settings_of(house, key_file, seconds=1), house.ledger) as keeping:
        assert keeping is not None
        house.record("BJ-1", 3)
        until(house.notes)
        assert keeping.vital().state == "well"
        house.record("BJ-1", 1)
    assert len(house.notes()) == 2


def test_a_key_that_cannot_be_read_ends_the_command_before_anything_is_recorded(
    catwalk: Catwalk, here: House, key_file: Path
) -> None:
    for content in (None, "", "no key", VKEY):
        key_file.unlink(missing_ok=True)
        if content is not None:
            key_file.write_text(content)
        ran = catwalk("record", OVERPAID)
        assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert not here.ledger.exists()


def test_records_are_kept_though_a_checkpoint_cannot_be_written(catwalk: Catwalk, here: House) -> None:
    here.log.write_text("a file where a folder should be")
    ran = catwalk("record", OVERPAID)
    assert (ran.status, len(here.lines()["FB-12"])) == (2, 702)
    assert "the last records are not signed" in ran.err
    here.log.unlink()
    assert catwalk("record", OVERPAID).status == 0
    assert fits(catwalk, here)


def test_records_are_kept_and_not_signed_where_they_contradict_what_was_signed(
    catwalk: Catwalk, here: House
) -> None:
    assert catwalk("record", OVERPAID).status == 0
    for path in here.data.glob("ledger.db*"):
        path.unlink()
    here.record("BJ-1", 1)
    ran = catwalk("record", OVERPAID.with_name("lawful_free_bet_590.ndjson"))
    assert (ran.status, here.notes()) == (1, [1])
    assert "table FB-12: 702 records of it were stated, and it is gone" in ran.err
    assert len(here.lines()["FB90-1"]) == 1514


@pytest.mark.parametrize("grows", [False, True])
@pytest.mark.parametrize("forgets", [False, True])
def test_a_crash_at_any_byte_of_the_entries_is_made_good_and_never_forks(
    catwalk: Catwalk, tmp_path: Path, grows: bool, forgets: bool
) -> None:
    house = built(tmp_path / "first", rounds=2)
    before = (house.log / ENTRIES).read_bytes()
    for subject in ("BJ-1", "FB-3"):
        house.record(subject, 2)
    house.writer().write()
    after, last = (house.log / ENTRIES).read_bytes(), house.notes()[-1]
    signed = {size: (house.log / f"{size}.note").read_bytes() for size in house.notes()}
    for number, end in enumerate(range(len(before), len(after) + 1, 7 if grows else 5)):
        twin = house.copied(tmp_path / str(number))
        (twin.log / ENTRIES).write_bytes(after[:end])
        (twin.log / f"{last}.note").unlink()
        if forgets:
            (twin.log / "trees.json").unlink()
        if grows:
            twin.record("BJ-1", 1)
        twin.writer().write()
        assert fits(catwalk, twin), end
        for size, note in signed.items():
            path = twin.log / f"{size}.note"
            assert path.read_bytes() == note or (size == last and grows and end < len(after))
    assert end + 7 > len(after)


def test_a_complete_batch_is_signed_as_it_was_stated(catwalk: Catwalk, tmp_path: Path) -> None:
    house = built(tmp_path)
    last = house.notes()[-1]
    note = (house.log / f"{last}.note").read_bytes()
    (house.log / f"{last}.note").unlink()
    house.record("BJ-2", 1)
    house.writer().write()
    assert (house.log / f"{last}.note").read_bytes() == note
    assert fits(catwalk, house)


def test_two_writers_take_turns(catwalk: Catwalk, tmp_path: Path) -> None:
    house = House(tmp_path)
    writers, choose = [house.writer(), house.writer()], Random(3)
    for _ in range(12):
        house.record(choose.choice(["BJ-1", "BJ-2"]), choose.randrange(3))
        if choose.random() < 0.3:
            house.act(1)
        choose.choice(writers).write()
    assert fits(catwalk, house)


def test_a_key_is_followed_by_another_of_the_same_name(catwalk: Catwalk, tmp_path: Path) -> None:
    house = built(tmp_path, rounds=2)
    house.record("BJ-1", 1)
    with pytest.raises(NotAsWritten, match="signed by no key that was given"):
        House.writer(house, Signing(OTHER)).write()
    house.writer(Signing(OTHER, (KEY.verifier,))).write()
    assert fits(catwalk, house, VKEY, OTHER.verifier.text)
    assert not fits(catwalk, house, OTHER.verifier.text)


def test_a_table_that_bears_the_desks_name_is_refused(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.record("desk", 1)
    with pytest.raises(UserError, match="give the table another name"):
        house.writer().write()


def _has_grown(house: House, notes: int) -> bool:
    return house.log.exists() and len(house.notes()) >= notes


def _write_for_ever(root: Path) -> None:
    house = House(root)
    writer = house.writer()
    while True:
        house.record("BJ-1", 1)
        house.record("BJ-2", 1)
        writer.write()


def test_a_writer_that_is_killed_at_any_moment_leaves_what_the_next_one_goes_on_from(
    catwalk: Catwalk, tmp_path: Path
) -> None:
    house, choose = House(tmp_path), Random(7)
    spawn = multiprocessing.get_context("fork")
    for kill in range(6):
        process = spawn.Process(target=_write_for_ever, args=(tmp_path,))
        grown = len(house.notes()) if house.log.exists() else 0
        process.start()
        until(partial(_has_grown, house, grown + 3))
        time.sleep(choose.random() * 0.02)
        assert process.pid is not None
        process.kill()
        process.join()
        assert process.exitcode == -signal.SIGKILL
        house.writer().write()
        assert fits(catwalk, house), kill


def test_keygen_writes_a_secret_for_its_user_alone_and_prints_the_verifier_key(
    catwalk: Catwalk, tmp_path: Path
) -> None:
    path = tmp_path / "k.key"
    ran = catwalk("keygen", "--name", "parkside.example/log", "--out", path)
    secret = path.read_text()
    assert (ran.status, ran.out.count("\n"), path.stat().st_mode & 0o777) == (0, 1, 0o600)
    assert ran.out.startswith("parkside.example/log+")
    assert secret.startswith("PRIVATE+KEY+" + ran.out.rpartition("+")[0].split("+")[0])
    again = catwalk("keygen", "--name", "parkside.example/log", "--out", path)
    assert (again.status, path.read_text()) == (2, secret)
    assert catwalk("keygen", "--name", "a b", "--out", tmp_path / "other").status == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--checkpoints", "checkpoints"], "give --key VKEY too"),
        (["--key", VKEY], "give --checkpoints DIR too"),
        (["--checkpoints", "none", "--key", VKEY], "name the folder that they were written into"),
        (["--checkpoints", "checkpoints", "--key", "no+key"], "no verifier key"),
        (["--checkpoints", "checkpoints", "--key", "nofile"], "name a readable key file"),
        (["--checkpoints", "checkpoints", "--key", KEY.text], "a secret key"),
    ],
)
def test_what_cannot_be_verified_is_said_in_one_line(
    catwalk: Catwalk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    house = built(tmp_path, rounds=1)
    ran = catwalk("verify", house.ledger, *arguments)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert said in ran.err
    stream = tmp_path / "s.ndjson"
    stream.write_bytes(OVERPAID.read_bytes())
    assert catwalk("verify", stream, "--checkpoints", house.log, "--key", VKEY).status == 2
