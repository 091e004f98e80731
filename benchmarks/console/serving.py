"""The servers that are measured: a console with alerts, and its peer, each a process of its own.

So its processor time is its own; alerts are raised at a steady rate. Run as a program it is one of these servers:
`console FOLDER PORT [STREAM [OPEN]]`, or `bare PORT BYTES`; it raises alerts while it is told to on standard input, and
answers each line with its processor time in seconds.
"""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.server import ServerConnection, serve

from benchmarks.core import subject_of
from dashboards.ledger.acts import Raised
from deploy.console.server import utc_now
from schemas.findings import Finding, finding_id

RATE = 20.0  # alerts a second: an alarm flood, a thousand times what one person can work through
_AT_ONCE = 500  # alerts raised together before anyone looks


class Server:
    """A server in a process of its own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.said = self._line()

    def raise_for(self, seconds: float) -> None:
        """Tell it to raise alerts for so long."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{seconds}\n")
        self._process.stdin.flush()

    def processor(self) -> float:
        """Seconds of processor it took while it raised them; returns when it has."""
        return float(self._line())

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


@contextmanager
def running(*arguments: str) -> Iterator[Server]:
    """A server of this module in a process of its own, killed at the end."""
    command = [sys.executable, "-m", "benchmarks.console.serving", *arguments]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield Server(process)
    finally:
        process.kill()
        process.communicate()


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _answer_on_stdin(raise_one: Any) -> None:
    """Raise alerts for as long as each line says, and answer with the processor time that took."""
    for line in sys.stdin:
        begun, until = time.process_time(), time.monotonic() + float(line)
        due = time.monotonic()
        while due < until:
            raise_one()
            due += 1 / RATE
            time.sleep(max(0.0, due - time.monotonic()))
        print(time.process_time() - begun, flush=True)  # noqa: T201 - to whoever started this process


def _console(folder: str, port: str, stream: str = "", already: str = "0") -> None:
    """Serve a console with so many open alerts already; what is raised stays open."""
    from dashboards.desk.desk import Desk
    from dashboards.web.console import Console
    from deploy.configured.desk_ledger import SqliteDeskLog
    from deploy.console.server import Served, accounts_of, server_of

    desk = Desk(SqliteDeskLog(Path(folder) / "desk.db"), utc_now)
    raised = int(already)
    for first in range(0, raised, _AT_ONCE):
        desk.raise_alerts([_raised(number) for number in range(first, min(first + _AT_ONCE, raised))])
    accounts = accounts_of(Path(folder))
    accounts.add("viewer", "surveillance", "a password of no meaning 7!")
    origin = f"http://127.0.0.1:{port}"
    console = Console(desk, accounts, utc_now, (origin,), **_records(Path(folder), stream))
    server = server_of(console, Served("127.0.0.1", int(port), (origin,)))
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.01)
    print(accounts.sign_ins.begin("viewer"), flush=True)  # noqa: T201 - to whoever started this process
    numbers = count(raised)
    _answer_on_stdin(lambda: desk.raise_alerts([_raised(next(numbers))]))


def _raised(number: int) -> Raised:
    """An alert like no other of its run: the main wager of a hand was paid too little."""
    subject = f"BJ-{number % 40}"
    finding = Finding(
        finding_id=finding_id(subject, "pay.blackjack", number, "bench"),
        check="pay.blackjack",
        cites=("672a.7(o)", "672a.7(n)(2)"),
        verdict="breached",
        severity=("critical", "major", "minor")[number % 3],
        subject=subject,
        round=number + 1,
        sequence=number + 1,
        sequences=(number + 1,),
        expected=15_000,
        observed=12_000,
        money_cents=3_000,
        message="The main wager of hand 3.1 is paid $150.00 (higher), but $120.00 was paid.",
    )
    return Raised(finding=finding, decided_at=utc_now(), dealer=f"D-{number % 97}")


def _records(folder: Path, stream: str) -> dict[str, Any]:
    """A store of one stream, and the duties that stand beside its steps; nothing without a stream."""
    if not stream:
        return {}
    from deploy.console.hand_ports import duties_by_ruleset
    from processors.runtime.embedded.fold import EmbeddedFold
    from processors.runtime.store.chdb_warehouse import ChdbWarehouse
    from producers.memory_log import MemoryLog

    lines = Path(stream).read_bytes().splitlines()
    log, store, subject = MemoryLog(), ChdbWarehouse(folder / "warehouse"), subject_of(lines[0])
    store.migrate()
    log.append(subject, lines, log.head(subject))
    EmbeddedFold(log, store).catch_up()
    return {"records": store, "duties": duties_by_ruleset()}


def _bare(port: str, size: str) -> None:
    """Serve as many bytes to whoever listens, and nothing else."""
    text = msgspec.json.encode({"text": "x" * max(0, int(size) - 11)}).decode()
    listening: set[ServerConnection] = set()
    loop = asyncio.new_event_loop()

    async def hold(connection: ServerConnection) -> None:
        listening.add(connection)
        await connection.wait_closed()
        listening.discard(connection)

    async def run() -> None:
        async with serve(hold, "127.0.0.1", int(port), compression=None):
            print("ready", flush=True)  # noqa: T201 - to whoever started this process
            await asyncio.get_running_loop().create_future()

    async def tell() -> None:
        for connection in list(listening):
            await connection.send(text)

    threading.Thread(target=lambda: loop.run_until_complete(run()), daemon=True).start()
    _answer_on_stdin(lambda: asyncio.run_coroutine_threadsafe(tell(), loop))


if __name__ == "__main__":
    servers: dict[str, Callable[..., None]] = {"console": _console, "bare": _bare}
    servers[sys.argv[1]](*sys.argv[2:])
