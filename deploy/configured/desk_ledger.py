"""The desk's ledger in the embedded deployment: a file of the ledger's own form beside that of the tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from dashboards.ledger.acts import SUBJECT
from dashboards.ledger.ledger import DeskAltered, DeskUnavailable, Outrun
from dashboards.ledger.ledger import LedgerHead as DeskHead
from producers.log import Fenced, Head, LedgerDamaged, LedgerError
from producers.sqlite_log import SqliteLog

FILE: Final = "desk.db"
PATIENCE_MS: Final = 5_000  # people wait for it: a file that another process holds is told of after seconds


class SqliteDeskLog:
    """`DeskLog` in one SQLite file, append-only, on the disk before it is acknowledged."""

    def __init__(self, path: Path) -> None:
        """Open or create the file; of one that is damaged only `read_from` says so, so that a console can tell it.

        Raises:
            LedgerUnusable: it cannot be opened.
        """
        self._path = path
        self._log: SqliteLog | None = None
        self._damage = ""
        self._closed = False
        try:
            self._log = SqliteLog(path, patience_ms=PATIENCE_MS)
        except LedgerDamaged as error:
            self._damage = str(error)
        self._file = _identity(path)
        self._wal = _identity(_wal_of(path))

    def append(self, lines: Sequence[bytes], after: int, head: str) -> None:
        """Append all lines behind the record `after`, or none of them."""
        with self._told() as log:
            log.append(SUBJECT, lines, Head(after, head))

    def read_from(self, sequence: int) -> Iterator[tuple[int, bytes]]:
        """Sequence and line of the records from this one on."""
        with self._told() as log:
            yield from log.read_from(SUBJECT, sequence)

    def head(self) -> DeskHead:
        """The last record as the file notes it."""
        with self._told() as log:
            return DeskHead(*log.head(SUBJECT))

    def reread(self) -> Iterator[tuple[int, bytes]]:
        """All records."""
        return self.read_from(1)

    def close(self) -> None:
        """Release the file; what is asked of it afterwards is refused."""
        self._closed = True
        if self._log is not None:
            self._log.close()

    @contextmanager
    def _told(self) -> Iterator[SqliteLog]:
        """The open ledger, if the file is still the one that was opened; what it raises in the desk's words."""
        if self._log is None:
            raise DeskAltered(self._damage)
        if self._closed:
            raise DeskUnavailable(f"{self._path} was closed")
        # An open file that was deleted or replaced goes on working, for this process alone and until it ends.
        wal = _identity(_wal_of(self._path))
        self._wal = self._wal or wal
        if (_identity(self._path), wal) != (self._file, self._wal):
            raise DeskAltered(f"{self._path} or its -wal was deleted, or another file stands in its place")
        try:
            yield self._log
        except Fenced as error:
            raise Outrun from error
        except LedgerDamaged as error:
            raise DeskAltered(str(error)) from error
        except LedgerError as error:
            raise DeskUnavailable(str(error)) from error


def _wal_of(path: Path) -> Path:
    return Path(f"{path}-wal")


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file stands there; None if none does."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DeskUnavailable(str(error)) from error
    return found.st_dev, found.st_ino
