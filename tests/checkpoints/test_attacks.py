"""Somebody with the disk alters a record, at random places: one command finds it, and accepts the untouched copy."""

from __future__ import annotations

import json
import shutil
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from deploy.checkpoints.folder import ENTRIES
from deploy.checkpoints.keys import Signing
from deploy.errors import NotAsWritten
from producers.sqlite_log import SqliteLog
from schemas.tlog.checkpoints import Checkpoint, signed
from schemas.tlog.merkle import Frontier, leaf_hash
from tests.checkpoints.houses import OTHER, TABLES, VKEY, House, built, rechained
from tests.commands.run import Catwalk, Ran, catwalk

__all__ = ["catwalk"]  # a fixture

Attack = Callable[[House, Random], object]
# Each attack at a few places in every run, at many in `make soak`.
SEEDS = [*range(3), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(3, 60))]


def _somewhere(house: House, choose: Random) -> tuple[dict[str, list[bytes]], str, int]:
    """All records, a table, and the number of one of its records from 0."""
    lines = house.lines()
    subject = choose.choice(TABLES)
    return lines, subject, choose.randrange(len(lines[subject]))


def _anew(house: House, lines: dict[str, list[bytes]], subject: str, at: int) -> tuple[str, int]:
    lines[subject] = rechained(lines[subject])
    house.write_anew(lines)
    return subject, at + 1


def _edited(line: bytes) -> bytes:
    event = json.loads(line)
    if "card" in event["data"]:
        event["data"]["card"] = "Kd" if event["data"]["card"] != "Kd" else "2c"
    else:
        event["actor"] = "another"
    return json.dumps(event, separators=(",", ":")).encode()


def edit(house: House, choose: Random) -> tuple[str, int]:
    lines, subject, at = _somewhere(house, choose)
    line = _edited(lines[subject][at]).hex()
    number = f"(SELECT number FROM subjects WHERE subject = '{subject}')"
    house.harm(
        house.ledger, f"UPDATE records SET line = x'{line}' WHERE subject = {number} AND sequence = {at + 1}"
    )
    return subject, at + 1


def edit_and_rechain(house: House, choose: Random) -> object:
    lines, subject, at = _somewhere(house, choose)
    lines[subject][at] = _edited(lines[subject][at])
    return _anew(house, lines, subject, at)


def delete(house: House, choose: Random) -> object:
    _, subject, at = _somewhere(house, choose)
    number = f"(SELECT number FROM subjects WHERE subject = '{subject}')"
    house.harm(house.ledger, f"DELETE FROM records WHERE subject = {number} AND sequence = {at + 1}")
    return None


def delete_and_rechain(house: House, choose: Random) -> object:
    lines, subject, at = _somewhere(house, choose)
    del lines[subject][at]
    return _anew(house, lines, subject, at)


def insert_and_rechain(house: House, choose: Random) -> object:
    lines, subject, at = _somewhere(house, choose)
    lines[subject].insert(at, _edited(lines[subject][at]))
    return _anew(house, lines, subject, at)


def insert_behind_the_head(house: House, choose: Random) -> object:
    lines, subject, _ = _somewhere(house, choose)
    number = f"(SELECT number FROM subjects WHERE subject = '{subject}')"
    values = f"99999, {number}, {len(lines[subject]) + 1}, x'{_edited(lines[subject][-1]).hex()}'"
    house.harm(house.ledger, f"INSERT INTO records VALUES ({values})")
    return None


def insert_of_no_table(house: House, choose: Random) -> object:
    lines, subject, at = _somewhere(house, choose)
    house.harm(house.ledger, f"INSERT INTO records VALUES (99999, 77, 1, x'{lines[subject][at].hex()}')")
    return None


def reorder_and_rechain(house: House, choose: Random) -> object:
    lines, subject, at = _somewhere(house, choose)
    at = min(at, len(lines[subject]) - 2)
    lines[subject][at : at + 2] = reversed(lines[subject][at : at + 2])
    return _anew(house, lines, subject, at)


def cut_the_tail(house: House, choose: Random) -> object:
    lines, subject, at = _somewhere(house, choose)
    at = max(at, 1)
    del lines[subject][at:]
    return _anew(house, lines, subject, at)


def swap_tables(house: House, choose: Random) -> object:
    lines = house.lines()
    one, other = choose.sample(TABLES, 2)
    renamed = {
        new: rechained([line.replace(old.encode(), new.encode()) for line in lines[old]])
        for old, new in ((one, other), (other, one))
    }
    house.write_anew(lines | renamed)
    return None


def rename_a_table(house: House, choose: Random) -> object:
    lines, subject, _ = _somewhere(house, choose)
    lines["BJ-9"] = rechained([line.replace(subject.encode(), b"BJ-9") for line in lines.pop(subject)])
    house.write_anew(lines)
    return subject, 1


def remove_a_table(house: House, choose: Random) -> object:
    lines, subject, _ = _somewhere(house, choose)
    del lines[subject]
    house.write_anew(lines)
    return subject, 1


def hide_a_table(house: House, choose: Random) -> object:
    _, subject, _ = _somewhere(house, choose)
    house.harm(house.ledger, f"UPDATE subjects SET sequence = 0 WHERE subject = '{subject}'")
    return subject, 1


def an_older_copy_of_all(house: House, choose: Random) -> object:
    lines = house.lines()
    house.write_anew({name: told[: choose.randrange(1, len(told))] for name, told in lines.items()})
    return None


def positions_that_contradict_sequences(house: House, choose: Random) -> object:
    lines, subject, at = _somewhere(house, choose)
    at = min(at, len(lines[subject]) - 2)
    with closing(sqlite3.connect(house.ledger)) as file:
        query = (
            "SELECT position FROM records JOIN subjects ON number = records.subject"
            " WHERE subjects.subject = ? AND records.sequence BETWEEN ? AND ? ORDER BY records.sequence"
        )
        (one,), (other,) = file.execute(query, (subject, at + 1, at + 2))
    moves = ((one, 88888), (other, one), (88888, other))
    house.harm(
        house.ledger, *(f"UPDATE records SET position = {new} WHERE position = {old}" for old, new in moves)
    )
    return None


def edit_an_act_of_the_desk(house: House, choose: Random) -> object:
    lines = house.lines()
    at = choose.randrange(len(lines["desk"]))
    lines["desk"][at] = _edited(lines["desk"][at])
    return _anew(house, lines, "desk", at)


def cut_the_desk(house: House, choose: Random) -> object:
    lines = house.lines()
    at = choose.randrange(1, len(lines["desk"]))
    del lines["desk"][at:]
    return _anew(house, lines, "desk", at)


def remove_the_desk(house: House, choose: Random) -> object:
    for path in house.data.glob("desk.db*"):
        path.unlink()
    return "desk", 1


def remove_a_checkpoint(house: House, choose: Random) -> object:
    (house.log / f"{choose.choice(house.notes())}.note").unlink()
    return None


def remove_all_checkpoints(house: House, choose: Random) -> object:
    for size in house.notes():
        (house.log / f"{size}.note").unlink()
    return None


def empty_the_folder(house: House, choose: Random) -> object:
    shutil.rmtree(house.log)
    house.log.mkdir()
    return None


def a_checkpoint_of_another_key(house: House, choose: Random) -> object:
    size = choose.choice(house.notes())
    tree = Frontier()
    for line in (house.log / ENTRIES).read_bytes().splitlines()[:size]:
        tree.append(leaf_hash(line))
    (house.log / f"{size}.note").write_bytes(signed(Checkpoint(OTHER.name, size, tree.root()), OTHER).content)
    return None


def the_whole_log_of_another_key(house: House, choose: Random) -> object:
    edit_and_rechain(house, choose)
    shutil.rmtree(house.log)
    house.writer(Signing(OTHER)).write()
    return None


def edit_an_entry(house: House, choose: Random) -> object:
    path = house.log / ENTRIES
    whole = bytearray(path.read_bytes())
    whole[choose.choice([at for at, one in enumerate(whole) if 48 <= one < 57])] += 1
    path.write_bytes(whole)
    return None


def delete_an_entry(house: House, choose: Random) -> object:
    path = house.log / ENTRIES
    entries = path.read_bytes().splitlines(keepends=True)
    del entries[choose.randrange(len(entries))]
    path.write_bytes(b"".join(entries))
    return None


def cut_the_entries(house: House, choose: Random) -> object:
    path = house.log / ENTRIES
    whole = path.read_bytes()
    path.write_bytes(whole[: choose.randrange(len(whole))])
    return None


ATTACKS: tuple[Attack, ...] = (
    edit, edit_and_rechain, delete, delete_and_rechain, insert_and_rechain, insert_behind_the_head, insert_of_no_table,
    reorder_and_rechain, cut_the_tail, swap_tables, rename_a_table, remove_a_table, hide_a_table, an_older_copy_of_all,
    positions_that_contradict_sequences, edit_an_act_of_the_desk, cut_the_desk, remove_the_desk, remove_a_checkpoint,
    remove_all_checkpoints, empty_the_folder, a_checkpoint_of_another_key, the_whole_log_of_another_key, edit_an_entry,
    delete_an_entry, cut_the_entries,
)  # fmt: skip


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> House:
    return built(tmp_path_factory.mktemp("house"))


def verified(catwalk: Catwalk, house: House) -> Ran:
    return catwalk("verify", house.ledger, "--checkpoints", house.log, "--key", VKEY, "--format", "json")


def test_an_untouched_copy_is_accepted_and_says_up_to_where(
    catwalk: Catwalk, untouched: House, tmp_path: Path
) -> None:
    house = untouched.copied(tmp_path / "copy")
    ran = verified(catwalk, house)
    lines = house.lines()
    assert (ran.status, ran.json["intact"], ran.json["log"]["fits"]) == (0, True, True)
    assert {one["subject"]: (one["records"], one["after"]) for one in ran.json["log"]["tables"]} == {
        subject: (len(told), 0) for subject, told in lines.items()
    }
    house.record("BJ-1", 3)
    house.record("BJ-7", 2)
    told = catwalk("verify", house.data, "--checkpoints", house.log, "--key", VKEY)
    last = json.loads(lines["BJ-1"][-1])["time"]
    upto = (
        f"BJ-1: records 1 to {len(lines['BJ-1'])}, to {last}, are as checkpoint {house.notes()[-1]} has them"
    )
    assert told.status == 0
    assert f"{upto}; 3 came after" in told.out
    assert "BJ-7: no checkpoint vouches for it; 2 came after" in told.out
    assert "all fit" in told.out.splitlines()[-1]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_an_attack_is_found_wherever_it_falls(
    catwalk: Catwalk, untouched: House, tmp_path: Path, attack: Attack, seed: int
) -> None:
    house = untouched.copied(tmp_path / "copy")
    altered = attack(house, Random(seed))
    ran = verified(catwalk, house)
    assert ran.status == 1, ran
    misfit = ran.json["log"]["first_misfit"]
    if isinstance(altered, tuple):
        subject, sequence = altered
        assert misfit["subject"] == subject
        assert misfit["first"] <= sequence <= misfit["last"]
        told = catwalk("verify", house.ledger, "--checkpoints", house.log, "--key", VKEY)
        assert told.status == 1
        between = f"table {subject}, between records {misfit['first']} and {misfit['last']}"
        assert f"CHECKPOINT {misfit['checkpoint']} DOES NOT FIT" in told.out
        assert between in told.out
    else:
        assert misfit is not None or not ran.json["intact"]


@pytest.mark.parametrize(
    "attack", [edit, cut_the_tail, edit_an_act_of_the_desk, remove_a_table, an_older_copy_of_all]
)
def test_nothing_is_signed_that_contradicts_what_was_signed(
    catwalk: Catwalk, untouched: House, tmp_path: Path, attack: Attack
) -> None:
    house = untouched.copied(tmp_path / "copy")
    attack(house, Random(5))
    house.record("BJ-1", 1)
    if attack is edit:  # deep in a table: seen by who reads all of it again
        (house.log / "trees.json").unlink()
    with pytest.raises(NotAsWritten, match="nothing is signed until it fits again"):
        house.writer().write()
    assert house.notes() == untouched.notes()
    assert verified(catwalk, house).status == 1


def test_what_was_altered_deep_in_a_table_is_found_behind_later_checkpoints_too(
    catwalk: Catwalk, untouched: House, tmp_path: Path
) -> None:
    house = untouched.copied(tmp_path / "copy")
    subject, sequence = edit(house, Random(5))
    for _ in range(3):
        house.record("BJ-1", 1)
        house.writer().write()
    misfit = verified(catwalk, house).json["log"]["first_misfit"]
    assert misfit["subject"] == subject
    assert misfit["first"] <= sequence <= misfit["last"]
    assert misfit["checkpoint"] in untouched.notes()


def test_attacks_are_found_while_the_system_writes(
    catwalk: Catwalk, untouched: House, tmp_path: Path
) -> None:
    house = untouched.copied(tmp_path / "copy")
    writer, ended, failed = house.writer(), threading.Event(), []

    def work() -> None:
        try:
            while not ended.is_set():
                for subject in TABLES:
                    house.record(subject, 2)
                house.act(1)
                writer.write()
        except Exception as error:
            failed.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for _ in range(8):
            ran = verified(catwalk, house)
            assert (ran.status, ran.json["log"]["fits"], failed) == (0, True, []), ran
        lines, subject, at = house.lines(), TABLES[0], 3
        number = f"(SELECT number FROM subjects WHERE subject = '{subject}')"
        line = _edited(lines[subject][at]).hex()
        with closing(sqlite3.connect(house.ledger, isolation_level=None, timeout=30)) as file:
            file.execute("DROP TRIGGER records_UPDATE")
            file.execute(
                f"UPDATE records SET line = x'{line}' WHERE subject = {number} AND sequence = {at + 1}"
            )
        ran = verified(catwalk, house)
        assert ran.status == 1
        assert ran.json["log"]["first_misfit"]["subject"] == subject
    finally:
        ended.set()
        thread.join()
    with closing(SqliteLog(house.ledger, read_only=True)) as log:
        assert log.head(TABLES[0]).sequence > len(untouched.lines()[TABLES[0]])
