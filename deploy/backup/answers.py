"""What the old house had answered, as a file of its copy: a restored house is held against it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from dashboards.ledger.acts import DeskRecord, Raised
from deploy.backup.checking import check_bytes
from deploy.backup.manifest import ANOTHER, CopiedFile, sha256_of, to_disk
from deploy.backup.manifest import read as read_manifest
from deploy.configured.store import open_store
from deploy.errors import UserError
from deploy.settings import Settings
from processors.runtime.rebuild.settled import SettledAnswers, answered_otherwise, settled_answers
from processors.runtime.store.shapes import CHECK
from processors.runtime.store.warehouse import Warehouse
from producers.copies.topic_copy import read
from producers.kafka.chain_topic import following
from producers.log import EMPTY, Head
from schemas.answers import FOLD_VERSION
from schemas.findings import Finding
from schemas.topics import DESK, EVENTS

ANSWERS: Final = "answers.json"
_AT_ONCE: Final = 500  # findings that are asked for together


class KeptAnswers(Struct, kw_only=True):
    """Of the settled part of each table the digests, and which alerts the record did not bear out any more.

    `counted` says that an analyst had worked: suspicions about people are answers too.
    """

    settled: SettledAnswers
    unlike: list[str] = []
    counted: bool = False


_act = msgspec.json.Decoder(DeskRecord).decode
_finding = msgspec.json.Decoder(Finding).decode


def write_answers(settings: Settings, folder: Path, files: Sequence[CopiedFile], fold: int) -> CopiedFile:
    """Write, onto the disk, what the store holds about the settled part of the copied record.

    Raises:
        WarehouseError: the store does not answer.
    """
    path = folder / ANSWERS
    path.write_bytes(msgspec.json.encode(_kept(settings, folder, files, fold)))
    path.chmod(0o600)
    to_disk(path)
    return CopiedFile(name=ANSWERS, holds="answers", bytes=path.stat().st_size, sha256=sha256_of(path))


class OldHouse:
    """The house that was copied, as its copy tells what it had answered."""

    def __init__(self, folder: Path) -> None:
        """Read the answers, and prove the files that are needed.

        Raises:
            UserError: the copy holds no answers, or is not as it was written.
        """
        manifest = read_manifest(folder)
        if manifest.unanswered:
            raise UserError(
                str(folder), f"it holds no answers: {manifest.unanswered}", "rebuild without --against"
            )
        self._folder = folder
        self._files = [*manifest.of("answers"), *(file for file in manifest.files if file.topic == DESK.name)]
        for file in self._files:
            check_bytes(folder, file, lambda _done: None)
        self._kept = _read(folder)

    @property
    def counted(self) -> bool:
        """Whether an analyst had worked there."""
        return self._kept.counted

    def differences(self, store: Warehouse) -> list[str]:
        """Where a store answers otherwise: by table and event, and by alert.

        What another version of the fold had made is not compared; alerts are.

        Raises:
            WarehouseError: the store does not answer.
        """
        settled, known = self._kept.settled, set(self._kept.unlike)
        told = answered_otherwise(settled, store) if settled.fold == FOLD_VERSION else []
        unlike = _told_otherwise(_raised(self._folder, self._files), store)
        return [*told, *(said for alert, said in unlike.items() if alert not in known)]


def _kept(settings: Settings, folder: Path, files: Sequence[CopiedFile], fold: int) -> KeptAnswers:
    last: dict[str, int] = {}
    for file in files:
        if file.topic == EVENTS.name:
            for table in file.tables:
                last[table.subject] = max(last.get(table.subject, 0), table.sequence)
    with closing(open_store(settings, fold)) as store:
        unlike = list(_told_otherwise(_raised(folder, files), store))
        [[counters]] = store.query("SELECT count() FROM counters")
        return KeptAnswers(settled=settled_answers(store, fold, last), unlike=unlike, counted=counters > 0)


def _read(folder: Path) -> KeptAnswers:
    try:
        return msgspec.json.decode((folder / ANSWERS).read_bytes(), type=KeptAnswers)
    except (OSError, msgspec.MsgspecError) as error:
        raise UserError(str(folder / ANSWERS), f"altered or cut off: {error}", ANOTHER) from error


def _raised(folder: Path, files: Iterable[CopiedFile]) -> Iterator[Finding]:
    """The findings of which alerts were made, as the copied desk has them."""
    head: Head = EMPTY
    for file in files:
        if file.topic != DESK.name:
            continue
        for record in read(folder / file.name):
            for after, line in following(head, record.value):
                head = after
                finding = _finding_of(line)
                if finding is not None and finding.check != CHECK:
                    yield finding


def _finding_of(line: bytes) -> Finding | None:
    try:
        act = _act(line).data
    except msgspec.MsgspecError:
        return None  # an act that another release knows
    return act.finding if isinstance(act, Raised) else None


def _told_otherwise(raised: Iterable[Finding], store: Warehouse) -> dict[str, str]:
    """By alert, where the record does not give its finding as it was raised."""
    of = {one.finding_id: one for one in raised}
    now: dict[str, Finding] = {}
    ids = sorted(filter(str.isalnum, of))
    for begin in range(0, len(ids), _AT_ONCE):
        asked = ", ".join(f"'{one}'" for one in ids[begin : begin + _AT_ONCE])
        for (record,) in store.query(f"SELECT record FROM findings FINAL WHERE finding_id IN ({asked})"):
            found = _finding(record)
            now[found.finding_id] = found
    return {
        alert: f"alert {alert[:8]} of table {one.subject}, event {one.sequence:,}: {_unlike(one, now.get(alert))}"
        for alert, one in of.items()
        if alert not in now or now[alert].said != one.said
    }


def _unlike(raised: Finding, now: Finding | None) -> str:
    if now is None:
        return f"raised for “{raised.message}”; the record gives no such finding"
    return (
        f"raised for “{raised.message}” ({raised.verdict}); the record gives “{now.message}” ({now.verdict})"
    )
