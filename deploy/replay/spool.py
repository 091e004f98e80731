"""Result lines of one source, kept in a file until all sources are done, in order of deciding event."""

from __future__ import annotations

import shutil
from array import array
from pathlib import Path
from struct import Struct as Layout
from typing import IO

import msgspec
from msgspec import Struct

_KEY = Layout("=q").pack  # as `array("q")` reads it


class _Place(Struct):
    sequence: int


_PLACE = msgspec.json.Decoder(_Place).decode


class Spool:
    """Writes lines with their sequence; sorts by it at the end only if they did not come in order.

    The sequences lie in a file beside the lines: a stream of millions of lines that are no events takes no memory.
    """

    def __init__(self, path: Path) -> None:
        """Begin a new spool at `path`."""
        self.path = path
        self._key_path = path.with_name(f"{path.name}.keys")
        self._last = 0
        self._ordered = True
        self._file: IO[bytes] = path.open("wb")
        self._keys: IO[bytes] = self._key_path.open("wb")

    def write(self, sequence: int, line: bytes) -> None:
        """Add one line (without its end)."""
        if sequence < self._last and self._ordered:
            self._ordered = False
        self._last = sequence
        self._keys.write(_KEY(sequence))
        self._file.write(line)
        self._file.write(b"\n")

    def close(self) -> None:
        """Write out; sort what did not come in order (records doubled or swapped are rare)."""
        self._file.close()
        self._keys.close()
        if not self._ordered:
            keys = array("q", self._key_path.read_bytes())
            lines = self.path.read_bytes().splitlines(keepends=True)
            order = sorted(range(len(lines)), key=keys.__getitem__)
            self.path.write_bytes(b"".join(lines[index] for index in order))
        self._key_path.unlink()


def insert(part: Path, lines: list[tuple[int, bytes]]) -> None:
    """Put lines (without their ends), each with its sequence, into a part, behind what events up to theirs have."""
    waiting = sorted(lines, key=lambda one: one[0])
    made = part.with_name(f"{part.name}.made")
    with part.open("rb") as source, made.open("wb") as target:
        for line in source:
            sequence = _PLACE(line).sequence
            while waiting and waiting[0][0] < sequence:
                target.write(waiting.pop(0)[1] + b"\n")
            target.write(line)
        target.writelines(line + b"\n" for _, line in waiting)
    made.replace(part)


def join(parts: list[Path], target: Path) -> None:
    """Write the parts one after another to `target` and remove them."""
    with target.open("wb") as out:
        for part in parts:
            with part.open("rb") as source:
                shutil.copyfileobj(source, out, 1 << 20)
            part.unlink()
