"""What somebody may do to the file of a desk's ledger behind the desk's back, each in one call."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from dashboards.ledger.acts import Accessed, read, write
from schemas.events.codec import record_hash
from schemas.events.envelope import GENESIS


def _lines(raw: sqlite3.Connection) -> list[bytes]:
    return [line for (line,) in raw.execute("SELECT line FROM records ORDER BY sequence")]


def _unlocked(path: Path) -> sqlite3.Connection:
    raw = sqlite3.connect(path, isolation_level=None)
    for act in ("UPDATE", "DELETE"):
        raw.execute(f"DROP TRIGGER IF EXISTS records_{act}")
    return raw


def _note_last(raw: sqlite3.Connection) -> None:
    lines = _lines(raw)
    head = record_hash(lines[-1]) if lines else GENESIS
    raw.execute("UPDATE subjects SET sequence = ?, head = ?", (len(lines), head))


def cut(path: Path) -> None:
    """The last record goes, and the ledger's note of its head goes back."""
    with closing(_unlocked(path)) as raw:
        raw.execute("DELETE FROM records WHERE sequence = (SELECT max(sequence) FROM records)")
        _note_last(raw)


def cut_records_alone(path: Path) -> None:
    """The last record goes; the note of the head stays."""
    with closing(_unlocked(path)) as raw:
        raw.execute("DELETE FROM records WHERE sequence = (SELECT max(sequence) FROM records)")


def note_another_head(path: Path) -> None:
    """All records stay; the note of the head goes back by one."""
    with closing(_unlocked(path)) as raw:
        lines = _lines(raw)
        raw.execute("UPDATE subjects SET sequence = ?, head = ?", (len(lines) - 1, record_hash(lines[-2])))


def empty(path: Path) -> None:
    """All records go."""
    with closing(_unlocked(path)) as raw:
        raw.execute("DELETE FROM records")
        _note_last(raw)


def edit_last(path: Path) -> None:
    """The last record says something else, and the note of the head fits it: its chain is intact."""
    with closing(_unlocked(path)) as raw:
        lines = _lines(raw)
        before = record_hash(lines[-2]) if len(lines) > 1 else GENESIS
        record, _ = read(lines[-1], len(lines), before)
        other = Accessed(what="page", object="nothing of note", granted=True)
        line = write(other, "nobody", record.time, len(lines), before)
        raw.execute("UPDATE records SET line = ? WHERE sequence = ?", (line, len(lines)))
        _note_last(raw)


def edit_in_place(path: Path) -> None:
    """The first record says something else; nothing else changes."""
    with closing(_unlocked(path)) as raw:
        (line,) = raw.execute("SELECT line FROM records WHERE sequence = 1").fetchone()
        raw.execute("UPDATE records SET line = ? WHERE sequence = 1", (line.replace(b"D105", b"D106"),))


def write_anew(path: Path) -> None:
    """All records are written anew, each chained to the one before, as many as there were."""
    with closing(_unlocked(path)) as raw:
        head = GENESIS
        for number, line in enumerate(_lines(raw), 1):
            record, _ = read(line, number, _prevhash(line))
            other = write(record.data, f"{record.actor}x", record.time, number, head)
            raw.execute("UPDATE records SET line = ? WHERE sequence = ?", (other, number))
            head = record_hash(other)
        _note_last(raw)


def _prevhash(line: bytes) -> str:
    return line.partition(b'"prevhash":"')[2][:64].decode()


def delete(path: Path) -> None:
    """The file is gone."""
    for part in ("", "-wal", "-shm"):
        Path(f"{path}{part}").unlink(missing_ok=True)


def replace_by_older(path: Path) -> None:
    """An older copy of the file, one record shorter, takes its place."""
    copy = path.with_name("older.db")
    _copied(path, copy)
    cut(copy)
    with closing(sqlite3.connect(copy)) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    delete(path)
    shutil.move(copy, path)


def overwrite_by_older(path: Path) -> None:
    """The bytes of an older copy are written over those of the file, as `cp` does."""
    copy = path.with_name("older.db")
    _copied(path, copy)
    cut(copy)
    with closing(sqlite3.connect(copy)) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        raw.execute("PRAGMA journal_mode = DELETE")
    path.write_bytes(copy.read_bytes())
    Path(f"{path}-wal").unlink(missing_ok=True)
    copy.unlink()


def garble(path: Path) -> None:
    """The file is no database any more."""
    path.write_bytes(b"x" * 8192)
    Path(f"{path}-wal").unlink(missing_ok=True)


def _copied(path: Path, copy: Path) -> None:
    with closing(sqlite3.connect(path)) as raw, closing(sqlite3.connect(copy)) as other:
        raw.backup(other)


# What shows at the desk's next look, and what shows when the records are read again.
AT_ONCE: tuple[Callable[[Path], None], ...] = (
    cut,
    cut_records_alone,
    note_another_head,
    empty,
    edit_last,
    write_anew,
    delete,
    replace_by_older,
    overwrite_by_older,
    garble,
)
EACH: tuple[Callable[[Path], None], ...] = (*AT_ONCE, edit_in_place)
