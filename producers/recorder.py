"""Capture: each line is recorded once, or its sender is told why not, and only when that is durable.

Two kinds of lines are taken, also mixed. Chained events are verified against the table's head and kept byte
for byte. A device's events get sequence, chain and `recordedtime`, in the order of arrival.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from msgspec import UNSET

from producers.answers import AlreadyHave, Answer, Appended, Gap, LineQuarantined, RecordConflict
from producers.errors import CaptureError
from producers.log import EventLog, Fenced, LinesToAppend, Place, line_at
from producers.quarantine import DeadLetter
from producers.sequencer import CHAIN_BYTES, Draft, chain, says_the_same
from schemas.events.codec import MAX_LINE_BYTES, Malformed, carries_chain, decode, decode_device
from schemas.events.envelope import DeviceEnvelope, Envelope, utc_text

_TRIES = 16  # how often a frame is judged again because another writer was faster


class Arrival(NamedTuple):
    """One line as it came, without line end, and where from (`shift.ndjson:17`, a device's address).

    `refused` says of a line that was too long to be read why it is no event; `line` is its beginning then.
    """

    line: bytes
    origin: str
    refused: str | None = None


class _Read(NamedTuple):
    place: int
    arrival: Arrival
    event: Envelope | DeviceEnvelope


class _Contradiction(NamedTuple):
    """A line that contradicts record `sequence`; an answer once its bytes are in quarantine."""

    subject: str
    sequence: int
    reason: str


_Judged = Appended | AlreadyHave | Gap | _Contradiction


class _JudgedTable(NamedTuple):
    """What is to be appended to a table, and what each of its lines is answered then."""

    draft: Draft
    verdicts: list[tuple[_Read, _Judged]]


def read_arrival(arrival: Arrival) -> Envelope | DeviceEnvelope:
    """Decode a line that arrived, chained or as a device sends it.

    Raises:
        Malformed: it is neither, or was too long to be read.
    """
    line = arrival.line
    if arrival.refused is not None:
        raise Malformed(arrival.refused)
    if b"\n" in line or line.endswith(b"\r"):
        raise Malformed("more than one line; an event is one line")
    if carries_chain(line):
        return decode(line)
    if len(line) > MAX_LINE_BYTES - CHAIN_BYTES:
        raise Malformed(f"{len(line)} bytes; a device's event has at most {MAX_LINE_BYTES - CHAIN_BYTES}")
    return decode_device(line)


class Recorder:
    """Appends to a ledger; where several write one table, each judges anew what another was faster with."""

    def __init__(self, log: EventLog, clock: Callable[[], dt.datetime]) -> None:
        """`clock` gives `recordedtime`: the current moment, with its zone."""
        self._log = log
        self._clock = clock
        self.overtaken = 0  # times another writer appended to a table while this one judged its lines

    def record_lines(self, arrivals: Sequence[Arrival]) -> tuple[Answer, ...]:
        """Record lines in order; one answer each, in the same order.

        The lines are no unit: each is answered on its own. What is good becomes durable together.

        Raises:
            LedgerError: the ledger cannot be written. Send everything again: what was recorded is known then.
        """
        answers: dict[int, Answer] = {}
        tables: dict[str, list[_Read]] = {}
        unreadable: dict[int, tuple[Arrival, Malformed]] = {}
        for place, arrival in enumerate(arrivals):
            try:
                event = read_arrival(arrival)
            except Malformed as fault:
                unreadable[place] = arrival, fault
            else:
                tables.setdefault(event.subject, []).append(_Read(place, arrival, event))
        # First the unreadable: a chain that runs through one needs to find its bytes.
        answers.update(self._set_aside(unreadable))
        answers.update(self._record_tables(tables))
        return tuple(answers[place] for place in range(len(arrivals)))

    def _set_aside(self, unreadable: dict[int, tuple[Arrival, Malformed]]) -> Iterable[tuple[int, Answer]]:
        if not unreadable:
            return ()
        received = utc_text(self._clock())
        letters = [
            DeadLetter(
                kind="unreadable",
                line=arrival.line,
                reason=fault.reason,
                path=fault.path,
                origin=arrival.origin,
                received=received,
            )
            for arrival, fault in unreadable.values()
        ]
        numbers = self._log.quarantine(letters)
        return [
            (place, LineQuarantined(number, letter.reason, letter.path))
            for place, number, letter in zip(unreadable, numbers, letters, strict=True)
        ]

    def _record_tables(self, tables: dict[str, list[_Read]]) -> dict[int, Answer]:
        """All tables with one wait for the disk; each by itself where one of them cannot be written so."""
        answers: dict[int, Answer] = {}
        if len(tables) > 1:
            named: dict[tuple[str, str], Place] = {}
            try:
                judged = [self._judge(subject, reads, named) for subject, reads in tables.items()]
                drafts = [(subject, one.draft) for subject, one in zip(tables, judged, strict=True)]
                parts = [
                    LinesToAppend(subject, draft.lines, draft.base)
                    for subject, draft in drafts
                    if draft.lines
                ]
                self._log.append_together(parts)
            except Fenced:
                self.overtaken += 1
            except CaptureError:
                pass  # told below by the table that it is about, and the tables before it are recorded
            else:
                for one in judged:
                    answers.update(self._answered(one.verdicts))
                return answers
        for subject, reads in tables.items():
            answers.update(self._record_table(subject, reads))
        return answers

    def _record_table(self, subject: str, reads: Sequence[_Read]) -> dict[int, Answer]:
        for _ in range(_TRIES - 1):
            try:
                return self._record_once(subject, reads)
            except Fenced:
                self.overtaken += 1
        return self._record_once(subject, reads)

    def _record_once(self, subject: str, reads: Sequence[_Read]) -> dict[int, Answer]:
        judged = self._judge(subject, reads, {})
        if judged.draft.lines:
            self._log.append(subject, judged.draft.lines, judged.draft.base)
        return self._answered(judged.verdicts)

    def _judge(
        self, subject: str, reads: Sequence[_Read], named: dict[tuple[str, str], Place]
    ) -> _JudgedTable:
        """What becomes of a table's lines; `named` has the events to be appended with them, of any table."""
        draft = Draft(self._log.head(subject))
        verdicts: list[tuple[_Read, _Judged]] = []
        for read in reads:
            if isinstance(read.event, Envelope):
                verdict = self._judge_chained(draft, read.arrival.line, read.event)
            else:
                verdict = self._judge_device(draft, read.arrival.line, read.event, named)
            if isinstance(verdict, Appended):
                place = Place(subject, verdict.sequence)
                named.setdefault((read.event.source, read.event.id), place)
            verdicts.append((read, verdict))
        return _JudgedTable(draft, verdicts)

    def _judge_chained(self, draft: Draft, line: bytes, event: Envelope) -> _Judged:
        subject, sequence, head = event.subject, event.sequence, draft.head
        if sequence <= head.sequence:
            if self._line_at(draft, subject, sequence) == line:
                return AlreadyHave(subject, sequence)
            return _Contradiction(subject, sequence, f"record {sequence} holds other bytes")
        if sequence > head.sequence + 1:
            between = draft.bridge(event, self._log.quarantined_as)
            if between is None:
                return Gap(subject, sequence, head.sequence + 1)
            for found in between:
                draft.add(found)
            return Appended(subject, draft.add(line), len(between))
        if event.prevhash != head.hash:
            reason = f"its prevhash is not the hash of record {head.sequence}"
            return _Contradiction(subject, head.sequence, reason)
        return Appended(subject, draft.add(line))

    def _judge_device(
        self, draft: Draft, line: bytes, event: DeviceEnvelope, named: dict[tuple[str, str], Place]
    ) -> _Judged:
        subject, identity = event.subject, (event.source, event.id)
        place = named.get(identity) or self._log.find(*identity, event.time)
        if place is not None:
            record = self._line_at(draft, *place) if place.subject == subject else None
            if record is not None and says_the_same(record, line):
                return AlreadyHave(*place)
            reason = (
                f"id {event.id!r} of this source is record {place.sequence} of {place.subject}, otherwise"
            )
            return _Contradiction(subject, place.sequence, reason)
        recorded = utc_text(self._clock()) if event.recordedtime is UNSET else None
        return Appended(subject, draft.add(chain(line, draft.head, recorded)))

    def _line_at(self, draft: Draft, subject: str, sequence: int) -> bytes | None:
        drafted = draft.line_at(sequence) if sequence > draft.base.sequence else None
        return drafted if drafted is not None else line_at(self._log, subject, sequence)

    def _answered(self, judged: Sequence[tuple[_Read, _Judged]]) -> dict[int, Answer]:
        """Set the bytes of contradictions aside and answer every line."""
        letters = [
            DeadLetter(
                kind="conflict",
                line=read.arrival.line,
                reason=found.reason,
                path="$",
                origin=read.arrival.origin,
                received=utc_text(self._clock()),
                subject=found.subject,
                sequence=found.sequence,
            )
            for read, found in judged
            if isinstance(found, _Contradiction)
        ]
        numbers = iter(self._log.quarantine(letters) if letters else ())
        return {
            read.place: RecordConflict(*verdict, next(numbers))
            if isinstance(verdict, _Contradiction)
            else verdict
            for read, verdict in judged
        }
