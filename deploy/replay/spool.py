"""Result lines of one source, kept in a file until all sources are done, in order of deciding event."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import IO


class Spool:
    """Writes lines with their sequence; sorts by it at the end only if they did not come in order."""

    def __init__(self, path: Path) -> None:
        """Begin a new spool at `path`."""
        self.path = path
        self._keys: list[int] = []
        self._last = 0
        self._ordered = True
        self._file: IO[bytes] = path.open("wb")

    def write(self, sequence: int, line: bytes) -> None:
        """Add one line (without its end)."""
        if sequence < self._last and self._ordered:
            self._ordered = False
        self._last = sequence
        self._keys.append(sequence)
        self._file.write(line)
        self._file.write(b"\n")

    def close(self) -> None:
        """Write out; sort what did not come in order (records doubled or swapped are rare)."""
        self._file.close()
        if not self._ordered:
            lines = self.path.read_bytes().splitlines(keepends=True)
            order = sorted(range(len(lines)), key=self._keys.__getitem__)
            self.path.write_bytes(b"".join(lines[index] for index in order))


def join(parts: list[Path], target: Path) -> None:
    """Write the parts one after another to `target` and remove them."""
    with target.open("wb") as out:
        for part in parts:
            with part.open("rb") as source:
                shutil.copyfileobj(source, out, 1 << 20)
            part.unlink()
