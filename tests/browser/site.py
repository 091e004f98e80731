"""A console that serves on a port of this machine, as the command starts it, over a desk with sample findings."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import uvicorn
from argon2 import PasswordHasher

from dashboards.accounts.accounts import Accounts
from dashboards.desk.desk import Desk
from dashboards.ledger.acts import Raised
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from deploy.console import server as console_server
from deploy.console.server import Served, server_of, utc_now
from schemas.findings import Finding, Severity, Verdict, finding_id
from tests.console.apps import app_over
from tests.waiting import PATIENCE, until

PASSWORD = "correct horse battery"
USERS = {
    "hale": "surveillance",
    "ito": "surveillance",
    "fay": "floor",
    "rex": "revenue",
    "otto": "auditor",
    "ann": "admin",
}


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


_kept: list[int] = []  # the ports of this process's last site: routes are built for the origin they are at


def _ports() -> tuple[int, int]:
    """Two ports that nobody listens on: where it can be those of the site before."""
    if not _kept or not all(map(_is_free, _kept)):
        _kept[:] = free_port(), free_port()
    return _kept[0], _kept[1]


def _is_free(port: int) -> bool:
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


class Site:
    """A console on the files of a folder; it may be stopped and started again on the same port.

    `port` is its own; pages that come over `link_port` are its own too, for tests that stand between.
    """

    def __init__(self, folder: Path, settings: dict[str, Any]) -> None:
        self.folder = folder
        self.settings = settings
        self.port, self.link_port = _ports()
        self.send_buffer: int | None = None  # bytes; small ones are full soon, for a reader who does not read
        self.console: Console | None = None
        self._stack: ExitStack | None = None

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def link_origin(self) -> str:
        return f"http://127.0.0.1:{self.link_port}"

    @property
    def desk(self) -> Desk:
        assert self.console is not None, "it is stopped"
        return self.console.desk

    def start(self) -> None:
        with ExitStack() as stack:
            self.console = stack.enter_context(self._console())
            stack.enter_context(self._served(self.console))
            self._stack = stack.pop_all()

    def stop(self) -> None:
        stack, self._stack, self.console = self._stack, None, None
        if stack is not None:
            stack.close()

    def sign_in(self, user: str) -> str:
        """Token of a new sign-in."""
        assert self.console is not None, "it is stopped"
        return self.console.accounts.sign_ins.begin(user)

    @contextmanager
    def _console(self) -> Iterator[Console]:
        cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        with (
            closing(SqliteDeskLog(self.folder / "desk.db")) as log,
            closing(Accounts(self.folder / "console.db", utc_now, cheap)) as accounts,
        ):
            there = {name for name, *_ in accounts.users()}
            for name, role in USERS.items():
                if name not in there:
                    accounts.add(name, role, PASSWORD)
            origins = (self.origin, self.link_origin)
            yield Console(Desk(log, utc_now), accounts, utc_now, origins, **self.settings)

    @contextmanager
    def _served(self, console: Console) -> Iterator[None]:
        served = Served("127.0.0.1", self.port, console.origins)
        with app_over(console) as app, patch.object(console_server, "console_app", lambda _: app):
            server = server_of(console, served)
            with self._listening(server):
                yield

    @contextmanager
    def _listening(self, server: uvicorn.Server) -> Iterator[None]:
        listening = socket.socket()
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if self.send_buffer is not None:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self.send_buffer)
        listening.bind(("127.0.0.1", self.port))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            until(lambda: server.started)
            yield
        finally:
            server.should_exit = True
            thread.join(PATIENCE)
            listening.close()
            assert not thread.is_alive(), "the server did not end"

    def raise_alerts(self, *findings: Finding, dealer: str | None = "D105") -> None:
        """Raise an alert for each."""
        self.desk.raise_alerts(Raised(finding=one, decided_at=utc_now(), dealer=dealer) for one in findings)


def a_finding(
    number: int,
    message: str = "Blackjack paid 6 to 5; the table pays 3 to 2",
    *,
    check: str = "payout.blackjack",
    cites: tuple[str, ...] = ("672a.11(a)",),
    subject: str = "BJ-12",
    severity: Severity = "major",
    verdict: Verdict = "breached",
    round_: int = 7,
    seat: int = 3,
    money_cents: int = 3000,
) -> Finding:
    """A finding of event `number`."""
    return Finding(
        finding_id=finding_id(subject, check, number, ""),
        check=check,
        cites=cites,
        verdict=verdict,
        severity=severity,
        subject=subject,
        round=round_,
        seat=seat,
        hand=str(seat),
        sequence=number,
        sequences=(number,),
        expected=15000,
        observed=12000,
        money_cents=money_cents,
        message=message,
    )


def sample() -> list[tuple[Finding, str | None]]:
    """Findings of an ordinary night, each with who dealt."""
    tray = "Chip tray is short against the fills and credits of the day"
    late = "Bet raised after the first card was dealt"
    found: list[tuple[Finding, str | None]] = [
        (a_finding(n, tray, check="rack.variance", subject="BJ-19", severity="critical", seat=4), "D123")
        for n in range(101, 106)
    ]
    found.append((a_finding(205, severity="critical", money_cents=160000), "D105"))
    found += [
        (a_finding(n, late, check="wager.late", cites=("672a.6(c)",), subject="CR-07", seat=6), "D110")
        for n in (310, 342)
    ]
    gap = "Records 411 to 418 of the table are missing"
    found.append((a_finding(411, gap, check="gap", subject="BJ-40", severity="minor", money_cents=0), "D134"))
    pace = "Rounds are dealt faster than the cards can be read"
    found.append(
        (
            a_finding(
                520,
                pace,
                check="pace",
                subject="CR-35",
                severity="info",
                verdict="suspected",
                money_cents=-6000,
            ),
            None,
        )
    )
    return found
