"""The fold's ports to the outside, so that tests can run it in memory and crash it at every point."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import NamedTuple, Protocol

from processors.runtime.brokers.records import LedgerRecord, Message

Ack = Callable[[], object]


class Delivery(NamedTuple):
    """A record as the consumer group hands it over; `generation` says under which assignment."""

    record: LedgerRecord
    ack: Ack
    generation: int = 0


class Outbox(Protocol):
    """Where messages go."""

    async def send(self, messages: Sequence[Message]) -> None:
        """Send all, in order; they are durable when this returns. Retries for ever inside."""


class LedgerReader(Protocol):
    """The ledger and the snapshots beside the consumer group."""

    def snapshots(self, partition: int) -> AsyncIterator[list[tuple[bytes | None, bytes | None]]]:
        """Keys and values of a partition of the compacted topic, from its beginning to its present end."""

    def records(self, partition: int, start: int, until: int) -> AsyncIterator[list[LedgerRecord]]:
        """The ledger's records from `start`, up to `until` and without it."""

    async def bounds(self, partition: int) -> tuple[int, int]:
        """First offset that is still there, and the offset of the record to come."""

    async def partitions(self) -> int:
        """How many partitions the ledger has."""


class Consumer(Protocol):
    """The consumer group's side."""

    @property
    def generation(self) -> int:
        """The assignment in force; what was delivered under another is not this worker's any more."""

    async def commit(self) -> None:
        """Commit what has been acknowledged; a failure is no loss, since a later commit covers more."""


class Driver(Protocol):
    """Takes the records that the group delivers."""

    async def take(self, deliveries: Sequence[Delivery]) -> None:
        """Take records, in order."""

    async def revoke(self) -> None:
        """The partitions may go to another worker."""
