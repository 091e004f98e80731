"""Lines into a ledger, frame after frame, and what became of them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from producers.answers import AlreadyHave, Answer, Appended, Gap, LineQuarantined, RecordConflict
from producers.kafka.refusals import FencedOut
from producers.log import EventLog
from producers.recorder import Arrival, Recorder, read_arrival
from schemas.amounts import amount
from schemas.events.codec import Malformed

SHOWN = 20
KEPT = 1000


class Refusal(Struct, frozen=True):
    """Lines in a row that were not recorded for the same cause: where the first stands, its reason, how many."""

    at: str
    answer: Literal["conflict", "gap", "quarantined", "fenced"]
    subject: str | None
    reason: str
    lines: int = 1


class Table(Struct, frozen=True):
    """A table that was recorded into, and its last event."""

    subject: str
    sequence: int
    head: str


class Forwarded(Struct, frozen=True, kw_only=True):
    """What became of the journal's events on their way to Kafka: `waiting` are still in the journal alone."""

    servers: str
    gateway: str
    acknowledged: int
    waiting: int
    journal_bytes: int


class RecordingSummary(Struct, kw_only=True):
    """What became of the lines; of `refusals` the first 1,000.

    All refused bytes are in quarantine but those of a gap, or of a table that another gateway writes (`fenced`).
    """

    ledger: str
    lines: int = 0
    recorded: int = 0
    bridged: int = 0
    already_had: int = 0
    conflicts: int = 0
    gaps: int = 0
    quarantined: int = 0
    fenced: int | UnsetType = UNSET
    kafka: Forwarded | UnsetType = UNSET
    tables: list[Table] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)

    @property
    def refused(self) -> int:
        """Lines that were not recorded, now or before."""
        return self.conflicts + self.gaps + self.quarantined + (self.fenced or 0)


def record_frames(
    log: EventLog, kept: EventLog, frames: Iterable[list[Arrival]], advance: Callable[[int], None]
) -> RecordingSummary:
    """Record frame after frame and sum up what was answered; tables and heads are read from `kept`.

    A table that another gateway writes is left out from then on.
    """
    recorder = Recorder(log, lambda: dt.datetime.now(dt.UTC))
    summary = RecordingSummary(ledger="")
    subjects: set[str] = set()
    fenced: dict[str, FencedOut] = {}
    for frame in frames:
        taken, answers = _recorded(recorder, frame, fenced)
        for arrival, answer in zip(taken, answers, strict=True):
            _count(summary, subjects, arrival.origin, answer)
        if len(taken) < len(frame):
            _count_fenced(summary, frame, fenced)
        advance(len(frame))
    for subject in sorted(subjects):
        summary.tables.append(Table(subject, *kept.head(subject)))
    return summary


def subject_of(arrival: Arrival) -> str | None:
    """The table of an event, or None if the line is none."""
    try:
        return read_arrival(arrival).subject
    except Malformed:
        return None


def _recorded(
    recorder: Recorder, frame: list[Arrival], fenced: dict[str, FencedOut]
) -> tuple[list[Arrival], Sequence[Answer]]:
    """The lines that were judged, and their answers; tables that turn out to be fenced are added to `fenced`."""
    while True:
        taken = [a for a in frame if subject_of(a) not in fenced] if fenced else frame
        try:
            return taken, recorder.record_lines(taken)
        except FencedOut as fence:
            fenced[fence.subject] = fence


def _count_fenced(summary: RecordingSummary, frame: list[Arrival], fenced: Mapping[str, FencedOut]) -> None:
    for arrival in frame:
        subject = subject_of(arrival)
        if subject is not None and subject in fenced:
            summary.fenced = (summary.fenced or 0) + 1
            _refuse(summary, Refusal(arrival.origin, "fenced", subject, fenced[subject].why))


def _count(summary: RecordingSummary, subjects: set[str], origin: str, answer: Answer) -> None:
    summary.lines += 1
    if not isinstance(answer, LineQuarantined):
        subjects.add(answer.subject)
    match answer:
        case Appended(bridged=bridged):
            summary.recorded += 1
            summary.bridged += bridged
        case AlreadyHave():
            summary.already_had += 1
        case RecordConflict(subject=subject, reason=reason):
            summary.conflicts += 1
            _refuse(summary, Refusal(origin, "conflict", subject, reason))
        case Gap(subject=subject, expected=expected):
            summary.gaps += 1
            _refuse(summary, Refusal(origin, "gap", subject, f"event {expected} is expected first"))
        case LineQuarantined(reason=reason, path=place):
            summary.quarantined += 1
            _refuse(summary, Refusal(origin, "quarantined", None, f"{reason} (at {place})"))


def _refuse(summary: RecordingSummary, refusal: Refusal) -> None:
    last = summary.refusals[-1] if summary.refusals else None
    if last is not None and _goes_on(last, refusal):
        summary.refusals[-1] = msgspec.structs.replace(last, lines=last.lines + 1)
    elif len(summary.refusals) < KEPT:
        summary.refusals.append(refusal)


def _goes_on(last: Refusal, refusal: Refusal) -> bool:
    """Whether a line was refused for the cause of the one before: a table's other history conflicts line by line."""
    same_file = last.at.rpartition(":")[0] == refusal.at.rpartition(":")[0]
    same_cause = last.reason == refusal.reason or refusal.answer == "conflict"
    return same_file and same_cause and (last.answer, last.subject) == (refusal.answer, refusal.subject)


def as_text(summary: RecordingSummary) -> str:
    """The summary for a person: what became of the lines, then what was refused and why."""
    bridged = f"  (and {summary.bridged:,} unreadable ones that the chain runs through)"
    said = [
        f"{amount(summary.lines, 'line')} -> {summary.ledger}",
        f"  recorded     {summary.recorded:>9,}{bridged if summary.bridged else ''}",
        f"  already had  {summary.already_had:>9,}",
        f"  conflicts    {summary.conflicts:>9,}",
        f"  gaps         {summary.gaps:>9,}",
        f"  quarantined  {summary.quarantined:>9,}",
    ]
    if summary.fenced:
        said.append(f"  fenced       {summary.fenced:>9,}")
    if isinstance(summary.kafka, Forwarded):
        said.append(f"  in Kafka     {summary.kafka.acknowledged:>9,}  (acknowledged now)")
        said += [f"  waiting      {summary.kafka.waiting:>9,}"] if summary.kafka.waiting else []
    said += [
        f"  table {table.subject}: {amount(table.sequence, 'event')}" for table in summary.tables[:SHOWN]
    ]
    if len(summary.tables) > SHOWN:
        said.append(f"  ... and {amount(len(summary.tables) - SHOWN, 'more table')}")
    said += [_told(refusal) for refusal in summary.refusals[:SHOWN]]
    if len(summary.refusals) > SHOWN:
        said.append(f"  ... and more; `--format json` lists the first {KEPT:,}")
    return "\n".join(said)


def _told(refusal: Refusal) -> str:
    table = f"table {refusal.subject}: " if refusal.subject is not None else ""
    more = f" (and {amount(refusal.lines - 1, 'line')} more)" if refusal.lines > 1 else ""
    return f"  {refusal.at}: {refusal.answer}: {table}{refusal.reason}{more}"
