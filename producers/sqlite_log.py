"""The ledger in one SQLite file: write-ahead log, fsync before each acknowledgement, readers never block."""

from __future__ import annotations

import datetime as dt
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import asdict

from producers import log
from producers.log import EMPTY, Head, LedgerError, LedgerUnusable, LinesToAppend, Place, Record, Tailed
from producers.quarantine import DeadLetter, Quarantined
from producers.sqlite_schema import BUSY_MS, add_subject, identify, open_reader, open_writer
from schemas.events.codec import record_hash

# Rows a reader takes at once: no read transaction outlives a page, so the log can be checkpointed.
_PAGE = 1000


class _Reader(NamedTuple):
    """A thread's reading connection, and the lock that is held while it reads."""

    connection: sqlite3.Connection
    busy: threading.Lock


class SqliteLog(log.EventLog):
    """`EventLog` in one file; several processes may read and write it at the same time."""

    def __init__(
        self, path: Path, *, create: bool = True, read_only: bool = False, patience_ms: int = BUSY_MS
    ) -> None:
        """Open the ledger at `path`; an append waits `patience_ms` for another process's.

        Raises:
            LedgerUnusable: missing and not to be created, damaged, or not a ledger.
        """
        self._path = path
        self._guard = threading.Lock()
        self._local = threading.local()
        self._closed = False
        self._readers: list[_Reader] = []
        self._writer = None if read_only else open_writer(path, create, patience_ms)
        try:
            self._reader()
            if not read_only:
                self._refuse_torn_heads()
        except LedgerUnusable:
            self.close()
            raise

    def append_together(self, parts: Sequence[LinesToAppend]) -> tuple[Head, ...]:
        """Append the lines of several tables or none, on the disk before this returns; return the new heads."""
        with self._transaction() as writer:
            return tuple(self._append(writer, part) for part in parts)

    def _append(self, writer: sqlite3.Connection, part: LinesToAppend) -> Head:
        subject, lines, after = part
        row = writer.execute(
            "SELECT number, sequence, head FROM subjects WHERE subject = ?", (subject,)
        ).fetchone()
        head = Head(row[1], row[2]) if row else EMPTY
        if head != after:
            raise log.Fenced(subject, after, head)
        if not lines:
            return head
        new = Head(head.sequence + len(lines), record_hash(lines[-1]))
        number = row[0] if row else add_subject(writer, subject, EMPTY)
        (position,) = writer.execute("SELECT coalesce(max(position), 0) FROM records").fetchone()
        writer.executemany(
            "INSERT INTO records VALUES (?, ?, ?, ?)",
            [(position + n, number, head.sequence + n, line) for n, line in enumerate(lines, 1)],
        )
        identify(writer, enumerate(lines, position + 1))
        writer.execute(
            "UPDATE subjects SET sequence = ?, head = ? WHERE number = ?", (new.sequence, new.hash, number)
        )
        return new

    def head(self, subject: str) -> Head:
        """The last record of a table, `EMPTY` before its first."""
        row = self._one("SELECT sequence, head FROM subjects WHERE subject = ?", (subject,))
        return Head(row[0], row[1]) if row else EMPTY

    def read_from(self, subject: str, sequence: int = 1) -> Iterator[Record]:
        """The table's records from this sequence on."""
        row = self._one("SELECT number FROM subjects WHERE subject = ?", (subject,))
        if row is None:
            return
        query = (
            "SELECT sequence, line FROM records WHERE subject = ? AND sequence >= ? ORDER BY sequence LIMIT ?"
        )
        size = 1  # most calls want one record; each page after it is larger
        while page := self._all(query, (row[0], sequence, size)):
            yield from (Record(*found) for found in page)
            sequence = page[-1][0] + 1
            size = min(size * 10, _PAGE)

    def tail(self, after: int = 0) -> Iterator[Tailed]:
        """Records of all tables behind this position, in order of append."""
        query = (
            "SELECT position, subjects.subject, records.sequence, line FROM records"
            " JOIN subjects ON subjects.number = records.subject WHERE position > ? ORDER BY position LIMIT ?"
        )
        while page := self._all(query, (after, _PAGE)):
            yield from (Tailed(*found) for found in page)
            after = page[-1][0]

    def find(self, source: str, event_id: str, at: dt.datetime) -> Place | None:
        """Where the first event of this source and id stands, or None."""
        del at  # nothing is ever forgotten here
        row = self._one(
            "SELECT subjects.subject, records.sequence FROM sources"
            " JOIN identities ON identities.source = sources.number"
            " JOIN records USING (position) JOIN subjects ON subjects.number = records.subject"
            " WHERE sources.source = ? AND identities.id = ?",
            (source, event_id),
        )
        return Place(*row) if row else None

    def subjects(self) -> tuple[str, ...]:
        """Tables that have records, sorted."""
        rows = self._all("SELECT subject FROM subjects WHERE sequence > 0 ORDER BY subject", ())
        return tuple(row[0] for row in rows)

    def contradictions(self) -> dict[str, tuple[int, str]]:
        """Tables whose records contradict the order in which all were appended, or the ledger's own note of their end.

        Of each the first such sequence, and why; a table that is not noted goes by its number.
        """
        ordered = (
            "SELECT subject, min(sequence) FROM (SELECT subject, sequence, position,"
            " lag(position) OVER (PARTITION BY subject ORDER BY sequence) AS before FROM records)"
            " WHERE before > position GROUP BY subject"
        )
        ended = (
            "SELECT records.subject, min(records.sequence) FROM records LEFT JOIN subjects"
            " ON subjects.number = records.subject WHERE records.sequence > coalesce(subjects.sequence, 0)"
            " GROUP BY records.subject"
        )
        names: dict[int, str] = dict(self._all("SELECT number, subject FROM subjects", ()))
        found: dict[str, tuple[int, str]] = {}
        for number, sequence in self._all(ended, ()):
            why = f"event {sequence} stands behind the last one that the ledger knows it wrote"
            found[names.get(number, f"number {number}")] = sequence, why
        for number, sequence in self._all(ordered, ()):
            name = names.get(number, f"number {number}")
            if name not in found or sequence < found[name][0]:
                found[name] = sequence, f"event {sequence} has a position before that of event {sequence - 1}"
        return found

    def quarantine(self, letters: Sequence[DeadLetter]) -> tuple[int, ...]:
        """Keep dead letters, on the disk before this returns; return their numbers."""
        numbers = []
        with self._transaction() as writer:
            for letter in letters:
                given = asdict(letter) | {"digest": letter.digest}
                writer.execute(
                    f"INSERT OR IGNORE INTO quarantine ({', '.join(given)}) VALUES (:{', :'.join(given)})",
                    given,
                )
                (number,) = writer.execute(
                    "SELECT number FROM quarantine"
                    " WHERE digest = :digest AND kind = :kind AND origin = :origin AND reason = :reason",
                    given,
                ).fetchone()
                numbers.append(number)
        return tuple(numbers)

    def quarantined(self, after: int = 0) -> Iterator[Quarantined]:
        """Dead letters behind this number, in order."""
        names = DeadLetter.__struct_fields__
        query = f"SELECT number, {', '.join(names)} FROM quarantine WHERE number > ? ORDER BY number LIMIT 1"
        while row := self._one(query, (after,)):
            after = row[0]
            yield Quarantined(after, DeadLetter(**dict(zip(names, row[1:], strict=True))))

    def quarantined_as(self, digest: str) -> bytes | None:
        """Bytes of an unreadable dead letter with this SHA-256, or None."""
        row = self._one(
            "SELECT line FROM quarantine WHERE digest = ? AND kind = 'unreadable' LIMIT 1", (digest,)
        )
        return row[0] if row else None

    def close(self) -> None:
        """Close the file; what was acknowledged is on the disk already."""
        with self._guard:
            self._closed = True
            for reader in self._readers:
                with reader.busy:  # SQLite must not lose a connection that another thread reads by
                    reader.connection.close()
            if self._writer is not None:
                self._writer.close()
            self._readers.clear()
            self._writer = None

    def _reader(self) -> _Reader:
        """This thread's reading connection: SQLite lets one connection do one thing at a time."""
        reader: _Reader | None = getattr(self._local, "reader", None)
        if reader is None:
            with self._guard:
                self._refuse_closed()
                reader = self._local.reader = _Reader(open_reader(self._path), threading.Lock())
                self._readers.append(reader)
        return reader

    def _refuse_closed(self) -> None:
        if self._closed:
            raise LedgerError(str(self._path), "it was closed", "open it again")

    def _all(self, query: str, parameters: tuple[object, ...]) -> list[tuple[Any, ...]]:
        try:
            reader = self._reader()
            with reader.busy:
                self._refuse_closed()
                return reader.connection.execute(query, parameters).fetchall()
        except sqlite3.Error as error:
            raise self._failed("not readable", error) from error

    def _one(self, query: str, parameters: tuple[object, ...]) -> tuple[Any, ...] | None:
        rows = self._all(query, parameters)
        return rows[0] if rows else None

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._guard:
            writer = self._writer
            if writer is None:
                raise LedgerError(str(self._path), "not open for writing", "open it again, for writing")
            try:
                writer.execute("BEGIN IMMEDIATE")
                yield writer
                writer.execute("COMMIT")
            except sqlite3.Error as error:
                if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_IOERR:
                    self._writer = None  # after a failed fsync lost pages may pass for clean: write no more
                raise self._failed("nothing was appended", error) from error
            finally:
                if writer.in_transaction:
                    writer.execute("ROLLBACK")
                if self._writer is None:
                    writer.close()

    def _failed(self, what: str, error: sqlite3.Error) -> LedgerError:
        remedy = "free space on the disk, or stop what holds the file; damage: restore it from a copy"
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        damaged = code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
        return (log.LedgerDamaged if damaged else LedgerError)(str(self._path), f"{what}: {error}", remedy)

    def _refuse_torn_heads(self) -> None:
        """Fail closed: behind a last record that is not the one the ledger knows, nothing may be written."""
        for subject in self.subjects():
            head = self.head(subject)
            last = next(self.read_from(subject, head.sequence), None)
            if last is None or last.sequence != head.sequence or record_hash(last.line) != head.hash:
                why = f"the last record of table {subject} is not the one that was written"
                raise log.LedgerDamaged(str(self._path), why, "`catwalk verify` names the first bad record")
