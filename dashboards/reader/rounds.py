"""Rounds by number and neighbour, their findings, and the lines of a table's record that prove them, in order."""

from __future__ import annotations

import base64
import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from dashboards.reader.question import Parameter, Question, Reader, stored
from dashboards.reader.search import FoundRow, RoundKey

BLOCK = 5_000  # lines read at once: some two megabytes, and others may ask between two blocks
_TABLE = "WHERE subject = {subject:String}"
_BETWEEN = "sequence BETWEEN {first:UInt32} AND {last:UInt32}"
RoundNumber = tuple[str, int]  # table and number


class RoundRow(FoundRow, frozen=True):
    """One round; `record` is its whole line as JSON: hands, stakes, rack."""

    property: str | None
    record: str


class EndedRow(Struct, frozen=True):
    """A round of a table; `record` is its whole line as JSON."""

    subject: str
    round: int
    first_sequence: int
    last_sequence: int
    record: str


class EventRow(Struct, frozen=True):
    """One event; `line` is its exact bytes as text."""

    subject: str
    sequence: int
    time: dt.datetime
    type: str
    source: str
    id: str
    line: str


class LineRow(Struct, frozen=True):
    """The exact bytes of one event, as text."""

    sequence: int
    line: str


class TableLineRow(Struct, frozen=True):
    """The exact bytes of one event of a table, as text."""

    subject: str
    sequence: int
    line: str


class UnreadableRow(Struct, frozen=True):
    """A line of a table's chain that is no event: its bytes, and why."""

    sequence: int
    bytes_base64: str
    reason: str


class FindingRow(Struct, frozen=True):
    """One finding; `record` is its whole line as JSON, with expected, observed and evidence."""

    sequence: int
    finding_id: str
    record: str


class TableFindingRow(FindingRow, frozen=True):
    """One finding, its table and the round that it is about; None between rounds."""

    subject: str
    round: int | None


class RoundFindingsRow(Struct, frozen=True):
    """A round, and the ids of its findings."""

    round: int
    findings: tuple[str, ...]


class ProgressRow(Struct, frozen=True):
    """How far a table is folded and stored, and the state of the fold there."""

    next_sequence: int
    snapshot_base64: str


class StoredStateRow(Struct, frozen=True):
    """A table, how far it is folded and stored, and the state of the fold there."""

    subject: str
    next_sequence: int
    snapshot_base64: str


class SubjectRow(Struct, frozen=True):
    """A table."""

    subject: str


def round_numbered(subject: str, number: int) -> Question[RoundRow]:
    """The rounds of this number: one, but where a table's record numbers two alike."""
    rest = f"{_TABLE} AND round = {{round:UInt32}} ORDER BY first_sequence"
    return stored(RoundRow, "rounds", rest, {"subject": subject, "round": number})


def rounds_numbered(numbers: Iterable[RoundNumber]) -> Question[EndedRow]:
    """The rounds of these numbers as `round_numbered` has them, table by table; some hundred numbers at most."""
    where, given = of_numbers(numbers)
    return stored(EndedRow, "rounds", f"WHERE {where} ORDER BY subject, first_sequence", given)


def of_numbers(numbers: Iterable[RoundNumber]) -> tuple[str, dict[str, Parameter]]:
    """The condition that a round is of one of these numbers, each at its table, and its parameters."""
    of_table: dict[str, list[int]] = defaultdict(list)
    for subject, number in numbers:
        of_table[subject].append(number)
    terms, given = [], dict[str, Parameter]()
    for place, (subject, mine) in enumerate(of_table.items()):
        named = {f"n{place}_{at}": number for at, number in enumerate(mine)}
        listed = ", ".join(f"{{{name}:UInt32}}" for name in named)
        terms.append(f"(subject = {{s{place}:String}} AND round IN ({listed}))")
        given |= {f"s{place}": subject, **named}
    return " OR ".join(terms), given


def round_before(subject: str, first_sequence: int) -> Question[RoundKey]:
    """The last round of a table that began before this event."""
    rest = f"{_TABLE} AND first_sequence < {{first:UInt32}} ORDER BY first_sequence DESC LIMIT 1"
    return stored(RoundKey, "rounds", rest, {"subject": subject, "first": first_sequence})


def round_after(subject: str, last_sequence: int) -> Question[RoundKey]:
    """The first round of a table that began after this event."""
    rest = f"{_TABLE} AND first_sequence > {{last:UInt32}} ORDER BY first_sequence LIMIT 1"
    return stored(RoundKey, "rounds", rest, {"subject": subject, "last": last_sequence})


def events_between(subject: str, first: int, last: int) -> Question[EventRow]:
    """The events of a stretch of a table's record, in order."""
    rest = f"{_TABLE} AND {_BETWEEN} ORDER BY sequence"
    return stored(EventRow, "events", rest, {"subject": subject, "first": first, "last": last})


def lines_after(subject: str, after: int, last: int | None, most: int) -> Question[LineRow]:
    """The first `most` events of a table's record behind one sequence and up to another."""
    upto = "" if last is None else " AND sequence <= {last:UInt32}"
    rest = f"{_TABLE} AND sequence > {{after:UInt32}}{upto} ORDER BY sequence LIMIT {{most:UInt32}}"
    given: dict[str, Parameter] = {"subject": subject, "after": after, "most": most}
    return stored(LineRow, "events", rest, given if last is None else given | {"last": last})


def lines_behind(after: Mapping[str, int], most: int) -> Question[TableLineRow]:
    """The first `most` events of several tables, each behind a sequence of its own, table by table in order."""
    where, given = _each_behind(after)
    rest = f"WHERE {where} ORDER BY subject, sequence LIMIT {{most:UInt32}}"
    return stored(TableLineRow, "events", rest, given | {"most": most})


def unreadable_behind(after: Mapping[str, int]) -> Question[SubjectRow]:
    """Those of several tables of which a line behind a sequence, each a sequence of its own, is no event."""
    where, given = _each_behind(after)
    return stored(SubjectRow, "dead_letters", f"WHERE number = 0 AND ({where})", given)


def _each_behind(after: Mapping[str, int]) -> tuple[str, dict[str, Parameter]]:
    """The condition, one term for each table: only so does the store leave out what lies before."""
    terms, given = [], dict[str, Parameter]()
    for place, (subject, sequence) in enumerate(after.items()):
        terms.append(f"(subject = {{s{place}:String}} AND sequence > {{a{place}:UInt32}})")
        given |= {f"s{place}": subject, f"a{place}": sequence}
    return " OR ".join(terms), given


def unreadable_between(subject: str, first: int, last: int) -> Question[UnreadableRow]:
    """Lines of a stretch of a table's chain that are no events, in order."""
    rest = f"{_TABLE} AND {_BETWEEN} AND number = 0 ORDER BY sequence"
    return stored(UnreadableRow, "dead_letters", rest, {"subject": subject, "first": first, "last": last})


def progress_of(subject: str) -> Question[ProgressRow]:
    """How far a table is folded and stored."""
    return stored(ProgressRow, "progress", _TABLE, {"subject": subject})


def progress_of_all(subjects: Sequence[str]) -> Question[StoredStateRow]:
    """The states of several tables."""
    rest = "WHERE subject IN {subjects:Array(String)}"
    return stored(StoredStateRow, "progress", rest, {"subjects": tuple(subjects)})


def progress_of_some(subjects: Sequence[str]) -> Question[StoredStateRow]:
    """The states of some tables, each named by itself."""
    given = {f"s{place}": subject for place, subject in enumerate(subjects)}
    terms = " OR ".join(f"subject = {{{name}:String}}" for name in given)
    return stored(StoredStateRow, "progress", f"WHERE {terms}", given)


def round_began(subject: str, sequence: int) -> Question[LineRow]:
    """The event with which the round under way at this event began, or the last before it."""
    rest = f"{_TABLE} AND sequence <= {{at:UInt32}} AND type = 'round_started' ORDER BY sequence DESC LIMIT 1"
    return stored(LineRow, "events", rest, {"subject": subject, "at": sequence})


def findings_of_round(subject: str, number: int, first: int, last: int) -> Question[FindingRow]:
    """Findings made in a round's stretch of the record, and those about its number that were made after it."""
    rest = (
        f"{_TABLE} AND ({_BETWEEN}"
        " OR (round = {round:UInt32} AND sequence > {last:UInt32})) ORDER BY sequence, ordinal, finding_id"
    )
    given: dict[str, Parameter] = {"subject": subject, "round": number, "first": first, "last": last}
    return stored(FindingRow, "findings", rest, given)


def findings_of_rounds(rounds: Iterable[EndedRow]) -> Question[TableFindingRow]:
    """Of several rounds the findings as `findings_of_round` has them, table by table; some hundred rounds at most."""
    terms, given = [], dict[str, Parameter]()
    for at, one in enumerate(rounds):
        terms.append(
            f"(subject = {{s{at}:String}} AND sequence >= {{f{at}:UInt32}}"
            f" AND (sequence <= {{l{at}:UInt32}} OR round = {{r{at}:UInt32}}))"
        )
        given |= {
            f"s{at}": one.subject,
            f"f{at}": one.first_sequence,
            f"l{at}": one.last_sequence,
            f"r{at}": one.round,
        }
    rest = f"WHERE {' OR '.join(terms)} ORDER BY subject, sequence, ordinal, finding_id"
    return stored(TableFindingRow, "findings", rest, given)


def findings_at(subject: str, sequence: int) -> Question[FindingRow]:
    """Findings made at one event of a table."""
    rest = f"{_TABLE} AND sequence = {{at:UInt32}} ORDER BY ordinal, finding_id"
    return stored(FindingRow, "findings", rest, {"subject": subject, "at": sequence})


def round_at(subject: str, sequence: int) -> Question[RoundFindingsRow]:
    """The round in whose stretch of the record an event lies, with the ids of its findings."""
    rest = f"{_TABLE} AND first_sequence <= {{at:UInt32}} AND last_sequence >= {{at:UInt32}} LIMIT 1"
    return stored(RoundFindingsRow, "rounds", rest, {"subject": subject, "at": sequence})


class RecordLine(Struct, frozen=True):
    """One line of a table's record: its exact bytes; `reason` is empty, or says why it is no event."""

    sequence: int
    line: bytes
    reason: str = ""


def lines_between(reader: Reader, subject: str, first: int, last: int | None = None) -> Iterator[RecordLine]:
    """Lines from sequence `first` to `last`, or to the newest that is stored."""
    after = first - 1
    while last is None or after < last:
        block = lines_after(subject, after, last, BLOCK).ask(reader)
        whole = len(block) < BLOCK
        upto = (last or 2**31) if whole else block[-1].sequence
        bad = [
            RecordLine(one.sequence, base64.b64decode(one.bytes_base64), one.reason)
            for one in unreadable_between(subject, after + 1, upto).ask(reader)
        ]
        good = [RecordLine(one.sequence, one.line.encode()) for one in block]
        # Where one sequence has both, the line that is no event never belonged to the chain, and came first.
        yield from sorted((*bad, *good), key=lambda one: (one.sequence, not one.reason)) if bad else good
        if whole:
            return
        after = upto
