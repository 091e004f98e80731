"""What viewers of the live alerts cost the console, beside a bare WebSocket server that sends them as many bytes.

Each server is a process of its own, so that its processor time is its own; alerts are raised at a steady rate.
Run as a program it is one of these servers: `console FOLDER PORT [STREAM]`, or `bare PORT BYTES`; it raises alerts
while it is told to on standard input, and answers each line with its processor time in seconds.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

from benchmarks.core import Measurement, spread, subject_of

VIEWERS = 50
RATE = 20.0  # alerts a second: an alarm flood, a thousand times what one person can work through
SECONDS = 20.0


def measure(seconds: float = SECONDS, viewers: int = VIEWERS) -> tuple[list[Measurement], list[str]]:
    """Processor time of the server with viewers and without, and how late an alert reaches one."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        with running("console", folder, str(port)) as server:
            headers = {"cookie": f"catwalk={server.said}", "origin": f"http://127.0.0.1:{port}"}
            address = f"ws://127.0.0.1:{port}/feed?after=0"
            alone = _processor_seconds(server, seconds)
            watched, told = asyncio.run(_watched(server, address, headers, viewers, seconds))
        size = statistics.fmean(map(len, told.texts))
        peer_port = free_port()
        with running("bare", str(peer_port), str(round(size))) as server:
            address = f"ws://127.0.0.1:{peer_port}/"
            bare_alone = _processor_seconds(server, seconds)
            bare, _ = asyncio.run(_watched(server, address, {}, viewers, seconds))
    shares = [100 * (busy - idle) / seconds for busy, idle in ((watched, alone), (bare, bare_alone))]
    late = [1_000 * seconds for seconds in told.late]
    name, peer = f"{viewers} viewers at {RATE:g} alerts/s", "bare WebSocket server, as many bytes"
    figures = [
        Measurement(name, shares[0], "% of a core", peer, shares[1]),
        *spread("alert raised to viewer", late, "ms", "median", [statistics.median(late)], (50, 99)),
    ]
    notes = [
        f"the console without viewers takes {100 * alone / seconds:.1f} % of a core for the same alerts",
        f"a message has {size:,.0f} bytes; each viewer got {len(told.texts) / viewers:,.0f} of them",
    ]
    return figures, notes


class _Told:
    """Messages that viewers got, and how late: by the clock of this machine, which the server's is too."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.late: list[float] = []

    def take(self, text: str) -> None:
        now = time.time()
        self.texts.append(text)
        for line in text.splitlines():
            self.late += [now - raised_at for raised_at in _raised(json.loads(line))]


def _raised(message: Any) -> Iterator[float]:
    """When the alerts of a message were raised."""
    if isinstance(message, dict):
        if "raised_at" in message:
            yield dt.datetime.fromisoformat(message["raised_at"]).timestamp()
        for value in message.values():
            yield from _raised(value)
    elif isinstance(message, list):
        for value in message:
            yield from _raised(value)


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
    command = [sys.executable, "-m", "benchmarks.console_viewers", *arguments]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield Server(process)
    finally:
        process.kill()
        process.communicate()


def _processor_seconds(server: Server, seconds: float) -> float:
    server.raise_for(seconds)
    return server.processor()


async def _watched(
    server: Server, address: str, headers: dict[str, str], viewers: int, seconds: float
) -> tuple[float, _Told]:
    told = _Told()
    origin = headers.pop("origin", None)
    sockets = [
        await connect(address, origin=origin, additional_headers=headers, max_size=None, compression=None)  # type: ignore[arg-type] # a NewType of str
        for _ in range(viewers)
    ]
    await asyncio.sleep(1.0)

    async def read(number: int) -> None:
        async for text in sockets[number]:
            if number == 0:
                told.take(str(text))
            else:
                told.texts.append(str(text))

    readers = [asyncio.create_task(read(number)) for number in range(viewers)]
    await asyncio.sleep(0.5)
    told.texts.clear()
    told.late.clear()
    processor = await asyncio.to_thread(_processor_seconds, server, seconds)
    await asyncio.sleep(0.5)
    for reader in readers:
        reader.cancel()
    await asyncio.gather(*readers, return_exceptions=True)
    for opened in sockets:
        await opened.close()
    return processor, told


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


def _console(folder: str, port: str, stream: str = "") -> None:
    """Serve a console whose alerts are closed again by the desk, so that the queue does not grow without end."""
    from dashboards.desk.desk import Desk
    from dashboards.ledger.acts import Raised
    from dashboards.web.console import Console
    from deploy.configured.desk_ledger import SqliteDeskLog
    from deploy.console.server import Served, accounts_of, server_of, utc_now
    from schemas.findings import Finding, finding_id

    desk = Desk(SqliteDeskLog(Path(folder) / "desk.db"), utc_now)
    accounts = accounts_of(Path(folder))
    accounts.add("viewer", "surveillance", "a password of no meaning 7!")
    origin = f"http://127.0.0.1:{port}"
    console = Console(desk, accounts, utc_now, (origin,), **_records(Path(folder), stream))
    server = server_of(console, Served("127.0.0.1", int(port), (origin,)))
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.01)
    print(accounts.sign_ins.begin("viewer"), flush=True)  # noqa: T201 - to whoever started this process
    number = 0

    def raise_one() -> None:
        nonlocal number
        number += 1
        subject = f"BJ-{number % 40}"
        finding = Finding(
            finding_id=finding_id(subject, "pay.blackjack", number, "bench"),
            check="pay.blackjack",
            cites=("672a.7(o)", "672a.7(n)(2)"),
            verdict="breached",
            severity=("critical", "major", "minor")[number % 3],
            subject=subject,
            round=number,
            sequence=number,
            sequences=(number,),
            expected=15_000,
            observed=12_000,
            money_cents=3_000,
            message="The main wager of hand 3.1 is paid $150.00 (higher), but $120.00 was paid.",
        )
        desk.raise_alerts([Raised(finding=finding, decided_at=utc_now(), dealer="D105")])

    _answer_on_stdin(raise_one)


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
