"""Where replay reads from: streams, packed streams, folders of them, and embedded ledgers."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from deploy.cli.errors import UserError
from producers.sqlite_log import SqliteLog

SUFFIXES = (".ndjson", ".ndjson.gz")
RESULTS = ("rounds.ndjson", "findings.ndjson", "deadletters.ndjson", "readings.ndjson")
LEDGER_SUFFIXES = (".db", ".sqlite")


@dataclass(frozen=True, slots=True)
class Source:
    """One stream to replay: its name in the results, where it lies, and which table of a ledger it is."""

    name: str
    path: Path
    subject: str | None = None

    @property
    def size(self) -> int:
        """Bytes on disk, for showing progress; a ledger's tables share its size."""
        return self.path.stat().st_size


@dataclass(frozen=True, slots=True)
class Line:
    """One line that is not empty, without its end: number from 1, byte offset, bytes."""

    number: int
    offset: int
    content: bytes


def base_name(path: Path) -> str:
    """File name without its extensions, as results name it."""
    name = path.name
    for suffix in (".gz", ".ndjson"):
        name = name.removesuffix(suffix)
    return name


def find(paths: Iterable[Path], leave_out: Path | None = None) -> list[Source]:
    """The streams named by files and folders, in order of name, but for the results that lie in `leave_out`.

    Raises:
        UserError: a path that does not exist, a file that is no stream, or nothing found at all.
    """
    found: dict[tuple[Path, str | None], Source] = {}
    for path in paths:
        for source in _found_at(path):
            if leave_out is not None and _is_result(source.path, leave_out):
                continue
            found.setdefault((source.path.resolve(), source.subject), source)
    if not found:
        where = ", ".join(str(path) for path in paths)
        raise UserError(where, "no .ndjson stream found", "name a stream, a folder of streams or a ledger")
    return sorted(found.values(), key=lambda source: (source.name, str(source.path), source.subject or ""))


def _is_result(path: Path, folder: Path) -> bool:
    return path.name in RESULTS and path.resolve().parent == folder.resolve()


def _found_at(path: Path) -> Iterator[Source]:
    if path.is_dir():
        for child in sorted(path.rglob("*")):
            if child.is_file() and child.name.endswith(SUFFIXES):
                yield Source(base_name(child), child)
    elif not path.exists():
        raise UserError(str(path), "no such file or folder", "check the path")
    elif path.suffix in LEDGER_SUFFIXES:
        with closing(SqliteLog(path, read_only=True)) as ledger:
            for subject in ledger.subjects():
                yield Source(subject, path, subject)
    else:
        yield Source(base_name(path), path)


def open_stream(path: Path) -> IO[bytes]:
    """The stream's bytes, unpacked where it is packed."""
    return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")  # type: ignore[return-value]  # GzipFile reads like one


def read_lines(source: Source) -> Iterator[Line]:
    """The stream's lines in order; LF or CRLF ends a line, empty lines are no lines.

    Raises:
        UserError: the file cannot be read or unpacked.
    """
    if source.subject is not None:
        yield from _read_ledger(source.path, source.subject)
        return
    offset = 0
    try:
        with open_stream(source.path) as stream:
            for number, raw in enumerate(stream, 1):
                content = raw[:-1] if raw.endswith(b"\n") else raw
                if content.endswith(b"\r"):
                    content = content[:-1]
                if content:
                    yield Line(number, offset, content)
                offset += len(raw)
    except (OSError, EOFError, zlib.error) as error:
        raise UserError(
            str(source.path), f"cannot be read: {error}", "check the file and unpack it by hand"
        ) from error


def _read_ledger(path: Path, subject: str) -> Iterator[Line]:
    offset = 0
    with closing(SqliteLog(path, read_only=True)) as ledger:
        for sequence, content in ledger.read_from(subject, 1):
            yield Line(sequence, offset, content)
            offset += len(content) + 1
