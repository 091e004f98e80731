"""A SQLite file as it is at one moment, copied while others go on writing it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final

from producers.log import LedgerUnusable
from producers.sqlite_schema import BUSY_MS

_PAGES: Final = 2_048  # at once: progress can be told, and a signal is answered
_REMEDY: Final = "check the rights on it and what else holds it open; `catwalk doctor` looks into it"


class Pinned:
    """One file, read as it was when this was opened; whoever writes it is not kept from that.

    Until it is closed SQLite keeps what is written meanwhile in the file's `-wal`, which grows by it.
    """

    def __init__(self, path: Path) -> None:
        """Open the file and hold its present state.

        Raises:
            LedgerUnusable: it is missing, damaged, or no SQLite file.
        """
        self.path = path
        if not path.is_file():
            raise LedgerUnusable(str(path), "there is no such file", "check the path")
        uri = path.absolute().as_uri() + "?mode=ro"
        with self._told():
            try:
                self.reader = _held(uri)
            except sqlite3.OperationalError:
                # Read-only media has no room for SQLite's shared memory; nobody writes there either.
                if _wal_of(path).exists():
                    raise
                self.reader = _held(uri + "&immutable=1")
            (pages,) = self.reader.execute("PRAGMA page_count").fetchone()
            (size,) = self.reader.execute("PRAGMA page_size").fetchone()
        self._page = int(size)
        self.bytes = int(pages) * self._page

    def copy(self, target: Path, advance: Callable[[int], None]) -> None:
        """Write the held state to a file that is not there yet; `advance` is given bytes as they are written.

        It is not on the disk when this returns: that is for the caller to see to.
        """
        done = 0

        def told(_status: int, remaining: int, total: int) -> None:
            nonlocal done
            advance((total - remaining) * self._page - done)
            done = (total - remaining) * self._page

        with self._told(), closing(sqlite3.connect(target, isolation_level=None)) as written:
            written.execute("PRAGMA synchronous = OFF")
            self.reader.backup(written, pages=_PAGES, progress=told)
            # As the commands that open it would make it, so that no reader of it is ever in a writer's way.
            written.execute("PRAGMA journal_mode = WAL")

    def close(self) -> None:
        """Let go of the file."""
        self.reader.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise LedgerUnusable(str(self.path), str(error), _REMEDY) from error


@contextmanager
def nobody_writes(path: Path) -> Iterator[None]:
    """Within, no transaction upon this file is under way; writers wait, so let it be milliseconds.

    Raises:
        LedgerUnusable: it cannot be opened, or another's transaction does not end.
    """
    with ExitStack() as stack:
        try:
            file = stack.enter_context(closing(sqlite3.connect(path, isolation_level=None)))
            file.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
            file.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            # On read-only media nobody writes: what is there can be copied.
            if (
                getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_READONLY
                or _wal_of(path).exists()
            ):
                raise LedgerUnusable(str(path), str(error), _REMEDY) from error
        yield


def opened_copy(path: Path) -> sqlite3.Connection:
    """A copy that nobody writes, opened so that nothing is made beside it.

    Raises:
        sqlite3.Error: it is no SQLite file.
    """
    return sqlite3.connect(path.absolute().as_uri() + "?mode=ro&immutable=1", uri=True, isolation_level=None)


def _held(uri: str) -> sqlite3.Connection:
    connection = sqlite3.connect(uri, uri=True, isolation_level=None)
    try:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        connection.execute("BEGIN")
        connection.execute(
            "SELECT count(*) FROM sqlite_master"
        ).fetchone()  # the first read fixes what is seen
    except BaseException:
        connection.close()
        raise
    return connection


def _wal_of(path: Path) -> Path:
    return Path(f"{path}-wal")
