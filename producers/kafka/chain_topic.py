"""One hash chain in a topic of one partition, to which several processes append.

What is appended at once is one record: a frame of chained lines. The first line of a frame names the hash of the line
it was written behind. **A frame counts if it follows from the last one that counts before it in the topic; any other
is void.** That is a function of the topic's order alone, so that every reader, at any time, counts the same frames.

An append is acknowledged by every replica in sync, and then read back: up to its own offset the topic says whether
this frame counts or another came first, which is told as `Fenced`. From that follows:

- Of two frames behind the same line only the first counts: rivals lose nothing but an attempt.
- A frame that is sent twice counts once: its second copy does not follow from the first. So a send whose answer was
  lost is sent again as it is, and whichever copy arrived first is the one that counts.
- A process that dies between send and read-back leaves a frame that counts or not, by the same rule; nobody was told
  that it does, and who tries again decides on a state that contains it, or writes behind the same line, and one
  of both is void.
- What was answered is in the topic on all replicas in sync, and behind it nothing can make it void.
- When the brokers do not answer in time (`InDoubt`), what was sent may still arrive, and counts if nothing else was
  appended until then. Look before doing it again.

The topic keeps records for ever and is not compacted: void frames stay in it too, some hundred bytes each.
"""

from __future__ import annotations

import threading
import time
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from kafka.errors import KafkaError, KafkaTimeoutError

from producers.kafka.connection import AT_ONCE, Connection, Trouble, ledger_error, trouble_of
from producers.kafka.heads import TopicReader, placed_at
from producers.kafka.tail import TopicTail
from producers.kafka.transport import KafkaTransport, Transport
from producers.log import EMPTY, Fenced, Head, LedgerError
from schemas.events.codec import record_hash
from schemas.topics import FRAME, Topic

HEADERS: Final = [("content-type", FRAME.encode())]
PATIENCE: Final = 5.0  # seconds that an append may take; after a failure the next ones have only
BRIEF: Final = 1.0
STALE: Final = 10.0  # seconds after which what was last read of the topic says nothing about it
WINDOW: Final = 5_000  # lines in memory for those who follow; older ones are read again
_MARK_EVERY: Final = 1_000
_POLL: Final = 0.5
_PAUSE: Final = 0.5


class InDoubt(LedgerError):
    """The brokers did not answer in time: what was sent may be in the topic, or yet come."""


class _Mark(NamedTuple):
    """Before the record at `offset` the chain's last line was `sequence`, and its hash `hash`."""

    sequence: int
    offset: int
    hash: str


class _Frame(NamedTuple):
    value: bytes
    after: Head
    new: Head


def following(head: Head, value: bytes | None) -> list[tuple[Head, bytes]]:
    """The lines of a record that follows from `head`, each with the head that it makes; none of a void record."""
    followed = []
    for line in (value or b"").split(b"\n"):
        placed = placed_at(line)
        if placed is None or (placed.sequence, placed.prevhash) != (head.sequence + 1, head.hash):
            return []
        head = Head(placed.sequence, record_hash(line))
        followed.append((head, line))
    return followed


class ChainTopic:
    """The chain, followed by a thread of its own; any thread may call.

    The first `read_from` reads the topic from its beginning; what comes later is there without a wait.
    """

    def __init__(
        self,
        connection: Connection,
        topic: Topic,
        *,
        tail: TopicTail | None = None,
        transport: Callable[[Callable[[], None]], Transport] | None = None,
        patience: float = PATIENCE,
        pause: float = _PAUSE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Nothing is reached yet; an append may take `patience` seconds, and is tried again after `pause`."""
        self._connection = connection
        self._topic = topic
        self._patience = patience
        self._pause = pause
        self._clock = clock
        self._tail = tail or TopicTail(connection, topic, whole=True)
        self._open = transport or (lambda wake: KafkaTransport(connection, wake, AT_ONCE))
        self._transport: Transport | None = None
        self._woken = threading.Event()
        self._writing = threading.Lock()  # one frame at a time: the next one is chained to it
        self._failing = False
        self._changed = threading.Condition()  # guards what was read
        self._head = EMPTY
        self._offset = 0
        self._window: deque[bytes] = deque(maxlen=WINDOW)
        self._marks = [_Mark(0, 0, EMPTY.hash)]
        self._trouble: Exception | None = None
        self._starting = threading.Lock()
        self._ended = threading.Event()
        self._follower: threading.Thread | None = None
        self.void = 0  # frames that do not count

    def append(self, lines: Sequence[bytes], after: Head) -> Head:
        """Append all lines behind `after`, on all replicas in sync when this returns, or none; return the new head.

        Raises:
            Fenced: `after` is not the last line: another has written.
            InDoubt: the brokers did not answer in time.
            LedgerError: they cannot be reached or refuse; nothing was appended.
        """
        if not lines:
            return after
        new = Head(after.sequence + len(lines), record_hash(lines[-1]))
        with self._writing:
            if self._follower is None:
                deque(self.read_from(1), maxlen=0)
            self._require_well()
            with self._changed:
                if self._head != after:
                    raise Fenced(self._topic.name, after, self._head)
            self._deliver(_Frame(b"\n".join(lines), after, new))
        return new

    def read_from(self, sequence: int) -> Iterator[tuple[int, bytes]]:
        """Sequence and line from this one on, as far as they are known.

        Raises:
            LedgerError: the topic cannot be read.
        """
        if self._follower is None:
            if sequence <= self._head.sequence:
                yield from self._scanned(sequence, self._head.sequence)
            for number, line in self._first():
                if number >= sequence:
                    yield number, line
                    sequence = number + 1
        self._require_well()
        while (found := self._held(sequence)) is not None:
            for number, line in found:
                yield number, line
                sequence = number + 1

    def reread(self) -> Iterator[tuple[int, bytes]]:
        """Sequence and line of all records that count, read from the brokers again up to what is known now.

        Raises:
            LedgerError: the topic cannot be read.
        """
        with self._changed:
            last = self._head.sequence
        return self._scanned(1, last)

    @property
    def head(self) -> Head:
        """The last line that was read."""
        with self._changed:
            return self._head

    @property
    def trouble(self) -> str | None:
        """Why the topic cannot be read or written now."""
        if self._trouble is not None:
            return _said(self._trouble).why
        return "the brokers do not answer" if self._is_stale() else None

    def close(self) -> None:
        """Let go of the brokers."""
        self._ended.set()
        if self._follower is not None:
            self._follower.join()
        self._tail.close()
        with self._writing:
            transport, self._transport = self._transport, None
        if transport is not None:
            transport.close(2.0)

    def _first(self) -> Iterator[tuple[int, bytes]]:
        """Read up to the present end, and follow from there."""
        if not self._starting.acquire(blocking=False):
            raise LedgerError(f"topic {self._topic.name}", "it is being read", "wait until that is done")
        try:
            begun = self._clock()
            while self._tail.fresh_at < begun:
                if self._ended.is_set():
                    raise LedgerError(f"topic {self._topic.name}", "it was closed", "open it again")
                for record in self._tail.take(_POLL):
                    yield from self._take(record.offset, record.value)
            if self._follower is None:
                self._follower = threading.Thread(target=self._follow, name=self._topic.name, daemon=True)
                self._follower.start()
        finally:
            self._starting.release()

    def _follow(self) -> None:
        while not self._ended.is_set():
            try:
                for record in self._tail.take(_POLL):
                    self._take(record.offset, record.value)
                self._trouble = None
            except Exception as error:  # whatever it is, it is told by all who ask, and tried again
                self._trouble = error
                self._ended.wait(self._pause)

    def _take(self, offset: int, value: bytes | None) -> list[tuple[int, bytes]]:
        """Take the record at this offset; its lines if it counts and was not taken before."""
        with self._changed:
            if offset < self._offset:
                return []
            if self._head.sequence >= self._marks[-1].sequence + _MARK_EVERY:
                self._marks.append(_Mark(self._head.sequence, offset, self._head.hash))
            lines = []
            for head, line in following(self._head, value):
                self._head = head
                lines.append((head.sequence, line))
            self._window.extend(line for _, line in lines)
            self.void += not lines
            self._offset = offset + 1
            self._changed.notify_all()
            return lines

    def _held(self, sequence: int) -> list[tuple[int, bytes]] | Iterator[tuple[int, bytes]] | None:
        """What is known from this line on, or None."""
        with self._changed:
            missing = self._head.sequence - sequence + 1
            if missing <= 0:
                return None
            before = self._head.sequence - len(self._window)
            if missing <= len(self._window):
                return list(enumerate((self._window[at] for at in range(-missing, 0)), sequence))
        return self._scanned(sequence, before)

    def _scanned(self, first: int, last: int) -> Iterator[tuple[int, bytes]]:
        """Lines that are no longer in memory, read from the topic again."""
        with self._changed:
            stop = self._offset
            mark = self._marks[bisect_right(self._marks, first - 1, key=lambda mark: mark.sequence) - 1]
        head = Head(mark.sequence, mark.hash)
        try:
            reader = TopicReader(self._connection, self._topic)
            try:
                for record in reader.records(0, mark.offset, stop):
                    for after, line in following(head, record.value):
                        if first <= after.sequence <= last:
                            yield after.sequence, line
                        head = after
                    if head.sequence >= last:
                        return
            finally:
                reader.close()
        except KafkaError as error:
            raise self._failed(error) from error

    def _deliver(self, frame: _Frame) -> None:
        """Send until the topic says whose frame follows `after`."""
        deadline = self._clock() + min(self._patience, BRIEF if self._failing else PATIENCE)
        doubt = False
        while True:
            wait_until, handed = deadline, False
            try:
                transport = self._transport = self._transport or self._open(self._woken.set)
                delivery = transport.send(self._topic, None, frame.value, HEADERS)
                handed = True
                self._took(self._offset_of(delivery, deadline), frame.value)
            except KafkaError as error:
                self._drop()
                refused = _said(error).cures == 0
                doubt = doubt or (handed and not refused)
                if not doubt and (refused or self._clock() >= deadline):
                    self._failing = True
                    raise self._failed(error) from error
                wait_until = min(deadline, self._clock() + self._pause)
            ours = self._ours(frame, wait_until)
            if ours is not None:
                break
            if self._clock() >= deadline:
                self._failing = True
                remedy = "look whether it was done before doing it again"
                raise InDoubt(f"topic {self._topic.name}", "the brokers did not answer in time", remedy)
        self._failing = False
        if not ours:
            raise Fenced(self._topic.name, frame.after, self._head)

    def _offset_of(self, delivery: Any, deadline: float) -> int:
        """The offset at which the brokers have put a record; below 0 if they do not say."""
        while not delivery.is_done:
            self._woken.clear()
            if not delivery.is_done and not self._woken.wait(0.05) and self._clock() > deadline:
                raise KafkaTimeoutError("a frame was not acknowledged")
        if not delivery.succeeded():
            error = delivery.exception
            raise error if isinstance(error, KafkaError) else KafkaTimeoutError(str(error))
        return int(delivery.value.offset)

    def _took(self, offset: int, value: bytes) -> None:
        """Take one's own frame at once if nothing lies between it and what was read."""
        with self._changed:
            if offset == self._offset:
                self._take(offset, value)

    def _ours(self, frame: _Frame, until: float) -> bool | None:
        """Whether this frame is the one that follows `after`; None if none does in time."""
        with self._changed:
            while self._head.sequence == frame.after.sequence:
                if not self._changed.wait(max(0.0, until - self._clock())) and self._clock() >= until:
                    return None
            if self._head == frame.new:
                return True
        line = next(iter(self._held(frame.new.sequence) or ()), None)
        return line is not None and record_hash(line[1]) == frame.new.hash

    def _drop(self) -> None:
        """Nothing of a producer that has failed is trusted, and it sends nothing more."""
        transport, self._transport = self._transport, None
        if transport is not None:
            transport.abandon()

    def _is_stale(self) -> bool:
        return self._follower is not None and self._clock() - self._tail.fresh_at > STALE

    def _require_well(self) -> None:
        if self._trouble is not None:
            raise self._failed(self._trouble)
        if self._is_stale():
            raise self._failed(KafkaTimeoutError("the brokers do not answer"))

    def _failed(self, error: Exception) -> LedgerError:
        if isinstance(error, LedgerError):
            return error
        return ledger_error(self._connection.servers, self._connection.topic(self._topic), error)


def _said(error: Exception) -> Trouble:
    return Trouble(error.why, error.remedy) if isinstance(error, LedgerError) else trouble_of(error)
