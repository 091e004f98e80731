"""The journal's events on their way: sent in order, counted as arrived when acknowledged, sent again after a failure.

One step at a time, so that a test can stop it anywhere. A record has arrived on its own acknowledgement alone. After
any failure the producer is dropped and nothing of it is trusted: each table that had records on the way is compared
with the topic, and goes on from its first event that is not there.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from math import inf
from typing import Final, NamedTuple

from kafka.errors import KafkaError
from msgspec import Struct

from producers.kafka.connection import Trouble, trouble_of
from producers.kafka.journal import Journal
from producers.kafka.shipments import BACKFILL, LETTER_HEADERS, Framing, cut, headers_of, letter_message
from producers.kafka.tenure import Reached, Tenure
from producers.kafka.transport import Delivery, Transport
from schemas.messages import WriterClaim
from schemas.topics import DEADLETTER, EVENTS

MARK_SECONDS: Final = 0.25  # a crash costs at most what arrived in this time a second look at the topic
LOOK_SECONDS: Final = 1.0
IDLE_LOOK_SECONDS: Final = 3.0  # while no table is held: then only whether Kafka answers is asked
NOTE_SECONDS: Final = 60.0
SILENT_SECONDS: Final = 5.0
FIRST_PAUSE: Final = 0.1
LONGEST_PAUSE: Final = 5.0


class Bounds(Struct, frozen=True, kw_only=True):
    """What may be on the way and unacknowledged; a table's own bound is below what the fold knows as repeated."""

    events: int = 20_000
    table_events: int = 1_500
    size: int = 16 << 20
    letters: int = 200


class _Sent(NamedTuple):
    first: int
    last: int
    size: int
    delivery: Delivery


class _Lane:
    """One table on its way: `sent` and `arrived` are sequences, `at` the offset of the last that arrived."""

    __slots__ = ("arrived", "at", "partition", "sent", "under_way")

    def __init__(self, arrived: int) -> None:
        self.sent = self.arrived = arrived
        self.partition = self.at = -1
        self.under_way: deque[_Sent] = deque()


class Forwarder:
    """Sends what a journal holds; everything but `appended` and the figures belongs to one thread."""

    def __init__(
        self,
        journal: Journal,
        tenure: Tenure,
        connect: Callable[[], Transport],
        *,
        framing: Framing = BACKFILL,
        bounds: Bounds | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`connect` gives a new producer, or raises KafkaError."""
        self._journal = journal
        self._tenure = tenure
        self._connect = connect
        self._framing = framing
        self._bounds = bounds or Bounds()
        self._clock = clock
        self._transport: Transport | None = None
        self._heads = {s: journal.log.head(s).sequence for s in journal.log.subjects()}
        self._lanes: dict[str, _Lane] = {}
        self._unsent: dict[str, None] = dict.fromkeys(self._heads)  # tables to look at, in turn
        self._letters: deque[_Sent] = deque()
        self._letters_sent = self._letters_arrived = self._letters_marked = journal.letters_arrived()
        self._seen: dict[int, int] = {}  # partition -> offset behind the last record acknowledged there
        self._unmarked: dict[str, int] = {}
        self._unnoted: set[str] = set()
        self._events = self._size = 0
        self._marked_at = self._looked_at = self._noted_at = self._heard_at = self._answered_at = clock()
        self._pause, self._resume_at = FIRST_PAUSE, -inf
        self.trouble: Trouble | None = None
        self.acknowledged = 0  # events, since the start
        self.failures = 0  # producers dropped

    def appended(self, subject: str, sequence: int) -> None:
        """The journal holds a table's events up to this one; may be called from any thread."""
        self._heads[subject] = sequence
        self._unsent[subject] = None

    @property
    def under_way(self) -> int:
        """Events that were handed over and are neither acknowledged nor failed."""
        return self._events

    @property
    def waiting(self) -> int:
        """Events of the journal that are not known to have arrived, but of tables that may not be written."""
        lost = self._tenure.lost
        return sum(
            max(head - self._arrived(subject), 0)
            for subject, head in list(self._heads.items())
            if subject not in lost
        )

    def waits(self, subject: str) -> bool:
        """Whether the journal holds events of this table that are not known to have arrived."""
        return self._heads.get(subject, 0) > self._arrived(subject)

    @property
    def idle(self) -> bool:
        """Whether everything has arrived, dead letters too."""
        letters = self._letters or self._journal.has_letters(self._letters_arrived)
        return not (self._events or self.waiting or letters)

    @property
    def silent(self) -> bool:
        """Whether records are on the way and the broker has acknowledged none for a while."""
        under_way = self._events > 0 or bool(self._letters)
        return under_way and self._clock() - self._heard_at > SILENT_SECONDS

    @property
    def stalled(self) -> float:
        """Seconds for which the brokers have answered nothing, or acknowledged nothing of what is on the way."""
        now = self._clock()
        unheard = now - self._heard_at if self._events or self._letters else 0.0
        return max(now - self._answered_at, unheard)

    def step(self) -> bool:
        """Do what can be done now; whether anything was done."""
        try:
            done = self._reap()
            if self._clock() >= self._resume_at and self._may_send():
                done |= self._send()
        except KafkaError as error:
            self._fail(error)
            return False
        finally:
            self._mark()
        return done

    def reached(self) -> dict[str, Reached]:
        """How far each table is known that sent something: told to the next gateway."""
        return {
            subject: Reached(lane.partition, self._seen[lane.partition], lane.at)
            for subject, lane in self._lanes.items()
            if lane.at >= 0 and not lane.under_way
        }

    def close(self, seconds: float) -> None:
        """Let go of the producer; what has not arrived stays in the journal."""
        if self._transport is not None:
            if self._events or self._letters:
                self._transport.abandon()
            else:
                self._transport.close(seconds)
            self._transport = None
        self._mark(at_once=True)

    def _arrived(self, subject: str) -> int:
        lane = self._lanes.get(subject)
        return lane.arrived if lane is not None else self._journal.arrived(subject)

    def _reap(self) -> bool:
        """Take note of acknowledgements, in the order of each table; raise the first failure."""
        reaped = False
        for subject, lane in self._lanes.items():
            while lane.under_way and lane.under_way[0].delivery.is_done:
                self._took(subject, lane, lane.under_way[0])
                lane.under_way.popleft()
                reaped = True
        while self._letters and self._letters[0].delivery.is_done:
            sent = self._letters[0]
            if not sent.delivery.succeeded():
                raise sent.delivery.exception
            self._letters.popleft()
            self._letters_arrived = sent.last
            self._size -= sent.size
            self._heard()
            reaped = True
        return reaped

    def _took(self, subject: str, lane: _Lane, sent: _Sent) -> None:
        if not sent.delivery.succeeded():
            raise sent.delivery.exception
        lane.arrived = self._unmarked[subject] = sent.last
        where = sent.delivery.value
        lane.at = where.offset
        if where.offset >= 0:
            lane.partition = where.partition
            self._seen[where.partition] = max(self._seen.get(where.partition, 0), where.offset + 1)
            self._unnoted.add(subject)
        count = sent.last - sent.first + 1
        self._events -= count
        self._size -= sent.size
        self.acknowledged += count
        self._unsent[subject] = None
        self._heard()

    def _heard(self) -> None:
        self._heard_at = self._answered_at = self._clock()
        self._pause = FIRST_PAUSE
        self.trouble = None

    def _may_send(self) -> bool:
        """Look for newer claims and take tables that are new; whether the claims are known well enough to send.

        What is on its way stays with its producer when that fails: nobody is better placed to send it again.
        """
        try:
            asked = self._clock()
            if asked - self._looked_at >= (LOOK_SECONDS if self._tenure.held else IDLE_LOOK_SECONDS):
                self._tenure.look()
                self._looked_at, self._answered_at = self._clock(), asked
                if not self._events and not self._letters:
                    self.trouble = None
            due = [s for s in list(self._unsent) if self._heads[s] > self._arrived(s)]
            unsettled = [s for s in due if s not in self._tenure.held and s not in self._tenure.lost]
            if unsettled:
                self._tenure.settle(unsettled)
            self._note()
        except KafkaError as error:
            self._wait(error)
            return False
        return self._tenure.view_is_fresh or not self._tenure.held

    def _send(self) -> bool:
        sent = self._send_letters()
        for subject in list(self._unsent):
            claim = self._tenure.held.get(subject)
            if subject in self._tenure.lost:
                self._forget(subject)
            elif claim is not None or self._heads[subject] <= self._arrived(subject):
                del self._unsent[subject]
                sent |= claim is not None and self._send_table(subject, claim)
        return sent

    def _forget(self, subject: str) -> None:
        """A table that may not be written: what the broker has been handed is past recall, the rest stays here."""
        self._unsent.pop(subject, None)
        lane = self._lanes.pop(subject, None)
        for sent in lane.under_way if lane is not None else ():
            self._events -= sent.last - sent.first + 1
            self._size -= sent.size

    def _send_table(self, subject: str, claim: WriterClaim) -> bool:
        """Send what waits of a table as far as the bounds allow; the rest comes when some has arrived."""
        lane = self._lanes.get(subject)
        if lane is None:
            lane = self._lanes[subject] = _Lane(self._journal.arrived(subject))
        bounds, head = self._bounds, self._heads[subject]
        under_way = lane.sent - lane.arrived
        room = min(bounds.table_events - under_way, bounds.events - self._events)
        if (
            lane.sent >= head
            or under_way > bounds.table_events // 2
            or room <= 0
            or self._size >= bounds.size
        ):
            if lane.sent < head and not under_way:
                self._unsent[subject] = None  # others fill the bounds; its turn comes
            return False
        records = self._journal.waiting(subject, lane.sent, room)
        for shipment in cut(records, self._framing, head - lane.sent):
            if subject not in self._tenure.held or not self._tenure.view_is_fresh:
                self._unsent[subject] = None  # looked at again, in the next step
                break
            headers = headers_of(shipment.content_type, claim.gateway, claim.epoch)
            delivery = self._producer().send(EVENTS, subject.encode(), shipment.value, headers)
            size, count = len(shipment.value), shipment.last - shipment.first + 1
            self._begin()
            lane.under_way.append(_Sent(shipment.first, shipment.last, size, delivery))
            lane.sent = shipment.last
            self._events += count
            self._size += size
            if self._size >= bounds.size:
                break
        return True

    def _send_letters(self) -> bool:
        sent = False
        if len(self._letters) >= self._bounds.letters or not self._journal.has_letters(self._letters_sent):
            return sent
        for kept in self._journal.log.quarantined(self._letters_sent):
            if len(self._letters) >= self._bounds.letters or self._size >= self._bounds.size:
                break
            key = kept.letter.subject.encode() if kept.letter.subject else None
            message = letter_message(kept)
            delivery = self._producer().send(DEADLETTER, key, message, LETTER_HEADERS)
            self._begin()
            self._letters.append(_Sent(kept.number, kept.number, len(message), delivery))
            self._size += len(message)
            self._letters_sent = kept.number
            sent = True
        return sent

    def _begin(self) -> None:
        """Silence is counted from the moment at which something went out into it."""
        if not self._events and not self._letters:
            self._heard_at = self._clock()

    def _producer(self) -> Transport:
        transport = self._transport = self._transport or self._connect()
        return transport

    def _fail(self, error: KafkaError) -> None:
        """Drop the producer and forget what it was handed; try again after a pause."""
        transport, self._transport = self._transport, None
        if transport is not None:
            transport.abandon()
            self.failures += 1
        self._mark(at_once=True)
        behind = [subject for subject, lane in self._lanes.items() if lane.under_way]
        for subject in behind:
            del self._lanes[subject]
        self._unsent.update(dict.fromkeys(self._heads))
        self._letters.clear()
        self._letters_sent = self._letters_arrived
        self._events = self._size = 0
        self._tenure.unsettle(behind)
        self._wait(error)

    def _wait(self, error: KafkaError) -> None:
        self.trouble = trouble_of(error)
        self._resume_at = self._clock() + self._pause
        self._pause = min(self._pause * 2, LONGEST_PAUSE)

    def _mark(self, *, at_once: bool = False) -> None:
        due = at_once or self._clock() - self._marked_at >= MARK_SECONDS
        if due and (self._unmarked or self._letters_arrived > self._letters_marked):
            self._journal.mark(self._unmarked, self._letters_arrived)
            self._unmarked = {}
            self._letters_marked = self._letters_arrived
            self._marked_at = self._clock()

    def _note(self) -> None:
        if self._unnoted and self._clock() - self._noted_at >= NOTE_SECONDS:
            self._noted_at = self._clock()
            noted = {s: r for s, r in self.reached().items() if s in self._unnoted}
            self._unnoted -= noted.keys()
            self._tenure.note(noted)
