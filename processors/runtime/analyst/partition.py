"""One partition of rounds and findings in the analyst: messages in, counters out, its state as one message.

State and the offsets behind which it stands are one record, so a crash leaves both or neither: what is read again is
counted again from where that state stood, and what comes twice on the topics is counted once.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from processors.runtime.analyst.tallies import Grain, TableTally, key_of
from processors.runtime.brokers.records import Message, Taken
from processors.runtime.store.rows import FOLD_VERSION
from schemas.messages import FindingMessage, RoundMessage, checkpoint_key
from schemas.topics import ANALYSIS, COUNTERS, FINDINGS, ROUNDS

_ROUND = msgspec.json.Decoder(RoundMessage).decode
_FINDING = msgspec.json.Decoder(FindingMessage).decode
_JSON = msgspec.json.Encoder().encode


class AnalystSnapshot(Struct, frozen=True, kw_only=True):
    """The state of a partition behind these offsets of rounds and findings."""

    fold_version: int
    partition: int
    rounds: int
    findings: int
    tables: list[TableTally]


_PACK = msgspec.msgpack.Encoder().encode
_UNPACK = msgspec.msgpack.Decoder(AnalystSnapshot).decode


class PartitionTally:
    """The tables of one partition, and the offsets that are counted."""

    def __init__(self, partition: int) -> None:
        self.partition = partition
        self.offsets = {ROUNDS.name: 0, FINDINGS.name: 0}
        self.tables: dict[str, TableTally] = {}
        self.unreadable = 0
        self.told: dict[str, float] = {}  # by topic: time of the event that decided the last message
        self._changed: dict[tuple[str, Grain], None] = {}

    @classmethod
    def restore(cls, partition: int, values: Iterator[bytes]) -> PartitionTally:
        """Go on from the furthest of these snapshots; one of another version, or of none, counts for nothing."""
        tally = cls(partition)
        for value in values:
            try:
                found = _UNPACK(value)
            except msgspec.MsgspecError:
                continue
            of_mine = (found.fold_version, found.partition) == (FOLD_VERSION, partition)
            if of_mine and found.rounds + found.findings >= sum(tally.offsets.values()):
                tally.offsets = {ROUNDS.name: found.rounds, FINDINGS.name: found.findings}
                tally.tables = {table.subject: table for table in found.tables}
        return tally

    def take(self, record: Taken) -> None:
        """Count one record; one counted before is passed over, an unreadable one is left to the sink to report."""
        topic = record.place[0]
        if record.offset < self.offsets[topic]:
            return
        self.offsets[topic] = record.offset + 1
        if record.value is None:
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
        changed = table.take_round(told) if isinstance(told, RoundMessage) else table.take_finding(told)
        for grain in changed:
            self._changed[subject, grain] = None

    def messages(self) -> Iterator[Message]:
        """Counters that changed, each whole, and then the state behind them."""
        for subject, grain in self._changed:
            counter = self.tables[subject].counter(grain)
            yield Message(COUNTERS, key_of(counter), _JSON(counter))
        state = AnalystSnapshot(
            fold_version=FOLD_VERSION,
            partition=self.partition,
            rounds=self.offsets[ROUNDS.name],
            findings=self.offsets[FINDINGS.name],
            tables=list(self.tables.values()),
        )
        yield Message(ANALYSIS, checkpoint_key(self.partition), _PACK(state), self.partition)

    def sent(self) -> None:
        """The messages are durable."""
        self._changed.clear()
