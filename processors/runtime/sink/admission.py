"""Which lines of the ledger's topic belong to their tables' records, as the fold decides it, without the fold.

The fold keeps a line out of a table's record that its chain does not reach, that came under an old claim, or that lies
in the wrong partition. Whoever stores events asks the same questions of the same records, and needs no more for it than
each table's place in its chain and the records that wait.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Struct, field

from processors.core.chain import APART, admit, unreadable
from processors.core.facts_equipment import Times
from processors.core.folding.clocks import reckoned
from processors.core.grammar.aside import Apart, Aside
from processors.core.state import Chain
from processors.core.witnesses import Blindness
from processors.runtime.brokers.records import LedgerRecord, is_misplaced, lines_of, table_of
from schemas.events.codec import Malformed, decode, record_hash
from schemas.events.envelope import Envelope

Admitted = tuple[Envelope, bytes]


class _Table(Struct):
    chain: Chain = field(default_factory=Chain)
    aside: Aside = field(default_factory=Aside)
    times: Times = field(default_factory=Times)


class _State(Struct):
    tables: dict[str, _Table]


_PACK = msgspec.msgpack.Encoder().encode
_UNPACK = msgspec.msgpack.Decoder(_State).decode


class Admission:
    """The tables of one partition of the ledger; `next_offset` is the first offset that was not decided."""

    def __init__(self, partitions: int = 1, next_offset: int = 0, state: bytes = b"") -> None:
        """Go on at an offset, with what `state` returned there; the topic has so many `partitions`.

        Raises:
            msgspec.MsgspecError: the bytes are no such state.
        """
        self.partitions = partitions
        self.next_offset = next_offset
        self._tables = _UNPACK(state).tables if state else {}
        self._blind = Blindness()

    def state(self) -> bytes:
        """The whole state as bytes."""
        return _PACK(_State({subject: _bare(table) for subject, table in self._tables.items()}))

    def take(self, record: LedgerRecord) -> Iterator[Admitted]:
        """Take the next record; events and lines that belong to its table's record now, in the order of its chain."""
        self.next_offset = record.offset + 1
        key, subject = record.key, table_of(record.key)
        if key is None or subject is None or is_misplaced(key, record.partition, self.partitions):
            return
        table = self._tables.get(subject)
        if table is None:
            table = self._tables[subject] = _Table()
        value = record.value
        for line in lines_of(value, record.content_type) if value else ():
            yield from self._take(table, subject, line, record)
        if not value:
            unreadable(table.chain, record_hash(b""), self._blind)

    def _take(self, table: _Table, subject: str, line: bytes, record: LedgerRecord) -> Iterator[Admitted]:
        chain, aside = table.chain, table.aside
        if aside.is_fenced(record.epoch, record.gateway):
            return
        digest = record_hash(line)
        try:
            event = decode(line, chain.head, subject)
        except Malformed:
            unreadable(chain, digest, self._blind)
            return
        if event.subject != subject:
            unreadable(chain, digest, self._blind)
            return
        placed = admit(chain, event, digest, self._blind, believe=False)
        if placed is APART:
            aside.hold(chain, _apart(event, line, digest, record))
        elif placed[0]:
            aside.admitted(record.epoch, record.gateway)
            yield reckoned(table.times, event)[0], line
            if aside.held:
                aside.went_on()
        if aside.held:
            yield from self._settled(table, subject)

    def _settled(self, table: _Table, subject: str) -> Iterator[Admitted]:
        chain, aside = table.chain, table.aside
        for one, verdict in aside.settle(chain):
            if verdict == "refused":
                continue
            event = decode(one.line, chain.head, subject)
            if admit(chain, event, one.digest, self._blind)[0]:
                if one.epoch >= aside.epoch:
                    aside.admitted(one.epoch, one.gateway)
                yield reckoned(table.times, event)[0], one.line


def _apart(event: Envelope, line: bytes, digest: str, record: LedgerRecord) -> Apart:
    return Apart(
        sequence=event.sequence, prevhash=event.prevhash, digest=digest, line=line, at=record.at,
        origin="", number=0, start=0, epoch=record.epoch, gateway=record.gateway,
    )  # fmt: skip


def _bare(table: _Table) -> _Table:
    """A table without what only tells what became of lines that were not admitted."""
    chain = table.chain
    kept = Chain(
        next_sequence=chain.next_sequence,
        head=chain.head,
        records=chain.records,
        unread=chain.unread,
        unread_last=chain.unread_last,
    )
    return _Table(kept, table.aside, table.times)
