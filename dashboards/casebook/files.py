"""The port of attached files: kept outside of the ledger under their SHA-256, which the ledger has."""

from __future__ import annotations

from typing import Protocol


class FilesUnavailable(Exception):
    """Files cannot be kept or read now, and why; nothing was kept."""


class FileMissing(Exception):
    """There is no file of this hash."""


class FileAltered(Exception):
    """The file is there, and is not what was kept under this hash."""


class CaseFiles(Protocol):
    """Files of cases; any thread may call, several consoles may share one place."""

    def keep(self, content: bytes) -> str:
        """Keep a file durably; its SHA-256, under which it is found again.

        Raises:
            FilesUnavailable: it could not be kept.
        """

    def read(self, sha256: str, size: int) -> bytes:
        """The file that was kept under this hash, of this many bytes, held against it.

        Raises:
            FileMissing, FileAltered: it is not there, or is another.
            FilesUnavailable: it cannot be read.
        """


class NoFiles:
    """A console without a place for files."""

    def keep(self, content: bytes) -> str:  # noqa: ARG002 - the port's signature
        """Nothing is kept."""
        raise FilesUnavailable("this console has no folder for attached files")

    def read(self, sha256: str, size: int) -> bytes:  # noqa: ARG002 - the port's signature
        """Nothing is there."""
        raise FilesUnavailable("this console has no folder for attached files")
