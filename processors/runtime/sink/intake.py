"""Kafka records as rows of the warehouse, for each topic; pure."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import msgspec

from processors.runtime.brokers.records import LedgerRecord, Place, Taken, content_type_of, lines_of, table_of
from processors.runtime.sink.admission import Admission
from processors.runtime.sink.kept import offset_rows
from processors.runtime.store.event_rows import add_event
from processors.runtime.store.rows import (
    Owner,
    Rows,
    add_rounds,
    dead_letter_row,
    finding_row,
    progress_row,
)
from processors.runtime.store.warehouse import Row
from schemas.answers import FOLD_VERSION
from schemas.counters import CounterMessage
from schemas.errors import ActionableError
from schemas.events.codec import Malformed, decode
from schemas.messages import (
    DeadLetterMessage,
    FindingMessage,
    RoundMessage,
    TableSnapshot,
    checkpoint_key,
    dead_letter,
)
from schemas.topics import COUNTERS, DEADLETTER, EVENTS, FINDINGS, ROUNDS, SNAPSHOTS
from schemas.warehouse import RELATIONS

AGAIN: Final = "events again"


@dataclass(slots=True)
class Intake:
    """Rows of records that were taken and not yet stored, and the offsets to commit when they are.

    `admissions` decide by partition of the ledger which of its lines are rows; they go on from one intake to the next.
    Of a partition that has none every event is a row.
    """

    admissions: Mapping[int, Admission] = field(default_factory=dict)
    rows: Rows = field(default_factory=dict)
    offsets: dict[Place, int] = field(default_factory=dict)
    records: int = 0
    events: int = 0
    size: int = 0
    oldest: float = 0.0
    unreadable: int = 0

    @property
    def count(self) -> int:
        """Rows it holds."""
        return sum(len(rows) for rows in self.rows.values())

    def take(self, record: Taken) -> None:
        """Add the rows of a record; an unreadable record becomes a dead letter, and nothing stops for it."""
        self.records += 1
        self.size += len(record.value or b"")
        self.oldest = min(self.oldest, record.at) if self.oldest else record.at
        self.offsets[record.place] = record.offset + 1
        if record.place[0] == EVENTS.name:
            self._events(record)
        elif (
            record.value is not None
        ):  # a tombstone removes its key from a compacted topic; the store removes nothing
            try:
                if record.place[0] == SNAPSHOTS.name:
                    _add_snapshot(self.rows, record.key, record.value)
                else:
                    _TAKERS[record.place[0]](self.rows, record.value)
            except (msgspec.MsgspecError, KeyError, ValueError, TypeError) as error:
                self._unreadable(record, f"{type(error).__name__}: {error}")

    def progress(self) -> list[Row]:
        """Rows that say how far everything is stored once this is; of the ledger no less far than it was before."""
        offsets, states = dict(self.offsets), dict[Place, bytes]()
        for number, admission in self.admissions.items():
            place = EVENTS.name, number
            if place in offsets:
                offsets[place], states[place] = admission.next_offset, admission.state()
        return offset_rows(offsets, states)

    def _events(self, record: Taken) -> None:
        """Lines that are not of the record are left to the fold, which sends them back as dead letters."""
        admission = self.admissions.get(record.place[1])
        if admission is None:
            self._all_events(record, self.rows)
        elif record.offset < admission.next_offset:
            # All of it that is of the record is stored: what is there is held against it, and nothing is added.
            again: Rows = {}
            self._all_events(record, again)
            self.rows.setdefault(AGAIN, []).extend(again.get("events", ()))
        else:
            for event, line in admission.take(LedgerRecord.taken(record)):
                self.events += 1
                add_event(self.rows, event, line)

    def _all_events(self, record: Taken, rows: Rows) -> None:
        subject = table_of(record.key)
        if subject is None or record.value is None:
            return
        for line in lines_of(record.value, content_type_of(record.headers)):
            self.events += 1
            try:
                event = decode(line, subject=subject)
            except Malformed:
                continue
            if event.subject == subject:
                add_event(rows, event, line)

    def _unreadable(self, record: Taken, reason: str) -> None:
        value = record.value or b""
        origin = f"{record.place[0]}/{record.place[1]}@{record.offset}"
        digest = hashlib.sha256(value + origin.encode()).digest()
        number = int.from_bytes(digest[:8]) >> 1 or 1
        letter = dead_letter(
            value, reason, dt.datetime.fromtimestamp(record.at, dt.UTC), origin, number=number
        )
        self.unreadable += 1
        self.rows.setdefault("dead_letters", []).append(dead_letter_row(letter))


class NewerFold(ActionableError):
    """A newer fold made this: what its results say this release may not even know the names of."""

    def __init__(self, fold: int) -> None:
        why = (
            f"fold {fold} writes to the topics, and this release stores what folds up to {FOLD_VERSION} make"
        )
        remedy = "start the sinks of the newer release: they store what older folds make too"
        super().__init__("catwalk sink", why, remedy)


def _made_by(fold: int) -> int:
    """The version of the fold that made this.

    Raises:
        NewerFold: it is newer than this release: stored by us, it would lose what we do not know of.
    """
    if fold > FOLD_VERSION:
        raise NewerFold(fold)
    return fold


def _add_round(rows: Rows, value: bytes) -> None:
    told = _ROUND(value)
    add_rounds(rows, (told.round,), told.at, Owner(told.property, told.dealer), _made_by(told.fold))


def _add_finding(rows: Rows, value: bytes) -> None:
    told = _FINDING(value)
    row = finding_row(told.finding, told.at, fold=_made_by(told.fold))
    rows.setdefault("findings", []).append(row)


def _add_dead_letter(rows: Rows, value: bytes) -> None:
    letter = _LETTER(value)
    if letter.fold not in (0, FOLD_VERSION):
        return  # the topic holds those of gateways, and so is shared: each fold sets the ledger's lines aside anew
    bounded = msgspec.structs.replace(letter, number=letter.number & (2**63 - 1))
    rows.setdefault("dead_letters", []).append(dead_letter_row(bounded))


def _add_counter(rows: Rows, value: bytes) -> None:
    row = RELATIONS["counters"].row(**msgspec.structs.asdict(_COUNTER(value)))
    rows.setdefault("counters", []).append(row)


def _add_snapshot(rows: Rows, key: bytes | None, value: bytes) -> None:
    if key is not None and key.startswith(_CHECKPOINT):
        return  # a partition's, not a table's
    table = _SNAPSHOT(value)
    row = progress_row(
        table.subject,
        table.next_sequence,
        table.next_offset,
        table.chain_head,
        table.pipeline,
        _made_by(table.fold_version),
    )
    rows.setdefault("progress", []).append(row)


_ROUND = msgspec.json.Decoder(RoundMessage).decode
_FINDING = msgspec.json.Decoder(FindingMessage).decode
_LETTER = msgspec.json.Decoder(DeadLetterMessage).decode
_COUNTER = msgspec.json.Decoder(CounterMessage).decode
_SNAPSHOT = msgspec.msgpack.Decoder(TableSnapshot).decode
_CHECKPOINT = checkpoint_key(0)[:-1]
_TAKERS: dict[str, Callable[[Rows, bytes], None]] = {
    ROUNDS.name: _add_round,
    FINDINGS.name: _add_finding,
    DEADLETTER.name: _add_dead_letter,
    COUNTERS.name: _add_counter,
}
