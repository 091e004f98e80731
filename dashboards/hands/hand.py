"""One stored round: found by its number, with its exact lines, findings and result, and replayed for one viewer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import msgspec

from dashboards.debts.begun import first_holding
from dashboards.folding.states import States, UnknownTable
from dashboards.reader import rounds
from dashboards.reader.question import Reader
from dashboards.reader.rounds import RecordLine, RoundRow, lines_between
from dashboards.reader.search import RoundKey
from dashboards.replayer.admitting import Before
from dashboards.replayer.replay import Replay, ReplayAsked, replay_round
from processors.core.state import Table
from schemas.events.codec import record_hash
from schemas.findings import Finding
from schemas.rounds import RoundResult

MOST_LINES = 2_000  # a round of seven seats that split thrice has some 300; one that never ends is cut here


class UnknownRound(LookupError):
    """The store holds no such round."""


@dataclass(frozen=True, slots=True)
class Break:
    """What is not there, behind event `after`: events that are missing, a line that is no event, or the rest."""

    after: int
    says: str


@dataclass(frozen=True, slots=True)
class StoredRound:
    """A round as the store holds it.

    `row` and `result` are None while it goes on, `is_going_on`. `head_before` and `head_after` are the SHA-256 of
    the records before its first and of its last, `hashes` those of its lines, by sequence. `twins` are other
    rounds of the same number.
    """

    subject: str
    number: int
    first: int
    last: int
    before: Before
    lines: tuple[RecordLine, ...]
    hashes: tuple[tuple[int, str], ...]
    head_before: str
    head_after: str
    row: RoundRow | None
    result: RoundResult | None
    findings: tuple[Finding, ...]
    breaks: tuple[Break, ...]
    is_going_on: bool
    twins: tuple[RoundRow, ...]

    def table(self) -> Table:
        """A copy of the table's state before the round."""
        return self.before.table()

    def replay(self, asked: ReplayAsked | None = None, findings: Sequence[Finding] | None = None) -> Replay:
        """The round for a viewer; `findings` are those the viewer may know of, by default all.

        Under readings chosen over the table's own, what is due is worked out anew.
        """
        told = tuple(self.findings if findings is None else findings)
        result = None if asked is not None and asked.readings else self.result
        lines = (one.line for one in self.lines)
        return replay_round(self.before, lines, findings=told, result=result, asked=asked)


def stored_round(
    reader: Reader, states: States, subject: str, number: int, first: int | None = None, at: int | None = None
) -> StoredRound:
    """A round of a table; of several with one number that which begins with event `first`.

    Without it that which holds event `at`, or ended last before it; and without either the last.

    Raises:
        UnknownRound: the store holds no such round.
    """
    numbered = _numbered(reader, states, subject, number)
    first = first_holding(numbered, at) if first is None else first
    if first not in numbered:
        raise UnknownRound(f"table {subject} has no round {number}")
    last, row = numbered[first]
    lines = tuple(islice(lines_between(reader, subject, first, last), MOST_LINES))
    before = states.before(subject, first)
    head_before = before.table().chain.head
    named = set(row.findings) if row is not None else set()
    found = [
        one
        for one in rounds.findings_of_round(subject, number, first, last).ask(reader)
        if one.sequence <= last or one.finding_id in named
    ]
    return StoredRound(
        subject=subject,
        number=number,
        first=first,
        last=last,
        before=before,
        lines=lines,
        hashes=tuple((one.sequence, record_hash(one.line)) for one in lines),
        head_before=head_before,
        head_after=record_hash(lines[-1].line) if lines else head_before,
        row=row,
        result=msgspec.json.decode(row.record, type=RoundResult) if row is not None else None,
        findings=tuple(msgspec.json.decode(one.record, type=Finding) for one in found),
        breaks=_breaks(lines, first, last),
        is_going_on=row is None,
        twins=tuple(twin for _, twin in numbered.values() if twin is not None and twin is not row),
    )


def first_of(reader: Reader, states: States, subject: str, number: int, at: int) -> int | None:
    """The event with which the round of this number began that holds event `at`; None where there is no such round."""
    return first_holding(_numbered(reader, states, subject, number), at)


def _numbered(
    reader: Reader, states: States, subject: str, number: int
) -> dict[int, tuple[int, RoundRow | None]]:
    """The rounds of this number by their first event: the last event of each, and no row of one that is going on."""
    rows = rounds.round_numbered(subject, number).ask(reader)
    found: dict[int, tuple[int, RoundRow | None]] = {
        row.first_sequence: (row.last_sequence, row) for row in rows
    }
    try:
        now = states.now(subject)
    except UnknownTable:
        return found
    round_ = now.table.round
    if round_ is not None and round_.number == number:
        found.setdefault(round_.first_sequence, (now.sequence, None))  # it may have ended meanwhile
    return found


def neighbours(
    reader: Reader, subject: str, first: int, last: int
) -> tuple[RoundKey | None, RoundKey | None]:
    """The rounds of the table before and after this one, where they have ended."""
    earlier = rounds.round_before(subject, first).ask(reader)
    later = rounds.round_after(subject, last).ask(reader)
    return next(iter(earlier), None), next(iter(later), None)


def _breaks(lines: Sequence[RecordLine], first: int, last: int) -> tuple[Break, ...]:
    """What of the stretch is not there, in order."""
    found: list[Break] = []
    due = first
    for one in lines:
        if one.sequence > due:
            found.append(Break(due - 1, _missing(due, one.sequence - 1)))
        if one.reason:
            found.append(Break(one.sequence - 1, f"The line at {one.sequence} is no event: {one.reason}."))
        due = max(due, one.sequence + 1)
    if due <= last:
        cut = f"Only the first {MOST_LINES:,} lines are shown; the round goes on to {last}."
        found.append(Break(due - 1, cut if len(lines) == MOST_LINES else _missing(due, last)))
    return tuple(found)


def _missing(first: int, last: int) -> str:
    return f"Event {first} is missing." if first == last else f"Events {first} to {last} are missing."
