"""The Faust app round the fold: it brings records, keeps the group's commits, and decides nothing.

Records are taken from the topic's channel, not by an agent: an agent that raises on a record acknowledges it and takes
the next. An error that nobody handles ends the process, and nothing unacknowledged is lost by that. A setting that
differs from Faust's default says why.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import faust
import faust.auth
from faust.transport.drivers import aiokafka as faust_kafka

from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.losses import ClientGaveUp, apart
from processors.runtime.brokers.records import LedgerRecord
from processors.runtime.fold.ports import Delivery, Driver
from processors.runtime.watch.logs import Log
from schemas.topics import EVENTS, FOLD, ConsumerGroup

TAKE: Final = 500  # records at once; frames hold up to some hundred events each
_BUFFER: Final = 1024  # records read ahead: frames of half a megabyte must not fill the memory
_FETCH_WAIT_MS: Final = 50
_STOP_SECONDS: Final = 15.0


class _ConsumerThread(faust_kafka.AIOKafkaConsumerThread):
    """Faust's thread that fetches, which does not let partitions wait for one that has nothing.

    A client sends a broker one fetch at a time, for all partitions whose records were taken. The broker answers when it
    has records or the wait is over: with Faust's wait idle partitions hold up the busy ones for a second and a half.
    """

    def _create_worker_consumer(self, transport: Any) -> Any:
        consumer = super()._create_worker_consumer(transport)
        consumer._fetch_max_wait_ms = _FETCH_WAIT_MS  # noqa: SLF001 - no setting says it
        return consumer


class _Consumer(faust_kafka.Consumer):
    """Faust's consumer, which hands a record over at once where it can.

    Faust makes four tasks for each record, so that a rebalance may end the wait for a full queue: three quarters of the
    cost of a record. Here a queue with room is not waited for.
    """

    def _new_consumer_thread(self) -> Any:
        return _ConsumerThread(self, loop=self.loop, beacon=self.beacon)

    def on_buffer_full(self, tp: Any) -> None:
        """Do nothing, so that a full queue is waited for: Faust leaves the partition out for a second."""

    async def wait_first(self, *waits: Any, timeout: Any = None) -> Any:
        """Faust asks this for each record: its delivery, beside the end of the assignment."""
        flows = self.app.flow_control.is_active()
        if len(waits) != 2 or not flows or any(topic.queue.full() for topic in self.app.topics):
            return await super().wait_first(*waits, timeout=timeout)
        delivery, suspended = waits
        suspended.close()
        return await delivery


class _Transport(faust_kafka.Transport):
    Consumer = _Consumer


def faust_app(
    brokers: Brokers, group: ConsumerGroup, member: str | None, session_seconds: float, folder: Path
) -> faust.App:
    """The app, not started; `member` names this process to the group, so that it may restart unnoticed."""
    return faust.App(
        brokers.group(group),
        broker=[f"kafka://{server.strip()}" for server in brokers.servers.split(",")],
        broker_credentials=_credentials(brokers),
        broker_client_id="catwalk-fold",
        broker_commit_interval=1.0,
        broker_session_timeout=session_seconds,
        broker_heartbeat_interval=min(3.0, session_seconds / 3),
        consumer_group_instance_id=member,
        consumer_auto_offset_reset="earliest",
        stream_buffer_maxsize=_BUFFER,
        stream_wait_empty=False,  # waiting would hold a rebalance until every batch is acknowledged
        topic_allow_declare=False,  # topics are made by `catwalk topics apply`
        topic_disable_leader=True,
        table_standby_replicas=0,
        store="memory://",
        web_enabled=False,  # on by default, on all addresses
        autodiscover=False,
        datadir=str(folder),
        loop=asyncio.get_running_loop(),
    )


def _credentials(brokers: Brokers) -> Any:
    context = brokers.tls()
    if brokers.security.startswith("SASL"):
        mechanism = brokers.client_options()["sasl_mechanism"]
        return faust.auth.SASLCredentials(
            username=brokers.user, password=brokers.password, ssl_context=context, mechanism=mechanism
        )
    return faust.auth.SSLCredentials(context) if context is not None else None


class FaustGroup:
    """The consumer group as the fold needs it, over a Faust app."""

    def __init__(
        self,
        brokers: Brokers,
        member: str | None = None,
        session_seconds: float = 15.0,
        group: ConsumerGroup = FOLD,
    ) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="catwalk-fold-")
        self._app = faust_app(brokers, group, member, session_seconds, Path(self._folder.name))
        self._app.transport = _Transport(self._app.conf.broker_consumer, self._app)
        self._topic = brokers.topic(EVENTS)
        self._log = Log("fold")

    @property
    def generation(self) -> int:
        """The assignment in force."""
        return int(self._app.consumer_generation_id)

    @property
    def partitions(self) -> tuple[int, ...]:
        """Partitions of the ledger that this worker has now."""
        with suppress(Exception):  # before the consumer has started there is no assignment to ask for
            return tuple(
                sorted(tp.partition for tp in self._app.consumer.assignment() if tp.topic == self._topic)
            )
        return ()

    @property
    def failure(self) -> BaseException | None:
        """What ended the app, if something did."""
        reason: BaseException | None = self._app.crash_reason
        return reason or (ClientGaveUp("Faust stopped") if self._app.crashed else None)

    async def commit(self) -> None:
        """Commit what has been acknowledged; Faust does so every second anyway."""
        try:
            await self._app.consumer.commit()
        except Exception as error:
            # Whatever it is: more is committed later, and less is only work done again.
            self._log.warning("the commit failed", error=type(error).__name__)

    def connect(self, driver: Driver) -> Callable[[], Awaitable[None]]:
        """Have records of the ledger brought here; the function returned takes them to the driver, for ever."""
        app = self._app
        topic = app.topic(
            self._topic, key_type=bytes, value_type=bytes, key_serializer="raw", value_serializer="raw"
        )
        queue = aiter(topic).queue  # from now on the app subscribes to it

        async def given_up(*_: object, **__: object) -> None:
            await driver.revoke()

        app.on_partitions_revoked.connect(given_up)

        async def take() -> None:
            while True:
                events = [await queue.get()]
                while len(events) < TAKE and not queue.empty():
                    events.append(queue.get_nowait())
                deliveries = []
                for event in events:
                    message = event.message
                    record = LedgerRecord.of(message, message.timestamp)
                    deliveries.append(Delivery(record, event.ack, message.generation_id))
                await driver.take(deliveries)

        return take

    async def start(self) -> None:
        """Join the group; returns when the first assignment is in force, or never if the brokers are away."""
        await self._app.start()

    async def stop(self) -> None:
        """Leave the group.

        Raises:
            TimeoutError: Faust did not stop in time.
        """
        try:
            await apart(self._app.stop(), _STOP_SECONDS)
        finally:
            self._folder.cleanup()
