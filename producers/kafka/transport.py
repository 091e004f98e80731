"""The producer as a port, and kafka-python behind it: one that sends nothing more once a record has failed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from kafka import KafkaProducer
from kafka.errors import IllegalStateError, KafkaError, UnknownTopicOrPartitionError
from kafka.partitioner.default import murmur2

from producers.kafka.connection import Connection, Gathering, opened
from schemas.topics import Topic

Headers = list[tuple[str, bytes]]


class Delivery(Protocol):
    """One record on its way; `exception` is why it failed.

    `value` has the `partition` and the `offset` where the broker put it; the offset is below 0 where the broker
    knew the record already.
    """

    is_done: bool
    exception: Any
    value: Any

    def succeeded(self) -> bool:
        """Whether the broker has acknowledged it."""


class Transport(Protocol):
    """Sends records; those of one key arrive in the order in which they were sent, each once or failed."""

    def send(self, topic: Topic, key: bytes | None, value: bytes, headers: Headers) -> Delivery:
        """Hand over a record; raise if a record has failed before, or the broker cannot be reached."""

    def abandon(self) -> None:
        """Send nothing more of what was handed over, and do not wait."""

    def close(self, seconds: float) -> None:
        """Let go of the broker; what is still on its way by then is abandoned."""


def partition_of(key: bytes, partitions: Sequence[int]) -> int:
    """The partition of a key, as Kafka's own clients choose it; `partitions` sorted."""
    chosen: int = (murmur2(key) & 0x7FFFFFFF) % len(partitions)
    return partitions[chosen]


class _Producer(KafkaProducer):  # type: ignore[misc]  # the library has no types
    """A producer that can be abandoned; the library's own `close` waits for records, and fails if they do not go."""

    def abandon(self) -> None:
        self._unregister_cleanup()
        self._sender.force_close()

    def abandoned(self, seconds: float) -> None:
        self._sender.join(seconds)
        self._closed = True


class KafkaTransport:
    """`Transport` over one `KafkaProducer`.

    Records of a partition are one batch at a time on the wire. When one fails, what waits behind it must not
    overtake it: the first failure stops the sender in the sender's own thread, before it can drain another batch.
    """

    def __init__(
        self, connection: Connection, wake: Callable[[], None], gathering: Gathering | None = None
    ) -> None:
        """Connect; `wake` is called from another thread whenever a record is acknowledged or fails.

        Raises:
            KafkaError: no broker answers, or it refuses the user.
        """
        self._connection = connection
        self._wake = wake
        self._producer = opened(_Producer, connection.producer_options(gathering))
        self._partitions: dict[str, list[int]] = {}
        self._chosen: dict[tuple[str, bytes], int] = {}
        self._failed = False

    def send(self, topic: Topic, key: bytes | None, value: bytes, headers: Headers) -> Delivery:
        """Hand over a record.

        Raises:
            KafkaError: a record has failed before, the topic is not there, or the record is too large.
        """
        if self._failed:
            raise IllegalStateError("a record before this one has failed")
        name = self._connection.topic(topic)
        delivery: Any = self._producer.send(
            name, value, key=key, headers=headers, partition=self._partition(name, key)
        )
        delivery.add_callback(lambda _where: self._wake())
        delivery.add_errback(self._stop)
        checked: Delivery = delivery
        return checked

    def abandon(self) -> None:
        """Send nothing more; what the broker has been handed it may still append."""
        self._failed = True
        self._producer.abandon()
        self._producer.abandoned(2.0)

    def close(self, seconds: float) -> None:
        """Let go of the broker."""
        try:
            self._producer.close(timeout=seconds)
        except KafkaError:
            self.abandon()

    def _partition(self, name: str, key: bytes | None) -> int:
        chosen = self._chosen.get((name, key)) if key is not None else 0
        if chosen is None and key is not None:
            chosen = self._chosen[name, key] = partition_of(key, self._of(name))
        return chosen or 0

    def _of(self, name: str) -> list[int]:
        if name not in self._partitions:
            found = self._producer.partitions_for(name)
            if not found:
                raise UnknownTopicOrPartitionError(name)
            self._partitions[name] = sorted(found)
        return self._partitions[name]

    def _stop(self, _error: BaseException) -> None:
        if not self._failed:
            self._failed = True
            self._producer.abandon()
        self._wake()
