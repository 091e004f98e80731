"""The fold in this process: from a ledger through one pipeline for each table into a warehouse.

Rows are stored at least once and progress after them, so a process may end anywhere: the next one goes on from
the last progress, writes some rows again, and they fall on their twins.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType

from processors.detectors.shapes import CheckedStanding, whom_of
from processors.detectors.stages.entity_stage import EntityStage
from processors.detectors.suspicion import family_of, standing_for
from processors.pipeline import Outcome, TablePipeline
from processors.runtime.embedded.progress import QUARANTINE, EmbeddedPlace, resume
from processors.runtime.ledger import Ledger, time_of
from processors.runtime.store.event_rows import add_event
from processors.runtime.store.rows import Rows, Stood, Told, dead_letter_row, owner_of, progress_row, rows_of
from processors.runtime.store.warehouse import Parameter, Warehouse
from schemas.events.codec import decode
from schemas.findings import Finding
from schemas.warehouse import RELATIONS

_TOLD = (
    "SELECT sequence, finding_id, ordinal FROM findings FINAL"
    " WHERE subject = {subject:String} AND sequence BETWEEN {first:UInt32} AND {last:UInt32}"
)
_FINDING_PLACE = RELATIONS["findings"].of("subject", "sequence", "finding_id", "ordinal")
_BATCH = 20_000  # events between two stores while catching up: some five thousand rows in memory


@dataclass(frozen=True, slots=True)
class Decided:
    """The outcome of one record, the record's own time, and the dealer then, None if the ledger does not say."""

    subject: str
    sequence: int
    at: dt.datetime
    dealer: str | None
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class FoldedCall:
    """The result of one call of `fold`: the number of records taken, and the outcomes that are not empty."""

    events: int
    decided: tuple[Decided, ...]


class EmbeddedFold:
    """Folds a ledger's records as they come; the caller says when to look and when to store."""

    def __init__(
        self, ledger: Ledger, warehouse: Warehouse, readings: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """Go on where the warehouse's progress says; a store of an older fold is emptied and filled anew.

        Raises:
            StoreOfAnotherLedger: the progress does not fit this ledger.
            StoreOfAnotherRelease: a newer fold wrote it.
        """
        self._ledger = ledger
        self._warehouse = warehouse
        self._readings = readings
        resumed = resume(ledger, warehouse, readings)
        self._places = resumed.places
        self._people = resumed.people
        self._next_letter = resumed.next_letter
        self._pending: Rows = {}
        self._touched: set[str] = set()
        self._measured: dict[str, tuple[int, int]] = {}
        self.position = resumed.position

    @property
    def tables(self) -> dict[str, TablePipeline]:
        """The tables' pipelines by subject, to look at."""
        return {subject: place.pipeline for subject, place in self._places.items()}

    @property
    def people(self) -> EntityStage:
        """What the detectors know of dealers and players, to look at."""
        return self._people.stage

    def evidence(self, finding: Finding) -> float:
        """The most evidence there was by now for what a suspicion says; 0 where it is not followed any more."""
        standing = self.standing(finding)
        return standing.highest if standing is not None else 0.0

    def standing(self, finding: Finding) -> CheckedStanding | None:
        """The evidence now for what a suspicion says; None where it is not followed any more."""
        whom, family = whom_of(finding.about), family_of(finding.check)
        if whom:
            return standing_for(finding, self._people.stage.standings(whom, family))
        place = self._places.get(finding.subject)
        at_table = place.pipeline.detectors if place is not None else None
        return (
            standing_for(finding, at_table.standings(finding.subject, family))
            if at_table is not None
            else None
        )

    def fold(self, limit: int = _BATCH) -> FoldedCall:
        """Take up to `limit` new records of the ledger; nothing is stored yet.

        Raises:
            StoreDiverged: the store already holds other rows for them.
        """
        events = 0
        decided: list[Decided] = []
        for position, subject, sequence, line in islice(self._ledger.tail(self.position), limit):
            place = self._places.get(subject)
            if place is None:
                place = self._places[subject] = EmbeddedPlace(TablePipeline(subject, self._readings))
            if sequence >= place.next_sequence:
                outcome = self._people.weigh(place.pipeline.advance(line), position)
                place.next_sequence = sequence + 1
                place.last_line = line
                self._touched.add(subject)
                events += 1
                if outcome.dead is None and outcome.foreign is None:
                    state = place.pipeline.state
                    add_event(self._pending, decode(line, state.chain.head), line, state.times.last)
                if outcome.rounds or outcome.findings or outcome.dead is not None:
                    reckoned = None if outcome.dead is not None else place.pipeline.state.times.utc
                    at = time_of(self._ledger, subject, sequence, line, reckoned)
                    stood = Stood(0, 0) if outcome.dead is None else self._stood(subject, sequence)
                    owner = owner_of(place.pipeline)
                    late = {one.sequence for one in outcome.findings} - {sequence}
                    told = self._told(subject, late) if late else {}
                    self._keep(subject, place, rows_of(outcome, line, subject, at, owner, stood, told))
                    decided.append(Decided(subject, sequence, at, owner.dealer, outcome))
            self.position = position
        return FoldedCall(events, tuple(decided))

    def store(self) -> int:
        """Store what was folded, and then how far; returns the number of rows.

        Raises:
            WarehouseError: nothing is forgotten: call it again when the store is well.
        """
        rows = {name: list(kept) for name, kept in self._pending.items()}
        progress = self._people.changed()
        progress += [self._places[subject].row(subject, self.position) for subject in sorted(self._touched)]
        letters = [one.message for one in self._ledger.quarantined(self._next_letter - 1)]
        if letters:
            rows.setdefault("dead_letters", []).extend(map(dead_letter_row, letters))
            progress.append(progress_row(QUARANTINE, letters[-1].number + 1, self.position))
        for name in sorted(rows):
            self._warehouse.insert(RELATIONS[name], rows[name])
        self._warehouse.insert(RELATIONS["progress"], progress)
        if letters:
            self._next_letter = letters[-1].number + 1
        self._people.stored()
        self._pending = {}
        self._touched = set()
        return sum(len(kept) for kept in rows.values())

    def catch_up(self) -> int:
        """Fold and store until nothing is new; returns the number of records taken."""
        taken = 0
        while True:
            folded = self.fold()
            self.store()
            taken += folded.events
            if not folded.events:
                return taken

    def _told(self, subject: str, sequences: Collection[int]) -> Told:
        """The findings of these events that were told before, stored or not stored yet, and their places."""
        told: dict[int, dict[str, int]] = defaultdict(dict)
        span: dict[str, Parameter] = {"subject": subject, "first": min(sequences), "last": max(sequences)}
        for sequence, identity, ordinal in self._warehouse.query(_TOLD, span):
            told[sequence][identity] = ordinal
        for of, sequence, identity, ordinal in map(_FINDING_PLACE, self._pending.get("findings", ())):
            if of == subject and sequence in sequences:
                told[sequence][identity] = ordinal
        return told

    def _stood(self, subject: str, sequence: int) -> Stood:
        """A record's place in its table's ledger written as a file: found by reading, since few records need it."""
        known, size = self._measured.get(subject, (1, 0))
        for number, line in self._ledger.read_from(subject, known):
            if number >= sequence:
                break
            size += len(line) + 1
        self._measured[subject] = (sequence, size)
        return Stood(sequence, size)

    def _keep(self, subject: str, place: EmbeddedPlace, rows: Rows) -> None:
        if place.unsaid:
            place.refuse_divergence(subject, rows)
        for name, added in rows.items():
            self._pending.setdefault(name, []).extend(added)
