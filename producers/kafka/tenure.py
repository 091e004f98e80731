"""Which tables this gateway writes: taken by a claim, compared with the topic, and given up to a newer claim.

Guaranteed: a gateway that has seen a newer claim sends nothing more for that table; one whose view of the claims
is older than `LEASE` sends nothing until it has looked again; the order of the claims' own topic decides between two
that claim at once; who takes a table from another waits `GRACE` before it reads how far the table has come.

Not guaranteed, since a broker appends whatever an authorised client sends: what the other gateway had handed over
before it looked, and a process that stands still for longer than `GRACE` between looking and sending. Both are
detected: each table's events are chained, so that the fold takes the same event at the same place for delivered
again, and another one for a conflict.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, NamedTuple

from kafka.errors import KafkaError
from msgspec.structs import replace

from producers.kafka.agreement import Agreement
from producers.kafka.heads import Heads
from producers.kafka.journal import Journal
from producers.kafka.refusals import FencedOut
from producers.kafka.writers import Writers
from schemas.amounts import amount, verb
from schemas.messages import WriterClaim

LEASE: Final = 3.0  # seconds: no record is sent on an older view of the claims
GRACE: Final = 4.0  # seconds: longer than a lease, so that who held the table has looked or stopped


class Reached(NamedTuple):
    """How far a table is known: `offset` behind the last record seen in its partition, `at` its own last record's."""

    partition: int
    offset: int
    at: int


class Tenure:
    """The tables this gateway holds (`held`) and those it may not write (`lost`)."""

    def __init__(
        self,
        journal: Journal,
        agreement: Agreement,
        connect: Callable[[], tuple[Writers, Heads]],
        *,
        take_over: bool = False,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`connect` reaches Kafka, now and after each failure; `take_over` takes back what was taken from here."""
        self._journal = journal
        self._agreement = agreement
        self._connect = connect
        self._take_over = take_over
        self._sleep = sleep
        self._clock = clock
        self._guard = threading.RLock()
        self._reach: tuple[Writers, Heads] | None = None
        self.instance = secrets.token_hex(8)
        self.held: dict[str, WriterClaim] = {}
        self.lost: dict[str, FencedOut] = {}

    def settle(self, subjects: Collection[str]) -> None:
        """Hold these tables, with the journal agreeing with the topic; those that may not be held are `lost`.

        Raises:
            KafkaError: that cannot be found out now.
        """
        with self._guard, self._reached() as (claims, heads):
            wanted = [s for s in subjects if s not in self.held and s not in self.lost]
            if not wanted:
                return
            claims.refresh()
            before = {subject: claims.last(subject) for subject in wanted}
            self._claim(claims, {s: last for s, last in before.items() if self._may_take(s, last)})
            taken = [before[s] for s in wanted if s not in self.lost]
            if any(c and c.gateway != self._journal.gateway and not c.released for c in taken):
                self._sleep(GRACE)
            for subject in wanted:
                claim = claims.last(subject)
                if subject not in self.lost and claim is not None:
                    self._agree(subject, claim, claims, heads)

    def unsettle(self, subjects: Iterable[str]) -> None:
        """Compare these tables with the topic again before anything more is sent for them."""
        with self._guard:
            for subject in subjects:
                self.held.pop(subject, None)

    def look(self) -> None:
        """Look whether another gateway has claimed a table that is held here.

        Raises:
            KafkaError: the claims cannot be read.
        """
        with self._guard, self._reached() as (claims, _):
            claims.refresh()
            for subject in list(self.held):
                last = claims.last(subject)
                if last is not None and last.instance != self.instance:
                    self._lose(subject, last)

    @property
    def view_is_fresh(self) -> bool:
        """Whether the claims have been read so recently that records may be sent on what they said."""
        return self._reach is not None and self._clock() - self._reach[0].fresh_at < LEASE

    def note(self, reached: Mapping[str, Reached]) -> None:
        """Write how far held tables have come, so that the next gateway reads on from there.

        Raises:
            KafkaError: the claims cannot be written.
        """
        with self._guard, self._reached() as (claims, _):
            told = [_told(self.held[s], r) for s, r in reached.items() if s in self.held]
            claims.write(told)
            self.held.update((claim.subject, claim) for claim in told)

    def release(self, reached: Mapping[str, Reached], waiting: Collection[str]) -> None:
        """Let go of all tables but those that still have events waiting here, which only this gateway can send.

        Raises:
            KafkaError: the claims cannot be written.
        """
        with self._guard, self._reached() as (claims, _):
            kept = {s: claim for s, claim in self.held.items() if s not in waiting}
            told = [_told(claim, reached.get(s)) for s, claim in kept.items()]
            if told:
                claims.write([replace(claim, released=True) for claim in told])
            for subject in kept:
                del self.held[subject]

    def history(self, subject: str) -> None:
        """Bring what the topic holds before the journal's first record of a table into the journal.

        Raises:
            KafkaError: the topic cannot be read.
        """
        with self._guard, self._reached() as (_, heads):
            if self._journal.first(subject) > 1:
                self._agreement.import_history(subject, heads.end(subject), heads)

    def close(self) -> None:
        """Let go of the broker."""
        with self._guard:
            self._drop()

    @contextmanager
    def _reached(self) -> Iterator[tuple[Writers, Heads]]:
        """The clients; after a failure new ones are made, since what the old ones hold is in doubt."""
        try:
            if self._reach is None:
                self._reach = self._connect()
            yield self._reach
        except KafkaError:
            self._drop()
            raise

    def _drop(self) -> None:
        reach, self._reach = self._reach, None
        if reach is not None:
            claims, heads = reach
            claims.close()
            heads.close()

    def _may_take(self, subject: str, last: WriterClaim | None) -> bool:
        """A gateway that is started again does not take back what was taken from it: two would do so in turn."""
        if last is None or last.released or self._take_over:
            return True
        if self._journal.taken_over(subject) != last.instance:
            return True
        self._lose(subject, last)
        return False

    def _claim(self, claims: Writers, wanted: Mapping[str, WriterClaim | None]) -> None:
        made = []
        for subject, last in wanted.items():
            if last is not None and last.instance == self.instance and not last.released:
                continue
            claim = WriterClaim(
                subject=subject,
                gateway=self._journal.gateway,
                instance=self.instance,
                epoch=last.epoch + 1 if last is not None else 1,
            )
            if last is not None:
                claim = replace(claim, partition=last.partition, offset=last.offset, at=last.at)
            made.append(claim)
        if not made:
            return
        claims.write(made)
        claims.refresh()
        for claim in made:
            holds = claims.last(claim.subject)
            if holds is not None and holds.instance != self.instance:
                self._lose(claim.subject, holds)

    def _agree(self, subject: str, claim: WriterClaim, claims: Writers, heads: Heads) -> None:
        known = heads.last(subject, claim)
        try:
            self._agreement.reach(subject, known, heads)
        except FencedOut as fenced:
            self.lost[subject] = fenced
            return
        if known is not None and known.epoch > claim.epoch:
            # The claims were lost, or somebody wrote under one of his own: nobody would count what comes under less.
            claim = replace(claim, epoch=known.epoch + 1)
            claims.write([claim])
        self._journal.set_taken_over(subject, None)
        self.held[subject] = claim

    def _lose(self, subject: str, to: WriterClaim) -> None:
        """Stop writing a table, and leave word of it."""
        self.held.pop(subject, None)
        waiting = self._journal.log.head(subject).sequence - self._journal.arrived(subject)
        why = f"gateway {to.gateway} has taken it over (claim {to.epoch})"
        if waiting > 0:
            why += f"; {amount(waiting, 'event')} {verb(waiting, 'waits')} unsent in the journal"
        remedy = "send its events to that gateway, or take it back by --take-over"
        self.lost[subject] = FencedOut(subject, why, remedy)
        self._journal.set_taken_over(subject, to.instance)
        self._agreement.leave_word(subject, why)


def _told(claim: WriterClaim, reached: Reached | None) -> WriterClaim:
    if reached is None:
        return claim
    return replace(claim, partition=reached.partition, offset=reached.offset, at=reached.at)
