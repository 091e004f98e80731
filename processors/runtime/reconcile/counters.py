"""The analyst's counters held against those of the ledger folded once more.

A counter grows while it is looked at: one that covers less than the ledger gave when the comparison began is missing
what it lacks, one that covers as much must say the same, and one that covers more than the ledger gives now is extra.
Between the two nothing can be said, and nothing is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from processors.runtime.analyst.tallies import TableTally
from processors.runtime.brokers.records import Message
from processors.runtime.reconcile.proven import NOTHING_COUNTED, CountedTables
from processors.runtime.reconcile.reconciler import Reconciler
from processors.runtime.reconcile.stretches import Kind, Stretch
from processors.runtime.store.warehouse import Row, Warehouse
from schemas.counters import CounterMessage
from schemas.messages import FindingMessage, RoundMessage
from schemas.topics import FINDINGS, ROUNDS
from schemas.warehouse import RELATIONS

Key = tuple[Any, ...]
_RELATION: Final = RELATIONS["counters"]
_NAMES: Final = _RELATION.column_names
_KEY: Final = _RELATION.of(*_RELATION.key)
_COVERS: Final = _RELATION.at("covers")
_SUBJECT: Final = _RELATION.at("subject")
_LAST: Final = _RELATION.at("last_sequence")
_TABLES: Final = msgspec.msgpack.Decoder(list[TableTally]).decode
_ROUND: Final = msgspec.json.Decoder(RoundMessage).decode
_FINDING: Final = msgspec.json.Decoder(FindingMessage).decode


class Counted:
    """What an analyst counts of these messages; the last counter of each key covers most."""

    def __init__(self, before: CountedTables = NOTHING_COUNTED) -> None:
        """Go on from what was counted before."""
        self._tables = {table.subject: table for table in before.tables}
        self._given: dict[Key, Row] = {}
        for counter in before.counters:
            self._put(counter)
        self._owed: dict[Key, Row] = {}
        self._wrong: list[Key] = []

    def take(self, messages: Iterable[Message]) -> None:
        """Count rounds and findings; other messages are none of its business."""
        for message in messages:
            if message.topic is ROUNDS:
                told = _ROUND(message.value)
                table = self._table(told.round.subject)
                changed = table.take_round(told)
            elif message.topic is FINDINGS:
                found = _FINDING(message.value)
                table = self._table(found.finding.subject)
                changed = table.take_finding(found)
            else:
                continue
            for grain in changed:
                self._put(table.counter(grain))

    def state(self) -> CountedTables:
        """What has been counted so far."""
        tables = msgspec.msgpack.encode([*self._tables.values()])  # they go on changing
        counters = [CounterMessage(**dict(zip(_NAMES, row, strict=True))) for row in self._given.values()]
        return CountedTables(_TABLES(tables), counters)

    def cut(self) -> None:
        """The store owes what has been counted so far."""
        self._owed = dict(self._given)

    def compare(self, store: Warehouse, into: Reconciler) -> None:
        """Hold the store's counters against these; a repair takes the wrong ones out.

        Raises:
            WarehouseError: the store does not answer, or does not take a repair.
        """
        rows = store.query(f"SELECT {', '.join(_NAMES)} FROM counters FINAL")
        stored = {_KEY(row): row for row in rows}
        for key in sorted(stored.keys() | self._owed.keys(), key=str):
            kind = self._kind(key, stored.get(key))
            if kind is None:
                continue
            row = self._owed.get(key) or stored[key]
            into.differs(Stretch("counters", row[_SUBJECT], row[_LAST], row[_LAST], kind, 1))
            self._wrong.append(key)
        into.put_right("counters", [key for key in self._wrong if key in stored], [])

    @property
    def differs(self) -> bool:
        """Whether some were wrong: a repair waits for `put_back`."""
        return bool(self._wrong)

    def put_back(self, into: Reconciler) -> None:
        """Store counters for those that a repair took out.

        All that an analyst may have counted until then must have been taken here: what it stored in the meantime, and
        may be gone with what was wrong, covers no more than these.

        Raises:
            WarehouseError: the store does not take them.
        """
        into.put_right("counters", [], [self._given[key] for key in self._wrong if key in self._given])

    def _kind(self, key: Key, held: Row | None) -> Kind | None:
        owed, given = self._owed.get(key), self._given.get(key)
        if held is None:
            return "missing"
        if given is None:
            return "extra"
        covers = held[_COVERS]
        if covers > given[_COVERS] or (owed is not None and covers < owed[_COVERS]):
            return "different"
        for known in (owed, given):
            if known is not None and known[_COVERS] == covers:
                return None if known == held else "different"
        return None

    def _table(self, subject: str) -> TableTally:
        return self._tables.setdefault(subject, TableTally(subject=subject))

    def _put(self, counter: CounterMessage) -> None:
        row = _RELATION.row(**msgspec.structs.asdict(counter))
        known = self._given.get(_KEY(row))
        if known is None or row[_COVERS] >= known[_COVERS]:
            self._given[_KEY(row)] = row
