"""How far a store's fold has come, checked against the ledger, and rows that a crash left without progress."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from processors.pipeline import TablePipeline
from processors.runtime.embedded.people import EmbeddedPeople, is_of_people
from processors.runtime.ledger import Ledger
from processors.runtime.store import warehouse as port
from processors.runtime.store.rows import Rows, progress_row
from processors.runtime.store.warehouse import Row, Warehouse
from schemas.answers import FOLD_VERSION
from schemas.events.codec import record_hash
from schemas.warehouse import RELATIONS

QUARANTINE = ""  # no table is named so: its row counts the ledger's quarantine

Key = tuple[object, ...]
_UNREADABLE = (msgspec.MsgspecError, KeyError, TypeError, ValueError)
_HELD = {  # key within the table, and hash, of the rows that are compared
    "rounds": RELATIONS["rounds"].of("round", "first_sequence", "row_hash"),
    "findings": RELATIONS["findings"].of("finding_id", "row_hash"),
}


class StoreOfAnotherLedger(port.WarehouseError):
    """The store's progress does not fit the ledger it is given."""


class StoreDiverged(port.WarehouseError):
    """Folding the same records again gave other rows than the store holds."""


@dataclass(slots=True)
class EmbeddedPlace:
    """A table's fold; `unsaid` are hashes of rows that a crash left stored without progress behind them."""

    pipeline: TablePipeline
    next_sequence: int = 1
    last_line: bytes = b""
    unsaid: dict[Key, int] = field(default_factory=dict)

    def row(self, subject: str, position: int) -> Row:
        """The progress of this table, once everything up to `position` of the ledger is stored."""
        head = record_hash(self.last_line)
        return progress_row(subject, self.next_sequence, position, head, self.pipeline.snapshot())

    def refuse_divergence(self, subject: str, rows: Rows) -> None:
        """Compare rows that are folded again with those that are stored.

        Raises:
            StoreDiverged: a defect, of the fold or of the store; never an update.
        """
        for *key, row_hash in (held(row) for name, held in _HELD.items() for row in rows.get(name, ())):
            if self.unsaid.pop(tuple(key), row_hash) != row_hash:
                why = f"its row {tuple(key)} of table {subject} is not what folding the records gives"
                remedy = "remove the store's folder, it is folded again from the ledger; and report this"
                raise StoreDiverged("the store", why, remedy)


@dataclass(slots=True)
class Resumed:
    """Where a fold goes on."""

    places: dict[str, EmbeddedPlace]
    people: EmbeddedPeople
    position: int = 0
    next_letter: int = 1


def resume(ledger: Ledger, warehouse: Warehouse, readings: Mapping[str, str]) -> Resumed:
    """Where the warehouse's progress says that the fold of this ledger goes on.

    What an older fold wrote is removed, and all is folded again.

    Raises:
        StoreOfAnotherLedger: the progress does not fit this ledger.
        StoreOfAnotherRelease: a newer fold wrote it.
    """
    found = Resumed({}, EmbeddedPeople())
    for subject, next_sequence, position, head, snapshot in _progress(warehouse):
        if is_of_people(subject):
            _adopt(found.people, subject, snapshot)
            continue
        found.position = max(found.position, position)
        if subject == QUARANTINE:
            found.next_letter = next_sequence
            continue
        line = _line_before(ledger, subject, next_sequence, head)
        pipeline = _restored(subject, snapshot, readings)
        found.places[subject] = EmbeddedPlace(pipeline, next_sequence, line)
    if any(subject not in found.places for subject in ledger.subjects()):
        found.position = 0  # where its records begin nobody says: those of the others are passed over
    for subject in ledger.subjects():
        place = found.places.setdefault(subject, EmbeddedPlace(TablePipeline(subject, readings)))
        place.unsaid = _stored_from(warehouse, subject, place.next_sequence)
    return found


def _progress(warehouse: Warehouse) -> list[Row]:
    rows = warehouse.query(
        "SELECT subject, next_sequence, position, chain_head, snapshot_base64, fold_version"
        " FROM progress FINAL ORDER BY subject"
    )
    versions = {version for *_, version in rows}
    if any(version > FOLD_VERSION for version in versions):
        why = f"fold {max(versions)} wrote it; this release folds by {FOLD_VERSION}"
        raise port.StoreOfAnotherRelease("the store", why, "use the release that wrote it, or a newer one")
    if any(version < FOLD_VERSION for version in versions):
        warehouse.clear()
        return []
    return [row[:-1] for row in rows]


def _restored(subject: str, snapshot: str, readings: Mapping[str, str]) -> TablePipeline:
    try:
        return TablePipeline.restore(base64.b64decode(snapshot), readings)
    except _UNREADABLE as error:
        raise _unreadable(f"table {subject}") from error


def _adopt(people: EmbeddedPeople, key: str, snapshot: str) -> None:
    try:
        people.restore(key, snapshot)
    except _UNREADABLE as error:
        raise _unreadable(key) from error


def _unreadable(whose: str) -> StoreDiverged:
    why = f"the state that it keeps of {whose} cannot be read"
    return StoreDiverged("the store", why, "`catwalk reconcile --repair` makes it from the ledger")


def _line_before(ledger: Ledger, subject: str, next_sequence: int, head: str) -> bytes:
    found = next(ledger.read_from(subject, next_sequence - 1), None)
    if found is None or found[0] != next_sequence - 1 or record_hash(found[1]) != head:
        why = f"record {next_sequence - 1} of table {subject} is not the one it was folded from"
        remedy = "name the ledger it was folded from, or remove the store's folder: it is folded again"
        raise StoreOfAnotherLedger("the store", why, remedy)
    return found[1]


def _stored_from(warehouse: Warehouse, subject: str, next_sequence: int) -> dict[Key, int]:
    beyond: dict[str, port.Parameter] = {"subject": subject, "next": next_sequence}
    rounds = warehouse.query(
        "SELECT round, first_sequence, row_hash FROM rounds FINAL"
        " WHERE subject = {subject:String} AND last_sequence >= {next:UInt32}",
        beyond,
    )
    findings = warehouse.query(
        "SELECT finding_id, row_hash FROM findings FINAL"
        " WHERE subject = {subject:String} AND sequence >= {next:UInt32}",
        beyond,
    )
    return {tuple(key): row_hash for *key, row_hash in (*rounds, *findings)}
