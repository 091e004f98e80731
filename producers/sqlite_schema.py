"""The ledger file: its relations, and how a connection to it is opened and told from any other file."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from producers.log import Head, LedgerDamaged, LedgerUnusable, identity_of

APPLICATION_ID = 0x43574C31  # "CWL1" in the file's header: tells a ledger from any other SQLite file
VERSION = 1
BUSY_MS = 30_000  # a writer waits this long for another one's transaction, which takes milliseconds
_AGAIN = 0.01  # seconds

# `position` orders all tables' records as they were appended: a reader's only cursor. AUTOINCREMENT is not needed:
# nothing is deleted, but from a gateway's journal, and there each table's last record and the last letter stay. Sources
# are interned because they repeat on every row.
_RELATIONS = """
CREATE TABLE subjects (
    number INTEGER PRIMARY KEY, subject TEXT NOT NULL UNIQUE, sequence INTEGER NOT NULL, head TEXT NOT NULL
) STRICT;
CREATE TABLE records (
    position INTEGER PRIMARY KEY, subject INTEGER NOT NULL, sequence INTEGER NOT NULL, line BLOB NOT NULL,
    UNIQUE (subject, sequence)
) STRICT;
CREATE TABLE sources (number INTEGER PRIMARY KEY, source TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE identities (
    source INTEGER NOT NULL, id TEXT NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (source, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE quarantine (
    number INTEGER PRIMARY KEY, kind TEXT NOT NULL, origin TEXT NOT NULL, digest TEXT NOT NULL,
    reason TEXT NOT NULL, path TEXT NOT NULL, received TEXT NOT NULL, subject TEXT, sequence INTEGER,
    line BLOB NOT NULL, UNIQUE (digest, kind, origin, reason)
) STRICT;
"""
_APPEND_ONLY = """
CREATE TRIGGER {relation}_{act} BEFORE {act} ON {relation}
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
"""


@contextmanager
def deletable(connection: sqlite3.Connection, *relations: str) -> Iterator[None]:
    """Let rows of these relations be deleted; within one transaction, for which alone it holds."""
    for relation in relations:
        connection.execute(f"DROP TRIGGER {relation}_DELETE")
    yield
    for relation in relations:
        connection.execute(_APPEND_ONLY.format(relation=relation, act="DELETE"))


def add_subject(connection: sqlite3.Connection, subject: str, head: Head) -> int:
    """Begin a table whose last record is `head`; return its number."""
    query = "INSERT INTO subjects (subject, sequence, head) VALUES (?, ?, ?) RETURNING number"
    return int(connection.execute(query, (subject, *head)).fetchone()[0])


def identify(connection: sqlite3.Connection, records: Iterable[tuple[int, bytes]]) -> None:
    """Note source and id of records, each given by position and line, that have them."""
    sources: dict[str, int] = {}
    rows = []
    for position, line in records:
        identity = identity_of(line)
        if identity is None:
            continue
        source, event_id = identity
        if source not in sources:
            connection.execute("INSERT OR IGNORE INTO sources (source) VALUES (?)", (source,))
            found = connection.execute("SELECT number FROM sources WHERE source = ?", (source,))
            (sources[source],) = found.fetchone()
        rows.append((sources[source], event_id, position))
    connection.executemany("INSERT OR IGNORE INTO identities VALUES (?, ?, ?)", rows)


def open_writer(path: Path, create: bool, patience_ms: int = BUSY_MS) -> sqlite3.Connection:
    """A connection that appends; every commit is on the disk before it returns.

    Raises:
        LedgerUnusable: missing and not to be created, damaged, or not a ledger.
    """
    if not create and not path.exists():
        raise _missing(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    except (OSError, sqlite3.Error) as error:
        raise LedgerUnusable(str(path), str(error), "check the path and the rights on it") from error
    try:
        connection.execute(f"PRAGMA busy_timeout = {patience_ms}")
        _create_if_new(connection, path, create)
        _write_ahead(connection, patience_ms)
        connection.execute("PRAGMA synchronous = FULL")  # fsync of the log at each commit, before it returns
        connection.execute("PRAGMA fullfsync = ON")  # macOS: past the drive's cache; elsewhere without effect
    except sqlite3.Error as error:
        connection.close()
        raise _damaged(path, error) from error
    except LedgerUnusable:
        connection.close()
        raise
    return connection


def _write_ahead(connection: sqlite3.Connection, patience_ms: int) -> None:
    """Let the ledger write ahead; who begins it beside another is refused at once, `busy_timeout` or not."""
    until = time.monotonic() + patience_ms / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() >= until:
                raise
            time.sleep(_AGAIN)


def open_reader(path: Path) -> sqlite3.Connection:
    """A connection that only reads, never waits for a writer and is never waited for.

    Raises:
        LedgerUnusable: missing, damaged, or not a ledger.
    """
    if not path.exists():
        raise _missing(path)
    uri = path.absolute().as_uri() + "?mode=ro"
    try:
        return _reader(uri, path)
    except sqlite3.OperationalError as error:
        # Evidence on read-only media has no room for SQLite's shared memory; nobody writes there either.
        if Path(f"{path}-wal").exists():
            raise _damaged(path, error) from error
        try:
            return _reader(uri + "&immutable=1", path)
        except sqlite3.Error:
            raise _damaged(path, error) from error
    except sqlite3.Error as error:
        raise _damaged(path, error) from error


def is_ledger(path: Path) -> bool:
    """Whether the file begins as an SQLite file does."""
    with path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\x00"


def _reader(uri: str, path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    try:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        _recognise(connection, path)
    except (sqlite3.Error, LedgerUnusable):
        connection.close()
        raise
    return connection


def _create_if_new(connection: sqlite3.Connection, path: Path, create: bool) -> None:
    if not _is_blank(connection):
        _recognise(connection, path)
        return
    if not create:
        raise LedgerUnusable(str(path), "it is empty", "name a ledger, or record into it first")
    # What a journal has pruned can be given back to the disk.
    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    connection.execute("BEGIN IMMEDIATE")
    try:
        if _is_blank(connection):  # another process may have been first
            for statement in _RELATIONS.split(";\n"):
                connection.execute(statement)
            for relation in ("records", "identities", "sources", "quarantine"):
                for act in ("UPDATE", "DELETE"):
                    connection.execute(_APPEND_ONLY.format(relation=relation, act=act))
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except sqlite3.Error:
        connection.execute("ROLLBACK")
        raise


def _is_blank(connection: sqlite3.Connection) -> bool:
    (relations,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return bool(relations == 0)


def _recognise(connection: sqlite3.Connection, path: Path) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        raise LedgerDamaged(str(path), "an SQLite file, but no ledger", "name a ledger of `catwalk record`")
    if version != VERSION:
        why = f"a ledger of format {version}; this catwalk reads format {VERSION}"
        raise LedgerUnusable(str(path), why, "use the catwalk that wrote it, or a newer one")


def _missing(path: Path) -> LedgerUnusable:
    return LedgerUnusable(str(path), "there is no ledger", "check the path, or record into it first")


def _damaged(path: Path, error: sqlite3.Error) -> LedgerUnusable:
    if isinstance(error, sqlite3.OperationalError):  # rights, locks, disk: not the content
        return LedgerUnusable(str(path), str(error), "check the rights on it and what else holds it open")
    return LedgerDamaged(str(path), str(error), "name a ledger, or restore it from a copy")
