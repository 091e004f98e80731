"""A topic as it is at one moment, read up to there; and an empty one that gets its records back."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from kafka import KafkaProducer
from kafka.errors import KafkaError

from producers.copies.topic_copy import TopicRecord, of_client, write
from producers.kafka.connection import Connection, Gathering, ledger_error, opened, without_noise
from producers.kafka.heads import TopicReader
from producers.log import LedgerError
from schemas.topics import Topic

_AT_ONCE: Final = 16 << 20  # bytes that wait for the brokers' answer
_ANSWER: Final = 120.0  # seconds
BEGIN_AGAIN: Final = "stop all gateways and workers, delete the topics, begin again"


class HeldTopic:
    """A topic of which, once it is held, nothing that comes later is seen."""

    def __init__(self, connection: Connection, topic: Topic) -> None:
        """Connect; nothing is held yet.

        Raises:
            LedgerError: no broker answers, it refuses the user, or the topic is missing.
        """
        without_noise()
        self.topic = topic
        self._servers, self._name = connection.servers, connection.topic(topic)
        with _told(self._servers, self._name):
            self._reader = TopicReader(connection, topic)
        self.partitions = self._reader.partitions
        self.begins: dict[int, int] = {}
        self.ends: dict[int, int] = {}

    def hold(self) -> None:
        """Note where each partition begins and ends now.

        Raises:
            LedgerError: the brokers do not answer.
        """
        with _told(self._servers, self._name):
            self.ends = {one: self._reader.end(one) for one in self.partitions}
            self.begins = {one: self._reader.begin(one) for one in self.partitions}

    def copy(self, partition: int, target: Path, look: Callable[[TopicRecord], None]) -> None:
        """Write what is held of a partition to a file; `look` is shown each record.

        Raises:
            LedgerError: the brokers went away.
        """
        write(target, self.records(partition), look)

    def records(self, partition: int) -> Iterator[TopicRecord]:
        """What is held of a partition, in its order.

        Raises:
            LedgerError: the brokers went away.
        """
        with _told(self._servers, self._name):
            begin, end = self.begins[partition], self.ends[partition]
            yield from map(of_client, self._reader.records(partition, begin, end))

    def close(self) -> None:
        """Let go of the brokers."""
        self._reader.close()


class TopicWriter:
    """Puts records back into empty partitions, in their order."""

    def __init__(self, connection: Connection) -> None:
        """Connect.

        Raises:
            LedgerError: no broker answers, or it refuses the user.
        """
        self._servers = connection.servers
        with _told(connection.servers, "brokers"):
            self._producer = opened(KafkaProducer, connection.producer_options(Gathering(linger_ms=20)))

    def put(
        self,
        topic: str,
        partition: int,
        records: Iterable[TopicRecord],
        advance: Callable[[int], None],
        *,
        in_place: bool,
    ) -> None:
        """Append the records and wait until all are acknowledged; `in_place`: each must get the offset that it had.

        Raises:
            LedgerError: the brokers do not take them, or somebody else has written there.
        """
        waiting: deque[tuple[TopicRecord, int, Any]] = deque()
        size = 0
        with _told(self._servers, topic):
            for record in records:
                sent = self._producer.send(
                    topic,
                    value=record.value,
                    key=record.key,
                    headers=[(name, value) for name, value in record.headers],
                    partition=partition,
                    timestamp_ms=record.timestamp,
                )
                length = len(record.value or b"")
                waiting.append((record, length, sent))
                size += length
                while size > _AT_ONCE:
                    size -= _acknowledged(topic, waiting.popleft(), advance, in_place)
            while waiting:
                _acknowledged(topic, waiting.popleft(), advance, in_place)

    def close(self) -> None:
        """Let go of the brokers."""
        self._producer.close(timeout=5)


def _acknowledged(
    topic: str, sent: tuple[TopicRecord, int, Any], advance: Callable[[int], None], in_place: bool
) -> int:
    record, length, future = sent
    placed = future.get(timeout=_ANSWER)
    if placed.timestamp != record.timestamp:
        why = f"record {record.offset} of the copy is of {record.timestamp} ms; it was stored as of {placed.timestamp}"
        raise LedgerError(f"topic {topic}", why, BEGIN_AGAIN)
    offset = placed.offset
    if in_place and offset != record.offset:
        why = f"record {record.offset} of the copy came to offset {offset}: somebody else writes it"
        raise LedgerError(f"topic {topic}", why, BEGIN_AGAIN)
    advance(1)
    return length


@contextmanager
def _told(servers: str, topic: str) -> Iterator[None]:
    """What the client library raises, in the ledger's words."""
    try:
        yield
    except KafkaError as error:
        raise ledger_error(servers, topic, error) from error
