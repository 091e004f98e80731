"""What a console has acknowledged of its desk's ledger, kept beside its users and so outside of that ledger."""

from __future__ import annotations

import datetime as dt
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final

from dashboards.ledger.ledger import DeskAltered, LedgerHead, MemoryFailed
from deploy.configured.desk_ledger import FILE as LEDGER_FILE
from deploy.errors import UserError
from deploy.settings import Settings

FILE: Final = "desk_memory.db"
_BUSY_MS: Final = 2_000  # consoles with the same users share it, and each holds it for milliseconds
_RELATION: Final = """
CREATE TABLE IF NOT EXISTS remembered (
    desk TEXT PRIMARY KEY, sequence INTEGER NOT NULL, head TEXT NOT NULL, since TEXT NOT NULL
) STRICT, WITHOUT ROWID
"""
_REPLACE: Final = "UPDATE remembered SET sequence = ?, head = ? WHERE desk = ?"
_RECALL: Final = "SELECT sequence, head FROM remembered WHERE desk = ?"


class DeskMemory:
    """`Memory` in one SQLite file; any thread and several processes may use it.

    A head is written here after the ledger has it on its disk: a crash between the two leaves a head that is earlier in
    the ledger, never one that is not there.
    """

    def __init__(self, path: Path, desk: str) -> None:
        """Open or create the file; `desk` names the ledger among those of the same users.

        Raises:
            MemoryFailed: it cannot be opened.
        """
        self._path = path
        self._desk = desk
        self._guard = threading.Lock()
        with self._told(), ExitStack() as opened:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)
            self._file = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            opened.callback(self._file.close)
            self._file.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = FULL")
            self._file.execute(_RELATION)
            opened.pop_all()

    def recall(self) -> LedgerHead | None:
        """The last record that was remembered."""
        with self._told(), self._guard:
            return self._recalled()

    def remember(self, head: LedgerHead) -> None:
        """Remember this record, on the disk before this returns, unless a later one is remembered already."""
        told = self._write(head, replace=False)
        if told is not None and told.sequence == head.sequence and told != head:
            raise DeskAltered(f"record {head.sequence} is another than the one that {self._path} remembers")

    def replace(self, head: LedgerHead) -> None:
        """Remember this record instead of whatever is remembered: somebody has accepted the ledger as it stands."""
        self._write(head, replace=True)

    def close(self) -> None:
        """Release the file."""
        self._file.close()

    def _write(self, head: LedgerHead, *, replace: bool) -> LedgerHead | None:
        """Write it; what was remembered before."""
        since = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
        with self._told(), self._guard:
            self._file.execute("BEGIN IMMEDIATE")
            try:
                told = self._recalled()
                if told is None:
                    new = (self._desk, head.sequence, head.hash, since)
                    self._file.execute("INSERT INTO remembered VALUES (?, ?, ?, ?)", new)
                elif replace or told.sequence < head.sequence:
                    self._file.execute(_REPLACE, (head.sequence, head.hash, self._desk))
                self._file.execute("COMMIT")
            finally:
                if self._file.in_transaction:
                    self._file.execute("ROLLBACK")
        return told

    def _recalled(self) -> LedgerHead | None:
        row = self._file.execute(_RECALL, (self._desk,)).fetchone()
        return LedgerHead(*row) if row else None

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What the file fails with, in the desk's words."""
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            raise MemoryFailed(f"{self._path}: {error}") from error


def memory_of(settings: Settings) -> DeskMemory:
    """The memory of the console that these settings run."""
    if settings.mode == "distributed":
        return DeskMemory(users_folder(settings) / FILE, _topic(settings))
    return memory_in(users_folder(settings), Path(settings.data) / LEDGER_FILE)


def memory_in(users: Path, ledger: Path) -> DeskMemory:
    """The memory that stands beside these users of the ledger in this file."""
    return DeskMemory(users / FILE, _name(users, ledger))


def remembered(settings: Settings, ledger: Path) -> LedgerHead | None:
    """What a console has acknowledged of this file: one that has its users beside it, or where the settings say.

    Raises:
        MemoryFailed: it cannot be read.
    """
    for users in dict.fromkeys((ledger.parent, users_folder(settings))):
        told = _looked_up(users / FILE, _name(users, ledger))
        if told is not None:
            return told
    return None


def remembered_topic(settings: Settings) -> LedgerHead | None:
    """The same of the desk's topic.

    Raises:
        MemoryFailed: it cannot be read.
    """
    return _looked_up(users_folder(settings) / FILE, _topic(settings))


def _looked_up(path: Path, desk: str) -> LedgerHead | None:
    """What a file remembers of a desk, without making or locking one."""
    if not path.is_file():
        return None
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as file:
            row = file.execute(_RECALL, (desk,)).fetchone()
    except sqlite3.Error as error:
        raise MemoryFailed(f"{path}: {error}") from error
    return LedgerHead(*row) if row else None


def memory_failed(error: MemoryFailed) -> UserError:
    """What is done where the console's memory cannot be used."""
    remedy = (
        "see that it can be written; damaged: restore it from a copy, or, once `catwalk verify` has proven the desk's"
        " ledger, move it away"
    )
    return UserError("memory of the console", str(error), remedy)


def users_folder(settings: Settings) -> Path:
    """The folder of who may sign in."""
    return Path(settings.console_users or settings.data)


def _topic(settings: Settings) -> str:
    return f"topic {settings.kafka_prefix}"


def _name(users: Path, ledger: Path) -> str:
    """A folder that is moved as a whole keeps its memory: a ledger beside the users goes by its name alone."""
    whole = ledger.resolve()
    return whole.name if whole.parent == users.resolve() else str(whole)
