"""The files of an audit out of the store: what `catwalk replay` writes of the same ledger, byte for byte.

Lines that are decided stand in the store as replay writes them, but for `file`, which is the table here. A round
under way is told from the state that the fold left behind its last event, as replay does at the end of a stream.
"""

from __future__ import annotations

import base64
import datetime as dt
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from deploy.replay.run import ENCODE, Parts, ReplaySummary, SourceResult, write_results
from processors.pipeline import TablePipeline
from processors.runtime.store.shapes import CHECK
from processors.runtime.store.warehouse import Parameter, Row, StoreOfAnotherRelease, Warehouse
from schemas.answers import FOLD_VERSION

_PAGE: Final = 5_000  # lines that are in memory at once
_PLACE = "subject = {subject:String}"
_ROUNDS = (
    "SELECT round, first_sequence, last_sequence, gaming_day, record FROM rounds FINAL WHERE " + _PLACE +
    " AND (round > {a:UInt64} OR (round = {a:UInt64} AND first_sequence > {b:UInt64}))"
    " ORDER BY round, first_sequence LIMIT {most:UInt32}"
)  # fmt: skip
_FINDINGS = (
    "SELECT sequence, ordinal, verdict, check_id, cites, record FROM findings FINAL WHERE " + _PLACE +
    " AND check_id != {mine:String}"
    " AND (sequence > {a:UInt64} OR (sequence = {a:UInt64} AND ordinal > {b:UInt64}))"
    " ORDER BY sequence, ordinal LIMIT {most:UInt32}"
)  # fmt: skip
_LETTERS = (
    "SELECT line_number, sequence, byte_offset, reason, bytes_base64 FROM dead_letters FINAL WHERE " + _PLACE +
    " AND kind = 'unreadable' AND line_number > {a:UInt64}"
    " ORDER BY line_number LIMIT {most:UInt32}"
)  # fmt: skip


class _DayStarted(Struct):
    gaming_day: dt.date


class _Event(Struct):
    data: _DayStarted


_READ_DAY = msgspec.json.Decoder(_Event).decode


@dataclass(frozen=True, slots=True)
class Behind:
    """A table of which the store holds more events than were folded, as far as their numbers tell."""

    subject: str
    folded: int
    stored: int


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written, and which tables were not folded to their end."""

    summary: ReplaySummary
    behind: tuple[Behind, ...]


def export(
    store: Warehouse,
    out: Path,
    subject: str | None = None,
    day: dt.date | None = None,
    advance: Callable[[int], None] = lambda _tables: None,
) -> Exported:
    """Write rounds, findings, dead letters and the summary of all tables, or of one, or of one gaming day.

    Raises:
        StoreOfAnotherRelease: another version of the fold wrote the store.
        WarehouseError: the store does not answer.
    """
    behind: list[Behind] = []

    def made(folder: Path) -> list[tuple[Path, SourceResult]]:
        done = []
        for number, (name, next_sequence, snapshot) in enumerate(_progress(store, subject)):
            stem = folder / f"{number:08d}"
            with closing(Parts(name, stem)) as parts:
                _Table(store, name, TablePipeline.restore(base64.b64decode(snapshot)), parts, day).write()
            advance(1)
            done.append((stem, parts.result))
            sql = f"SELECT max(sequence) FROM events FINAL WHERE {_PLACE}"
            [[last]] = store.query(sql, {"subject": name})
            if (last or 0) >= next_sequence:
                behind.append(Behind(name, next_sequence - 1, last))
        return done

    return Exported(write_results(out, made), tuple(behind))


def _progress(store: Warehouse, subject: str | None) -> list[tuple[str, int, str]]:
    """Table, next sequence and snapshot, table by table."""
    sql = (
        "SELECT subject, next_sequence, snapshot_base64, fold_version FROM progress FINAL"
        " WHERE snapshot_base64 != '' AND next_sequence > 0"
    )
    found = store.query(f"{sql} AND {_PLACE}", {"subject": subject}) if subject else store.query(sql)
    versions = {version for *_, version in found} - {FOLD_VERSION}
    if versions:
        why = f"fold {versions.pop()} wrote it; this release folds by {FOLD_VERSION}"
        raise StoreOfAnotherRelease("the store", why, "`catwalk rebuild`, or use the release that wrote it")
    return sorted((name, next_sequence, snapshot) for name, next_sequence, snapshot, _ in found)


class _Table:
    """One table on its way into part files."""

    def __init__(
        self, store: Warehouse, subject: str, pipeline: TablePipeline, parts: Parts, day: dt.date | None
    ) -> None:
        self._store, self._subject, self._pipeline = store, subject, pipeline
        self._parts, self._day = parts, day

    def write(self) -> None:
        """Write the parts; nothing when nothing of the table lies in the day that is asked for."""
        windows = self._windows() if self._day is not None else [(0, 2**32)]
        if not windows:
            return
        self._rounds()
        self._findings(windows)
        self._letters(windows)
        chain = self._pipeline.table.chain
        self._parts.end(self._subject, chain, chain.records if self._day is None else self._events(windows))

    def _windows(self) -> list[tuple[int, int]]:
        """First and last events of each stretch of the table's record that belongs to the gaming day."""
        sql = (
            f"SELECT sequence, line FROM events FINAL WHERE {_PLACE} AND type = 'gaming_day_started'"
            " ORDER BY sequence"
        )
        starts = self._store.query(sql, {"subject": self._subject})
        ends = [first - 1 for first, _ in starts[1:]] + [2**32]
        return [
            (first, last)
            for (first, line), last in zip(starts, ends, strict=True)
            if _READ_DAY(line).data.gaming_day == self._day
        ]

    def _rounds(self) -> None:
        for _, _, last, day, record in self._pages(_ROUNDS):
            if self._day is None or day == self._day:
                self._parts.write("rounds", self._subject, last, record.encode())
        for result in self._pipeline.finish().rounds:
            if self._day is None or result.gaming_day == self._day:
                self._parts.write("rounds", self._subject, result.last_sequence, ENCODE(result))

    def _findings(self, windows: list[tuple[int, int]]) -> None:
        for sequence, _, verdict, check, cites, record in self._pages(_FINDINGS):
            if _within(sequence, windows):
                self._parts.count(verdict, check, cites)
                self._parts.write("findings", self._subject, sequence, record.encode())

    def _letters(self, windows: list[tuple[int, int]]) -> None:
        for line, sequence, offset, reason, text in self._pages(_LETTERS):
            if _within(sequence, windows):
                letter = {"line": line, "offset": offset, "reason": reason, "bytes_base64": text}
                self._parts.write("deadletters", self._subject, line, ENCODE(letter))

    def _pages(self, sql: str) -> Iterator[Row]:
        """All rows of a question whose first two columns are its order, a page at a time."""
        last = (0, 0)
        while True:
            parameters: dict[str, Parameter] = {"subject": self._subject, "mine": CHECK, "most": _PAGE}
            parameters |= {"a": last[0], "b": last[1]}
            used = {name: value for name, value in parameters.items() if f"{{{name}:" in sql}
            page = self._store.query(sql, used)
            yield from page
            if len(page) < _PAGE:
                return
            last = page[-1][:2]

    def _events(self, windows: list[tuple[int, int]]) -> int:
        """Events of the gaming day."""
        count = 0
        sql = f"SELECT count() FROM events FINAL WHERE {_PLACE} AND sequence BETWEEN {{a:UInt64}} AND {{b:UInt64}}"
        for first, last in windows:
            [[found]] = self._store.query(sql, {"subject": self._subject, "a": first, "b": last})
            count += found
        return count


def _within(sequence: int, windows: list[tuple[int, int]]) -> bool:
    return any(first <= sequence <= last for first, last in windows)
