"""The ledger file: durable, shared between writers and readers, and told from any other file."""

import os
import sqlite3
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from producers.log import EMPTY, Fenced, LedgerError, LedgerUnusable
from producers.sqlite_log import SqliteLog
from tests.producers.builders import digest, stream


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


def write(path: Path, lines: list[bytes]) -> None:
    log = SqliteLog(path)
    log.append("FB90-1", lines, log.head("FB90-1"))
    log.close()


def test_the_ledger_and_its_folder_are_made_when_recording_begins(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "ledger.db"
    write(path, stream(2))
    again = SqliteLog(path, create=False)
    assert again.head("FB90-1").sequence == 2
    again.close()


def test_every_commit_is_synchronised_with_the_disk(path: Path) -> None:
    log = SqliteLog(path)
    with log._transaction() as writer:
        assert writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert writer.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
    log.close()


def test_the_relations_refuse_change_and_removal_also_to_other_programs(path: Path) -> None:
    write(path, stream(2))
    other = sqlite3.connect(path)
    for statement in ("DELETE FROM records", "UPDATE records SET line = x'00'", "DELETE FROM identities"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            other.execute(statement)
    other.close()


def test_of_two_writers_of_one_table_the_slower_is_fenced(path: Path) -> None:
    lines = stream(2)
    one, two = SqliteLog(path), SqliteLog(path)
    head = one.head("FB90-1")
    two.append("FB90-1", lines[:1], head)
    with pytest.raises(Fenced):
        one.append("FB90-1", lines[:1], head)
    one.append("FB90-1", lines[1:], one.head("FB90-1"))
    assert [r.line for r in two.read_from("FB90-1")] == lines
    one.close()
    two.close()


def test_a_reader_neither_waits_for_an_open_write_nor_sees_it(path: Path) -> None:
    lines = stream(4)
    write(path, lines[:2])
    log, reader = SqliteLog(path), SqliteLog(path, read_only=True)
    reading = reader.read_from("FB90-1")
    assert next(reading).line == lines[0]
    with log._transaction() as writer:
        writer.execute("INSERT INTO records VALUES (3, 1, 3, ?)", (lines[2],))
        assert [r.line for r in reading] == lines[1:2]
        assert [t.line for t in reader.tail()] == lines[:2]
    log.close()
    reader.close()


def test_a_paused_reader_does_not_hold_up_a_writer(path: Path) -> None:
    write(path, stream(3_000))
    log, reader = SqliteLog(path), SqliteLog(path, read_only=True)
    reading = reader.tail()
    next(reading)
    head = log.head("FB90-1")
    log.append("FB90-1", stream(1, start=3_001, prevhash=head.hash), head)
    assert len(list(reading)) == 3_000
    log.close()
    reader.close()


def test_each_thread_reads_for_itself(path: Path) -> None:
    lines = stream(1_500)
    write(path, lines)
    log = SqliteLog(path, read_only=True)
    found: list[list[bytes]] = []
    threads = [
        threading.Thread(target=lambda: found.append([r.line for r in log.read_from("FB90-1")]))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    log.close()
    assert found == [lines] * 4


def test_a_full_disk_acknowledges_nothing_and_loses_nothing(path: Path) -> None:
    lines = stream(400)
    log = SqliteLog(path)
    head = log.append("FB90-1", lines[:10], EMPTY)
    with log._transaction() as writer:
        writer.execute("PRAGMA max_page_count = 30")
    with pytest.raises(LedgerError, match=r"nothing was appended: database or disk is full"):
        log.append("FB90-1", lines[10:], head)
    assert log.head("FB90-1") == head
    with log._transaction() as writer:
        writer.execute("PRAGMA max_page_count = 100000")
    assert log.append("FB90-1", lines[10:], head).sequence == 400
    log.close()


def test_a_ledger_opened_for_reading_refuses_to_append(path: Path) -> None:
    write(path, stream(1))
    log = SqliteLog(path, read_only=True)
    with pytest.raises(LedgerError, match="not open for writing"):
        log.append("FB90-1", stream(1), EMPTY)
    log.close()


@contextmanager
def without_rights() -> Iterator[None]:
    """As somebody to whom the rights on files apply, also where root runs the tests."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_ledger_on_read_only_media_can_be_read() -> None:
    with tempfile.TemporaryDirectory() as name:  # pytest's own folders are closed to others
        folder = Path(name)
        path = folder / "ledger.db"
        write(path, stream(3))
        path.chmod(0o444)
        folder.chmod(0o555)
        with without_rights():
            with pytest.raises(sqlite3.OperationalError):
                sqlite3.connect(f"file:{path}?mode=ro", uri=True).execute("SELECT * FROM records")
            log = SqliteLog(path, read_only=True)
            assert len(list(log.tail())) == 3
            log.close()
        folder.chmod(0o755)


def test_a_ledger_nobody_may_write_is_not_recorded_into() -> None:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "ledger.db"
        Path(name).chmod(0o555)
        with without_rights(), pytest.raises(LedgerUnusable, match="unable to open database file; check"):
            SqliteLog(path)
        Path(name).chmod(0o755)


@pytest.mark.parametrize("read_only", [True, False])
def test_a_missing_ledger_is_named_and_not_made(path: Path, read_only: bool) -> None:
    with pytest.raises(LedgerUnusable, match=r"ledger\.db: there is no ledger; check the path"):
        SqliteLog(path, create=False, read_only=read_only)
    assert not path.exists()


@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize(
    "content", [b'{"specversion":"1.0"}\n' * 200, b"SQLite format 3\x00" + b"\xff" * 9000]
)
def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(
    path: Path, content: bytes, read_only: bool
) -> None:
    path.write_bytes(content)
    with pytest.raises(LedgerUnusable, match=r"ledger\.db: .*; name a ledger, or restore it from a copy"):
        SqliteLog(path, read_only=read_only)
    assert path.read_bytes() == content


@pytest.mark.parametrize("read_only", [True, False])
def test_a_database_of_another_program_is_refused_and_left_as_it_is(path: Path, read_only: bool) -> None:
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE records (mine TEXT)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(LedgerUnusable, match="an SQLite file, but no ledger"):
        SqliteLog(path, read_only=read_only)
    assert path.read_bytes() == before


def test_a_ledger_of_a_later_format_is_refused(path: Path) -> None:
    write(path, stream(1))
    later = sqlite3.connect(path)
    later.execute("PRAGMA user_version = 2")
    later.close()
    with pytest.raises(LedgerUnusable, match="format 2; this catwalk reads format 1"):
        SqliteLog(path)


def test_behind_a_record_that_was_tampered_with_nothing_is_written(path: Path) -> None:
    write(path, stream(3))
    tamperer = sqlite3.connect(path)
    tamperer.execute("DROP TRIGGER records_UPDATE")
    tamperer.execute("UPDATE records SET line = cast(replace(line, 'As', 'Ks') AS BLOB)")
    tamperer.commit()
    tamperer.close()
    with pytest.raises(LedgerUnusable, match="last record of table FB90-1 is not the one that was written"):
        SqliteLog(path)


def test_a_ledger_may_be_closed_while_other_threads_read_it(path: Path) -> None:
    for _ in range(60):
        log = SqliteLog(path)
        refused: list[str] = []
        readers = [threading.Thread(target=_read_on, args=(log, refused), daemon=True) for _ in range(3)]
        for reader in readers:
            reader.start()
        log.close()
        for reader in readers:
            reader.join(10)
        assert ["it was closed" in said for said in refused] == [True] * 3


def _read_on(log: SqliteLog, refused: list[str]) -> None:
    try:
        while True:
            log.head("FB90-1")
    except LedgerError as error:
        refused.append(str(error))


def test_a_closed_ledger_keeps_what_it_had(path: Path) -> None:
    lines = stream(3)
    write(path, lines[:2])
    write(path, lines[2:])
    log = SqliteLog(path)
    assert log.head("FB90-1").hash == digest(lines[2])
    log.close()
    with pytest.raises(LedgerError, match="it was closed; open it again"):
        log.head("FB90-1")
    with pytest.raises(LedgerError, match="not open for writing; open it again"):
        log.append("T2", lines, EMPTY)


class _FailingDisk:
    """A connection whose disk cannot be synchronised."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def execute(self, statement: str, *parameters: Any) -> sqlite3.Cursor:
        if statement == "COMMIT":
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR_FSYNC
            raise error
        return self._connection.execute(statement, *parameters)


def test_after_a_failed_synchronisation_nothing_is_acknowledged_until_the_file_is_opened_anew(
    path: Path,
) -> None:
    lines = stream(2)
    log = SqliteLog(path)
    head = log.append("FB90-1", lines[:1], EMPTY)
    log._writer = cast(sqlite3.Connection, _FailingDisk(cast(sqlite3.Connection, log._writer)))
    with pytest.raises(LedgerError, match="nothing was appended: disk I/O error"):
        log.append("FB90-1", lines[1:], head)
    with pytest.raises(LedgerError, match="not open for writing"):
        log.append("FB90-1", lines[1:], head)
    assert log.head("FB90-1") == head
    log.close()
    log = SqliteLog(path)
    assert log.append("FB90-1", lines[1:], head).sequence == 2
    log.close()
