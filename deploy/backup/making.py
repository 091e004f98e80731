"""A backup made while the house is at work: everything held at one moment, copied, and read back."""

from __future__ import annotations

import datetime as dt
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from dashboards.ledger.acts import SUBJECT
from dashboards.ledger.ledger import LedgerHead as DeskHead
from dashboards.ledger.ledger import MemoryFailed
from deploy.backup import manifest as manifests
from deploy.backup.checking import examine
from deploy.backup.manifest import CopiedFile, Manifest, sha256_of, this_release, to_disk
from deploy.backup.sources import DATABASES, Source, attachments_of, sources_of
from deploy.console.desk_memory import memory_failed, remembered, remembered_topic
from deploy.errors import UserError
from deploy.progress import Advance, progress
from deploy.settings import DECLARED, Settings
from producers.copies.chains import Break, counted, written_ends
from producers.copies.pinned import Pinned, nobody_writes
from schemas.events.codec import record_hash
from schemas.events.envelope import utc_text

if TYPE_CHECKING:
    from deploy.backup.topic_files import TopicsCut

# Who has signed in, or is about to: a copy that brought it back would let people in who were signed out since.
_PASSING: Final = ("sign_ins", "pending", "one_time", "flows", "candidates")
_SPARE: Final = 64 << 20  # bytes that are left free on the copy's disk


class Held(NamedTuple):
    """A file at the moment of the cut; settings and keys, which people write, are read as they are."""

    source: Source
    pinned: Pinned | None

    @property
    def bytes(self) -> int:
        """How large its copy will be."""
        return self.pinned.bytes if self.pinned is not None else self.source.path.stat().st_size


class BackupWanted(NamedTuple):
    """What a backup is asked to hold besides the usual files."""

    others: Sequence[Path] = ()
    keys: Path | None = None
    topics: bool = True


def back_up(settings: Settings, out: Path, wanted: BackupWanted) -> Manifest:
    """Make a backup in a folder that is new or empty.

    Raises:
        UserError: there is nothing to copy, no room, something in the folder; or what was read back is not what was
            written, and then nothing is left there.
        LedgerUnusable: a file cannot be read.
    """
    sources = sources_of(settings, wanted.others, wanted.keys)
    topics = wanted.topics and settings.mode == "distributed"
    if not topics and not any(one.holds in DATABASES for one in sources):
        why = "found no ledger, desk, journal or users"
        raise UserError(f"data folder {settings.data}", why, "check the setting data, or record first")
    _require_empty(out)
    made = not out.exists()
    out.mkdir(mode=0o700, parents=True, exist_ok=True)
    out.chmod(0o700)
    try:
        manifest = _made(settings, sources, out, topics)
        manifest.breaks += examine(out, manifest)
        manifests.write(manifest, out)
    except BaseException:
        _remove(out, made)
        raise
    return manifest


def _made(settings: Settings, sources: Sequence[Source], out: Path, topics: bool) -> Manifest:
    with ExitStack() as stack:
        # Before the desk: a console acknowledges what is written.
        acknowledged = _acknowledged(settings, sources)
        users = [one.path for one in sources if one.holds == "users"]
        cut_topics = _topics(settings, acknowledged, stack) if topics else None
        with ExitStack() as still:
            # An account is changed in one transaction with the act that says so: none may be half done.
            for path in users:
                still.enter_context(nobody_writes(path))
            if cut_topics is not None:
                cut_topics.hold()
            held = [_held(one, stack) for one in sources]
        if cut_topics is not None:
            cut_topics.hold_ledger()  # after the desk's: no act speaks of an event that is not in the copy
        # Last: a file is kept before the act that names it, so that none is missing of which the copied desk speaks.
        held += [Held(one, None) for one in attachments_of(settings)]
        cut = utc_text(dt.datetime.now(dt.UTC))
        size = sum(one.bytes for one in held)
        _require_room(out, size)
        files, breaks, withheld = [], [], ""
        with progress("copy", size if cut_topics is None else None, "bytes") as copying:
            for one in held:
                files.append(_copied(one, out / one.source.name, copying))
                if one.source.holds == "desk" and one.pinned is not None:
                    breaks += _unlike_memory(one.source.name, one.pinned.reader, acknowledged)
            if cut_topics is not None:
                files += cut_topics.copied(out, copying)
                breaks += cut_topics.unlike_memory()
                withheld = _answered(settings, out, files, cut_topics.fold)
    given = {
        one: getattr(settings, one.name) for one in DECLARED if getattr(settings, one.name) != one.default
    }
    return Manifest(
        catwalk=this_release(),
        mode=settings.mode,
        cut=cut,
        files=files,
        partitions=cut_topics.partitions if cut_topics is not None else 0,
        settings={one.name: value for one, value in given.items() if not one.secret},
        secrets=[one.name for one in given if one.secret],
        breaks=breaks,
        withheld=withheld,
    )


def _topics(settings: Settings, acknowledged: DeskHead | None, stack: ExitStack) -> TopicsCut:
    """The topics, of which nothing is held yet."""
    # The client library costs a fifth of a second to import, and embedded homes have no topics.
    from deploy.backup.topic_files import TopicsCut

    return stack.enter_context(closing(TopicsCut(settings, acknowledged)))


def _answered(settings: Settings, out: Path, files: list[CopiedFile], fold: int) -> str:
    """Add what the house had answered to the files; why that is not to be had, if it is not."""
    # As above: the store's client is for those who have a server.
    from deploy.backup.answers import write_answers
    from processors.runtime.store.warehouse import WarehouseError

    try:
        files.append(write_answers(settings, out, files, fold))
    except WarehouseError as error:
        return f"{error.what}: {error.why}"
    return ""


def _held(source: Source, stack: ExitStack) -> Held:
    if source.holds not in DATABASES:
        return Held(source, None)
    pinned = Pinned(source.path)
    stack.callback(pinned.close)
    return Held(source, pinned)


def _copied(held: Held, target: Path, copying: Advance) -> CopiedFile:
    """Copy one file, onto the disk; what is read of it from now on comes from there."""
    file = CopiedFile(name=target.name, holds=held.source.holds)
    if held.pinned is None:
        target.write_bytes(held.source.path.read_bytes())
    else:
        held.pinned.copy(target, copying)
        source = held.pinned.reader
        (file.form,) = source.execute("PRAGMA user_version").fetchone()
        if file.holds == "users":
            (file.records,) = source.execute("SELECT count(*) FROM users").fetchone()
            _forget_passing(target)
        else:
            file.tables = written_ends(source)
            file.records, file.letters = counted(source)
    target.chmod(0o600)
    file.bytes = target.stat().st_size
    file.sha256 = sha256_of(target)
    to_disk(target)
    return file


def _forget_passing(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as users:
        users.execute("PRAGMA secure_delete = ON")
        there = {name for (name,) in users.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        for relation in there.intersection(_PASSING):
            users.execute(f"DELETE FROM {relation}")
        users.execute("VACUUM")


def _acknowledged(settings: Settings, sources: Sequence[Source]) -> DeskHead | None:
    """What a console remembers of the desk that it acknowledged."""
    try:
        for one in sources:
            if one.holds == "desk":
                return remembered(settings, one.path)
        return remembered_topic(settings) if settings.mode == "distributed" else None
    except MemoryFailed as error:
        raise memory_failed(error) from error


def _unlike_memory(file: str, desk: sqlite3.Connection, acknowledged: DeskHead | None) -> list[Break]:
    """What the desk lacks of the record that a console acknowledged: nothing, or that."""
    if acknowledged is None:
        return []
    query = "SELECT line FROM records JOIN subjects ON number = records.subject WHERE subjects.subject = ?"
    row = desk.execute(f"{query} AND records.sequence = ?", (SUBJECT, acknowledged.sequence)).fetchone()
    if row is not None and record_hash(row[0]) == acknowledged.hash:
        return []
    why = f"a console acknowledged another record {acknowledged.sequence}, or it is gone"
    return [Break(file, SUBJECT, acknowledged.sequence, why)]


def _require_empty(out: Path) -> None:
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        why = "it holds something, and nothing is written over"
        raise UserError(
            str(out), why, "name a folder that is new or empty; what an interrupted backup left, remove"
        )


def _require_room(out: Path, size: int) -> None:
    free = shutil.disk_usage(out).free
    if size + _SPARE > free:
        why = f"{size / 1e6:,.1f} MB are to be copied, {free / 1e6:,.1f} MB are free"
        raise UserError(str(out), why, "make room, or name a folder on another disk")


def _remove(out: Path, made: bool) -> None:
    """What was copied is no backup: give the disk its room back."""
    with suppress(OSError):
        if made:
            shutil.rmtree(out)
        else:
            for path in out.iterdir():
                path.unlink()
