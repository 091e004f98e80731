"""A backup held against its manifest: sizes, hashes, forms, chains, and that no act speaks of an event it lacks."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from dashboards.accounts.accounts_file import VERSION as ACCOUNTS_FORM
from deploy.backup.manifest import ANOTHER, CopiedFile, Manifest, read, sha256_of
from deploy.backup.spoken import Spoken
from deploy.errors import UserError
from deploy.progress import Advance, progress
from producers.copies.chains import Break, TableEnd, counted, walk, written_ends
from producers.copies.pinned import opened_copy
from producers.sqlite_schema import VERSION as LEDGER_FORM
from schemas.amounts import amount
from schemas.topics import DESK

LEDGERS: Final = ("ledger", "desk", "journal")


def check(folder: Path, digest: str | None) -> Manifest:
    """Hold a backup against its manifest.

    Raises:
        UserError: it is none, or not as it was written.
    """
    manifest = read(folder, digest)
    known = {(one.file, one.subject, one.sequence) for one in manifest.breaks}
    for one in examine(folder, manifest):
        if (one.file, one.subject, one.sequence) not in known:
            what = f"{folder / one.file}: table {one.subject}, record {one.sequence}"
            raise UserError(what, f"altered: found that {one.why}, expected an unbroken chain", ANOTHER)
    return manifest


def examine(folder: Path, manifest: Manifest) -> list[Break]:
    """Hold the files of a folder against a manifest, and walk their chains; what breaks them.

    Raises:
        UserError: a file is missing, altered, cut off, or of a newer release.
    """
    with progress("read", manifest.bytes, "bytes") as advance:
        for file in manifest.files:
            check_bytes(folder, file, advance)
    with progress("prove", sum(file.records for file in manifest.files), "records") as advance:
        return _proven(folder, manifest, advance)


def _proven(folder: Path, manifest: Manifest, advance: Advance) -> list[Break]:
    breaks: list[Break] = []
    spoken, there, desk = Spoken(), dict[str, int](), ""
    for file in manifest.files:
        path = folder / file.name
        if file.holds == "desk" or file.topic == DESK.name:
            desk = file.name
        if file.holds in LEDGERS:
            breaks += _walked(path, file, advance, spoken.take if file.holds == "desk" else None)
            if file.holds == "ledger":
                there = {end.subject: end.sequence for end in file.tables}
        elif file.holds == "users":
            _check_users(path, file)
        elif file.holds == "topic":
            # The client library costs a fifth of a second to import, and embedded copies have no topics.
            from deploy.backup.topic_files import check_topic

            check_topic(path, file, advance, spoken, there)
    return [*breaks, *spoken.missing(desk, there)]


def check_bytes(folder: Path, file: CopiedFile, advance: Advance) -> None:
    """Hold size and hash of a file against what the manifest says.

    Raises:
        UserError: they are others.
    """
    path = folder / file.name
    if not path.is_file():
        raise UserError(str(path), f"missing: found no file, expected {file.bytes:,} bytes", ANOTHER)
    size = path.stat().st_size
    if size != file.bytes:
        why = (
            f"{'cut off' if size < file.bytes else 'altered'}: found {size:,} bytes, expected {file.bytes:,}"
        )
        raise UserError(str(path), why, ANOTHER)
    found = sha256_of(path, advance)
    if found != file.sha256:
        raise UserError(str(path), f"altered: found SHA-256 {found}, expected {file.sha256}", ANOTHER)


def _walked(
    path: Path, file: CopiedFile, advance: Advance, look: Callable[[int, bytes], None] | None
) -> list[Break]:
    require_form(path, file.form, LEDGER_FORM)
    try:
        with closing(opened_copy(path)) as connection:
            breaks = walk(connection, file.name, advance, look)
            found = written_ends(connection)
            records, letters = counted(connection)
    except sqlite3.Error as error:
        raise UserError(str(path), f"damaged: {error}; expected a ledger", ANOTHER) from error
    require_ends(path, file, found)
    if (records, letters) != (file.records, file.letters):
        why = f"altered: found {amount(records, 'record')} and {amount(letters, 'dead letter')}"
        raise UserError(str(path), f"{why}, expected {file.records:,} and {file.letters:,}", ANOTHER)
    return breaks


def require_ends(path: Path, file: CopiedFile, ends: list[TableEnd]) -> None:
    """Hold the ends of tables against those of the manifest.

    Raises:
        UserError: they are others.
    """
    if ends != file.tables:
        found = next((end for end in ends if end not in file.tables), None)
        wanted = next((end for end in file.tables if end not in ends), None)
        raise UserError(str(path), f"altered: found {_told(found)}, expected {_told(wanted)}", ANOTHER)


def _told(end: TableEnd | None) -> str:
    return "no such table" if end is None else f"table {end.subject} up to record {end.sequence} ({end.head})"


def _check_users(path: Path, file: CopiedFile) -> None:
    require_form(path, file.form, ACCOUNTS_FORM)
    try:
        with closing(opened_copy(path)) as connection:
            (said,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            (users,) = connection.execute("SELECT count(*) FROM users").fetchone()
    except sqlite3.Error as error:
        raise UserError(str(path), f"damaged: {error}; expected users of a console", ANOTHER) from error
    if said != "ok" or users != file.records:
        raise UserError(
            str(path), f"damaged: found {said}, {amount(users, 'user')}, expected {file.records}", ANOTHER
        )


def require_form(path: Path, found: int | None, known: int) -> None:
    """Refuse a database that a newer release made.

    Raises:
        UserError: it is of a form this release does not know.
    """
    if found is None or found > known:
        why = f"of another release: found form {found}, expected at most {known}"
        raise UserError(str(path), why, "restore it with the release that made it, or a newer one")
