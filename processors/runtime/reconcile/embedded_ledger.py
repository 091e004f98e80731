"""An embedded ledger folded once more, for a comparison with its store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from processors.detectors.stages.entity_stage import by_key
from processors.pipeline import Outcome, TablePipeline
from processors.runtime.embedded.people import EmbeddedPeople
from processors.runtime.embedded.progress import EmbeddedPlace
from processors.runtime.ledger import Ledger, time_of
from processors.runtime.reconcile.marks import (
    Mark,
    Marks,
    letters_stored,
    people_marks,
    position_of,
    table_marks,
)
from processors.runtime.reconcile.reconciler import Reconciled, Reconciler
from processors.runtime.store.event_rows import add_event
from processors.runtime.store.rows import Rows, Stood, dead_letter_row, owner_of, rows_of
from processors.runtime.store.warehouse import Warehouse
from schemas.events.codec import decode


def hold_ledger(
    ledger: Ledger,
    store: Warehouse,
    *,
    repair: bool = False,
    advance: Callable[[int], None] = lambda _events: None,
) -> Reconciled:
    """Hold a store against its ledger; `advance` is told of events as they are folded.

    The store owes everything up to the position that its progress names. Rows behind that, which a crash may leave, it
    need not have, but they must be those that the ledger gives.

    Raises:
        WarehouseError: the store does not answer, or does not take a repair.
    """
    into = Reconciler(store, repair=repair)
    again = _LedgerAgain(ledger, store, into)
    stored = letters_stored(store)
    into.take(_letter_rows(ledger, 0, stored), {})
    for position, subject, sequence, line in ledger.tail():
        again.take(position, subject, sequence, line)
        advance(1)
    again.finish()
    into.take(_letter_rows(ledger, stored, 2**63), {})
    return into.finish()


def _letter_rows(ledger: Ledger, first: int, until: int) -> Rows:
    """Rows of the ledger's quarantine with numbers from `first`, up to `until` and without it."""
    letters = (one.message for one in ledger.quarantined())
    return {"dead_letters": [dead_letter_row(one) for one in letters if first <= one.number < until]}


class _LedgerAgain:
    """All tables and people of a ledger, from its first record."""

    def __init__(self, ledger: Ledger, store: Warehouse, into: Reconciler) -> None:
        self._ledger, self._into = ledger, into
        self._marks = Marks(into, table_marks(store), lambda mark: mark.next_sequence)
        self._people_marks = Marks(into, people_marks(store), position_of, placed=True)
        self._end = max((mark.position for mark in self._marks.of.values()), default=0)
        self._tables: dict[str, _TableAgain] = {}
        self._people = EmbeddedPeople()
        self._heard: dict[str, int] = {}  # where each of the people was heard of last
        self._owed = True

    def take(self, position: int, subject: str, sequence: int, line: bytes) -> None:
        """Fold a record, and give what it leads to."""
        if self._owed and position > self._end:
            self._cut()
        table = self._tables.get(subject)
        if table is None:
            table = self._tables[subject] = _TableAgain(TablePipeline(subject))
        outcome = self._people.weigh(table.pipeline.advance(line), position)
        rows = table.rows(self._ledger, subject, sequence, line, outcome)
        self._into.take(rows, {subject: table.pipeline.state.chain.next_sequence})
        for key in by_key(outcome.observations):
            self._heard[key] = position
            if not self._owed and self._people_marks.waits_at(key, position):
                self._people_marks.stands(self._of_people(key))
        if not self._owed and self._marks.waits_at(subject, table.next_sequence):
            self._marks.stands(Mark.of(table.row(subject, position)))

    def finish(self) -> None:
        """Settle what the store says of how far it is."""
        if self._owed:
            self._cut()
        self._marks.finish()
        self._people_marks.finish()

    def _cut(self) -> None:
        """All that the store owes has been given, and compared."""
        self._owed = False
        self._into.cut()
        for key in sorted(self._heard):
            self._people_marks.owed(self._of_people(key))
        for subject, table in self._tables.items():
            self._marks.owed(Mark.of(table.row(subject, self._end)))

    def _of_people(self, key: str) -> Mark:
        return Mark.of(self._people.row(key, self._heard[key]))


@dataclass(slots=True)
class _TableAgain(EmbeddedPlace):
    """One table; its lines so far have this size."""

    size: int = 0

    def rows(self, ledger: Ledger, subject: str, sequence: int, line: bytes, outcome: Outcome) -> Rows:
        """The rows that the record led to which was folded last."""
        rows: Rows = {}
        if outcome.dead is None and outcome.foreign is None:
            state = self.pipeline.state
            add_event(rows, decode(line, state.chain.head), line, state.times.last)
        if outcome.rounds or outcome.findings or outcome.dead is not None:
            reckoned = None if outcome.dead is not None else self.pipeline.state.times.utc
            at = time_of(ledger, subject, sequence, line, reckoned)
            stood = Stood(sequence, self.size)
            rows |= rows_of(outcome, line, subject, at, owner_of(self.pipeline), stood)
        self.size += len(line) + 1
        self.next_sequence, self.last_line = sequence + 1, line
        return rows
