"""File systems of a few megabytes that can be filled to the last byte and emptied again, for folders of servers."""

from __future__ import annotations

import errno
import os
import subprocess
from pathlib import Path

MEGABYTE = 1 << 20


class SmallDisk:
    """A file system in memory of so many megabytes, mounted at a folder."""

    def __init__(self, folder: Path, megabytes: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._filler = folder / ".filler"
        options = f"size={megabytes}m,mode=0700"
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=True)

    @property
    def free(self) -> int:
        """Bytes that can still be written."""
        found = os.statvfs(self.folder)
        return found.f_bavail * found.f_frsize

    def fill(self) -> None:
        """Leave not a byte, however much is written and given back meanwhile."""
        with self._filler.open("ab", buffering=0) as filler:
            for size in (MEGABYTE, 1 << 12):
                try:
                    while True:
                        filler.write(b"\0" * size)
                except OSError as error:
                    if error.errno != errno.ENOSPC:
                        raise

    def give_back(self, megabytes: int) -> None:
        """Make room for some megabytes, as somebody does who removes old logs."""
        os.truncate(self._filler, self._filler.stat().st_size - megabytes * MEGABYTE)

    def empty(self) -> None:
        """Give back what filled it."""
        self._filler.unlink()

    def close(self) -> None:
        """Unmount it, also where a process has files of it open."""
        subprocess.run(["umount", "--lazy", self.folder], check=True)
