"""The Faust app round the fold: it brings records, keeps the group's commits, and decides nothing.

Faust acknowledges what an agent raised on and takes the next record, so nothing is ever raised past the agent: what
cannot be dealt with here ends the process, and nothing unacknowledged is lost by that. Settings that differ from
Faust's defaults say why.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import faust
import faust.auth
import faust.streams
from mode import CrashingSupervisor

from processors.runtime.brokers import Brokers
from processors.runtime.fold.ports import Delivery, Driver
from processors.runtime.fold.records import Record, content_type_of
from processors.runtime.logs import Log
from schemas.topics import EVENTS, FOLD, Group

TAKE: Final = 500  # records at once; frames hold up to some hundred events each
WITHIN: Final = 0.02  # seconds a record may wait for company
_BUFFER: Final = 1024  # records read ahead: frames of half a megabyte must not fill the memory
_BATCHES: Final = 4  # of them
_STOP_SECONDS: Final = 20.0


class NoCompiledStreams(Exception):
    """Faust's compiled stream iterator is missing; the other one acknowledges records of a lost assignment."""

    def __init__(self) -> None:
        self.what = "Faust's compiled streams"
        self.why = "they are not loaded, and the plain ones acknowledge records of partitions given away"
        self.remedy = "install faust-streaming from a wheel, and unset NO_CYTHON"
        super().__init__(f"{self.what}: {self.why}; {self.remedy}")


def faust_app(
    brokers: Brokers, group: Group, member: str | None, session_seconds: float, folder: Path
) -> faust.App:
    """The app, not started; `member` names this process to the group, so that it may restart unnoticed.

    Raises:
        NoCompiledStreams: this installation of Faust must not be used.
    """
    if getattr(faust.streams, "_CStreamIterator", None) is None:  # nothing public tells
        raise NoCompiledStreams
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
        agent_supervisor=CrashingSupervisor,  # a restarted agent would go on behind the record it failed on
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
        self, brokers: Brokers, member: str | None = None, session_seconds: float = 15.0, group: Group = FOLD
    ) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="catwalk-fold-")
        self._app = faust_app(brokers, group, member, session_seconds, Path(self._folder.name))
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
        return reason or (RuntimeError("Faust stopped") if self._app.crashed else None)

    async def commit(self) -> None:
        """Commit what has been acknowledged; Faust does so every second anyway."""
        try:
            await self._app.consumer.commit()
        except (
            Exception
        ) as error:  # whatever it is, more is committed later, and less is only work done again
            self._log.warning("the commit failed", error=type(error).__name__)

    def connect(self, driver: Driver) -> Callable[[], Awaitable[None]]:
        """Have records of the ledger brought here; the function returned takes them to the driver, for ever.

        The two are apart so that records come in while others are folded, and so that no exception of the fold
        can reach Faust, which would acknowledge the records and go on.
        """
        app = self._app
        topic = app.topic(
            self._topic, key_type=bytes, value_type=bytes, key_serializer="raw", value_serializer="raw"
        )

        batches: asyncio.Queue[list[Delivery]] = asyncio.Queue(_BATCHES)

        async def fold(stream: Any) -> None:
            async for events in stream.noack_take(TAKE, within=WITHIN):
                await batches.put(_deliveries(events))

        app.agent(topic, name="fold", concurrency=1)(fold)

        async def given_up(*_: object, **__: object) -> None:
            await driver.revoke()

        app.on_partitions_revoked.connect(given_up)

        async def take() -> None:
            while True:
                await driver.take(await batches.get())

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
            await asyncio.wait_for(self._app.stop(), _STOP_SECONDS)
        finally:
            self._folder.cleanup()


def _deliveries(events: Sequence[Any]) -> list[Delivery]:
    made = []
    for event in events:
        message = event.message
        record = Record(
            message.partition,
            message.offset,
            message.key,
            message.value,
            content_type_of(message.headers),
            message.timestamp,
        )
        made.append(Delivery(record, event.ack, message.generation_id))
    return made
