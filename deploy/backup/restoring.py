"""A backup becomes a home again: proven first, into folders and topics that hold nothing."""

from __future__ import annotations

import hashlib
import shutil
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from dashboards.ledger.ledger import LedgerHead, MemoryFailed
from deploy.backup import manifest as manifests
from deploy.backup.checking import check
from deploy.backup.manifest import ANOTHER, CHUNK, CopiedFile, Manifest, sha256_of, to_disk
from deploy.console.case_files import case_files_folder
from deploy.console.desk_memory import FILE as MEMORY
from deploy.console.desk_memory import memory_failed, memory_of, users_folder
from deploy.errors import UserError
from deploy.private_files import files_in
from deploy.progress import Advance, progress
from deploy.settings import Settings
from schemas.answers import FOLD_VERSION
from schemas.topics import DESK

STAGING: Final = "restoring"  # in the data folder, until all of it is in place
_SPARE: Final = 64 << 20
_OTHERS: Final = frozenset({"demo", "stack"})  # folders of their own below the usual data folder


class Restored(NamedTuple):
    """What was put where; `left` are files that people put in place themselves, `copy` is the backup's folder."""

    copy: Path
    manifest: Manifest
    placed: list[Path]
    left: list[Path]


def weighed_anew(manifest: Manifest) -> list[str]:
    """Where this release weighs the evidence about people in another order than the house that was copied: why."""
    if manifest.weighed == FOLD_VERSION:
        return []
    why = (
        f"its order is fold version {manifest.weighed}'s"
        if manifest.weighed
        else "its order is not in the copy"
    )
    return [f"evidence about people is weighed anew, for {why}: suspicions may come at other rounds"]


def restore(settings: Settings, folder: Path, digest: str | None) -> Restored:
    """Prove a backup, and put it into a home that holds nothing; before it is proven nothing is touched.

    Raises:
        UserError: it is not as it was written, or the home holds something.
        CaptureError: the brokers do not answer.
    """
    manifest = check(folder, digest)
    if manifest.mode != settings.mode:
        why = f"found a backup of mode {manifest.mode}, expected {settings.mode}, as the settings say"
        raise UserError(str(folder), why, f"set CATWALK_MODE={manifest.mode}")
    data, users = Path(settings.data), users_folder(settings)
    places = {"users": users, "attachment": case_files_folder(settings)}
    homes = {file.name: places.get(file.holds, data) for file in manifest.files if _is_placed(file)}
    staging = data / STAGING
    _refuse_used(dict.fromkeys((data, *homes.values(), users)), homes, manifest, staging)
    if manifest.partitions:
        from deploy.backup.topic_files import refuse_used_topics

        refuse_used_topics(settings, manifest)
    for home in dict.fromkeys((data, users, *homes.values())):
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
    placed = [
        file for file in manifest.files if file.name in homes and not (homes[file.name] / file.name).exists()
    ]
    _require_room(data, sum(file.bytes for file in placed))
    _stage(folder, staging)
    try:
        with progress("copy", sum(file.bytes for file in placed), "bytes") as copying:
            for file in placed:
                _copy(folder / file.name, staging / file.name, file, copying)
        if manifest.partitions:
            from deploy.backup.topic_files import put_back

            records = sum(file.records for file in manifest.of("topic"))
            with progress("topics", records, "records") as copying:
                put_back(settings, folder, manifest, copying)
        _remember(settings, manifest)
    except BaseException:
        if len(placed) == len(homes):  # nothing is in place yet: give the disk its room back
            shutil.rmtree(staging)
        raise
    for file in placed:
        _place(staging / file.name, homes[file.name] / file.name)
    shutil.rmtree(staging)
    to_disk(data)
    left = [folder / file.name for file in manifest.files if file.holds in ("settings", "keys")]
    return Restored(folder, manifest, [homes[name] / name for name in homes], left)


def _stage(folder: Path, staging: Path) -> None:
    """Begin with an empty folder that bears the manifest: by it a restore that was interrupted here is known."""
    if staging.exists():
        shutil.rmtree(staging)
    staging.mkdir(mode=0o700)
    (staging / manifests.FILE).write_bytes((folder / manifests.FILE).read_bytes())
    to_disk(staging / manifests.FILE)


def _is_placed(file: CopiedFile) -> bool:
    return file.holds not in ("topic", "settings", "keys", "answers")


def _refuse_used(homes: dict[Path, None], files: dict[str, Path], manifest: Manifest, staging: Path) -> None:
    """Refuse folders that hold anything of Catwalk's but what an interrupted restore of this backup left."""
    begun = _same(staging, manifest)
    if staging.exists() and not (staging / manifests.FILE).exists() and any(staging.iterdir()):
        why = f"found {staging.name}, which no restore has made, expected a home that holds nothing"
        raise UserError(str(staging.parent), why, "move it away, or name another home by CATWALK_DATA")
    hashes = {file.name: file.sha256 for file in manifest.files}
    for home in homes:
        there = {path for path in files_in(home) if path.name not in _OTHERS}
        there |= {home / name for name in files if files[name] == home and (home / name).exists()}
        for path in sorted(there):
            ours = path.is_file() and sha256_of(path) == hashes.get(path.name)
            if begun and (ours or path.name.startswith(MEMORY)):
                continue
            why = f"found {path.name}, expected a home that holds nothing"
            raise UserError(str(home), why, "name another by CATWALK_DATA, or move what is there away")


def _same(staging: Path, manifest: Manifest) -> bool:
    if not (staging / manifests.FILE).is_file():
        return False
    try:
        return manifests.read(staging).digest == manifest.digest
    except UserError:
        return False


def _require_room(data: Path, size: int) -> None:
    free = shutil.disk_usage(data).free
    if size + _SPARE > free:
        why = f"{size / 1e6:,.1f} MB are to be restored, {free / 1e6:,.1f} MB are free"
        raise UserError(str(data), why, "make room, or name a folder on another disk by CATWALK_DATA")


def _copy(source: Path, target: Path, file: CopiedFile, copying: Advance) -> None:
    """Copy a file onto the disk; what was read is what was proven, or it is refused."""
    hashed = hashlib.sha256()
    with source.open("rb") as read, target.open("wb") as written:
        target.chmod(0o600)
        while chunk := read.read(CHUNK):
            hashed.update(chunk)
            written.write(chunk)
            copying(len(chunk))
    if hashed.hexdigest() != file.sha256:
        why = f"altered meanwhile: found SHA-256 {hashed.hexdigest()}, expected {file.sha256}"
        raise UserError(str(source), why, ANOTHER)
    to_disk(target)


def _place(staged: Path, target: Path) -> None:
    """Move a file into its home; across disks by a copy that is moved there whole."""
    if staged.stat().st_dev != target.parent.stat().st_dev:
        partial = target.with_name(f"{target.name}.partial")
        shutil.copyfile(staged, partial)
        partial.chmod(0o600)
        to_disk(partial)
        staged = partial
    try:
        target.hardlink_to(staged)  # unlike a rename it never takes the place of what somebody made meanwhile
    except FileExistsError as error:
        why = "somebody made it while the backup was put back"
        raise UserError(
            str(target), why, "stop whatever works there, move it away, and restore again"
        ) from error
    except OSError:  # a disk that knows no links
        staged.rename(target)
    to_disk(target.parent)
    staged.unlink(missing_ok=True)


def _remember(settings: Settings, manifest: Manifest) -> None:
    """Let the console know the desk's last record, so that one who cuts the restored desk is found out."""
    for file in manifest.files:
        if (file.holds == "desk" or file.topic == DESK.name) and file.tables:
            end = file.tables[0]
            try:
                with closing(memory_of(settings)) as memory:
                    memory.remember(LedgerHead(end.sequence, end.head))
            except MemoryFailed as error:
                raise memory_failed(error) from error
