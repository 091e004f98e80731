"""The console of the distributed deployment as a process: any number of them serve one desk, each on its own.

Each reads the desk's topic and all findings itself, belongs to no group, and keeps nothing that another has not but
who may sign in: one that is killed is simply started again. Brokers that are away stop it, since nothing is shown or
done that cannot be kept; a ClickHouse that is away costs the pages of records alone.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Final

from msgspec import structs

from dashboards.desk.desk import Desk
from dashboards.folding.openings import Openings
from dashboards.ledger.ledger import DeskUnavailable
from dashboards.reader.question import RecordsAway
from dashboards.web.vitals import Vital
from deploy.configured.store import server
from deploy.configured.workers import brokers_of
from deploy.console.alerting_topic import TopicAlerting, watch_store
from deploy.console.desk_memory import memory_of, users_folder
from deploy.console.desk_topic import SETTLE, desk_topic, for_people
from deploy.console.in_force import FindingsInForce, InForce, LagInForce, StoreInForce
from deploy.console.lag_vitals import KafkaLag
from deploy.console.paging import budget_in
from deploy.console.records import StoreRecords
from deploy.console.rules import factor_key
from deploy.console.server import OPENINGS_FILE, Beside, Served, accounts_of, console_of, server_of, utc_now
from deploy.console.vital_watch import VitalWatch
from deploy.console.vitals import COMPARED, COMPARED_AGAIN, Room, compared_vital, server_vital
from deploy.evidence.followed import PEOPLE_FILE, FollowedPeople
from deploy.evidence.grown import GrownEvidence
from deploy.evidence.stored import StoredEvidence
from deploy.settings import Settings
from processors.runtime.brokers.claimed import ClaimedTables
from processors.runtime.brokers.reach import DEADLINE
from processors.runtime.brokers.standing import Kept
from processors.runtime.brokers.store_lag import StoreLagMeter
from processors.runtime.reconcile.memory import last_of
from processors.runtime.sink.kept import kept_offsets
from processors.runtime.store.client import StoreAway
from processors.runtime.store.warehouse import WarehouseError
from processors.runtime.watch.health import Health, HealthServer
from processors.runtime.watch.logs import Log, quiet
from processors.runtime.watch.metrics import WorkerMetrics
from producers.kafka.tail import TopicTail
from producers.log import LedgerError, TopicMissing
from schemas.amounts import amount
from schemas.topics import ANALYSIS, FINDINGS, SNAPSHOTS, VERSIONS, WRITERS

LATE: Final = 1_000  # findings that wait: more than a moment's
THREADS: Final = 48
_LOOK_EVERY: Final = 1.0
_STORE_EVERY: Final = 5.0
_PAUSE: Final = 1.0
_BROKERS: Final = "runbook lost-broker: nothing is lost, it goes on by itself when they are back"


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
        asyncio.run(_Live(settings, served, stack).run(ready, start_seconds))


def _kept(records: StoreRecords) -> Kept:
    try:
        return kept_offsets(records)
    except RecordsAway as error:
        raise WarehouseError("ClickHouse", str(error), "runbook clickhouse-outage") from error


class _Live:
    """One console and what it works with, from the first broker that answers to the end of all threads."""

    def __init__(self, settings: Settings, served: Served, stack: ExitStack) -> None:
        """Open what the settings name; `stack` closes it."""
        hold = stack.enter_context
        self._settings = settings
        self._served = served
        self._budget = budget_in(settings)
        self._log = hold(closing(desk_topic(settings)))
        self._memory = hold(closing(memory_of(settings)))
        self._accounts = hold(closing(accounts_of(users_folder(settings), factor_key(settings))))
        self._metrics = WorkerMetrics("console")
        self._in_force = InForce(
            hold(closing(TopicTail(for_people(settings), VERSIONS, whole=True))), self._metrics
        )
        self._findings = hold(closing(FindingsInForce(self._findings_of, self._fold)))
        self._claimed = ClaimedTables(hold(closing(TopicTail(for_people(settings), WRITERS))))
        stores = StoreInForce(lambda fold: server(settings, fold=fold), self._fold)
        self._records = hold(closing(StoreRecords(hold(closing(stores)), StoreAway)))
        folder = Path(settings.data)
        folder.mkdir(parents=True, exist_ok=True)
        self._openings = hold(closing(Openings(folder / OPENINGS_FILE)))
        self._people = hold(
            closing(FollowedPeople(self._people_of, self._fold, folder / PEOPLE_FILE, utc_now))
        )
        self._grown = hold(closing(GrownEvidence(self._people, self._tables_in_force)))
        looks = {
            "ClickHouse": lambda: server_vital(self._records),
            COMPARED: lambda: compared_vital(COMPARED, lambda: last_of(self._records), again=COMPARED_AGAIN),
            "Disk": Room(folder).vital,
        }
        self._watch = hold(VitalWatch(looks))
        self._meter = LagInForce(self._meter_of, self._fold)
        self._lag = KafkaLag(self._meter.measure)
        self._health = Health()
        self._desk: Desk | None = None
        self._alerting: TopicAlerting | None = None
        self._beside = Beside()

    async def run(self, ready: Callable[[Desk], None], start_seconds: float) -> None:
        """Serve until told to end."""
        # uvicorn takes these for as long as it serves, and raises them again when it has ended.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda _signal, _frame: self._beside.ended.set())
        # A store that keeps silent holds up who asks it: by default six threads would then hold up everyone.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS, "web"))
        self._metrics.ready.set_function(lambda: self._health.ready)
        health = HealthServer(self._health, self._metrics)
        if self._settings.health_port:
            await health.start(self._settings.health_host, self._settings.health_port)
        try:
            desk = await asyncio.to_thread(self._opened, start_seconds)
            if desk is not None:
                await self._serve(desk, ready)
        finally:
            await asyncio.to_thread(self._beside.end)
            await health.stop()
        self._beside.raise_failure()

    def _opened(self, start_seconds: float) -> Desk | None:
        """The desk, read to its end; None if this is to end before."""
        until = time.monotonic() + start_seconds
        while not self._beside.ended.is_set():
            try:
                if not self._in_force.known:
                    self._in_force.step(_LOOK_EVERY)
                    continue
                return Desk(self._log, utc_now, memory=self._memory, settle=SETTLE)
            except (DeskUnavailable, LedgerError) as error:
                if isinstance(error, TopicMissing) or isinstance(error.__cause__, TopicMissing):
                    self._wait_for_topics(str(error))
                    until = time.monotonic() + start_seconds
                    continue
                self._health.unwell("start", f"starting; Brokers: {error}")
                if time.monotonic() >= until and not self._beside.ended.is_set():
                    raise
                self._beside.ended.wait(_PAUSE)
        return None

    def _wait_for_topics(self, told: str) -> None:
        """As the workers do: whoever makes them need not start anything again."""
        if self._health.reasons.get("start") != told:
            self._health.unwell("start", told)
            Log("console").warning("waits", why=told)
        self._beside.ended.wait(_PAUSE)

    async def _serve(self, desk: Desk, ready: Callable[[Desk], None]) -> None:
        self._desk = desk
        self._alerting = alerting = TopicAlerting(
            self._findings,
            desk,
            self._metrics,
            budget=self._budget,
            evidence=self._grown,
            tables=self._claimed.read,
        )
        web = server_of(
            console_of(
                self._settings,
                self._served,
                desk,
                self._accounts,
                records=self._records,
                openings=self._openings,
                paging=alerting.paging,
                evidence=StoredEvidence(self._records, self._people),
                vitals=self._vitals,
            ),
            self._served,
        )
        self._beside.start("versions", web, self._in_force.follow)
        self._beside.start("alerting", web, alerting.follow)
        self._beside.start("people", web, self._people.follow)
        self._beside.start("store", web, lambda ended: watch_store(self._records, desk, ended))
        works = (self._look(), self._look_at_store(), self._lag.follow())
        looking = [asyncio.create_task(work) for work in works]
        self._health.well("start")
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

    def _vitals(self) -> tuple[Vital, ...]:
        """How each part is."""
        alerting = self._alerting
        behind = alerting.behind if alerting is not None else 0
        raised = f"{alerting.raised:,} raised here, {behind:,} wait" if alerting is not None else ""
        read = f"the desk's topic is read; {amount(self._log.void, 'void frame')}"
        return (
            _vital("Brokers", self._log.trouble, read),
            _vital("Findings", self._raising(), raised, late=behind > LATE),
            _vital("Fold", self._in_force.trouble, f"version {self._in_force.fold} is in force"),
            self._people.vital(),
            self._lag.vital(),
            *self._watch.vitals(),
        )

    async def _look(self) -> None:
        """Say at the health port what is wrong: without the brokers nothing is shown, without records something is."""
        health = self._health
        while True:
            troubles = (
                ("desk", self._desk_trouble()),
                ("findings", self._raising()),
                ("versions", self._in_force.trouble),
            )
            for part, trouble in troubles:
                if trouble is None:
                    health.well(part)
                else:
                    health.unwell(part, f"{part}: {trouble}")
            people = self._people.vital()
            lacking = {
                "records": self._records.trouble,
                "people": people.told if people.state == "failed" else None,
            }
            health.without = {part: trouble for part, trouble in lacking.items() if trouble is not None}
            if self._alerting is not None:
                self._metrics.pending.set(self._alerting.behind)
            await asyncio.sleep(_LOOK_EVERY)

    async def _look_at_store(self) -> None:
        """Beside the other look: a store that stands still keeps this one for seconds."""
        while True:
            await asyncio.to_thread(self._records.look)
            await asyncio.sleep(_STORE_EVERY)

    def _desk_trouble(self) -> str | None:
        alarm = self._desk.alarm if self._desk is not None else None
        return f"altered, read-only: {alarm.why}" if alarm is not None else self._log.trouble

    def _fold(self) -> int:
        return self._in_force.fold

    def _findings_of(self, fold: int) -> TopicTail:
        return TopicTail(structs.replace(for_people(self._settings), fold=fold), FINDINGS)

    def _people_of(self, fold: int) -> TopicTail:
        return TopicTail(structs.replace(for_people(self._settings), fold=fold), ANALYSIS)

    def _tables_in_force(self) -> TopicTail:
        return TopicTail(structs.replace(for_people(self._settings), fold=self._fold()), SNAPSHOTS)

    def _meter_of(self, fold: int) -> StoreLagMeter:
        return StoreLagMeter(brokers_of(self._settings, fold), lambda: _kept(self._records), DEADLINE)

    def _raising(self) -> str | None:
        return self._alerting.trouble if self._alerting is not None else "starting"


def _vital(part: str, trouble: str | None, told: str, *, late: bool = False) -> Vital:
    if trouble is not None:
        return Vital(part, "failed", trouble, _BROKERS)
    if late:
        return Vital(part, "warning", told, "wait until it has caught up")
    return Vital(part, "well", told)
