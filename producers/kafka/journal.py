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

import msgspec
from msgspec import Struct

from producers.kafka.refusals import JournalInUse
from producers.log import Head, LedgerError, LedgerUnusable, identity_of
from producers.sqlite_log import SqliteLog
from producers.sqlite_schema import BUSY_MS, add_subject, deletable, identify, open_reader
from schemas.events.codec import record_hash
from schemas.events.envelope import utc_text
from schemas.values import When


class _Timed(Struct):
    time: When


_RELATIONS = """
CREATE TABLE IF NOT EXISTS gateway (id TEXT NOT NULL, letters INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS arrived (subject TEXT PRIMARY KEY, sequence INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS taken_over (subject TEXT PRIMARY KEY, instance TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS noted (
    subject TEXT NOT NULL, at TEXT NOT NULL, sequence INTEGER NOT NULL, PRIMARY KEY (subject, at)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pruned (subject TEXT PRIMARY KEY, sequence INTEGER NOT NULL, latest TEXT) STRICT;
"""
_DUE = """
SELECT s.subject, s.number, (SELECT min(sequence) FROM records WHERE subject = s.number) AS first,
       min(max(n.sequence), a.sequence) AS through
FROM noted AS n JOIN arrived AS a USING (subject) JOIN subjects AS s USING (subject)
WHERE n.at <= ? GROUP BY s.number HAVING first < through
"""
_PRUNED = """
INSERT INTO pruned VALUES (:subject, :sequence, :latest) ON CONFLICT (subject) DO UPDATE SET
    sequence = excluded.sequence, latest = iif(:whole, excluded.latest, max(latest, excluded.latest))
"""
_read_time = msgspec.json.Decoder(_Timed).decode


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
        return int(self._value("SELECT sequence FROM arrived WHERE subject = ?", subject) or 0)

    def letters_arrived(self) -> int:
        """The last dead letter that is known to be in Kafka, with all before it."""
        return int(self._value("SELECT letters FROM gateway") or 0)

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

    def has_letters(self, after: int) -> bool:
        """Whether there is a dead letter behind this number."""
        return self._value("SELECT 1 FROM quarantine WHERE number > ? LIMIT 1", after) is not None

    def first(self, subject: str) -> int:
        """The first record of a table that is in the journal; 0 where there is none."""
        numbered = "SELECT number FROM subjects WHERE subject = ?"
        return int(
            self._value(f"SELECT min(sequence) FROM records WHERE subject = ({numbered})", subject) or 0
        )

    def note(self, at: str) -> None:
        """Note how far each table has arrived at this time, RFC 3339; by these notes what is old is known."""
        with self._writing() as state:
            state.execute(
                "INSERT OR REPLACE INTO noted SELECT subject, ?, sequence FROM arrived AS a WHERE sequence >"
                " (SELECT coalesce(max(sequence), 0) FROM noted WHERE subject = a.subject)",
                (at,),
            )

    def prune(self, before: str, most: int) -> set[str]:
        """Delete at most so many records that had arrived by then, all of it or nothing; tables that lost some.

        The last record of a table that had arrived by then stays: with it the topic is compared. A crash leaves a
        table as it was or shorter, never with a hole: records go in order, and the note of it with them.
        """
        due = self._many(_DUE, before)
        if not due:
            self._prune_letters(before, most)
            return set()
        touched: set[str] = set()
        with self._writing() as state, deletable(state, "records", "identities"):
            for subject, number, first, through in due:
                rows = state.execute(
                    "SELECT position, sequence, line FROM records WHERE subject = ? AND sequence < ?"
                    " ORDER BY sequence LIMIT ?",
                    (number, through, most),
                ).fetchall()
                most -= len(rows)
                if rows:
                    self._delete(state, rows)
                    self._note_pruned(state, subject, first, rows)
                    touched.add(subject)
        return touched

    def pruned_until(self, subject: str) -> str | None:
        """The latest time that a table's pruned events bear; None where none was pruned, or nobody knows which."""
        latest: str | None = self._value("SELECT latest FROM pruned WHERE subject = ?", subject)
        return latest

    def give_back(self, pages: int) -> None:
        """Give pages that are free back to the disk, at most so many."""
        with self._reading():
            # As a script: it gives a row for each page, and `execute` would stop at the first.
            self._state.executescript(f"PRAGMA incremental_vacuum({pages})")

    def seed(self, subject: str, sequence: int, line: bytes) -> None:
        """Begin a table with its last record in Kafka, so that the next one can follow it here."""
        with self._writing() as state:
            number = add_subject(state, subject, Head(sequence, record_hash(line)))
            (last,) = state.execute("SELECT coalesce(max(position), 0) FROM records").fetchone()
            # Positions in front of it stay free for the records before it, should they be needed.
            self._insert(state, number, last, [(sequence, line)])
            state.execute("INSERT OR REPLACE INTO arrived VALUES (?, ?)", (subject, sequence))

    def insert_before(self, subject: str, records: Sequence[tuple[int, bytes]]) -> None:
        """Put records before the first one of a table, for comparison with what is sent again."""
        with self._writing() as state:
            number, position, first = state.execute(
                "SELECT subject, position, sequence FROM records"
                " WHERE subject = (SELECT number FROM subjects WHERE subject = ?) ORDER BY sequence LIMIT 1",
                (subject,),
            ).fetchone()
            base = position - first
            if position > 0 and self._is_pruned(state, subject):
                # Others' records may stand where its own have been.
                (lowest,) = state.execute("SELECT min(position) FROM records").fetchone()
                base = min(lowest, 0) - first
            self._insert(state, number, base, records)

    def taken_over(self, subject: str) -> str | None:
        """The instance of the gateway that took a table from this one, or None."""
        instance: str | None = self._value("SELECT instance FROM taken_over WHERE subject = ?", subject)
        return instance

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
    def _delete(state: sqlite3.Connection, rows: Sequence[tuple[int, int, bytes]]) -> None:
        named = [(*found, row[0]) for row in rows if (found := identity_of(row[2])) is not None]
        state.executemany(
            "DELETE FROM identities WHERE source = (SELECT number FROM sources WHERE source = ?)"
            " AND id = ? AND position = ?",
            named,
        )
        state.executemany("DELETE FROM records WHERE position = ?", [(row[0],) for row in rows])

    @staticmethod
    def _note_pruned(
        state: sqlite3.Connection, subject: str, first: int, rows: Sequence[tuple[int, int, bytes]]
    ) -> None:
        """Up to where and when; of a table whose beginning was never here nobody knows when."""
        known = first == 1 or Journal._is_pruned(state, subject)
        latest = max((_time_of(line) for _, _, line in rows), default="") if known else None
        given = {"subject": subject, "sequence": rows[-1][1], "latest": latest, "whole": first == 1}
        state.execute(_PRUNED, given)

    @staticmethod
    def _is_pruned(state: sqlite3.Connection, subject: str) -> bool:
        return state.execute("SELECT 1 FROM pruned WHERE subject = ?", (subject,)).fetchone() is not None

    def _prune_letters(self, before: str, most: int) -> None:
        """Letters that have arrived; never the last one, whose number would be given again."""
        old = (
            "number <= (SELECT letters FROM gateway) AND received < ?"
            " AND number < (SELECT max(number) FROM quarantine)"
        )
        if not self._many(f"SELECT 1 FROM quarantine WHERE {old} LIMIT 1", before):
            return
        with self._writing() as state, deletable(state, "quarantine"):
            state.execute(
                f"DELETE FROM quarantine WHERE number IN (SELECT number FROM quarantine WHERE {old}"
                " ORDER BY number LIMIT ?)",
                (before, most),
            )

    @staticmethod
    def _insert(
        state: sqlite3.Connection, number: int, base: int, records: Sequence[tuple[int, bytes]]
    ) -> None:
        """Records at position `base` + sequence, with the identity of each that has one."""
        state.executemany(
            "INSERT OR IGNORE INTO records VALUES (?, ?, ?, ?)",
            [(base + sequence, number, sequence, line) for sequence, line in records],
        )
        identify(state, [(base + sequence, line) for sequence, line in records])

    def _value(self, query: str, *parameters: object) -> Any:
        """The first column of the first row, or None."""
        with self._reading():
            row = self._state.execute(query, parameters).fetchone()
        return row[0] if row else None

    def _many(self, query: str, *parameters: object) -> list[tuple[Any, ...]]:
        with self._reading():
            return self._state.execute(query, parameters).fetchall()

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


def _time_of(line: bytes) -> str:
    """The time that a line bears, as text that sorts; nothing where it bears none."""
    try:
        return utc_text(_read_time(line).time)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return ""


class Standing(Struct, frozen=True):
    """What a journal holds: bytes on the disk, records, and those of them that are not known to be in Kafka."""

    size: int
    records: int
    waiting: int


def standing(path: Path) -> Standing:
    """Look into a journal, also while a gateway uses it.

    Raises:
        LedgerUnusable: missing, damaged, or not a ledger.
    """
    connection = open_reader(path)
    try:
        ((records, waiting),) = connection.execute(
            "SELECT (SELECT count(*) FROM records), (SELECT coalesce(sum(s.sequence - coalesce(a.sequence, 0)), 0)"
            " FROM subjects AS s LEFT JOIN arrived AS a USING (subject))"
        )
    except sqlite3.Error as error:
        raise LedgerUnusable(str(path), str(error), "name a gateway's journal") from error
    finally:
        connection.close()
    files = (path, Path(f"{path}-wal"))
    return Standing(sum(one.stat().st_size for one in files if one.exists()), records, waiting)
