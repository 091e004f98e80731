"""The console of the distributed deployment as a process: any number of them serve one desk, each on its own.

Each reads the desk's topic and all findings itself, belongs to no group, and keeps nothing that another has not but
who may sign in: one that is killed is simply started again. Brokers that are away stop it, since nothing is shown or
done that cannot be kept; a ClickHouse that is away costs the pages of records alone.
"""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dashboards.accounts.accounts import Accounts
from dashboards.desk.desk import Desk
from dashboards.folding.openings import Openings
from dashboards.ledger.ledger import DeskUnavailable
from dashboards.reader.question import RecordsAway
from dashboards.web.vitals import Vital
from deploy.configured.store import server
from deploy.configured.workers import brokers_of
from deploy.console.alerting_topic import TopicAlerting, watch_store
from deploy.console.desk_memory import DeskMemory, memory_of
from deploy.console.desk_topic import SETTLE, KafkaDeskLog, desk_topic, for_people
from deploy.console.lag_vitals import KafkaLag
from deploy.console.records import StoreRecords
from deploy.console.rules import factor_key
from deploy.console.server import (
    OPENINGS_FILE,
    Served,
    accounts_of,
    console_of,
    server_of,
    users_folder,
    utc_now,
)
from deploy.console.vital_watch import VitalWatch
from deploy.console.vitals import Room, server_vital
from deploy.settings import Settings
from processors.runtime.brokers.reach import DEADLINE
from processors.runtime.brokers.standing import Kept
from processors.runtime.brokers.store_lag import StoreLagMeter
from processors.runtime.sink.kept import kept_offsets
from processors.runtime.store.client import StoreAway
from processors.runtime.store.warehouse import WarehouseError
from processors.runtime.watch.health import Health, HealthServer
from processors.runtime.watch.logs import quiet
from processors.runtime.watch.metrics import WorkerMetrics
from producers.kafka.tail import TopicTail
from schemas.topics import FINDINGS

LATE: Final = 1_000  # findings that wait: more than a moment's
THREADS: Final = 48
_LOOK_EVERY: Final = 1.0
_STORE_EVERY: Final = 5.0
_PAUSE: Final = 1.0
_BROKERS: Final = "runbook lost-broker: nothing is lost, it goes on by itself when they are back"


@dataclass(slots=True)
class Parts:
    """What this console works with."""

    log: KafkaDeskLog
    memory: DeskMemory
    accounts: Accounts
    records: StoreRecords
    findings: TopicTail
    openings: Openings
    lag: KafkaLag
    watch: VitalWatch
    metrics: WorkerMetrics
    health: Health
    alerting: TopicAlerting | None = None
    desk: Desk | None = None

    def vitals(self) -> tuple[Vital, ...]:
        """How each is."""
        alerting = self.alerting
        trouble = alerting.trouble if alerting is not None else "starting"
        behind = alerting.behind if alerting is not None else 0
        raised = f"{alerting.raised:,} raised here, {behind:,} wait" if alerting is not None else ""
        return (
            _vital(
                "Brokers",
                self.log.trouble,
                f"the desk's topic is read; {self.log.void:,} void frames",
                _BROKERS,
            ),
            _vital("Findings", trouble, raised, _BROKERS, late=behind > LATE),
            self.lag.vital(),
            *self.watch.vitals(),
        )

    def look(self) -> None:
        """Say at the health port what is wrong: without the brokers nothing is shown, without records something is."""
        for part, trouble in (("desk", self._desk_trouble()), ("findings", self._raising())):
            if trouble is None:
                self.health.well(part)
            else:
                self.health.unwell(part, f"{part}: {trouble}")
        if self.records.trouble is None:
            self.health.without.pop("records", None)
        else:
            self.health.without["records"] = self.records.trouble
        if self.alerting is not None:
            self.metrics.pending.set(self.alerting.behind)

    def _desk_trouble(self) -> str | None:
        alarm = self.desk.alarm if self.desk is not None else None
        return f"altered, read-only: {alarm.why}" if alarm is not None else self.log.trouble

    def _raising(self) -> str | None:
        return self.alerting.trouble if self.alerting is not None else "starting"


def serve_live(
    settings: Settings, served: Served, ready: Callable[[Desk], None], start_seconds: float
) -> None:
    """Serve until SIGINT or SIGTERM; `ready` is called when all that the desk's topic holds is at the desk.

    Raises:
        DeskUnavailable: no broker answered for `start_seconds`, or the topic is not there.
        MemoryFailed: what the console acknowledged before cannot be recalled.
        Exception: the desk failed, and serving has ended.
    """
    quiet()  # brokers that are away are asked for the lag again and again: health says so, once
    with ExitStack() as stack:
        log = stack.enter_context(closing(desk_topic(settings)))
        memory = stack.enter_context(closing(memory_of(settings)))
        accounts = stack.enter_context(closing(accounts_of(users_folder(settings), factor_key(settings))))
        findings = stack.enter_context(closing(TopicTail(for_people(settings), FINDINGS)))
        store = stack.enter_context(closing(server(settings)))
        records = stack.enter_context(closing(StoreRecords(store, StoreAway)))
        folder = Path(settings.data)
        folder.mkdir(parents=True, exist_ok=True)
        openings = stack.enter_context(closing(Openings(folder / OPENINGS_FILE)))
        looks = {"ClickHouse": lambda: server_vital(records), "Disk": Room(folder).vital}
        watch = stack.enter_context(VitalWatch(looks))
        meter = StoreLagMeter(brokers_of(settings), lambda: _kept(records), DEADLINE)
        parts = Parts(
            log,
            memory,
            accounts,
            records,
            findings,
            openings,
            KafkaLag(meter.measure),
            watch,
            WorkerMetrics("console"),
            Health(),
        )
        asyncio.run(_Serving(settings, served, parts, meter).run(ready, start_seconds))


def _kept(records: StoreRecords) -> Kept:
    try:
        return kept_offsets(records)
    except RecordsAway as error:
        raise WarehouseError("ClickHouse", str(error), "runbook clickhouse-outage") from error


class _Serving:
    """One run, from the first broker that answers to the end of all threads."""

    def __init__(self, settings: Settings, served: Served, parts: Parts, meter: StoreLagMeter) -> None:
        self._settings = settings
        self._meter = meter
        self._served = served
        self._parts = parts
        self._ended = threading.Event()
        self._failures: list[BaseException] = []
        self._threads: list[threading.Thread] = []

    async def run(self, ready: Callable[[Desk], None], start_seconds: float) -> None:
        """Serve until told to end."""
        # uvicorn takes these for as long as it serves, and raises them again when it has ended.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda _signal, _frame: self._ended.set())
        # A store that keeps silent holds up who asks it: by default six threads would then hold up everyone.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS, "web"))
        parts = self._parts
        parts.metrics.ready.set_function(lambda: parts.health.ready)
        health = HealthServer(parts.health, parts.metrics)
        if self._settings.health_port:
            await health.start(self._settings.health_host, self._settings.health_port)
        try:
            desk = await asyncio.to_thread(self._opened, start_seconds)
            if desk is not None:
                await self._serve(desk, ready)
        finally:
            self._ended.set()
            for thread in self._threads:
                await asyncio.to_thread(thread.join)
            await health.stop()
        if self._failures:
            raise self._failures[0]

    async def _serve(self, desk: Desk, ready: Callable[[Desk], None]) -> None:
        parts = self._parts
        parts.desk = desk
        parts.alerting = alerting = TopicAlerting(parts.findings, desk, parts.metrics)
        console = console_of(
            self._settings,
            self._served,
            desk,
            parts.accounts,
            records=parts.records,
            openings=parts.openings,
            vitals=parts.vitals,
        )
        web = server_of(console, self._served)
        self._start("alerting", lambda: alerting.follow(self._ended), web)
        self._start("store", lambda: watch_store(parts.records, desk, self._ended), web)
        works = (self._look(), self._look_at_store(), parts.lag.follow())
        looking = [asyncio.create_task(work) for work in works]
        parts.health.well("start")
        ready(desk)
        try:
            await web.serve()
        finally:
            for task in looking:
                task.cancel()
            for task in looking:
                with suppress(asyncio.CancelledError):
                    await task
            await self._meter.stop()

    def _opened(self, start_seconds: float) -> Desk | None:
        """The desk, read to its end; None if this is to end before."""
        until = time.monotonic() + start_seconds
        while not self._ended.is_set():
            try:
                return Desk(self._parts.log, utc_now, memory=self._parts.memory, settle=SETTLE)
            except DeskUnavailable:
                if time.monotonic() >= until:
                    raise
                self._ended.wait(_PAUSE)
        return None

    def _start(self, name: str, work: Callable[[], None], web: Any) -> None:
        def guarded() -> None:
            try:
                work()
            except BaseException as error:  # whatever it is: a console without alerts must not look alive
                self._failures.append(error)
                web.should_exit = True

        thread = threading.Thread(target=guarded, name=name)
        self._threads.append(thread)
        thread.start()

    async def _look(self) -> None:
        while True:
            self._parts.look()
            await asyncio.sleep(_LOOK_EVERY)

    async def _look_at_store(self) -> None:
        """Beside the other look: a store that stands still keeps this one for seconds."""
        while True:
            await asyncio.to_thread(self._parts.records.look)
            await asyncio.sleep(_STORE_EVERY)


def _vital(part: str, trouble: str | None, told: str, remedy: str, *, late: bool = False) -> Vital:
    if trouble is not None:
        return Vital(part=part, state="failed", told=trouble, remedy=remedy)
    return Vital(
        part=part,
        state="warning" if late else "well",
        told=told,
        remedy="wait until it has caught up" if late else "",
    )
