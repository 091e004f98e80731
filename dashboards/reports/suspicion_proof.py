"""Where the record proves a suspicion: the rounds that it names, and for each table a range of events and its heads."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Sequence
from functools import partial

import msgspec
from msgspec import Struct

from dashboards.reader.patterns import HeadRow, heads_of
from dashboards.reader.question import Reader
from dashboards.reader.rounds import EventRow, events_between
from dashboards.suspicions.suspicions import Weighty
from schemas.events.codec import record_hash
from schemas.findings import Finding


class ProvenRound(Struct, frozen=True, kw_only=True):
    """A round that weighs much, as the store has it: its events, its end, and the hash of its last record.

    Of what came before the first round it is the named event alone, and when that happened. Where the store has no such
    round or event, `first` and `last` are 0, `ended` is None and `head` empty; `missing` says so.
    """

    called: str
    words: str
    first: int = 0
    last: int = 0
    ended: dt.datetime | None = None
    head: str = ""
    missing: str = "not in the store"


class ProvenRange(Struct, frozen=True, kw_only=True):
    """Events of a table on which the suspicion rests, the hash that the first carries and that of the last."""

    table: str
    first: int
    last: int
    before: str
    after: str


class SuspicionProof(Struct, frozen=True, kw_only=True):
    """The rounds, and one range for each table, by its name."""

    rounds: tuple[ProvenRound, ...]
    ranges: tuple[ProvenRange, ...]


class _Linked(Struct):
    prevhash: str


_decode = msgspec.json.Decoder(_Linked).decode


def proof_of(records: Reader, finding: Finding, rounds: Sequence[Weighty]) -> SuspicionProof:
    """The proof of a suspicion, out of the store.

    Raises:
        Exception: the store does not answer.
    """
    events: defaultdict[str, list[int]] = defaultdict(list)
    events[finding.subject] += [finding.sequence, *finding.sequences]
    proven = []
    for one in rounds:
        rows = heads_of(one.table, one.round).ask(records) if one.round else []
        proven.append(_proven(records, one, rows))
        for row in rows:
            events[one.table] += [row.first_sequence, row.last_sequence]
        if one.event:
            events[one.table].append(one.event)
    ranges = (_range(records, table, min(places), max(places)) for table, places in sorted(events.items()))
    return SuspicionProof(rounds=tuple(proven), ranges=tuple(ranges))


def _proven(records: Reader, one: Weighty, rows: Sequence[HeadRow]) -> ProvenRound:
    told = partial(ProvenRound, called=one.called, words=one.words)
    if row := next((row for row in reversed(rows) if not one.event or _holds(row, one.event)), None):
        return told(first=row.first_sequence, last=row.last_sequence, ended=row.decided_at, head=row.head)
    if not one.event:
        return told() if one.round else told(missing="its event is not named")
    event = _event(records, one.table, one.event)
    if event is None:
        return told()
    head = record_hash(event.line.encode())
    return told(first=one.event, last=one.event, ended=event.time, head=head)


def _holds(row: HeadRow, event: int) -> bool:
    return row.first_sequence <= event <= row.last_sequence


def _event(records: Reader, table: str, sequence: int) -> EventRow | None:
    return next(iter(events_between(table, sequence, sequence).ask(records)), None)


def _range(records: Reader, table: str, first: int, last: int) -> ProvenRange:
    begins, ends = _event(records, table, first), _event(records, table, last)
    return ProvenRange(
        table=table,
        first=first,
        last=last,
        before=_decode(begins.line).prevhash if begins is not None else "",
        after=record_hash(ends.line.encode()) if ends is not None else "",
    )
