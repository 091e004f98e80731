"""All kinds of workers as processes of their own; and a proxy before a server that is cut, slowed and shut."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from aiokafka.errors import KafkaError

from deploy.cli.settings import load
from deploy.workers import brokers_of
from processors.runtime.lag import LagMeter
from tests.live.folding import REPOSITORY, catwalk

Environment = Mapping[str, str]


def prepared(environment: Environment) -> None:
    """Topics and relations."""
    catwalk(environment, "topics", "apply")
    catwalk(environment, "migrate")


class Process:
    """One worker process of any kind; its log is a file."""

    def __init__(self, environment: Environment, folder: Path, kind: str, *arguments: str) -> None:
        self.log = folder / f"{kind}-{time.monotonic_ns()}.log"
        self._command = [sys.executable, "-m", "deploy.cli", kind, "--health-port", "0", *arguments]
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(
                self._command, env=dict(environment), cwd=REPOSITORY, stdout=out, stderr=out
            )

    @property
    def resident(self) -> int:
        """Bytes of memory it holds."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) * 1024

    def kill(self) -> None:
        """The way a power cut ends it."""
        self.process.kill()
        self.process.wait()

    def stop(self, seconds: float = 40.0) -> int:
        """Ask it to end; its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(seconds)

    def said(self, text: str) -> bool:
        return text in self.log.read_text()


@contextmanager
def workers(environment: Environment, folder: Path, *kinds: str) -> Iterator[list[Process]]:
    """One process of each kind, gone afterwards."""
    started = [Process(environment, folder, kind) for kind in kinds]
    try:
        yield started
    finally:
        for one in started:
            one.kill()


def behind(environment: Environment) -> dict[str, int]:
    """Records that each kind of worker has still to take."""

    async def measure() -> dict[str, int]:
        meter = LagMeter(brokers_of(load(environment=environment).values))
        try:
            found = await meter.measure()
        finally:
            await meter.stop()
        sums: dict[str, int] = {}
        for row in found.rows:
            if row.worker not in found.absent:
                sums[row.worker] = sums.get(row.worker, 0) + row.behind
        return sums

    return asyncio.run(measure())


def all_caught_up(
    environment: Environment, seconds: float = 120.0, kinds: tuple[str, ...] = ("fold", "sink")
) -> None:
    """Wait until none of these has anything left to take."""
    until = time.monotonic() + seconds
    while True:
        try:
            left = behind(environment)
        except (KafkaError, OSError, TimeoutError) as error:  # a group's first contact finds no coordinator
            left = dict.fromkeys(kinds, -1) | {type(error).__name__: 1}
        if not any(left.get(kind, 0) for kind in kinds):
            return
        assert time.monotonic() < until, f"still behind: {left}"
        time.sleep(0.3)


class Proxy:
    """A TCP proxy in front of a server: it cuts, stalls, slows down, or swallows the server's answers."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.refuse = False
        self.delay = 0.0  # seconds before each chunk of an answer
        self.cut_answers = 0  # so many connections are cut when the server first answers a large request
        self.cuts = 0
        self._open: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Cut every connection there is."""
        for one in list(self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self.refuse = True
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self.refuse:
                client.close()
                continue
            try:
                server = socket.create_connection(self._target)
            except OSError:
                client.close()
                continue
            self._open |= {client, server}
            sent = [0]
            threading.Thread(target=self._pump, args=(client, server, sent, False), daemon=True).start()
            threading.Thread(target=self._pump, args=(server, client, sent, True), daemon=True).start()

    def _pump(self, source: socket.socket, target: socket.socket, sent: list[int], answers: bool) -> None:
        try:
            while chunk := source.recv(1 << 16):
                if answers:
                    if self.delay:
                        time.sleep(self.delay)
                    if self.cut_answers and sent[0] > 20_000:
                        self.cut_answers -= 1
                        self.cuts += 1
                        break  # the data were sent, the server has stored them, and nobody is told
                    sent[0] = 0
                else:
                    sent[0] += len(chunk)
                target.sendall(chunk)
        except OSError:
            pass
        for one in (source, target):
            self._open.discard(one)
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)  # closing alone would not wake the thread that reads from it
            with suppress(OSError):
                one.close()
