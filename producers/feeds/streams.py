"""Streams as files: `.ndjson`, also gzipped, and folders of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from producers.errors import CaptureError
from producers.feeds.lines import CHUNK_BYTES, AnyLine, Splitter
from producers.feeds.unpacking import Damaged, TooMuch, unpacked

ENDINGS = (".ndjson", ".ndjson.gz")


class StreamError(CaptureError):
    """A stream that cannot be read."""


class StreamTooLarge(StreamError):
    """A packed stream that unpacks to more than any stream of events: it was not read to its end."""


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


def read_lines(path: Path) -> Iterator[AnyLine]:
    """The stream's lines, in bounded memory; LF or CRLF ends a line, empty lines are none.

    Raises:
        StreamError: the file cannot be read, or its compression is damaged, at whatever line that shows.
        StreamTooLarge: it is packed, and unpacks to more than any stream of events does.
    """
    splitter = Splitter()
    try:
        with path.open("rb") as file:
            for chunk in _chunks(path, file):
                yield from splitter.feed(chunk)
            yield from splitter.end()
    except Damaged as error:
        why = f"its compression is damaged after line {splitter.number}: {error}"
        raise StreamError(str(path), why, "fetch the file again; the lines before were read") from error
    except TooMuch as error:
        why = f"stopped after line {splitter.number:,}: {error}"
        remedy = "look at it with `gzip -dc`; a file that is not packed is read whatever its size"
        raise StreamTooLarge(str(path), why, remedy) from error
    except OSError as error:
        raise StreamError(str(path), error.strerror or str(error), "name a readable file") from error


def _chunks(path: Path, file: IO[bytes]) -> Iterator[bytes]:
    if path.name.endswith(".gz"):
        yield from unpacked(file)
        return
    while chunk := file.read(CHUNK_BYTES):
        yield chunk
