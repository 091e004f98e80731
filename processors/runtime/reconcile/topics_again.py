"""The ledger's topic folded once more, for a comparison with the store that sinks have filled from the topics."""

from __future__ import annotations

from collections.abc import Iterable

from processors.runtime.analyst.people import PartitionPeople
from processors.runtime.brokers.records import FoldedRecords, LedgerRecord, Message, Taken, table_of
from processors.runtime.fold.partition import PartitionFold
from processors.runtime.fold.place import TablePlace
from processors.runtime.reconcile.counters import Counted
from processors.runtime.reconcile.marks import Mark, Marks
from processors.runtime.reconcile.proven import FoldedPartition, WeighedPeople
from processors.runtime.reconcile.reconciler import Reconciler
from processors.runtime.sink.admission import Admission
from processors.runtime.sink.intake import Intake
from processors.runtime.store.event_rows import add_event
from processors.runtime.store.rows import Rows, progress_row
from schemas.topics import DEADLETTER, OBSERVATIONS


class PartitionAgain:
    """One partition of the ledger's topic, from its first record or from where it was proven."""

    def __init__(
        self,
        partition: int,
        into: Reconciler,
        held: Marks,
        counted: Counted,
        *,
        partitions: int = 1,
        before: FoldedPartition | None = None,
    ) -> None:
        """`partitions` is how many the topic has; go on from `before`.

        Raises:
            msgspec.MsgspecError: `before` is no such state.
        """
        self._into, self._held, self._counted = into, held, counted
        start, admission = (before.next_offset, before.admission) if before else (0, b"")
        self._fold = PartitionFold(partition, start, partitions=partitions)
        self._admission = Admission(partitions, start, admission)
        for one in before.tables if before else ():
            place = TablePlace.restore(one)
            if place is not None:
                self._fold.restored(place)

    def state(self) -> FoldedPartition:
        """Where fold and sink stand."""
        fold = self._fold
        tables = [place.snapshot(fold.partition) for place in fold.places.values()]
        return FoldedPartition(fold.next_offset, tables, self._admission.state())

    def take(self, records: Iterable[LedgerRecord]) -> int:
        """Fold records, and give what fold and sink make of them; how many lines that were.

        Raises:
            WarehouseError: the store does not answer.
        """
        lines = 0
        for record in records:
            folded = FoldedRecords()
            self._fold.take(record, folded)
            rows = _rows_of(folded.messages)
            for event, line in self._admission.take(record):
                add_event(rows, event, line)
            self._counted.take(folded.messages)
            lines += folded.events
            subject = table_of(record.key)
            place = self._fold.places.get(subject) if subject is not None else None
            if place is None:
                self._into.take(rows, {})
                continue
            self._into.take(rows, {place.subject: place.pipeline.state.chain.next_sequence})
            if self._held.waits_at(place.subject, place.next_offset):
                self._held.stands(_mark(place))
        return lines

    def cut(self) -> None:
        """All that the store owes of this partition has been given, and compared.

        Raises:
            WarehouseError: the store does not take a repair.
        """
        for place in self._fold.places.values():
            self._held.owed(_mark(place))


class PeopleAgain:
    """One partition of observations, from its first record or from where it was proven: what an analyst raises of it.

    Tables are recorded side by side, so the ledger does not say in which order observations came to the analyst. Their
    topic does: it is kept for ever, and weighed again as it stands.
    """

    def __init__(
        self, partition: int, into: Reconciler, counted: Counted, before: WeighedPeople | None = None
    ) -> None:
        """Go on from `before`.

        Raises:
            msgspec.MsgspecError: `before` is no such state.
        """
        self._people = PartitionPeople(partition)
        self._into, self._counted = into, counted
        if before is not None:
            self._people.offset = before.next_offset
            for key, known in before.people.items():
                self._people.stage.adopt(key, known)

    def state(self) -> WeighedPeople:
        """What is known of everybody."""
        stage = self._people.stage
        return WeighedPeople(self._people.offset, {key: stage.snapshot(key) for key in stage.met})

    def take(self, records: Iterable[LedgerRecord]) -> None:
        """Weigh observations, and give the suspicions.

        Raises:
            WarehouseError: the store does not answer.
        """
        for record in records:
            if record.value is not None:
                self._people.take(record.offset, record.key, record.value)
        raised = self._people.suspicions()
        self._people.sent()
        self._counted.take(raised)
        self._into.take(_rows_of(raised), {})


def letters_again(records: Iterable[LedgerRecord]) -> Rows:
    """Rows of dead letters on their topic: also those that gateways set aside, which are not in the ledger."""
    intake = Intake()
    for one in records:
        intake.take(Taken((DEADLETTER.name, one.partition), one.offset, one.key, one.value, at=one.at))
    return intake.rows


def _rows_of(messages: Iterable[Message]) -> Rows:
    intake = Intake()
    for message in messages:
        if message.topic is not OBSERVATIONS:
            intake.take(Taken((message.topic.name, 0), 0, message.key, message.value))
    return intake.rows


def _mark(place: TablePlace) -> Mark:
    chain, state = place.pipeline.state.chain, place.pipeline.snapshot()
    return Mark.of(progress_row(place.subject, chain.next_sequence, place.next_offset, chain.head, state))
