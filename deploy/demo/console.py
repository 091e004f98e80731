"""The console of a demonstration: served in a thread, with people of each role and a link that lets each in once.

There are two of surveillance: a critical alert is closed, and a great dispute decided, when a second person confirms.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import uvicorn

from dashboards.accounts.accounts import Accounts
from dashboards.accounts.one_time import PATH
from dashboards.accounts.roles import ROLE_NAMES
from dashboards.desk.desk import Desk
from dashboards.folding.openings import Openings
from dashboards.ledger.acts import Raised
from dashboards.web.console import Console
from dashboards.web.play import DemoPlay, LookFirst
from deploy.checkpoints.keeping import Keeping
from deploy.configured.desk_ledger import FILE as DESK_FILE
from deploy.configured.desk_ledger import SqliteDeskLog
from deploy.configured.embedded import LEDGER
from deploy.console import server
from deploy.console.alerting import Raising
from deploy.console.case_files import FOLDER as ATTACHMENTS
from deploy.console.desk_memory import memory_in
from deploy.console.paging import Paging, budget_in
from deploy.console.vital_watch import VitalWatch
from deploy.demo.pacing import FloorClock
from deploy.demo.tables import FAVOURED, ZONE, Begun, tables_in_force
from deploy.errors import UserError
from deploy.evidence.served import bundles_of
from deploy.evidence.stored import StoredEvidence
from deploy.settings import Settings
from deploy.stack.ports import LOOPBACK, TAKEN, is_free
from processors.runtime.store.warehouse import Warehouse
from producers.simulator.floor.gaming_floor import gaming_floor
from producers.sqlite_log import SqliteLog

VIDEO: Final = "https://video.example/{camera}?at={time}"  # of no recorder: what a link looks like
SECOND: Final = "surveillance-2"
PEOPLE: Final = tuple(
    (name, role) for role in ROLE_NAMES for name in (role, SECOND) if name == role or role == "surveillance"
)
_READY_WITHIN: Final = 20.0  # seconds


class DemoConsole(NamedTuple):
    """A console that is being served: its address, a one-time link for each user, and where findings go."""

    address: str
    links: dict[str, str]
    raise_alerts: Callable[[Iterable[Raised]], object]
    console: Console

    def told(self) -> str:
        """Where it is, how to come in, and what to look at first, for a person."""
        first, *others = self.links.items()
        lines = [f"Console   {self.address}", f"Sign in   {first[0]:<14} {first[1]}"]
        lines += [f"          {name:<14} {link}" for name, link in others]
        look = self.console.play.look_first if self.console.play is not None else ()
        return "\n".join([*lines, *_listed("Look at   ", [one.what for one in look])])


def what_to_look_at(begun: Begun) -> tuple[LookFirst, ...]:
    """What is there to be looked at, by section."""
    floor = gaming_floor(begun.tables, begun.seed, tables_in_force(begun.day))
    favoured = [setup.subject for setup in floor if setup.number == FAVOURED]
    behind = [
        LookFirst(
            "/", "Alerts: by a click on Money the largest debt stands first; it is closed by two people"
        ),
        LookFirst("/disputes", "Disputes: one is under review, one is new, one is decided"),
        LookFirst("/revenue", "Revenue: the day before, with its drop counted"),
    ]
    pattern = "Patterns: after forty rounds or more a dealer of {} is suspected, who pays one patron too much"
    return (
        *(behind if begun.history else ()),
        *(LookFirst("/patterns", pattern.format(subject)) for subject in favoured),
    )


def _listed(label: str, lines: Sequence[str]) -> list[str]:
    return [f"{label if number == 0 else ' ' * len(label)}{line}" for number, line in enumerate(lines)]


@contextmanager
def demo_console(
    folder: Path,
    store: Warehouse,
    settings: Settings,
    port: int | None,
    clock: FloorClock,
    keeping: Keeping | None,
    look_first: tuple[LookFirst, ...],
) -> Iterator[DemoConsole]:
    """Serve the console of the folder until the end; on `port`, else on the usual one, or on a free one.

    `keeping` is what keeps checkpoints, if anything does: the health page tells how it is.

    Raises:
        UserError: the port asked for is taken.
    """
    with ExitStack() as stack:
        log = stack.enter_context(closing(SqliteDeskLog(folder / DESK_FILE)))
        accounts = stack.enter_context(closing(server.accounts_of(folder)))
        openings = stack.enter_context(closing(Openings(folder / server.OPENINGS_FILE)))
        memory = stack.enter_context(closing(memory_in(folder, folder / DESK_FILE)))
        desk = Desk(log, server.utc_now, memory=memory)
        paging = Paging(budget_in(settings), lambda: known_tables(store))
        raising = Raising(desk, paging)
        raising.of_store(store)
        ledger = stack.enter_context(closing(SqliteLog(folder / LEDGER, read_only=True)))
        watch = stack.enter_context(VitalWatch(server.folder_looks(folder, ledger, store, keeping)))
        chosen = _port(port, settings.console_port)
        origins = tuple(f"http://{name}:{chosen}" for name in (LOOPBACK, "localhost"))
        served = server.Served(LOOPBACK, chosen, origins)
        # By a link one comes in to look around: nobody is to enrol a phone for that.
        eased = {"console_factor_roles": "none", "oidc_issuer": "", "video": settings.video or VIDEO}
        eased["case_files"] = str(
            folder / ATTACHMENTS
        )  # of the demonstration, and not of the house it runs in
        console = server.console_of(
            msgspec.structs.replace(settings, **eased),
            served,
            desk,
            accounts,
            records=store,
            openings=openings,
            paging=paging,
            evidence=StoredEvidence(store),
            vitals=watch.vitals,
            bundles=bundles_of(settings, folder / LEDGER, keeping),
            play=DemoPlay(clock.speed, ZONE, lambda: clock.time, look_first),
        )
        stack.enter_context(_served(server.server_of(console, served)))
        address = served.origins[0]
        yield DemoConsole(address, _links(accounts, address), raising.raise_alerts, console)


def _links(accounts: Accounts, address: str) -> dict[str, str]:
    known = {name for name, _, _ in accounts.users()}
    for name, role in PEOPLE:
        if name not in known:
            accounts.add(name, role)
    return {name: f"{address}{PATH}#{accounts.make_one_time(name)}" for name, _ in PEOPLE}


def known_tables(store: Warehouse) -> int:
    """How many tables the store knows."""
    [[tables]] = store.query("SELECT count() FROM progress FINAL WHERE next_sequence > 0 AND subject != ''")
    return int(tables)


def _port(asked: int | None, usual: int) -> int:
    if asked is not None:
        if not is_free(asked):
            raise UserError(f"port {asked}", TAKEN, "name another with --port")
        return asked
    if is_free(usual):
        return usual
    with socket.socket() as any_port:
        any_port.bind((LOOPBACK, 0))
        return int(any_port.getsockname()[1])


@contextmanager
def _served(web: uvicorn.Server) -> Iterator[None]:
    """Serve in a thread of its own: signals stay with whoever runs the demonstration."""
    thread = threading.Thread(target=web.run, name="console", daemon=True)
    thread.start()
    try:
        until = time.monotonic() + _READY_WITHIN
        while not web.started:
            if not thread.is_alive() or time.monotonic() > until:
                raise UserError("console", "it could not be started", "name another port with --port")
            time.sleep(0.01)
        yield
    finally:
        web.should_exit = True
        thread.join()
