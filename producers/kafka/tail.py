"""A topic followed from chosen offsets: all its partitions, for one who keeps the offsets himself."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from math import inf
from typing import Any, Final

from kafka import KafkaConsumer, TopicPartition
from kafka.errors import KafkaError, KafkaTimeoutError, UnknownTopicOrPartitionError

from producers.kafka.connection import Connection, ledger_error, opened, without_noise
from producers.log import LedgerUnusable
from schemas.amounts import amount
from schemas.topics import Topic

# Seconds between two questions where the topic ends: a silent broker is known by them.
LOOK_EVERY: Final = 1.0


class TopicTail:
    """One reader of a topic, for one thread at a time; after a failure a new client goes on from the same offsets.

    `offsets` are of the next record, by partition. `fresh_at` is when (monotonic seconds) the topic was asked for
    an end that has been reached since.
    """

    def __init__(
        self,
        connection: Connection,
        topic: Topic,
        offsets: Mapping[int, int] | None = None,
        *,
        whole: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Nothing is reached yet; `whole`: records that are gone before they were read are an error."""
        without_noise()
        self._connection = connection
        self._name = connection.topic(topic)
        self._whole = whole
        self._clock = clock
        self._consumer: Any = None
        self._looked = -inf
        self._heard = clock()
        self._ends: dict[int, int] = {}
        self.offsets = dict(offsets or {})
        self._furthest = dict(self.offsets)  # a topic that ends before it was made anew
        self.fresh_at = -inf

    @property
    def behind(self) -> int:
        """Records that were there when last looked and have not been taken."""
        return sum(max(0, end - self.offsets.get(partition, 0)) for partition, end in self._ends.items())

    def take(self, seconds: float) -> list[Any]:
        """The next records, those of a partition in order; none if none came in time.

        Raises:
            LedgerUnusable: the topic has lost records that were read, or are to be read.
            LedgerError: the brokers do not answer, refuse, or have no such topic.
        """
        try:
            if self._consumer is None:
                self._connect()
            self._look()
            polled = self._consumer.poll(timeout_ms=int(seconds * 1000))
            records = [record for found in polled.values() for record in found]
            for record in records:
                place, behind = record.partition, record.offset + 1
                self.offsets[place] = behind
                self._furthest[place] = max(behind, self._furthest.get(place, 0))
            self._reach(bool(records))
        except BaseException as error:
            self.close()
            if isinstance(error, KafkaError):
                raise ledger_error(self._connection.servers, self._name, error) from error
            raise
        return records

    def back_to(self, offsets: Mapping[int, int]) -> None:
        """Take the records of these partitions again, each from this offset on if it was taken already."""
        for partition, offset in offsets.items():
            self.offsets[partition] = min(offset, self.offsets.get(partition, offset))
            if self._consumer is not None:
                self._consumer.seek(TopicPartition(self._name, partition), self.offsets[partition])
        self.fresh_at, self._heard = -inf, self._clock()

    def close(self) -> None:
        """Let go of the brokers; offsets are kept, and `take` reaches them again."""
        consumer, self._consumer = self._consumer, None
        self._looked = -inf
        if consumer is not None:
            with suppress(KafkaError, OSError):
                consumer.close(autocommit=False, timeout_ms=1_000)

    def _connect(self) -> None:
        self._consumer = opened(KafkaConsumer, self._connection.consumer_options())
        found = self._consumer.partitions_for_topic(self._name)
        if not found:
            raise UnknownTopicOrPartitionError(self._name)
        places = {TopicPartition(self._name, partition): partition for partition in sorted(found)}
        first = self._consumer.beginning_offsets(list(places), timeout_ms=self._connection.patience.look)
        self._consumer.assign(list(places))
        for place, partition in places.items():
            wanted = self.offsets.get(partition, 0)
            if wanted < first[place] and self._whole:
                raise self._lost(f"records {wanted} to {first[place] - 1} are gone")
            self.offsets[partition] = max(wanted, first[place])
            self._consumer.seek(place, self.offsets[partition])
        self._heard = self._clock()

    def _look(self) -> None:
        """Ask where the partitions end: of brokers that are gone a poll says nothing."""
        asked = self._clock()
        if asked - self._looked < LOOK_EVERY:
            return
        places = {TopicPartition(self._name, partition): partition for partition in self.offsets}
        ends = self._consumer.end_offsets(list(places), timeout_ms=self._connection.patience.look)
        for place, partition in places.items():
            read = max(self.offsets[partition], self._furthest.get(partition, 0))
            if ends[place] < read:
                raise self._lost(f"it ends at {ends[place]}, and was read up to {read}")
        self._looked = asked
        self._ends = {partition: ends[place] for place, partition in places.items()}

    def _reach(self, heard: bool) -> None:
        if not self.behind:
            self.fresh_at = max(self.fresh_at, self._looked)
        if heard or not self.behind:
            self._heard = self._clock()
        elif (self._clock() - self._heard) * 1000 > self._connection.patience.look:
            raise KafkaTimeoutError(
                f"{self._name} gives nothing, and is {amount(self.behind, 'record')} ahead"
            )

    def _lost(self, why: str) -> LedgerUnusable:
        remedy = "check that kafka and kafka_prefix name the right cluster; restore the topic from a copy"
        return LedgerUnusable(f"topic {self._name}", why, remedy)
