"""What a copy holds: one moment of a house at work, what was broken before, and nothing that must not be in it."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dashboards.accounts.accounts import Accounts
from dashboards.desk.desk import Desk
from deploy.backup import making
from deploy.configured.desk_ledger import SqliteDeskLog
from deploy.console.desk_memory import memory_in
from deploy.console.server import utc_now
from producers.kafka.journal import Journal
from producers.log import EMPTY
from producers.sqlite_log import SqliteLog
from tests.backup.house import CHEAP, EDIT, EVENTS, TABLES, a_house, lines_of
from tests.commands.run import Catwalk, catwalk
from tests.console.desk_building import a_finding, a_raise
from tests.producers.builders import stream

__all__ = ["catwalk"]  # a fixture


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("CATWALK_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path / "house"))
    return a_house(tmp_path / "house")


@pytest.fixture
def restored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catwalk: Catwalk) -> Callable[[Path], Path]:
    """Restores a copy to a home of its own."""

    def restore(copy: Path) -> Path:
        home = tmp_path / f"home-{copy.name}"
        monkeypatch.setenv("CATWALK_DATA", str(home))
        ran = catwalk("restore", copy)
        assert ran.status == 0, ran.err
        return home

    return restore


def test_what_was_in_the_house_is_in_the_home(
    house: Path, tmp_path: Path, catwalk: Catwalk, restored: Callable[[Path], Path]
) -> None:
    os.umask(0o022)
    made = catwalk("backup", "--out", tmp_path / "copy", "--format", "json")
    assert made.status == 0, made.err
    assert [file["name"] for file in made.json["files"]] == ["console.db", "desk.db", "ledger.db"]
    home = restored(tmp_path / "copy")
    assert lines_of(home / "ledger.db") == lines_of(house / "ledger.db")
    assert lines_of(home / "desk.db") == lines_of(house / "desk.db")
    with closing(Accounts(home / "console.db", utc_now, CHEAP)) as accounts:
        assert [(person.name, person.role) for person in accounts.people()] == [("hale", "surveillance")]
    with (
        closing(SqliteDeskLog(home / "desk.db")) as log,
        closing(memory_in(home, home / "desk.db")) as memory,
    ):
        assert memory.recall() == log.head(), "a desk that is cut before the first start is found out"
    modes = {stat.S_IMODE(path.stat().st_mode) for path in (*home.iterdir(), *(tmp_path / "copy").iterdir())}
    assert modes == {0o600}
    assert {stat.S_IMODE(path.stat().st_mode) for path in (home, tmp_path / "copy")} == {0o700}
    assert catwalk("record", "-", stdin=b"").status == 0, "it is at work"


def test_the_next_step_is_said(
    house: Path, tmp_path: Path, catwalk: Catwalk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CATWALK_CONSOLE_FACTOR_KEY", "c2VjcmV0")
    (tmp_path / "catwalk.toml").write_text('video = "https://video.example/{camera}/{time}"\n')
    keys = tmp_path / "vkeys.toml"
    keys.write_text(f'layout-7 = "{"0" * 64}"\n')
    made = catwalk("backup", "--out", tmp_path / "copy", "--keys", keys)
    assert "not copied, keep them elsewhere: the secrets console_factor_key" in made.out
    assert b"c2VjcmV0" not in b"".join(path.read_bytes() for path in (tmp_path / "copy").iterdir())
    said = catwalk("backup", "--verify", tmp_path / "copy", "--format", "json").json
    given = {"data": str(house), "video": "https://video.example/{camera}/{time}"}
    assert (said["settings"], said["secrets"]) == (given, ["console_factor_key"])
    monkeypatch.delenv("CATWALK_CONSOLE_FACTOR_KEY")
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path / "new"))
    ran = catwalk("restore", tmp_path / "copy", "--format", "json")
    copied = [str(tmp_path / "copy" / name) for name in ("keys.toml", "catwalk.toml")]
    assert sorted(ran.json["left"]) == sorted(copied)
    assert (tmp_path / "copy" / "keys.toml").read_text() == keys.read_text()
    said = "\n".join(ran.json["next"])
    assert all(path in said for path in copied)
    assert "set CATWALK_CONSOLE_FACTOR_KEY (or ..._FILE) as it was: it is in no backup" in said
    assert "catwalk rebuild" in ran.json["next"]


def test_whoever_works_goes_on_and_no_act_speaks_of_what_is_not_in_the_copy(
    house: Path, tmp_path: Path, catwalk: Catwalk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between any two files that are held, events are recorded and raised; every act follows its event."""
    ended = threading.Event()
    table = "FP-21"
    lines = stream(3_000, table)
    raised: list[int] = []

    def work() -> None:
        with (
            closing(SqliteLog(house / "ledger.db")) as ledger,
            closing(SqliteDeskLog(house / "desk.db")) as record,
            closing(memory_in(house, house / "desk.db")) as memory,
        ):
            desk = Desk(record, utc_now, memory=memory)
            head = EMPTY
            for number, line in enumerate(lines, 1):
                head = ledger.append(table, [line], head)
                desk.raise_alerts([a_raise(a_finding(number, subject=table))])
                raised.append(number)
                if ended.is_set():
                    return

    held = making._held

    def slowly(*given: Any) -> Any:
        seen, deadline = len(raised), 200
        while len(raised) < seen + 3 and deadline:  # others get on between any two files
            deadline -= 1
            threading.Event().wait(0.01)
        return held(*given)

    monkeypatch.setattr(making, "_held", slowly)
    worker = threading.Thread(target=work)
    worker.start()
    try:
        for number in range(3):
            made = catwalk("backup", "--out", tmp_path / f"copy-{number}")
            assert (made.status, made.err) == (0, "")
    finally:
        ended.set()
        worker.join(20)
    after = lines_of(house / "ledger.db")[table]
    assert len(after) == len(raised) >= 9
    copies = []
    for number in range(3):
        ledger = lines_of(tmp_path / f"copy-{number}" / "ledger.db")
        acts = [
            msgspec.json.decode(line)["data"]
            for line in lines_of(tmp_path / f"copy-{number}" / "desk.db")["desk"]
        ]
        spoken = [act["finding"]["sequence"] for act in acts if act["finding"]["subject"] == table]
        assert ledger[table] == after[: len(ledger[table])], "a table ends at one of its records"
        assert spoken == list(range(1, len(spoken) + 1))
        assert 0 < len(spoken) < len(ledger[table]), "the desk is held before the ledger"
        copies.append(len(spoken))
    assert copies == sorted(set(copies))


def test_what_was_altered_before_is_copied_as_it_is_and_said(
    house: Path, tmp_path: Path, catwalk: Catwalk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A house must not be without a backup because somebody altered a record three years ago: that is evidence."""
    with closing(sqlite3.connect(house / "ledger.db", isolation_level=None)) as file:
        file.execute("DROP TRIGGER records_UPDATE")
        file.execute(EDIT)
    for name in ("desk.db", "desk.db-wal", "desk.db-shm"):
        (house / name).unlink(missing_ok=True)
    with closing(SqliteDeskLog(house / "desk.db")) as record:  # one record, where a console remembers three
        Desk(record, utc_now).raise_alerts([a_raise(a_finding(2, subject=TABLES[0]))])
    made = catwalk("backup", "--out", tmp_path / "copy")
    assert made.status == 1
    assert (
        "catwalk: ledger.db: table FB90-1, record 10: it does not carry the hash of the record before it"
        in made.err
    )
    assert (
        "catwalk: desk.db: table desk, record 3: a console acknowledged another record 3, or it is gone"
        in made.err
    )
    assert catwalk("backup", "--verify", tmp_path / "copy").status == 0, "the copy is as it was made"
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path / "new"))
    ran = catwalk("restore", tmp_path / "copy")
    assert (ran.status, ran.err.count("\n")) == (1, 2)
    assert lines_of(tmp_path / "new" / "ledger.db") == lines_of(house / "ledger.db")


def test_who_was_signed_out_or_invited_is_not_let_in_by_a_copy(
    house: Path, tmp_path: Path, catwalk: Catwalk, restored: Callable[[Path], Path]
) -> None:
    with closing(Accounts(house / "console.db", utc_now, CHEAP)) as accounts:
        accounts.add("ann", "admin")
        token = accounts.one_time.make("ann", "password")
    assert catwalk("backup", "--out", tmp_path / "copy").status == 0
    with closing(sqlite3.connect(house / "console.db")) as file:
        ((kept,),) = file.execute("SELECT token FROM one_time").fetchall()
    assert kept.encode() not in (tmp_path / "copy" / "console.db").read_bytes()
    assert token
    home = restored(tmp_path / "copy")
    with closing(sqlite3.connect(home / "console.db")) as file:
        for relation in ("sign_ins", "pending", "one_time", "flows", "candidates"):
            assert file.execute(f"SELECT count(*) FROM {relation}").fetchone() == (0,)
        assert file.execute("SELECT count(*) FROM users").fetchone() == (2,)


def test_users_in_a_folder_of_their_own_come_from_there_and_go_there(
    house: Path, tmp_path: Path, catwalk: Catwalk, monkeypatch: pytest.MonkeyPatch
) -> None:
    users = tmp_path / "users"
    users.mkdir()
    (house / "console.db").rename(users / "console.db")
    monkeypatch.setenv("CATWALK_CONSOLE_USERS", str(users))
    assert catwalk("backup", "--out", tmp_path / "copy").status == 0
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path / "new"))
    ran = catwalk("restore", tmp_path / "copy")
    assert (ran.status, f"{users}: found console.db, expected a home that holds nothing" in ran.err) == (
        2,
        True,
    )
    monkeypatch.setenv("CATWALK_CONSOLE_USERS", str(tmp_path / "people"))
    assert catwalk("restore", tmp_path / "copy").status == 0
    assert {path.name for path in (tmp_path / "people").iterdir()} == {"console.db", "desk_memory.db"}
    assert {path.name for path in (tmp_path / "new").iterdir()} == {"desk.db", "ledger.db"}
    desk = tmp_path / "new" / "desk.db"
    with closing(SqliteDeskLog(desk)) as log, closing(memory_in(tmp_path / "people", desk)) as memory:
        assert memory.recall() == log.head()


def test_a_gateways_machine_keeps_its_journals_alone(
    tmp_path: Path, catwalk: Catwalk, monkeypatch: pytest.MonkeyPatch, restored: Callable[[Path], Path]
) -> None:
    """Two journals, of which one has given up its first records and has one that is no event."""
    data = tmp_path / "gateway"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CATWALK_DATA", str(data))
    monkeypatch.setenv("CATWALK_MODE", "distributed")
    with closing(Journal(data / "journal.db")) as journal:
        lines = stream(EVENTS, TABLES[0])
        journal.seed(TABLES[0], 20, lines[19])
        journal.log.append(TABLES[0], lines[20:], journal.log.head(TABLES[0]))
        journal.mark({TABLES[0]: 40})
        name = journal.gateway
    with closing(Journal(tmp_path / "pit-2.db")) as other:
        other.log.append(TABLES[1], stream(9, TABLES[1]), EMPTY)
    copy = tmp_path / "copy"
    made = catwalk("backup", "--files", "--ledger", tmp_path / "pit-2.db", "--out", copy, "--format", "json")
    assert (made.status, made.err) == (0, "")
    counted = [(file["name"], file["records"]) for file in made.json["files"]]
    assert counted == [("journal.db", 41), ("pit-2.db", 9)]
    home = restored(copy)
    with closing(Journal(home / "journal.db")) as journal:
        assert (journal.gateway, journal.arrived(TABLES[0]), journal.first(TABLES[0])) == (name, 40, 20)
        assert [line for _, line in journal.waiting(TABLES[0], 40, 100)] == lines[40:]
    assert lines_of(home / "pit-2.db") == {TABLES[1]: stream(9, TABLES[1])}
    twice = catwalk("backup", "--files", "--ledger", home / "journal.db", "--out", tmp_path / "twice")
    assert (twice.status, "the copy has another journal.db already" in twice.err) == (2, True)


def test_a_copy_of_the_other_mode_is_refused(
    house: Path, tmp_path: Path, catwalk: Catwalk, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert catwalk("backup", "--out", tmp_path / "copy").status == 0
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path / "new"))
    monkeypatch.setenv("CATWALK_MODE", "distributed")
    ran = catwalk("restore", tmp_path / "copy")
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "found a backup of mode embedded, expected distributed" in ran.err
    assert not (tmp_path / "new").exists()


def test_one_thing_is_asked_for_at_a_time(catwalk: Catwalk, tmp_path: Path) -> None:
    assert "give --out or --verify, one of them" in catwalk("backup").err
    assert catwalk("backup", "--out", tmp_path / "a", "--verify", tmp_path / "b").status == 2
    assert "there is no such folder" in catwalk("restore", tmp_path / "a").err
