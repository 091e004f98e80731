"""The console as a process: the desk and the accounts of the data folder, served until it is told to end."""

from __future__ import annotations

import datetime as dt
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import uvicorn

from dashboards.accounts.accounts import Accounts
from dashboards.desk.desk import Desk
from dashboards.desk.disputes import DisputeTerms as Terms
from dashboards.folding.openings import Openings
from dashboards.reader.question import Reader
from dashboards.replayer.videos import footage_source
from dashboards.restitution.kept_rereading import KeptRereading
from dashboards.server.app import console_app
from dashboards.suspicions.evidence import Evidence
from dashboards.web.bundles import Bundles
from dashboards.web.console import Console
from dashboards.web.play import DemoPlay
from dashboards.web.vitals import Vital
from deploy.audit.duties import duty_of
from deploy.audit.rereading import reread_rounds
from deploy.checkpoints.keeping import NAME as CHECKPOINTS
from deploy.checkpoints.keeping import Keeping, checkpoints_kept
from deploy.configured.desk_ledger import FILE as DESK_FILE
from deploy.configured.desk_ledger import SqliteDeskLog
from deploy.configured.embedded import LEDGER, embedded
from deploy.console.alerting import Alerting
from deploy.console.case_files import case_files
from deploy.console.desk_memory import memory_of, users_folder
from deploy.console.hand_ports import duties_by_ruleset, givings_of, solve_rack
from deploy.console.lag_vitals import LedgerLag
from deploy.console.paging import Paging, budget_in
from deploy.console.rules import factor_key, sign_in_rules
from deploy.console.vital_watch import Look, VitalWatch
from deploy.console.vitals import COMPARED, Room, compared_vital, store_vital
from deploy.errors import UserError
from deploy.evidence.served import bundles_of
from deploy.evidence.stored import StoredEvidence
from deploy.settings import Settings
from processors.runtime.reconcile.memory import last_of
from processors.runtime.store.warehouse import Warehouse
from producers.sqlite_log import SqliteLog

ACCOUNTS_FILE: Final = "console.db"
OPENINGS_FILE: Final = "openings.db"  # derived: it may be deleted
GRACE: Final = 3  # seconds that open feeds have to end in: without a limit the server would wait for them


@dataclass(frozen=True, slots=True)
class Served:
    """Where a console listens, and the pages it answers to."""

    host: str
    port: int
    origins: tuple[str, ...]


def utc_now() -> dt.datetime:
    """The time."""
    return dt.datetime.now(dt.UTC)


def accounts_of(folder: Path, factor_key: bytes | None = None) -> Accounts:
    """The accounts of a folder; who serves them gives the key that seals second factors."""
    return Accounts(folder / ACCOUNTS_FILE, utc_now, factor_key=factor_key)


def console_of(
    settings: Settings,
    served: Served,
    desk: Desk,
    accounts: Accounts,
    *,
    records: Reader,
    openings: Openings,
    paging: Paging,
    evidence: Evidence,
    vitals: Callable[[], tuple[Vital, ...]] = tuple,
    bundles: Bundles | None = None,
    play: DemoPlay | None = None,
) -> Console:
    """The console of either deployment: what a release adds to it is added here."""
    return Console(
        desk,
        accounts,
        utc_now,
        served.origins,
        sign_in_rules(settings, served.origins),
        records=records,
        vitals=vitals,
        openings=openings,
        duties=duties_by_ruleset(),
        duty_of=duty_of,
        patterns=paging.families,
        evidence=evidence,
        page_budget=paging.asked,
        video=settings.video,
        footage=_footage(settings.video_clip),
        play=play,
        solve_rack=solve_rack,
        givings=givings_of,
        reread_rounds=KeptRereading(partial(reread_rounds, records)),
        bundles=bundles,
        files=case_files(settings),
        dispute_terms=Terms(days=settings.dispute_days, two_from_cents=settings.dispute_two_from_cents),
    )


def _footage(template: str) -> str:
    try:
        if template:
            footage_source(template)
    except ValueError as error:
        remedy = "write it as https://video.example/{camera}.m3u8?from={from}&until={until}"
        raise UserError("setting video_clip", str(error), remedy) from error
    return template


def folder_looks(
    folder: Path, ledger: SqliteLog, store: Warehouse, keeping: Keeping | None = None
) -> dict[str, Look]:
    """What to look after where everything is in one folder; checkpoints where they are kept."""
    checkpoints: dict[str, Look] = {CHECKPOINTS: keeping.vital} if keeping is not None else {}
    return checkpoints | {
        "Lag": LedgerLag(ledger, store).vital,
        "Store": lambda: store_vital(store),
        COMPARED: lambda: compared_vital(COMPARED, lambda: last_of(store)),
        "Disk": Room(folder).vital,
    }


def server_of(console: Console, served: Served) -> uvicorn.Server:
    """A server that is not yet running."""
    config = uvicorn.Config(
        console_app(console),
        host=served.host,
        port=served.port,
        log_level="warning",
        ws="websockets-sansio",  # the one that waits for slow readers and rests on no deprecated interface
        ws_max_size=4096,  # viewers have nothing to say
        ws_per_message_deflate=False,  # some hundred kB for each viewer, to save 20 kB/s
        timeout_graceful_shutdown=GRACE,
        server_header=False,
        proxy_headers=False,
    )
    return uvicorn.Server(config)


class Beside:
    """Work in threads beside a web server; a failure ends the server: a console without alerts must not look alive."""

    def __init__(self) -> None:
        self.ended = threading.Event()
        self._failures: list[BaseException] = []
        self._threads: list[threading.Thread] = []

    def start(self, name: str, web: uvicorn.Server, work: Callable[[threading.Event], None]) -> None:
        """Begin work that goes on until the event it is given is set."""

        def guarded() -> None:
            try:
                work(self.ended)
            except BaseException as error:
                self._failures.append(error)
                web.should_exit = True

        thread = threading.Thread(target=guarded, name=name)
        self._threads.append(thread)
        thread.start()

    def end(self) -> None:
        """Let all work end, and wait for it."""
        self.ended.set()
        for thread in self._threads:
            thread.join()

    def raise_failure(self) -> None:
        """Raise what the first work failed with, if any did."""
        if self._failures:
            raise self._failures[0]


class Wired(NamedTuple):
    """A console over a data folder, with the desk and the accounts behind it, and what brings findings to the desk."""

    console: Console
    desk: Desk
    accounts: Accounts
    alerting: Alerting


@contextmanager
def wired(settings: Settings, served: Served) -> Iterator[Wired]:
    """The console of a data folder, not served yet; all that it holds is closed at the end.

    Raises:
        Exception: the ledger, the store or the desk cannot be opened.
    """
    folder = Path(settings.data)
    with ExitStack() as stack:
        keeping = stack.enter_context(checkpoints_kept(settings, folder / LEDGER))
        held = stack.enter_context(embedded(settings))
        log = stack.enter_context(closing(SqliteDeskLog(folder / DESK_FILE)))
        accounts = stack.enter_context(closing(accounts_of(users_folder(settings), factor_key(settings))))
        openings = stack.enter_context(closing(Openings(folder / OPENINGS_FILE)))
        memory = stack.enter_context(closing(memory_of(settings)))
        desk = Desk(log, utc_now, memory=memory)
        alerting = Alerting(held, desk, budget_in(settings))
        watch = stack.enter_context(VitalWatch(folder_looks(folder, held.ledger, held.store, keeping)))
        console = console_of(
            settings,
            served,
            desk,
            accounts,
            records=held.store,
            openings=openings,
            paging=alerting.paging,
            evidence=StoredEvidence(held.store),
            vitals=watch.vitals,
            bundles=bundles_of(settings, folder / LEDGER, keeping),
        )
        yield Wired(console, desk, accounts, alerting)


def serve(settings: Settings, served: Served, ready: Callable[[Desk], None]) -> None:
    """Serve until SIGINT or SIGTERM; `ready` is called when all that the ledger holds is at the desk.

    Raises:
        Exception: the ledger, the store or the desk failed, and serving has ended.
    """
    with wired(settings, served) as (console, desk, _, alerting):
        server = server_of(console, served)
        beside = Beside()
        # uvicorn, having ended, raises the signal again: by default that would end this process before its files.
        signal.signal(signal.SIGTERM, lambda _signal, _frame: None)
        beside.start("alerting", server, alerting.follow)
        try:
            ready(desk)
            server.run()
        finally:
            beside.end()
        beside.raise_failure()
