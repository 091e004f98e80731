"""An embedded ledger folded once more, for a comparison with its store."""

from __future__ import annotations

from collections.abc import Callable

from processors.detectors.stages.entity_stage import by_key
from processors.pipeline import Outcome, TablePipeline
from processors.runtime.embedded.people import EmbeddedPeople
from processors.runtime.ledger import Ledger, time_of
from processors.runtime.reconcile.marks import Mark, Marks, letters_stored
from processors.runtime.reconcile.people_marks import PeopleMarks
from processors.runtime.reconcile.reconciler import Reconciled, Reconciler
from processors.runtime.store.event_rows import add_event
from processors.runtime.store.rows import Rows, Stood, dead_letter_row, owner_of, rows_of
from processors.runtime.store.warehouse import Warehouse
from schemas.events.codec import decode, record_hash


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
    held = Marks(store, into, lambda mark: mark.next_sequence, repair=repair)
    end = max((mark.position for mark in held.of.values()), default=0)
    stored = letters_stored(store)
    into.take(_letter_rows(ledger, 0, stored), {})
    tables: dict[str, _Again] = {}
    people = EmbeddedPeople()
    of_people = PeopleMarks(store, into, people, repair=repair)
    owed = True
    for position, subject, sequence, line in ledger.tail():
        if owed and position > end:
            owed = _cut(into, held, of_people, tables, end)
        table = tables.get(subject)
        if table is None:
            table = tables[subject] = _Again(ledger, subject)
        outcome = people.weigh(table.advance(line), position)
        of_people.heard(by_key(outcome.observations), position)
        into.take(table.rows(sequence, line, outcome), {subject: table.pipeline.state.chain.next_sequence})
        if not owed and held.waits_at(subject, table.next_sequence):
            held.stands(table.mark(position))
        advance(1)
    if owed:
        _cut(into, held, of_people, tables, end)
    into.take(_letter_rows(ledger, stored, 2**63), {})
    held.finish()
    of_people.finish()
    return into.finish()


def _letter_rows(ledger: Ledger, first: int, until: int) -> Rows:
    """Rows of the ledger's quarantine with numbers from `first`, up to `until` and without it."""
    letters = (one.message for one in ledger.quarantined())
    return {"dead_letters": [dead_letter_row(one) for one in letters if first <= one.number < until]}


def _cut(into: Reconciler, held: Marks, of_people: PeopleMarks, tables: dict[str, _Again], end: int) -> bool:
    into.cut()
    of_people.cut()
    for table in tables.values():
        held.owed(table.mark(end))
    return False


class _Again:
    """One table, from its first record."""

    def __init__(self, ledger: Ledger, subject: str) -> None:
        self.pipeline = TablePipeline(subject)
        self.next_sequence = 1
        self._ledger, self._subject = ledger, subject
        self._size = 0
        self._last = b""

    def mark(self, position: int) -> Mark:
        """The row of progress that this is."""
        head, state = record_hash(self._last), self.pipeline.snapshot()
        return Mark.of(self._subject, self.next_sequence, position, head, state)

    def advance(self, line: bytes) -> Outcome:
        """Fold a record."""
        return self.pipeline.advance(line)

    def rows(self, sequence: int, line: bytes, outcome: Outcome) -> Rows:
        """The rows that the record led to which was folded last."""
        rows: Rows = {}
        if outcome.dead is None and outcome.foreign is None:
            state = self.pipeline.state
            add_event(rows, decode(line, state.chain.head), line, state.times.last)
        if outcome.rounds or outcome.findings or outcome.dead is not None:
            reckoned = None if outcome.dead is not None else self.pipeline.state.times.utc
            at = time_of(self._ledger, self._subject, sequence, line, reckoned)
            stood = Stood(sequence, self._size)
            rows |= rows_of(outcome, line, self._subject, at, owner_of(self.pipeline), stood)
        self._size += len(line) + 1
        self.next_sequence, self._last = sequence + 1, line
        return rows
