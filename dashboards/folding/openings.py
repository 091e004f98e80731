"""Openings: a table's state kept behind some of its events, so that no look at a round folds the whole record.

They are derived from the ledger alone and may be deleted at any time.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
import zlib
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

import processors.core
import processors.games
import schemas

_MOST_BYTES = 64 << 20
_SCHEMA = """
CREATE TABLE IF NOT EXISTS openings (
    subject TEXT NOT NULL, sequence INTEGER NOT NULL, head TEXT NOT NULL, state BLOB NOT NULL,
    PRIMARY KEY (subject, sequence)
) WITHOUT ROWID
"""


class Opening(NamedTuple):
    """A table's state behind event `sequence`, whose line has the SHA-256 `head`."""

    sequence: int
    head: str
    snapshot: bytes


class Openings:
    """Openings of many tables, in memory or in a file; from any thread.

    In memory they stay below `most_bytes`: then the tables that were not looked at for longest lose theirs.
    """

    def __init__(self, path: Path | None = None, most_bytes: int = _MOST_BYTES) -> None:
        """Open the file, or begin it anew where it is damaged or of another release."""
        self._lock = threading.Lock()
        self._most = most_bytes if path is None else None
        self._sizes: dict[str, int] = {}  # by table, least recently used first; kept in memory only
        self._store = _opened(path)

    def newest(self, subject: str, most: int) -> Opening | None:
        """The last opening behind an event of a sequence not above `most`."""
        with self._lock:
            row = self._store.execute(
                "SELECT sequence, head, state FROM openings WHERE subject = ? AND sequence <= ?"
                " ORDER BY sequence DESC LIMIT 1",
                (subject, most),
            ).fetchone()
            if subject in self._sizes:
                self._sizes[subject] = self._sizes.pop(subject)
        if row is None:
            return None
        return Opening(row["sequence"], row["head"], zlib.decompress(row["state"]))

    def keep(self, subject: str, opening: Opening) -> None:
        """Keep one more."""
        state = zlib.compress(opening.snapshot, 1)
        with self._lock, self._store:
            self._store.execute(
                "INSERT OR REPLACE INTO openings VALUES (?, ?, ?, ?)",
                (subject, opening.sequence, opening.head, state),
            )
            if self._most is None:
                return
            self._sizes[subject] = self._sizes.pop(subject, 0) + len(state)
            while sum(self._sizes.values()) > self._most and len(self._sizes) > 1:
                oldest = next(iter(self._sizes))
                self._drop(oldest)

    def forget(self, subject: str) -> None:
        """Keep none of this table: they do not fit its record."""
        with self._lock, self._store:
            self._drop(subject)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._store.close()

    def _drop(self, subject: str) -> None:
        self._sizes.pop(subject, None)
        self._store.execute("DELETE FROM openings WHERE subject = ?", (subject,))


def _opened(path: Path | None) -> sqlite3.Connection:
    if path is None:
        return _prepared(sqlite3.connect(":memory:", check_same_thread=False))
    store = sqlite3.connect(path, check_same_thread=False)
    try:
        (form,) = store.execute("PRAGMA user_version").fetchone()
        if form == _form():
            return _prepared(store)
    except sqlite3.DatabaseError:  # damaged: it is derived, and folded again
        pass
    store.close()
    with suppress(FileNotFoundError):
        path.unlink()
    return _prepared(sqlite3.connect(path, check_same_thread=False))


def _prepared(store: sqlite3.Connection) -> sqlite3.Connection:
    store.row_factory = sqlite3.Row
    store.execute("PRAGMA synchronous = OFF")  # what a crash loses here is folded again
    store.execute(f"PRAGMA user_version = {_form()}")
    with store:
        store.execute(_SCHEMA)
    return store


@cache
def _form() -> int:
    """A number for the code that folds: openings of another fold are none of this one's."""
    digest = hashlib.sha256()
    for package in (processors.core, processors.games, schemas):
        for folder in package.__path__:
            for file in sorted(Path(folder).rglob("*.py")):
                digest.update(file.read_bytes())
    return int.from_bytes(digest.digest()[:4]) >> 1
