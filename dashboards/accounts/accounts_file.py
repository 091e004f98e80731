"""The SQLite file of one console's accounts: readable by its owner alone, open to several processes."""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

VERSION = 2
# Sign-ins are not worth carrying over from another release: people sign in again.
_FORGET = "DROP TABLE IF EXISTS sign_ins"
_RELATIONS = """
CREATE TABLE IF NOT EXISTS users (
    name TEXT PRIMARY KEY, role TEXT NOT NULL, password TEXT NOT NULL, disabled INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS identities (
    issuer TEXT NOT NULL, subject TEXT NOT NULL, name TEXT NOT NULL UNIQUE REFERENCES users ON DELETE CASCADE,
    PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sign_ins (
    token TEXT PRIMARY KEY, name TEXT NOT NULL REFERENCES users ON DELETE CASCADE, csrf TEXT NOT NULL,
    begun REAL NOT NULL, used REAL NOT NULL, id TEXT NOT NULL UNIQUE, by TEXT NOT NULL, address TEXT NOT NULL,
    browser TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pending (
    token TEXT PRIMARY KEY, name TEXT NOT NULL REFERENCES users ON DELETE CASCADE, by TEXT NOT NULL,
    begun REAL NOT NULL, failures INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS one_time (
    token TEXT PRIMARY KEY, name TEXT NOT NULL REFERENCES users ON DELETE CASCADE, purpose TEXT NOT NULL,
    until REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS flows (
    state TEXT PRIMARY KEY, browser TEXT NOT NULL, nonce TEXT NOT NULL, verifier TEXT NOT NULL, until REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS factors (
    name TEXT PRIMARY KEY REFERENCES users ON DELETE CASCADE, secret TEXT NOT NULL, last INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS candidates (
    holder TEXT PRIMARY KEY, name TEXT NOT NULL REFERENCES users ON DELETE CASCADE, secret TEXT NOT NULL,
    until REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS recovery_codes (
    code TEXT PRIMARY KEY, name TEXT NOT NULL REFERENCES users ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS preferences (
    name TEXT NOT NULL REFERENCES users ON DELETE CASCADE, choice TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (name, choice)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS failures (name TEXT NOT NULL, address TEXT NOT NULL, at REAL NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS failures_in_time ON failures (at);
CREATE TABLE IF NOT EXISTS known (
    name TEXT NOT NULL REFERENCES users ON DELETE CASCADE, address TEXT NOT NULL, at REAL NOT NULL,
    PRIMARY KEY (name, address)
) STRICT, WITHOUT ROWID;
"""


class AccountsFile:
    """One open file; any thread may use it, one transaction at a time."""

    def __init__(self, path: Path) -> None:
        """Open or create it."""
        self._guard = threading.RLock()
        self._depth = 0
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        self.connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self.connection.row_factory = sqlite3.Row  # values by the names of their columns
        self.connection.execute("PRAGMA busy_timeout = 10000")
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA foreign_keys = ON")
        self.connection.execute("PRAGMA secure_delete = ON")
        with self.transaction() as file:
            if file.execute("PRAGMA user_version").fetchone()["user_version"] != VERSION:
                file.execute(_FORGET)
            for statement in _RELATIONS.split(";\n"):
                file.execute(statement)
            file.execute(f"PRAGMA user_version = {VERSION}")

    def close(self) -> None:
        """Release it."""
        self.connection.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All of it or nothing; others wait. One within another belongs to it."""
        with self._guard:
            if self._depth == 0:
                self.connection.execute("BEGIN IMMEDIATE")
            self._depth += 1
            try:
                yield self.connection
                if self._depth == 1:
                    self.connection.execute("COMMIT")
            finally:
                self._depth -= 1
                if self._depth == 0 and self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[sqlite3.Row]:
        """Rows of one statement, in a transaction of its own or as part of the one it stands in."""
        with self.transaction() as file:
            return file.execute(statement, values).fetchall()

    def row(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Row | None:
        """The first of them; None where there is none."""
        return next(iter(self.rows(statement, values)), None)

    def change(self, statement: str, values: Sequence[object] = ()) -> int:
        """Make one change in the same way; returns the number of rows it changed."""
        with self.transaction() as file:
            return file.execute(statement, values).rowcount


class Kept:
    """One matter that the file keeps; `clock` gives the time in UTC."""

    def __init__(self, file: AccountsFile, clock: Callable[[], dt.datetime]) -> None:
        self._file = file
        self._clock = clock


def new_token() -> str:
    """256 bits nobody can guess, to be given to a browser."""
    return secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """What is kept of such a token: enough to know it again, too little to use it."""
    return hashlib.sha256(token.encode()).hexdigest()
