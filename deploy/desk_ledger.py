"""The desk's ledger in the embedded deployment: a file of the ledger's own form beside that of the tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from dashboards.desk.acts import SUBJECT
from dashboards.desk.desk import DeskUnavailable, Outrun
from producers.log import Fenced, Head, LedgerError
from producers.sqlite_log import SqliteLog

FILE: Final = "desk.db"


class SqliteDeskLog:
    """`DeskLog` in one SQLite file, append-only, on the disk before it is acknowledged."""

    def __init__(self, path: Path) -> None:
        """Open or create the file.

        Raises:
            LedgerUnusable: damaged, or not a ledger.
        """
        self._log = SqliteLog(path)

    def append(self, lines: Sequence[bytes], after: int, head: str) -> None:
        """Append all lines behind the record `after`, or none of them."""
        try:
            self._log.append(SUBJECT, lines, Head(after, head))
        except Fenced as error:
            raise Outrun from error
        except LedgerError as error:
            raise DeskUnavailable(str(error)) from error

    def read_from(self, sequence: int) -> Iterator[tuple[int, bytes]]:
        """Sequence and line of the records from this one on."""
        try:
            yield from self._log.read_from(SUBJECT, sequence)
        except LedgerError as error:
            raise DeskUnavailable(str(error)) from error

    def close(self) -> None:
        """Release the file."""
        self._log.close()
