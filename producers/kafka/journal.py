"""The gateway's disk: every event before it is sent, and how far each table is known to have arrived.

A ledger file like any other, and in the same file what only a gateway needs: copied, both go together.
"""

from __future__ import annotations

import fcntl
import secrets
import socket
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from producers.kafka.refusals import JournalInUse
from producers.log import LedgerError, identity_of
from producers.quarantine import Quarantined
from producers.sqlite_log import SqliteLog
from producers.sqlite_schema import BUSY_MS
from schemas.codec import record_hash

_RELATIONS = """
CREATE TABLE IF NOT EXISTS gateway (id TEXT NOT NULL, letters INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS arrived (subject TEXT PRIMARY KEY, sequence INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS taken_over (subject TEXT PRIMARY KEY, instance TEXT NOT NULL) STRICT;
"""


class Journal:
    """A ledger with a gateway's name and marks; one process at a time may hold it."""

    def __init__(self, path: Path) -> None:
        """Open or begin the journal.

        Raises:
            JournalInUse: another process holds it.
            LedgerUnusable: damaged, or not a ledger.
        """
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = Path(f"{path}.lock").open("w", encoding="utf-8")  # noqa: SIM115 - held until close
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self._lock.close()
            raise JournalInUse(path) from error
        try:
            self.log = SqliteLog(path)
        except BaseException:
            self._lock.close()
            raise
        self._guard = threading.Lock()
        self._state = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        with self._reading():
            self._state.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
            # A mark that a power cut takes back costs a few records sent twice; the events have their own fsync.
            self._state.execute("PRAGMA synchronous = NORMAL")
            self._state.executescript(_RELATIONS)
            self.gateway = self._named()

    def arrived(self, subject: str) -> int:
        """The last event of a table that is known to be in Kafka, with all before it; 0 for none."""
        row = self._one("SELECT sequence FROM arrived WHERE subject = ?", subject)
        return int(row[0]) if row else 0

    def letters_arrived(self) -> int:
        """The last dead letter that is known to be in Kafka, with all before it."""
        row = self._one("SELECT letters FROM gateway")
        return int(row[0]) if row else 0

    def mark(self, arrived: Mapping[str, int], letters: int | None = None) -> None:
        """Note how far tables and dead letters have arrived; never further than is known."""
        with self._writing() as state:
            state.executemany(
                "INSERT INTO arrived VALUES (?, ?) ON CONFLICT (subject) DO UPDATE SET sequence = excluded.sequence"
                " WHERE excluded.sequence > sequence",
                list(arrived.items()),
            )
            if letters is not None:
                state.execute("UPDATE gateway SET letters = max(letters, ?)", (letters,))

    def set_arrived(self, subject: str, sequence: int) -> None:
        """Note what the topic itself says about a table, also where that is less than was known."""
        with self._writing() as state:
            state.execute("INSERT OR REPLACE INTO arrived VALUES (?, ?)", (subject, sequence))

    def waiting(self, subject: str, after: int, most: int) -> list[tuple[int, bytes]]:
        """Sequence and line of a table's records behind this sequence, in order, at most so many."""
        with self._reading():
            return self._state.execute(
                "SELECT sequence, line FROM records"
                " WHERE subject = (SELECT number FROM subjects WHERE subject = ?) AND sequence > ?"
                " ORDER BY sequence LIMIT ?",
                (subject, after, most),
            ).fetchall()

    def letters(self, after: int) -> Iterator[Quarantined]:
        """Dead letters behind this number, in order."""
        return self.log.quarantined(after)

    def has_letters(self, after: int) -> bool:
        """Whether there is a dead letter behind this number."""
        return self._one("SELECT 1 FROM quarantine WHERE number > ? LIMIT 1", after) is not None

    def first(self, subject: str) -> int:
        """The first record of a table that is in the journal; 0 where there is none."""
        row = self._one(
            "SELECT min(sequence) FROM records"
            " WHERE subject = (SELECT number FROM subjects WHERE subject = ?)",
            subject,
        )
        return int(row[0] or 0) if row else 0

    def seed(self, subject: str, sequence: int, line: bytes) -> None:
        """Begin a table with its last record in Kafka, so that the next one can follow it here."""
        with self._writing() as state:
            (number,) = state.execute(
                "INSERT INTO subjects (subject, sequence, head) VALUES (?, ?, ?) RETURNING number",
                (subject, sequence, record_hash(line)),
            ).fetchone()
            # Positions in front of it stay free for the records before it, should they be needed.
            self._insert(state, number, self._last_position(state), [(sequence, line)])
            state.execute("INSERT OR REPLACE INTO arrived VALUES (?, ?)", (subject, sequence))

    def insert_before(self, subject: str, records: Sequence[tuple[int, bytes]]) -> None:
        """Put records before the first one of a seeded table, for comparison with what is sent again."""
        with self._writing() as state:
            number, base = state.execute(
                "SELECT subject, position - sequence FROM records"
                " WHERE subject = (SELECT number FROM subjects WHERE subject = ?) ORDER BY sequence LIMIT 1",
                (subject,),
            ).fetchone()
            self._insert(state, number, base, records)

    def taken_over(self, subject: str) -> str | None:
        """The instance of the gateway that took a table from this one, or None."""
        row = self._one("SELECT instance FROM taken_over WHERE subject = ?", subject)
        return str(row[0]) if row else None

    def set_taken_over(self, subject: str, instance: str | None) -> None:
        """Remember who took a table, so that a restart does not take it back; None forgets it."""
        with self._writing() as state:
            if instance is None:
                state.execute("DELETE FROM taken_over WHERE subject = ?", (subject,))
            else:
                state.execute("INSERT OR REPLACE INTO taken_over VALUES (?, ?)", (subject, instance))

    def close(self) -> None:
        """Close the file and let others use it."""
        self.log.close()
        with self._guard:
            self._state.close()
        self._lock.close()

    def _named(self) -> str:
        row = self._state.execute("SELECT id FROM gateway").fetchone()
        if row is None:
            host = socket.gethostname().partition(".")[0][:32] or "gateway"
            self._state.execute("INSERT INTO gateway VALUES (?, 0)", (f"{host}-{secrets.token_hex(4)}",))
            row = self._state.execute("SELECT id FROM gateway").fetchone()
        return str(row[0])

    @staticmethod
    def _last_position(state: sqlite3.Connection) -> int:
        (position,) = state.execute("SELECT coalesce(max(position), 0) FROM records").fetchone()
        return int(position)

    @staticmethod
    def _insert(
        state: sqlite3.Connection, number: int, base: int, records: Sequence[tuple[int, bytes]]
    ) -> None:
        """Records at position `base` + sequence, with the identity of each that has one."""
        state.executemany(
            "INSERT OR IGNORE INTO records VALUES (?, ?, ?, ?)",
            [(base + sequence, number, sequence, line) for sequence, line in records],
        )
        named = [
            (*found, base + sequence)
            for sequence, line in records
            if (found := identity_of(line)) is not None
        ]
        state.executemany(
            "INSERT OR IGNORE INTO sources (source) VALUES (?)", {(source,) for source, _, _ in named}
        )
        state.executemany(
            "INSERT OR IGNORE INTO identities VALUES ((SELECT number FROM sources WHERE source = ?), ?, ?)",
            named,
        )

    def _one(self, query: str, *parameters: object) -> tuple[Any, ...] | None:
        with self._reading():
            row: tuple[Any, ...] | None = self._state.execute(query, parameters).fetchone()
        return row

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with self._guard:
            try:
                yield
            except sqlite3.Error as error:
                raise self._failed(error) from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._reading():
            self._state.execute("BEGIN IMMEDIATE")
            try:
                yield self._state
                self._state.execute("COMMIT")
            finally:
                if self._state.in_transaction:
                    self._state.execute("ROLLBACK")

    def _failed(self, error: sqlite3.Error) -> LedgerError:
        remedy = "free space on the disk, or stop what holds the file; damage: restore it from a copy"
        return LedgerError(str(self.path), str(error), remedy)
