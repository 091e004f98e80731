"""What a backup says of itself: its files, their hashes, where each table ends; written last, and read first."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct, field

from deploy.errors import UserError
from deploy.progress import Advance
from producers.copies.chains import Break, TableEnd

FILE: Final = "manifest.json"
FORMAT: Final = 2
_READ: Final = (1, FORMAT)  # 1 had no observations and no answers
CHUNK: Final = 1 << 20
ANOTHER: Final = "restore from another copy"

Holds = Literal[
    "ledger",
    "desk",
    "journal",
    "users",
    "demonstration",
    "settings",
    "keys",
    "topic",
    "attachment",
    "answers",
]


class CopiedFile(Struct, kw_only=True):
    """A file of the copy; `form` is the number of its form where it is a database.

    Of a ledger, a desk, a journal or a partition of a topic it says how many records there are and where each table
    ends; of a partition also from which offset to before which, and of a topic that each version of the fold has for
    itself the version.
    """

    name: str
    holds: Holds
    bytes: int = 0
    sha256: str = ""
    form: int | None = None
    records: int = 0
    letters: int = 0
    tables: list[TableEnd] = field(default_factory=list)
    topic: str | None = None
    fold: int = 0
    partition: int = 0
    begins: int = 0
    ends: int = 0


class Manifest(Struct, kw_only=True):
    """A whole backup; `cut` is the moment of which it is, RFC 3339 in UTC; `digest` is of all the rest.

    `partitions` is the number of the ledger's topic, 0 where no topics were copied. `settings` are those that were in
    force and are not the default, `secrets` the names of the secret ones: what they say is in no backup. `breaks` is
    what was not as it was written already when it was made. `withheld` says why a copy of topics holds no answers.
    """

    format: int = FORMAT
    catwalk: str
    mode: Literal["embedded", "distributed"]
    cut: str
    files: list[CopiedFile]
    partitions: int = 0
    settings: dict[str, Any] = field(default_factory=dict)
    secrets: list[str] = field(default_factory=list)
    breaks: list[Break] = field(default_factory=list)
    withheld: str = ""
    digest: str = ""

    @property
    def bytes(self) -> int:
        """Bytes of all files."""
        return sum(one.bytes for one in self.files)

    @property
    def events(self) -> int:
        """Events of the ledger: a topic's record may hold many, and the end of a table's chain counts them."""
        ends: dict[str, int] = {}
        for one in self.files:
            if one.holds == "ledger" or one.topic == "catwalk.events":
                for table in one.tables:
                    ends[table.subject] = max(ends.get(table.subject, 0), table.sequence)
        return sum(ends.values())

    @property
    def weighed(self) -> int:
        """The version of the fold whose order of observations is in the copy; 0 where none is, or none is needed."""
        return max((one.fold for one in self.files), default=0)

    @property
    def unanswered(self) -> str:
        """Why it does not say what the house had answered; empty where it does."""
        if self.of("answers"):
            return ""
        return self.withheld or (
            "an older release made it" if self.partitions else "it is a copy without topics"
        )

    def records_of(self, topic: str, fold: int) -> list[CopiedFile]:
        """The partitions of a topic that a house with this version of the fold takes: none of another version's own."""
        return [one for one in self.files if one.topic == topic and one.fold in (0, fold)]

    def of(self, holds: Holds) -> list[CopiedFile]:
        """The files that hold this."""
        return [one for one in self.files if one.holds == holds]


class _Form(Struct):
    format: int
    catwalk: str = "?"


def digest_of(said: Mapping[str, Any]) -> str:
    """SHA-256 of everything a manifest says but the digest itself, hex: also of what this release does not know."""
    plain = {name: value for name, value in said.items() if name != "digest"}
    return hashlib.sha256(msgspec.json.encode(plain, order="sorted")).hexdigest()


def this_release() -> str:
    """The version of Catwalk that runs."""
    return version("catwalk")


def write(manifest: Manifest, folder: Path) -> None:
    """Make a folder a backup: the manifest stands there whole or not at all, and only when all else is on the disk."""
    manifest.digest = digest_of(msgspec.to_builtins(manifest))
    partial = folder / f"{FILE}.partial"
    partial.write_bytes(msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")
    to_disk(partial)
    to_disk(folder)
    partial.rename(folder / FILE)
    to_disk(folder)


def read(folder: Path, digest: str | None = None) -> Manifest:
    """The manifest of a backup; `digest` is what it was when the backup was made, if somebody has kept that.

    Raises:
        UserError: there is none, it was altered, or another release's.
    """
    path = folder / FILE
    if not folder.is_dir():
        raise UserError(str(folder), "there is no such folder", "name the folder of a backup")
    try:
        content = path.read_bytes()
    except FileNotFoundError as error:
        why = f"no backup: found no {FILE}, which is written last; expected one"
        remedy = "a backup that was interrupted is none: remove the folder, and restore from another copy"
        raise UserError(str(folder), why, remedy) from error
    try:
        form = msgspec.json.decode(content, type=_Form)
        if form.format not in _READ:
            age = "a newer" if form.format > FORMAT else "an older"
            known = " or ".join(map(str, _READ))
            why = f"a backup of {age} release (catwalk {form.catwalk}): found form {form.format}, expected {known}"
            remedy = f"restore it with catwalk {form.catwalk}, then upgrade as docs/distributed.md says"
            raise UserError(str(path), why, remedy)
        manifest = msgspec.json.decode(content, type=Manifest)
        found = digest_of(msgspec.json.decode(content))
    except msgspec.MsgspecError as error:
        raise UserError(str(path), f"altered or cut off: {error}", ANOTHER) from error
    if found != manifest.digest:
        why = f"altered: found content of digest {found}, expected {manifest.digest}"
        raise UserError(str(path), why, ANOTHER)
    names = [file.name for file in manifest.files]
    for name in names:
        if name != Path(name).name or name in ("", "..", FILE) or names.count(name) > 1:
            raise UserError(str(path), f"altered: found a file {name!r}, expected plain names", ANOTHER)
    if digest is not None and digest.strip().lower() != found:
        why = (
            f"another backup than the one that is asked for: found digest {found}, expected {digest.strip()}"
        )
        raise UserError(str(path), why, "name the folder of that backup, or leave --digest out")
    return manifest


def to_disk(path: Path) -> None:
    """Wait until a file, or the entries of a folder, are on the disk; the next reader reads from there."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
        if hasattr(os, "posix_fadvise") and path.is_file():
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(handle)


def sha256_of(path: Path, advance: Advance = lambda _done: None) -> str:
    """SHA-256 of a file, hex; `advance` is given bytes as they are read."""
    hashed = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            hashed.update(chunk)
            advance(len(chunk))
    return hashed.hexdigest()
