"""The journal and the topic made one, table by table, before anything is sent for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from producers.kafka.heads import Heads, LastRecord, placed_at
from producers.kafka.journal import Journal
from producers.kafka.refusals import FencedOut
from producers.log import Head, line_at
from producers.quarantine import DeadLetter, prevhash_of
from schemas.amounts import amount, verb
from schemas.events.codec import record_hash

_PAGE: Final = 5_000


class Agreement:
    """Compares tables of a journal with the topic; what contradicts it is set aside, never sent and never lost."""

    def __init__(self, journal: Journal, received: Callable[[], str]) -> None:
        """`received` tells the time, RFC 3339."""
        self._journal = journal
        self._received = received

    def reach(self, subject: str, known: LastRecord | None, heads: Heads) -> None:
        """Mark what arrived, take over what others wrote; `known` is the topic's last record of the table.

        Raises:
            FencedOut: the journal holds what the topic contradicts.
            KafkaError: the topic cannot be read.
        """
        head = self._journal.log.head(subject)
        arrived = self._journal.arrived(subject)
        if known is None:
            if arrived:
                why = f"the topic holds none of the {amount(arrived, 'event')} that it has acknowledged"
                raise FencedOut(subject, why, "check that this is the right cluster and kafka_prefix")
        elif head.sequence == 0:
            self._journal.seed(subject, known.sequence, known.line)
        elif known.sequence > head.sequence:
            self._catch_up(subject, known, head, heads)
        else:
            first = self._journal.first(subject)
            if known.sequence < first - 1:
                why = (
                    f"the topic ends at event {known.sequence:,} of the {arrived:,} that it has acknowledged"
                )
                remedy = f"bring back its events up to {first - 1:,}: the journal holds those behind them"
                raise FencedOut(subject, why, remedy)
            if known.sequence >= first and line_at(self._journal.log, subject, known.sequence) != known.line:
                raise self._forked(subject, known.sequence)
            # Behind a hole that only this journal can fill nothing counts as arrived.
            there = known.sequence if known.first <= max(arrived + 1, first) else arrived
            self._journal.set_arrived(subject, max(there, first - 1))

    def import_history(self, subject: str, stop: int, heads: Heads) -> None:
        """Bring what the topic holds of a table before the journal's first record into the journal.

        Raises:
            KafkaError: the topic cannot be read.
        """
        first = self._journal.first(subject)
        page: list[tuple[int, bytes]] = []
        for sequence, line in heads.lines(subject, stop):
            if sequence < first:
                page.append((sequence, line))
            if len(page) == _PAGE:
                self._journal.insert_before(subject, page)
                page.clear()
        if page:
            self._journal.insert_before(subject, page)

    def leave_word(self, subject: str, why: str) -> None:
        """Say among the dead letters, where everyone looks, that this gateway no longer writes a table."""
        log = self._journal.log
        head = log.head(subject).sequence
        line = line_at(log, subject, head) if head else None
        self._set_aside(
            subject, [(head, line or b"")], f"gateway {self._journal.gateway} writes it no more: {why}"
        )

    def _catch_up(self, subject: str, known: LastRecord, head: Head, heads: Heads) -> None:
        """Another gateway wrote on where this journal ends: its events come into the journal."""
        found: dict[int, list[bytes]] = {}
        for sequence, line in heads.lines(subject, known.offset + 1):
            if sequence > head.sequence:
                found.setdefault(sequence, []).append(line)
        lines, named = [known.line], _named_by(known.line)  # back to where the journal ends, hash by hash
        for sequence in range(known.sequence - 1, head.sequence, -1):
            there = found.get(sequence, ())
            before = [one for one in there if named is None or record_hash(one) == named]
            if not before:
                raise self._forked(subject, head.sequence)
            lines.append(before[0])
            named = _named_by(before[0])
        if named != head.hash:
            raise self._forked(subject, head.sequence)
        lines.reverse()
        self._journal.log.append(subject, lines, head)
        self._journal.set_arrived(subject, known.sequence)

    def _forked(self, subject: str, sequence: int) -> FencedOut:
        arrived, unsent = self._journal.arrived(subject), 0
        why = f"event {sequence:,} of the topic is not the journal's: another gateway has written this table"
        while page := self._journal.waiting(subject, arrived, _PAGE):
            self._set_aside(subject, page, why)
            unsent += len(page)
            arrived = page[-1][0]
        if unsent:
            why += f"; {amount(unsent, 'unsent event')} of the journal {verb(unsent, 'is')} set aside as dead letters"
        self.leave_word(subject, why)
        return FencedOut(subject, why, "go on with a new journal: name its file by --ledger")

    def _set_aside(self, subject: str, records: Iterable[tuple[int, bytes]], reason: str) -> None:
        received = self._received()
        letters = [
            DeadLetter(
                kind="conflict",
                line=line,
                reason=reason,
                path="$",
                origin=f"gateway {self._journal.gateway}",
                received=received,
                subject=subject,
                sequence=sequence,
            )
            for sequence, line in records
        ]
        self._journal.log.quarantine(letters)


def _named_by(line: bytes) -> str | None:
    """The hash of the record before that a record names; None if nobody can read it."""
    placed = placed_at(line)
    return placed.prevhash if placed is not None else prevhash_of(line)
