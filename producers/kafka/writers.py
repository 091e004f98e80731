"""Which gateway writes which table: claims in one compacted topic, of which a table's last one holds."""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec
from kafka.errors import KafkaError, KafkaTimeoutError

from producers.kafka.connection import AT_ONCE, Connection
from producers.kafka.heads import TopicReader
from producers.kafka.transport import KafkaTransport
from schemas.messages import WriterClaim
from schemas.topics import JSON, WRITERS

_ENCODE = msgspec.json.Encoder().encode
_DECODE = msgspec.json.Decoder(WriterClaim).decode
HEADERS = [("content-type", JSON.encode())]


class Writers:
    """The claims of all tables, as far as they have been read; for one thread at a time.

    `fresh_at` is when (monotonic seconds) they had last been read up to the topic's end as it then was.
    """

    def __init__(self, connection: Connection, clock: Callable[[], float] = time.monotonic) -> None:
        """Connect.

        Raises:
            KafkaError: no broker answers, it refuses the user, or the topic is missing.
        """
        self._connection = connection
        self._clock = clock
        self._reader = TopicReader(connection, WRITERS)
        self._reached = 0
        self._claims: dict[str, WriterClaim] = {}
        self._transport: KafkaTransport | None = None
        self.fresh_at = float("-inf")

    def refresh(self) -> None:
        """Read up to the topic's end as it is now.

        Raises:
            KafkaError: that cannot be done.
        """
        asked = self._clock()  # the answer is at least as new as the question
        (partition,) = self._reader.partitions[:1]
        stop = self._reader.end(partition)
        for record in self._reader.records(partition, self._reached, stop):
            try:
                claim = _DECODE(record.value or b"")
            except (msgspec.MsgspecError, UnicodeDecodeError):
                continue  # no claim of a gateway; whoever wrote it takes no table by it
            self._claims[claim.subject] = claim
        self._reached = max(self._reached, stop)
        self.fresh_at = asked

    def last(self, subject: str) -> WriterClaim | None:
        """The claim that holds for a table, as far as they have been read, or None."""
        return self._claims.get(subject)

    def write(self, claims: list[WriterClaim]) -> None:
        """Write claims; return when the broker has acknowledged them.

        Raises:
            KafkaError: it has not.
        """
        transport = self._transport or KafkaTransport(self._connection, lambda: None, AT_ONCE)
        self._transport = transport
        try:
            sent = [transport.send(WRITERS, c.subject.encode(), _ENCODE(c), HEADERS) for c in claims]
            deadline = self._clock() + self._connection.patience.request / 1000
            while not all(delivery.is_done for delivery in sent):
                if self._clock() > deadline:
                    raise KafkaTimeoutError("a claim was not acknowledged")
                time.sleep(0.001)
            for delivery in sent:
                if not delivery.succeeded():
                    raise delivery.exception
        except KafkaError:
            self._transport = None
            transport.abandon()
            raise

    def close(self) -> None:
        """Let go of the broker."""
        if self._transport is not None:
            self._transport.close(2.0)
            self._transport = None
        self._reader.close()
