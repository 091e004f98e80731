"""Streams as files: `.ndjson`, also gzipped, and folders of them."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple, cast

from producers.errors import CaptureError

ENDINGS = (".ndjson", ".ndjson.gz")


class StreamError(CaptureError):
    """A stream that cannot be read."""


class Line(NamedTuple):
    """A line that is not empty, without its end: its number from 1, the byte it begins at, its bytes.

    `whole` is false for a last line that has no end: perhaps it was cut off.
    """

    number: int
    offset: int
    content: bytes
    whole: bool = True


def find_streams(paths: Sequence[Path]) -> list[Path]:
    """The streams that these files and folders hold: files as named, folders searched, sorted by path.

    Raises:
        StreamError: a path that is not there, or a folder without streams.
    """
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = streams_in(path)
            if not inside:
                raise StreamError(str(path), "the folder holds no stream", "name one with .ndjson files")
            found.extend(inside)
        elif path.exists():
            found.append(path)
        else:
            raise StreamError(str(path), "there is no such file", "check the path")
    return list(dict.fromkeys(found))


def streams_in(folder: Path) -> list[Path]:
    """The streams that a folder holds, however deep, sorted by path."""
    return sorted(path for path in folder.rglob("*") if path.name.endswith(ENDINGS) and path.is_file())


def stream_name(path: Path) -> str:
    """The file's base name without extensions."""
    return path.name.removesuffix(".gz").removesuffix(".ndjson")


def read_lines(path: Path) -> Iterator[Line]:
    """The stream's lines; LF or CRLF ends a line, empty lines are none.

    Raises:
        StreamError: the file cannot be read, or its compression is damaged, at whatever line that shows.
    """
    number = offset = 0
    try:
        with _opened(path) as file:
            for number, raw in enumerate(file, 1):
                line = without_end(raw)
                if line:
                    yield Line(number, offset, line, raw.endswith(b"\n"))
                offset += len(raw)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        why = f"its compression is damaged after line {number}: {error}"
        raise StreamError(str(path), why, "fetch the file again; the lines before were read") from error
    except OSError as error:
        raise StreamError(str(path), error.strerror or str(error), "name a readable file") from error


def without_end(raw: bytes) -> bytes:
    """A line without the LF or CRLF that ends it."""
    return raw.removesuffix(b"\n").removesuffix(b"\r")


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    with path.open("rb") as file:
        if path.name.endswith(".gz"):
            with gzip.open(file) as unpacked:
                yield cast("IO[bytes]", unpacked)
        else:
            yield file
