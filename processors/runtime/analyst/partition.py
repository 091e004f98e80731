"""One partition in the analyst: rounds and findings in, counters out; observations in, suspicions out; and its state.

The state of each table is a message of its own, written when the table has changed, with the offsets behind which it
stands. Behind the tables' messages comes the partition's: how far all of them are. A crash between two of these leaves
some tables further than the partition: what is read again is passed over for them. A table that is less far than the
partition says (a worker that had lost the partition wrote behind its successor) is counted again from where it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct, field

from processors.runtime.analyst.packed import PackedTable, decode, encode, packed
from processors.runtime.analyst.people import KnownPerson, PartitionPeople, is_of_person, known_person
from processors.runtime.analyst.tallies import Grain, TableTally, key_of
from processors.runtime.brokers.records import Message, Taken
from schemas.answers import FOLD_VERSION
from schemas.messages import FindingMessage, RoundMessage, checkpoint_key
from schemas.topics import ANALYSIS, COUNTERS, FINDINGS, OBSERVATIONS, ROUNDS

_ROUND = msgspec.json.Decoder(RoundMessage).decode
_FINDING = msgspec.json.Decoder(FindingMessage).decode
_JSON = msgspec.json.Encoder().encode

Entry = tuple[bytes | None, bytes | None]  # key and value of a record of the compacted topic


class AnalystSnapshot(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A partition behind these offsets of its topics, and by table the two offsets that its state stands at.

    `begun` is the offset of rounds at which counting began; state that began elsewhere is of no use. `people` is the
    sum over the states of dealers and players.
    """

    fold_version: int
    partition: int
    rounds: int
    findings: int
    stand: dict[str, tuple[int, int]] = field(default_factory=dict)
    begun: int = 0
    observations: int = 0
    people: int = 0


_PACK = msgspec.msgpack.Encoder().encode
_UNPACK = msgspec.msgpack.Decoder(AnalystSnapshot).decode


class PartitionTally:
    """The tables of one partition, and the offsets that are counted."""

    def __init__(self, partition: int) -> None:
        self.partition = partition
        self.offsets = {ROUNDS.name: 0, FINDINGS.name: 0, OBSERVATIONS.name: 0}
        self.people = PartitionPeople(partition)
        self.tables: dict[str, TableTally] = {}
        self.unreadable = 0
        self.told: dict[str, float] = {}  # by topic: time of the event that decided the last message
        self._begun = 0
        self._changed: dict[tuple[str, Grain], None] = {}
        self._dirty: dict[str, None] = {}

    @classmethod
    def restore(cls, partition: int, entries: Iterable[Entry]) -> PartitionTally:
        """Go on from the furthest of each key's records; one of another version, or of none, counts for nothing."""
        best: AnalystSnapshot | None = None
        found: dict[tuple[str, int], PackedTable] = {}
        persons: list[tuple[bytes, KnownPerson]] = []
        for key, value in entries:
            if value is None:
                if key == checkpoint_key(partition):
                    best = None
                persons = [one for one in persons if one[0] != key]
                continue
            try:
                if key == checkpoint_key(partition):
                    best = _further(best, _UNPACK(value), partition)
                elif key is not None and is_of_person(key):
                    persons.append((key, known_person(value)))
                else:
                    table = decode(value)
                    if (table.fold_version, table.partition) == (FOLD_VERSION, partition):
                        place = table.subject, table.begun
                        found[place] = _furthest(found.get(place), table)
            except msgspec.MsgspecError:
                continue
        tally = cls(partition)
        if best is not None:
            tally._begin_at(best)
        tally._adopt(found.values())
        if best is not None:
            tally._go_back(best.stand)
            tally.people.restore(best.observations, best.people, persons)
            tally.offsets[OBSERVATIONS.name] = tally.people.offset
        return tally

    def take(self, record: Taken) -> None:
        """Count one record; one counted before is passed over, an unreadable one is left to the sink to report."""
        topic = record.place[0]
        if record.offset < self.offsets[topic]:
            return
        self.offsets[topic] = record.offset + 1
        if record.value is None:
            return
        if topic == OBSERVATIONS.name:
            self.unreadable += not self.people.take(record.offset, record.key, record.value)
            return
        try:
            told = _ROUND(record.value) if topic == ROUNDS.name else _FINDING(record.value)
        except msgspec.MsgspecError:
            self.unreadable += 1
            return
        self.told[topic] = told.at.timestamp()
        subject = told.round.subject if isinstance(told, RoundMessage) else told.finding.subject
        table = self.tables.get(subject)
        if table is None:
            table = self.tables[subject] = TableTally(subject=subject)
        if isinstance(told, RoundMessage):
            if record.offset < table.rounds:
                return
            table.rounds = record.offset + 1
            changed = table.take_round(told)
        else:
            if record.offset < table.findings:
                return
            table.findings = record.offset + 1
            changed = table.take_finding(told)
        self._dirty[subject] = None
        for grain in changed:
            self._changed[subject, grain] = None

    def messages(self) -> Iterator[Message]:
        """Counters that changed, each whole, then the state of tables and people that changed, then the partition's."""
        for subject, grain in self._changed:
            counter = self.tables[subject].counter(grain)
            yield Message(COUNTERS, key_of(counter), _JSON(counter))
        for subject in self._dirty:
            state = encode(packed(self.tables[subject], FOLD_VERSION, self.partition, self._begun))
            yield Message(ANALYSIS, subject.encode(), state, self.partition)
        yield from self.people.states()
        snapshot = AnalystSnapshot(
            fold_version=FOLD_VERSION,
            partition=self.partition,
            rounds=self.offsets[ROUNDS.name],
            findings=self.offsets[FINDINGS.name],
            stand={subject: (table.rounds, table.findings) for subject, table in self.tables.items()},
            begun=self._begun,
            observations=self.offsets[OBSERVATIONS.name],
            people=self.people.sum,
        )
        yield Message(ANALYSIS, checkpoint_key(self.partition), _PACK(snapshot), self.partition)

    def sent(self) -> None:
        """The messages are durable."""
        self._changed.clear()
        self._dirty.clear()
        self.people.sent()

    def _begin_at(self, snapshot: AnalystSnapshot) -> None:
        self._begun = snapshot.begun
        self.offsets |= {ROUNDS.name: snapshot.rounds, FINDINGS.name: snapshot.findings}

    def _adopt(self, found: Iterable[PackedTable]) -> None:
        for state in found:
            if state.begun == self._begun:
                self.tables[state.subject] = state.unpack()

    def _go_back(self, stand: dict[str, tuple[int, int]]) -> None:
        """Read again from the least offset at which a table stands that is not as far as it was."""
        for subject, (rounds, findings) in stand.items():
            table = self.tables.get(subject) or TableTally(subject=subject, rounds=self._begun)
            if table.rounds < rounds:
                self.offsets[ROUNDS.name] = min(self.offsets[ROUNDS.name], table.rounds)
            if table.findings < findings:
                self.offsets[FINDINGS.name] = min(self.offsets[FINDINGS.name], table.findings)


def _further(best: AnalystSnapshot | None, found: AnalystSnapshot, partition: int) -> AnalystSnapshot | None:
    if (found.fold_version, found.partition) != (FOLD_VERSION, partition):
        return best
    if best is None or _reach(found) >= _reach(best):
        return found
    return best


def _reach(one: AnalystSnapshot) -> int:
    return one.rounds + one.findings + one.observations


def _furthest(known: PackedTable | None, found: PackedTable) -> PackedTable:
    further = known is None or found.rounds + found.findings >= known.rounds + known.findings
    return found if further or known is None else known
