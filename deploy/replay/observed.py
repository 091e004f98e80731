"""What tables have to say of people, kept in files until all sources are done, and weighed in order of event time."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from struct import Struct as Layout

import msgspec

from processors.detectors.shapes import Observation
from processors.detectors.stages.entity_stage import EntityStage
from schemas.findings import Finding

_LENGTH = Layout("=I")
_ENCODE = msgspec.msgpack.Encoder().encode
_DECODE = msgspec.msgpack.Decoder(Observation).decode
_MOST = 1 << 22  # bytes of all tables of a source that wait in memory
_CHUNK = 1 << 13  # bytes of a table that are read at once: all files are read side by side


class Observed:
    """Writes observations of one source, a file a table: within a table they come in order of time already.

    No file stays open: a source may hold more tables than a process may hold files.
    """

    def __init__(self, stem: Path) -> None:
        """Begin at `stem`; a file is made for each table that says anything."""
        self._stem = stem
        self._numbers: dict[str, int] = {}
        self._waiting: dict[str, bytearray] = defaultdict(bytearray)
        self._held = 0

    def write(self, subject: str, observations: Sequence[Observation]) -> None:
        """Add what a table said."""
        waiting = self._waiting[subject]
        for one in observations:
            record = _ENCODE(one)
            waiting += _LENGTH.pack(len(record))
            waiting += record
            self._held += len(record)
        if self._held > _MOST:
            self._flush()

    def close(self) -> int:
        """Write out; the number of files."""
        self._flush()
        return len(self._numbers)

    def _flush(self) -> None:
        for subject, waiting in self._waiting.items():
            number = self._numbers.setdefault(subject, len(self._numbers))
            with path_of(self._stem, number).open("ab") as file:
                file.write(waiting)
        self._waiting.clear()
        self._held = 0


def path_of(stem: Path, number: int) -> Path:
    """The file of a source's table."""
    return stem.with_suffix(f".observed{number}")


def read(path: Path) -> Iterator[Observation]:
    """The observations of one file, in order."""
    offset, rest = 0, b""
    while True:
        with path.open("rb") as file:
            file.seek(offset)
            chunk = file.read(_CHUNK)
        if not chunk:
            return
        offset += len(chunk)
        data, at = rest + chunk, 0
        while at + _LENGTH.size <= len(data):
            (length,) = _LENGTH.unpack_from(data, at)
            end = at + _LENGTH.size + length
            if end > len(data):
                break
            yield _DECODE(data[at + _LENGTH.size : end])
            at = end
        rest = data[at:]


def weigh(stage: EntityStage, files: Sequence[tuple[int, Path]]) -> dict[int, list[Finding]]:
    """Weigh the observations of all files in order of event time, ties by subject and sequence, then by file.

    `files` are given with the number of their source; the suspicions come by that number.
    """
    found: dict[int, list[Finding]] = defaultdict(list)
    streams = [_numbered(number, path) for number, path in files]
    for observation, number in heapq.merge(*streams, key=lambda one: one[0].order):
        suspicions = stage.weigh(observation)
        if suspicions:
            found[number] += suspicions
    for _, path in files:
        path.unlink()
    return found


def _numbered(number: int, path: Path) -> Iterator[tuple[Observation, int]]:
    for observation in read(path):
        yield observation, number
