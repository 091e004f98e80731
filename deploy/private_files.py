"""Files of the house are for the user alone who runs Catwalk: new ones by the umask, old ones tightened or named."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import click

PRIVATE: Final = 0o077  # what a umask takes away: all rights of group and others
_LEDGERS: Final = (
    "ledger.db",
    "desk.db",
    "desk_memory.db",
    "console.db",
    "openings.db",
    "people.db",
    "journal.db",
)
_BESIDE: Final = ("", "-wal", "-shm", "-journal", ".lock")
# A folder that is closed closes all within; `demo` and `stack` are folders of the same kind below the usual one.
_OTHERS: Final = ("warehouse", "warehouse.lock", "demo.json", "demo", "stack")
_users: int | None = None  # the umask of who runs the command, while it is not in force


class Open(NamedTuple):
    """What group or others may do: look into or write the folder itself, or read some of Catwalk's files in it."""

    folder: Path
    mode: int
    files: tuple[Path, ...]

    @property
    def told(self) -> str:
        """What is wrong, in a few words."""
        if self.files:
            names = ", ".join(path.name for path in self.files)
            return f"other users of this machine may read {names}"
        return f"other users of this machine may look into it (mode {self.mode:04o})"

    @property
    def remedy(self) -> str:
        """What puts it right."""
        return f"`chmod -R go= {self.folder}`" if self.files else f"`chmod 700 {self.folder}`"


@contextmanager
def private_files() -> Iterator[None]:
    """Whatever this process and its children create within is readable by its user alone."""
    global _users
    before = os.umask(PRIVATE)
    _users = before
    try:
        yield
    finally:
        os.umask(before)
        _users = None


@contextmanager
def files_of_the_user() -> Iterator[None]:
    """Within, files come about as the user's own umask says: for results that somebody asked to have somewhere."""
    if _users is None:
        yield
        return
    os.umask(_users)
    try:
        yield
    finally:
        os.umask(PRIVATE)


def files_in(folder: Path) -> list[Path]:
    """Catwalk's own files and folders in a data folder."""
    names = [f"{name}{beside}" for name in _LEDGERS for beside in _BESIDE]
    paths = [*(folder / name for name in (*names, *_OTHERS)), *folder.glob("rebuild-*.log")]
    return [path for path in paths if path.exists() and not path.is_symlink()]


def found_open(folder: Path) -> Open | None:
    """What of a data folder is not for its user alone; None where all is, or where there is no folder.

    Who cannot enter the folder reads nothing in it, so its files count only where group or others can. A folder that is
    another user's (a mounted volume) is theirs to close: of it only Catwalk's files are looked at.
    """
    try:
        found = folder.stat()
    except OSError:
        return None
    mode = stat.S_IMODE(found.st_mode)
    if not mode & PRIVATE:
        return None
    files = tuple(path for path in files_in(folder) if path.stat().st_mode & PRIVATE) if mode & 0o011 else ()
    if not files and found.st_uid != os.geteuid():
        return None
    return Open(folder, mode, files)


def tighten(folder: Path) -> Open | None:
    """Take from group and others all rights to Catwalk's files in a data folder; what is left open all the same.

    The folder itself is left to its owner: it may be one that is used for other things too.
    """
    for path in files_in(folder):
        tighten_file(path)
    return found_open(folder)


def tighten_file(path: Path) -> None:
    """The same for one ledger that is kept somewhere else, and the files SQLite keeps beside it."""
    for one in (Path(f"{path}{beside}") for beside in _BESIDE):
        try:
            mode = stat.S_IMODE(one.stat().st_mode)
            if mode & PRIVATE:
                one.chmod(mode & ~PRIVATE)
        except OSError:  # it is not there, or another user's, which `found_open` tells
            continue


def keep_private(*folders: Path) -> None:
    """Tighten data folders that a command opens; what is left open is said on stderr, with the remedy."""
    for folder in dict.fromkeys(folders):
        left = tighten(folder)
        if left is not None:
            click.echo(f"catwalk: data folder {folder}: {left.told}; {left.remedy}", err=True)
