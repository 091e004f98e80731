"""A broker in memory for the gateway's tests: it appends, acknowledges, forgets to, fails and pauses when told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kafka.errors import KafkaConnectionError, KafkaTimeoutError

from producers.kafka.heads import Heads, LastRecord, Scan, placed_at
from producers.kafka.transport import Headers
from producers.kafka.writers import Writers
from schemas.events.codec import split_lines
from schemas.messages import WriterClaim
from schemas.topics import EVENTS, FRAME, Topic


class Crash(BaseException):
    """The process ends here, without another word."""


@dataclass
class Tripwire:
    """Counts the moments at which a process could die, and lets it die at one of them."""

    at: int = -1
    passed: int = 0
    names: list[str] = field(default_factory=list)

    def __call__(self, name: str) -> None:
        self.names.append(name)
        self.passed += 1
        if self.passed - 1 == self.at:
            raise Crash(name)


class Kept(NamedTuple):
    topic: str
    key: bytes | None
    value: bytes
    headers: Headers


class Consumed(NamedTuple):
    offset: int
    topic: str
    key: bytes | None
    value: bytes
    headers: Headers


class Where(NamedTuple):
    partition: int
    offset: int


@dataclass
class FakeDelivery:
    """A record on its way."""

    kept: Kept
    is_done: bool = False
    exception: Any = None
    value: Any = None

    def succeeded(self) -> bool:
        return self.is_done and self.exception is None

    def fail(self, error: Exception) -> None:
        self.is_done, self.exception = True, error


class FakeKafka:
    """One partition of every topic, and the claims."""

    def __init__(self) -> None:
        self.records: list[Kept] = []
        self.claims: list[WriterClaim] = []
        self.away = False

    def append(self, kept: Kept) -> Where:
        self.records.append(kept)
        return Where(0, len(self.records) - 1)

    def lines(self, subject: str) -> list[bytes]:
        """Every line of a table in the order in which it stands in the topic, repeated ones too."""
        found: list[bytes] = []
        for kept in self.records:
            if kept.topic == EVENTS.name and kept.key == subject.encode():
                framed = dict(kept.headers)["content-type"] == FRAME.encode()
                found += [line for _, line in split_lines(kept.value)] if framed else [kept.value]
        return found

    def ask(self) -> None:
        if self.away:
            raise KafkaConnectionError("nobody answers")


class FakeTransport:
    """Holds what it was handed until the test has the broker take it."""

    def __init__(self, kafka: FakeKafka, trip: Tripwire) -> None:
        kafka.ask()
        self.kafka = kafka
        self.trip = trip
        self.on_the_way: list[FakeDelivery] = []
        self.unanswered: list[FakeDelivery] = []
        self.abandoned = False

    def send(self, topic: Topic, key: bytes | None, value: bytes, headers: Headers) -> FakeDelivery:
        assert not self.abandoned
        self.trip("before send")
        delivery = FakeDelivery(Kept(topic.name, key, value, headers))
        self.on_the_way.append(delivery)
        self.trip("after send")
        return delivery

    def take(self, count: int | None = None, *, acknowledge: bool = True) -> None:
        """The broker appends the first records on the way; acknowledged or not."""
        count = len(self.on_the_way) if count is None else count
        for delivery in self.on_the_way[:count]:
            where = self.kafka.append(delivery.kept)
            self.trip("appended, not acknowledged")
            if acknowledge:
                delivery.value, delivery.is_done = where, True
            else:
                self.unanswered.append(delivery)
        del self.on_the_way[:count]

    def time_out(self, count: int = 1) -> None:
        """What was never answered fails, and the first records on the way."""
        for delivery in (*self.unanswered, *self.on_the_way[:count]):
            delivery.fail(KafkaTimeoutError("delivery timeout"))
        del self.on_the_way[:count]

    def abandon(self) -> None:
        self.abandoned = True

    def close(self, seconds: float) -> None:
        del seconds
        assert not self.on_the_way
        self.abandoned = True


class FakeClaims(Writers):
    def __init__(self, kafka: FakeKafka, clock: Callable[[], float]) -> None:
        kafka.ask()
        self.kafka = kafka
        self.clock = clock
        self.read = 0
        self.fresh_at = float("-inf")

    def refresh(self) -> None:
        self.kafka.ask()
        self.read = len(self.kafka.claims)
        self.fresh_at = self.clock()

    def last(self, subject: str) -> WriterClaim | None:
        return next((c for c in reversed(self.kafka.claims[: self.read]) if c.subject == subject), None)

    def write(self, claims: list[WriterClaim]) -> None:
        self.kafka.ask()
        self.kafka.claims += claims

    def close(self) -> None:
        pass


class FakeHeads(Heads):
    def __init__(self, kafka: FakeKafka) -> None:
        self.kafka = kafka

    def last(self, subject: str, claim: WriterClaim | None) -> LastRecord | None:
        del claim
        self.kafka.ask()
        scan = Scan(0, 0, {})
        for offset, kept in enumerate(self.kafka.records):
            if kept.topic == EVENTS.name:
                scan.add(Consumed(offset, *kept))
        seen = scan.tables.get(subject.encode())
        return seen.behind(None) if seen is not None else None

    def lines(self, subject: str, stop: int) -> Iterator[tuple[int, bytes]]:
        del stop
        self.kafka.ask()
        for line in self.kafka.lines(subject):
            placed = placed_at(line)
            if placed is not None:
                yield placed.sequence, line

    def end(self, subject: str) -> int:
        del subject
        return len(self.kafka.records)

    def close(self) -> None:
        pass


def distinct(lines: list[bytes]) -> list[bytes]:
    """Each line where it stands first."""
    return list(dict.fromkeys(lines))
