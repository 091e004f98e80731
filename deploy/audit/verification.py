"""What a stream or a ledger proves: chain, sequence, table, schema and signed checkpoints of each table.

The first bad sequence is that of the record that is not as it was written: k if record k was edited, is
missing, stands twice, or changed places with k+1, or if something else stands where record k should. A stream
alone cannot show that records were cut off its end, nor an edit of its last record's content; an edit of the last
record's `prevhash` shows as an edit of the one before. A signed checkpoint proves every record up to the one it
names.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from msgspec import Struct

from deploy.audit.checkpoints import Checkpoints, Keys, Tally
from processors.core.anomaly import Anomaly
from processors.core.chain import admit, unreadable
from processors.core.state import Chain
from processors.core.witnesses import Blindness
from producers.feeds.lines import AnyLine, LongLine
from producers.feeds.streams import StreamError, StreamTooLarge
from producers.log import Head, LedgerError
from schemas.amounts import amount, verb
from schemas.events import ChainCheckpointed
from schemas.events.codec import Malformed, decode, record_hash
from schemas.events.envelope import GENESIS, Envelope, utc_text

_MOST_UNREAD = 4096  # unreadable lines in a row that may still be records under a later checkpoint


class Proof(Struct, kw_only=True):
    """What was proven of one table's stream; `head` is the hash of its last record as it stands, hex."""

    file: str
    subject: str | None
    records: int
    first_time: str | None
    last_time: str | None
    head: str
    chain: Literal["intact", "broken"]
    first_bad_sequence: int | None
    reason: str | None
    checkpoints: Tally


class _Read(NamedTuple):
    line: AnyLine
    digest: str
    event: Envelope | Malformed


def verify_stream(file: str, lines: Iterable[AnyLine], keys: Keys) -> list[Proof]:
    """Say what the lines of a stream prove, table by table, `file` being what the proofs call it.

    A table begins with an event 1 that follows nothing; any other line is held to be of the table before it.
    Where the lines cannot be read to the end, the rest is missing.

    Raises:
        StreamError: not a single line can be read, or the stream is too large to be read to its end.
    """
    current = _Walk(keys)
    walks = {"": current}
    unread: str | None = None
    try:
        for line in lines:
            read = _read(line, current.head)
            if isinstance(read.event, Envelope) and read.event.subject != current.subject:
                current = _walk_of(walks, current, read.event, keys)
            current.take(read)
    except StreamError as error:
        if not current.records or isinstance(error, StreamTooLarge):
            raise
        unread = error.why
    for walk in walks.values():
        walk.finish(unread if walk is current else None, None)
    return [walk.proof(file) for walk in walks.values()]


def verify_table(subject: str, lines: Iterable[AnyLine], keys: Keys, written: Head) -> Proof:
    """Say what a table's records in a ledger prove.

    `written` is the last record that the ledger knows it wrote, which a stream alone cannot know.
    """
    walk = _Walk(keys, subject)
    unread: str | None = None
    try:
        for line in lines:
            walk.take(_read(line, walk.head))
    except LedgerError as error:
        unread = error.why
    walk.finish(unread, written)
    return walk.proof(subject)


def _walk_of(walks: dict[str, _Walk], current: _Walk, event: Envelope, keys: Keys) -> _Walk:
    if event.subject in walks:
        return walks[event.subject]
    if current.subject is None:
        current.subject = event.subject
        walks[event.subject] = walks.pop("")
    elif event.sequence == 1 and event.prevhash == GENESIS:
        current = walks[event.subject] = _Walk(keys, event.subject)
    return current


def _read(line: AnyLine, head: str) -> _Read:
    if isinstance(line, LongLine):
        return _Read(line, line.digest, Malformed(line.reason))
    digest = record_hash(line.content)
    try:
        return _Read(line, digest, decode(line.content, head))
    except Malformed as fault:
        return _Read(line, digest, fault)


class _Walk:
    """One pass over a table's lines, each seen together with the one that follows it."""

    def __init__(self, keys: Keys, subject: str | None = None) -> None:
        self.subject = subject
        self.records = 0
        self.head = GENESIS  # of the last line, whatever it is
        self._before: _Read | None = None
        self._chain = Chain()
        self._blind = Blindness()  # what `admit` clouds for the fold; here nobody folds
        self._checkpoints = Checkpoints(keys)
        self._first: Envelope | None = None
        self._last: Envelope | None = None
        self._unread: list[str] = []  # hashes of the lines since the last event that could not be read,
        self._passed = 0  # of so many the first `_MOST_UNREAD`
        self._fault: tuple[int, str] | None = None
        self._mismatches: set[int] = set()  # events whose prevhash is not the hash of the event before

    def take(self, read: _Read) -> None:
        """Take the next line; it is judged when the one after it is known."""
        if self._before is not None:
            self._judge(self._before, read)
        self._before = read
        self.records += 1
        self.head = read.digest

    def _judge(self, read: _Read, following: _Read | None) -> None:
        if not self._fits(read) and following is not None and self._fits(following):
            self._pass_over(read, following)
        elif isinstance(read.event, Malformed):
            self._pass_unreadable(read, read.event, following)
        else:
            self._place(read.event, read.digest)

    def finish(self, unread: str | None, written: Head | None) -> None:
        """Take the last line, and hold the end against what is known of it."""
        if self._before is not None:
            self._judge(self._before, None)
        following, last = self._chain.next_sequence, written.sequence if written is not None else 0
        if unread is not None:
            self._blame(following, f"event {following} cannot be read: {unread}")
        elif following <= last:
            self._blame(
                following,
                f"event {following} is missing: {amount(last, 'event')} {verb(last, 'was')} written",
            )
        elif self.records == 0:
            self._blame(1, "there is not a single event")
        elif written is not None and self._chain.head != written.hash:
            self._blame(last, f"event {last}, the last, is not the one that was written")

    def proof(self, file: str) -> Proof:
        """What the lines proved."""
        bad, reason = self._first_bad()
        return Proof(
            file=file,
            subject=self.subject,
            records=self.records,
            first_time=utc_text(self._first.time) if self._first is not None else None,
            last_time=utc_text(self._last.time) if self._last is not None else None,
            head=self.head,
            chain="intact" if bad is None else "broken",
            first_bad_sequence=bad,
            reason=reason,
            checkpoints=self._checkpoints.tally,
        )

    def _first_bad(self) -> tuple[int, str] | tuple[None, None]:
        bad = self._chain.first_bad
        if self._fault is not None and (bad is None or self._fault[0] <= bad):
            return self._fault
        if bad is None:
            return None, None
        if bad + 1 not in self._mismatches:
            return bad, f"event {bad} was edited: it does not carry the hash of the event before"
        last = self._last is not None and self._last.sequence == bad + 1
        perhaps = f", unless event {bad + 1}, the last, was edited itself" if last else ""
        return bad, f"event {bad} was edited: event {bad + 1} carries the hash of another{perhaps}"

    def _blame(self, sequence: int, reason: str) -> None:
        if self._fault is None or sequence < self._fault[0]:
            self._fault = sequence, reason

    def _fits(self, read: _Read) -> bool:
        event = read.event
        return (
            isinstance(event, Envelope)
            and event.prevhash == self._chain.head
            and event.sequence == self._chain.next_sequence
        )

    def _pass_over(self, read: _Read, following: _Read) -> None:
        """A line that the chain passes over: the next one follows the record before it."""
        place, event = self._chain.next_sequence, read.event
        if isinstance(event, Malformed):
            self._blame(place, f"a line that is no event stands before event {place}: {event}")
        elif read.digest == self._chain.head:
            self._blame(place - 1, f"event {place - 1} stands twice")
        elif event.prevhash == following.digest:
            self._blame(place, f"event {event.sequence} stands before event {place}")
        else:
            self._blame(place, f"another event, numbered {event.sequence}, stands before event {place}")

    def _pass_unreadable(self, read: _Read, fault: Malformed, following: _Read | None) -> None:
        place = unreadable(self._chain, read.digest, self._blind)
        self._passed += 1
        if len(self._unread) < _MOST_UNREAD:
            self._unread.append(read.digest)
        event = following.event if following is not None else None
        if following is None and not read.line.whole:
            said = "the last, is cut off"
        elif isinstance(event, Envelope) and event.prevhash == read.digest:
            said = "though it stands as it was written, is no event of the contract"
        else:
            said = "as it stands, is no event of the contract"
        self._blame(place, f"event {place}, {said}: {fault}")

    def _place(self, event: Envelope, digest: str) -> None:
        place = self._chain.next_sequence
        if event.subject != self.subject:
            self._blame(place, f"event {place} is of table {event.subject}, not {self.subject}")
        known = self._chain.first_bad
        admitted, anomalies = admit(self._chain, event, digest, self._blind)
        if anomalies:
            self._explain(event, anomalies, known)
        if admitted:
            self._first, self._last = self._first or event, event
            self._checkpoints.note(
                event.sequence, digest, self._unread if self._passed <= _MOST_UNREAD else ()
            )
            self._unread.clear()
            self._passed = 0
            if isinstance(event.data, ChainCheckpointed):
                fault = self._checkpoints.hold(event.subject, event.sequence, event.data)
                if fault is not None:
                    self._blame(*fault)

    def _explain(self, event: Envelope, anomalies: Iterable[Anomaly], known: int | None) -> None:
        for anomaly in anomalies:
            bad = self._chain.first_bad
            if anomaly.check == "integrity.chain":  # which of two events it was, the next one tells
                self._mismatches.add(event.sequence)
            elif bad is not None and bad != known:
                self._blame(bad, anomaly.message[:1].lower() + anomaly.message[1:].rstrip("."))
