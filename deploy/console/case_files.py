"""Files attached to cases, in a folder: each under its SHA-256, written once and held against it when it is read."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from typing import Final

from dashboards.casebook.files import FileAltered, FileMissing, FilesUnavailable
from deploy.console.desk_memory import users_folder
from deploy.errors import UserError
from deploy.settings import Settings

FOLDER: Final = "attachments"


def case_files_folder(settings: Settings) -> Path:
    """The folder of attached files; consoles that serve one desk share it."""
    return Path(settings.case_files) if settings.case_files else users_folder(settings) / FOLDER


def case_files(settings: Settings) -> FolderFiles:
    """The attached files; a folder that a setting names is there, or is made.

    Raises:
        UserError: the folder that is named cannot be made, or nothing may be written into it.
    """
    folder = case_files_folder(settings)
    if settings.case_files:
        remedy = "name a folder that the console may write into"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"setting case_files {folder}", error.strerror or str(error), remedy) from error
        if not os.access(folder, os.W_OK | os.X_OK):
            raise UserError(f"setting case_files {folder}", "nothing may be written into it", remedy)
    return FolderFiles(folder)


class FolderFiles:
    """`CaseFiles` in a folder, which is made when the first file is kept."""

    def __init__(self, folder: Path) -> None:
        """Nothing is opened or made yet."""
        self._folder = folder

    def keep(self, content: bytes) -> str:
        """Write the file beside its place and move it there: under its hash there is all of it or nothing."""
        digest = hashlib.sha256(content).hexdigest()
        path = self._folder / digest
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if path.is_file() and path.read_bytes() == content:
                return digest
            number, beside = tempfile.mkstemp(dir=self._folder, prefix="new-")  # for its owner alone
            try:
                with os.fdopen(number, "wb") as written:
                    written.write(content)
                    written.flush()
                    os.fsync(written.fileno())
                Path(beside).replace(path)
            except BaseException:
                Path(beside).unlink(missing_ok=True)
                raise
            _to_disk(self._folder)
        except OSError as error:
            raise FilesUnavailable(f"the file could not be kept: {error.strerror or error}") from error
        return digest

    def read(self, sha256: str, size: int) -> bytes:
        """Read the file, no further than it should be long."""
        try:
            with (self._folder / sha256).open("rb") as opened:
                content = opened.read(size + 1)
        except FileNotFoundError as error:
            raise FileMissing(sha256) from error
        except OSError as error:
            raise FilesUnavailable(f"the file cannot be read: {error.strerror or error}") from error
        if len(content) != size or hashlib.sha256(content).hexdigest() != sha256:
            raise FileAltered(sha256)
        return content


def _to_disk(folder: Path) -> None:
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
