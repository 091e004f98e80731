"""What replay reads: streams, packed streams, folders of them, and the tables of embedded ledgers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from pathlib import Path

from deploy.errors import UserError
from producers.feeds import streams
from producers.feeds.lines import AnyLine, FeedLine, LongLine
from producers.feeds.streams import StreamError
from producers.sqlite_log import SqliteLog

RESULTS = ("rounds.ndjson", "findings.ndjson", "deadletters.ndjson", "readings.ndjson")
LEDGER_SUFFIXES = (".db", ".sqlite")


@dataclass(frozen=True, slots=True)
class StreamSource:
    """One stream to replay: its name in the results, where it lies, and which table of a ledger it is."""

    name: str
    path: Path
    subject: str | None = None


def find(paths: Iterable[Path], leave_out: Path | None = None) -> list[StreamSource]:
    """The streams named by files and folders, in order of name, but for the results that lie in `leave_out`.

    Of streams that have one name and the same lines the first is taken.

    Raises:
        UserError: a path that does not exist, nothing found at all, or two streams that results could not tell apart.
    """
    found: dict[tuple[Path, str | None], StreamSource] = {}
    for path in paths:
        for source in _found_at(path):
            if leave_out is not None and _is_result(source.path, leave_out):
                continue
            found.setdefault((source.path.resolve(), source.subject), source)
    if not found:
        where = ", ".join(str(path) for path in paths)
        raise UserError(where, "no .ndjson stream found", "name a stream, a folder of streams or a ledger")
    order = sorted(found.values(), key=lambda source: (source.name, str(source.path), source.subject or ""))
    return [order[0], *(later for earlier, later in pairwise(order) if not _is_copy(earlier, later))]


def _is_copy(earlier: StreamSource, later: StreamSource) -> bool:
    """Whether the later of two streams, by name, is the earlier one again."""
    if earlier.name != later.name:
        return False
    for one, other in zip_longest(read_lines(earlier), read_lines(later)):
        if one is None or other is None or _said(one) != _said(other):
            raise UserError(
                f"{earlier.path} and {later.path}",
                f"both would be {later.name} in the results, and their lines differ",
                "rename one of them, or replay each into a folder of its own",
            )
    return True


def _said(line: AnyLine) -> bytes | str:
    return line.digest if isinstance(line, LongLine) else line.content


def _is_result(path: Path, folder: Path) -> bool:
    return path.name in RESULTS and path.resolve().parent == folder.resolve()


def _found_at(path: Path) -> Iterator[StreamSource]:
    if path.is_dir():
        for child in streams.streams_in(path):
            yield StreamSource(streams.stream_name(child), child)
    elif not path.exists():
        raise UserError(str(path), "no such file or folder", "check the path")
    elif path.suffix in LEDGER_SUFFIXES:
        with closing(SqliteLog(path, read_only=True)) as ledger:
            for subject in ledger.subjects():
                yield StreamSource(subject, path, subject)
    else:
        yield StreamSource(streams.stream_name(path), path)


def read_lines(source: StreamSource) -> Iterator[AnyLine]:
    """The stream's lines in order, as `producers.feeds.streams` reads them, or those of a ledger's table.

    Raises:
        UserError: the file cannot be read or unpacked.
    """
    if source.subject is not None:
        yield from _read_ledger(source.path, source.subject)
        return
    try:
        yield from streams.read_lines(source.path)
    except StreamError as error:
        raise UserError(error.what, f"cannot be read: {error.why}", error.remedy) from error


def _read_ledger(path: Path, subject: str) -> Iterator[FeedLine]:
    offset = 0
    with closing(SqliteLog(path, read_only=True)) as ledger:
        for sequence, content in ledger.read_from(subject, 1):
            yield FeedLine(sequence, offset, content)
            offset += len(content) + 1
