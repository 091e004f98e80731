"""One table in the fold: its pipeline, the lines it has seen, and the messages that each new line leads to."""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import Final

import msgspec

from processors.core.anomaly import Anomaly
from processors.core.grammar.aside import Apart, Aside
from processors.detectors.stages.entity_stage import by_key
from processors.pipeline import Outcome, TablePipeline
from processors.runtime.brokers.records import FoldedRecords, LedgerRecord, Message, Origin
from processors.runtime.ledger import NO_TIME, said_time
from schemas.answers import FOLD_VERSION
from schemas.events.codec import record_hash
from schemas.events.envelope import Envelope
from schemas.messages import (
    MOST_BYTES,
    FindingMessage,
    ObservationMessage,
    RoundMessage,
    TableSnapshot,
    dead_letter,
)
from schemas.topics import DEADLETTER, FINDINGS, OBSERVATIONS, ROUNDS

RECENT: Final = 2048  # lines: more than a gateway has in flight for one table; 16 kB of a snapshot
_RECENT_BYTES: Final = 8 * RECENT
_UNREAD: Final = 64
_WITHHELD: Final = 256

_ENCODE = msgspec.json.Encoder().encode
_PACK = msgspec.msgpack.Encoder().encode
_UNPACK = msgspec.msgpack.Decoder(TableSnapshot).decode
_UNPACK_ASIDE = msgspec.msgpack.Decoder(Aside).decode


class TablePlace:
    """Where the fold of one table stands; `next_offset` is the offset behind its last record, `aside` what waits."""

    __slots__ = ("_last_time", "_recent", "_unread", "_withheld", "aside", "lines", "next_offset",
                 "pipeline", "rounds", "size", "subject")  # fmt: skip

    def __init__(self, subject: str, pipeline: TablePipeline | None = None) -> None:
        self.subject = subject
        self.pipeline = pipeline or TablePipeline(subject)
        self.next_offset = 0
        self.lines = 0
        self.rounds = 0  # ended since the worker took the table
        self.size = 0
        self.aside = Aside()
        self._recent = bytearray()  # 8 bytes a line: a set of them would take ten times the memory
        self._unread: list[bytes] = []
        self._withheld: list[bytes] = []
        self._last_time: dt.datetime | None = None

    @classmethod
    def restore(cls, data: bytes) -> TablePlace | None:
        """Go on from a snapshot; None if another version of the fold wrote it.

        Raises:
            msgspec.MsgspecError: the bytes are no snapshot.
        """
        snapshot = _UNPACK(data)
        if snapshot.fold_version != FOLD_VERSION:
            return None
        place = cls(snapshot.subject, TablePipeline.restore(snapshot.pipeline))
        place.next_offset = snapshot.next_offset
        place.lines, place.size = snapshot.lines, snapshot.size
        if snapshot.aside:
            place.aside = _UNPACK_ASIDE(snapshot.aside)
        place._recent += snapshot.recent
        place._unread[:] = snapshot.unread
        place._withheld[:] = snapshot.withheld
        place._last_time = snapshot.last_time
        return place

    def snapshot(self, partition: int) -> bytes:
        """The whole place as bytes; going on from it equals never having stopped."""
        chain = self.pipeline.state.chain
        return _PACK(
            TableSnapshot(
                subject=self.subject,
                fold_version=FOLD_VERSION,
                partition=partition,
                next_offset=self.next_offset,
                next_sequence=chain.next_sequence,
                chain_head=chain.head,
                recent=bytes(self._recent[-_RECENT_BYTES:]),
                pipeline=self.pipeline.snapshot(),
                lines=self.lines,
                size=self.size,
                last_time=self._last_time,
                unread=tuple(self._unread),
                withheld=tuple(self._withheld),
                aside=_PACK(self.aside),
            )
        )

    def take(self, line: bytes, origin: Origin, into: FoldedRecords) -> None:
        """Take one line under the table's key."""
        chain, aside, record = self.pipeline.state.chain, self.aside, origin.record
        # A line that carries the hash of the last one cannot have been taken before: nothing is hashed for it.
        if chain.head.encode() not in line and self._was_taken(line):
            into.duplicates += 1
            return
        stands = self._counted(line)
        if (record.epoch < aside.epoch or aside.superseded) and aside.is_fenced(record.epoch, record.gateway):
            self._refuse(_fenced(line, record, aside), line, origin, stands, into)
            return
        before = chain.records
        outcome = self._advance(line, origin, into, believe=False)
        if outcome.apart is not None:
            self._hold(outcome.apart, line, origin, stands, into)
        else:
            if outcome.foreign is not None:
                reason = f"a record under the key {self.subject} holds an event of table {outcome.foreign}"
                outcome = self.pipeline.refuse(line, reason, "$.subject")
            admitted = chain.records > before and outcome.dead is None
            if admitted and (record.epoch != aside.epoch or record.gateway != aside.gateway):
                aside.admitted(record.epoch, record.gateway)
            self._keep(line, outcome, admitted, origin, stands, into)
            if not aside.held:
                return
            if admitted:
                aside.went_on()
        self._settle(into)

    def refuse(self, line: bytes, reason: str, origin: Origin, into: FoldedRecords) -> None:
        """Set aside content that is no line."""
        outcome = self.pipeline.refuse(line, reason)
        self._keep(line, outcome, False, origin, self._counted(line), into)

    def _counted(self, line: bytes) -> tuple[int, int]:
        """Count a line of the table: its number from 1, and where it starts."""
        start = self.size
        self.lines += 1
        self.size = start + len(line) + 1
        return self.lines, start

    def _hold(
        self, event: Envelope, line: bytes, origin: Origin, stands: tuple[int, int], into: FoldedRecords
    ) -> None:
        record = origin.record
        one = Apart(
            sequence=event.sequence, prevhash=event.prevhash, digest=record_hash(line), line=line,
            at=record.at, origin=str(origin), number=stands[0], start=stands[1],
            epoch=record.epoch, gateway=record.gateway,
        )  # fmt: skip
        if not self.aside.hold(self.pipeline.state.chain, one):
            self.lines, self.size = self.lines - 1, stands[1]  # the same line waits already
            into.duplicates += 1

    def _settle(self, into: FoldedRecords) -> None:
        """Take what waits no longer: what the chain has reached or passed, and what is believed."""
        chain, aside = self.pipeline.state.chain, self.aside
        early: list[int] = []
        believed = False
        for one, verdict in aside.settle(chain):
            stands = one.number, one.start
            if verdict == "refused":
                self._refuse(_stray(one, chain.next_sequence - 1), one.line, one.origin, stands, into)
                continue
            believed = believed or verdict == "believed"
            if not believed:
                early.append(one.sequence)
            before = chain.records
            outcome = self._advance(one.line, one.origin, into)
            admitted = chain.records > before and outcome.dead is None
            if admitted and one.epoch >= aside.epoch:
                aside.admitted(one.epoch, one.gateway)
            self._keep(one.line, outcome, admitted, one.origin, stands, into)
        if early:
            self._tell(self.pipeline.note(_early(early)), self._last_time or NO_TIME, into)

    def _refuse(
        self,
        anomaly: Anomaly,
        line: bytes,
        origin: Origin | str,
        stands: tuple[int, int],
        into: FoldedRecords,
    ) -> None:
        """Tell of a record that is not counted, and keep its bytes; what is counted does not change by it."""
        into.events += 1
        at = self._last_time or NO_TIME
        self._dead(
            line, anomaly.message, 0, number_of(line, str(origin)), at, origin, stands, into, kind="stray"
        )
        self._tell(self.pipeline.note(anomaly), at, into)

    def _keep(
        self,
        line: bytes,
        outcome: Outcome,
        admitted: bool,
        origin: Origin | str,
        stands: tuple[int, int],
        into: FoldedRecords,
    ) -> None:
        into.events += 1
        said: dt.datetime | None = None
        if admitted:
            self._admitted(line)
            self._last_time = self.pipeline.state.times.utc
            if self._withheld:
                self._tell_withheld(into)
        else:
            said = said_time(line)
            if outcome.dead is not None:
                self._unread = [*self._unread[1 - _UNREAD :], _short(self.pipeline.state.chain.unread_last)]
                self._dead(line, outcome.dead.reason, outcome.dead.sequence, 0, said, origin, stands, into)
            elif outcome.findings:
                first = outcome.findings[0]
                number = number_of(line, str(origin))
                self._dead(
                    line, first.message, first.sequence, number, said, origin, stands, into, kind="conflict"
                )
            else:
                into.duplicates += 1  # another copy of a line whose refusal has been told
        if outcome.rounds or outcome.findings or outcome.observations:
            at = said or self._last_time or NO_TIME
            self._tell(outcome, at, into)
        if said is not None:
            self._last_time = said

    def _advance(
        self, line: bytes, origin: Origin | str, into: FoldedRecords, *, believe: bool = True
    ) -> Outcome:
        try:
            return self.pipeline.advance(line, believe=believe)
        except Exception as error:
            # A defect of the fold on one line must not stop the other tables: the line is set aside, and told.
            into.defects.append((str(origin), type(error).__name__))
            return self.pipeline.refuse(line, f"the fold failed on it ({type(error).__name__})")

    def _was_taken(self, line: bytes) -> bool:
        short, recent = hashlib.sha256(line).digest()[:8], self._recent
        at = recent.find(short, max(0, len(recent) - _RECENT_BYTES))
        while at % 8 and at != -1:
            at = recent.find(short, at + 1)
        return at != -1

    def _admitted(self, line: bytes) -> None:
        chain = self.pipeline.state.chain
        if self._unread:
            if chain.unread_last.encode() in line:
                # The chain runs through the unreadable lines: they are records, and may be delivered again.
                self._recent += b"".join(self._unread)
            self._unread.clear()
        self._recent += _short(chain.head)
        if len(self._recent) > 2 * _RECENT_BYTES:
            del self._recent[:_RECENT_BYTES]

    def _tell(self, outcome: Outcome, at: dt.datetime, into: FoldedRecords) -> None:
        table = self.pipeline.state
        owner = table.config.property if table.config is not None else None
        # A table's rounds and findings meet in one partition, whoever works at it.
        key = self.subject.encode()
        dealer = table.dealer or None
        self.rounds += len(outcome.rounds)
        for result in outcome.rounds:
            into.rounds[result.status] += 1
            told = RoundMessage(property=owner, at=at, dealer=dealer, round=result, fold=FOLD_VERSION)
            into.messages.append(Message(ROUNDS, key, _ENCODE(told)))
        for finding in outcome.findings:
            into.findings[finding.verdict, finding.severity] += 1
            found = FindingMessage(property=owner, at=at, finding=finding, dealer=dealer, fold=FOLD_VERSION)
            value = _ENCODE(found)
            if table.chain.records or len(self._withheld) >= _WITHHELD:
                into.messages.append(Message(FINDINGS, key, value))
            else:
                self._withheld.append(value)
        for of, said in by_key(outcome.observations).items():
            sequence = said[0].sequence
            observed = ObservationMessage(
                fold=FOLD_VERSION, subject=self.subject, sequence=sequence, at=at, property=owner,
                dealer=dealer, said=_PACK(said),
            )  # fmt: skip
            into.messages.append(Message(OBSERVATIONS, of.encode(), _PACK(observed)))

    def _tell_withheld(self, into: FoldedRecords) -> None:
        key = self.subject.encode()
        into.messages.extend(Message(FINDINGS, key, value) for value in self._withheld)
        self._withheld.clear()

    def _dead(
        self, line: bytes, reason: str, sequence: int, number: int, said: dt.datetime | None,
        origin: Origin | str, stands: tuple[int, int], into: FoldedRecords, *, kind: str = "unreadable",
    ) -> None:  # fmt: skip
        letter = dead_letter(
            line, reason, said or self._last_time or NO_TIME, str(origin), subject=self.subject,
            sequence=sequence, number=number, kind=kind, line=stands[0], offset=stands[1], most=MOST_BYTES,
            fold=FOLD_VERSION,
        )  # fmt: skip
        into.dead[kind] += 1
        into.messages.append(Message(DEADLETTER, self.subject.encode(), _ENCODE(letter)))


def _stray(one: Apart, last: int) -> Anomaly:
    return Anomaly(
        check="integrity.stray",
        message=f"A record numbered {one.sequence} follows none of the table's events up to {last}: it is not counted.",
        sequences=(),
        expected={"prevhash": "the SHA-256 of a record of the table"},
        observed={"sequence": one.sequence, "prevhash": one.prevhash},
        discriminator=one.digest,
    )


def _fenced(line: bytes, record: LedgerRecord, aside: Aside) -> Anomaly:
    under = f"claim {record.epoch} of {record.gateway}" if record.epoch else "no claim"
    return Anomaly(
        check="integrity.writer",
        message=f"A record came under {under}, behind claim {aside.epoch} of {aside.gateway}: it is not counted.",
        sequences=(),
        expected={"epoch": aside.epoch, "gateway": aside.gateway},
        observed={"epoch": record.epoch, "gateway": record.gateway},
        discriminator=record_hash(line),
    )


def _early(sequences: list[int]) -> Anomaly:
    first, last = min(sequences), max(sequences)
    which = f"Events {first} to {last}" if last > first else f"Event {first}"
    return Anomaly(
        check="integrity.order",
        message=f"{which} arrived before event {first - 1}; counted in its place.",
        sequences=tuple(sorted({first, last})),
        expected={"sequence": first - 1},
        observed={"sequence": first},
    )


def _short(digest: str) -> bytes:
    return bytes.fromhex(digest[:16])


def number_of(line: bytes, origin: str) -> int:
    """The number of a line without a place in a chain: from its bytes and its origin, so that it is never another's."""
    return int.from_bytes(hashlib.sha256(line + origin.encode()).digest()[:8]) or 1
