"""All kinds of workers as processes of their own; and a proxy before a server that is cut, slowed and shut."""

from __future__ import annotations

import json
import signal
import socket
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from clickhouse_driver import Client

from processors.runtime.brokers.lag import UNANSWERED, Lag
from tests.live.folding import HOME, apply_topics, catwalk, home_of, lag_of, migrate
from tests.live.servers import database_of
from tests.starting import start
from tests.waiting import EVERY, until

Environment = Mapping[str, str]


def prepared(environment: Environment) -> None:
    """Topics and relations."""
    if HOME in environment:  # another release, whose code is in no process but its own
        catwalk(environment, "topics", "apply")
        catwalk(environment, "migrate")
        return
    apply_topics(environment)
    migrate(environment)


_OWNS = ('"event":"assigned"', '"event":"started","partitions"')


class Process:
    """One worker process of any kind; its log is a file."""

    def __init__(self, environment: Environment, folder: Path, kind: str, *arguments: str) -> None:
        self.kind = kind
        self.log = folder / f"{kind}-{time.monotonic_ns()}.log"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        port = ("--health-port", str(self.port))
        self._command = [sys.executable, "-m", "deploy.cli", kind, *port, *arguments]
        with self.log.open("ab") as out:
            self.process = start(
                self._command, env=dict(environment), cwd=home_of(environment), stdout=out, stderr=out
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

    def taken(self) -> float:
        """Records that it has taken, by its metrics."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=10) as answer:
            lines = answer.read().decode().splitlines()
        return sum(
            float(line.rpartition(" ")[2]) for line in lines if line.startswith("catwalk_records_total")
        )

    def has_taken_more_than(self, records: float) -> bool:
        """Whether it has taken more records than these since it was started."""
        return self.taken() > records

    def at_work(self) -> Process:
        """Wait until partitions are its own; a sink holds them against the store before it takes anything."""
        signs = ('"event":"nothing is left out"',) if self.kind == "sink" else _OWNS
        until(lambda: any(map(self.said, signs)), lambda: self.log.read_text()[-3000:], running=self.process)
        return self


@contextmanager
def workers(
    environment: Environment, folder: Path, *kinds: str, named: bool = False
) -> Iterator[list[Process]]:
    """One process of each kind, gone afterwards; a named one gets its partitions back as soon as it is started."""
    started = []
    try:
        for kind in kinds:
            options = ("--session", "6", "--member", f"{kind}-1") if named else ()
            started.append(Process(environment, folder, kind, *options))
        yield started
    finally:
        for one in started:
            one.kill()


class Unacknowledged:
    """Events that a store has, and whose answer a proxy holds back; `stored` says how many the store has."""

    def __init__(self, proxy: Proxy, stored: Callable[[], int]) -> None:
        self._proxy, self._stored = proxy, stored

    @contextmanager
    def rows(self, come: Callable[[], object]) -> Iterator[None]:
        """Let rows `come`; the block runs when the store has some of which no client knows yet."""
        self._proxy.hold = True
        try:
            before = self._stored()
            come()
            until(lambda: self._stored() > before, lambda: "no row came")
            yield
        finally:
            self._proxy.hold = False


def events_in(environment: Mapping[str, str]) -> int:
    """Rows of events in the store of an environment."""
    client = Client(environment["CATWALK_CLICKHOUSE_HOST"], port=int(environment["CATWALK_CLICKHOUSE_PORT"]))
    try:
        return int(client.execute(f"SELECT count() FROM `{database_of(environment)}`.events")[0][0])
    finally:
        client.disconnect()


def delivered_again(folder: Path) -> int:
    """Rows that sinks were given and found stored, by their logs."""
    lines = [line for log in folder.glob("sink-*.log") for line in log.read_text().splitlines()]
    return sum(json.loads(line)["rows"] for line in lines if '"rows were there already"' in line)


def _left(found: Lag) -> dict[str, int]:
    """Records that each kind of worker has still to take."""
    sums: dict[str, int] = {}
    for row in found.rows:
        if row.worker not in found.absent:
            sums[row.worker] = sums.get(row.worker, 0) + row.behind
    return sums


def behind(environment: Environment) -> dict[str, int]:
    """Records that each kind of worker has still to take."""
    with lag_of(environment) as measure:
        return _left(measure())


def all_caught_up(
    environment: Environment, seconds: float = 120.0, kinds: tuple[str, ...] = ("fold", "sink")
) -> None:
    """Wait until none of these has anything left to take."""
    with lag_of(environment) as measure:

        def left() -> dict[str, int]:
            try:
                found = _left(measure())
            except UNANSWERED as error:  # a group's first contact finds no coordinator
                return {type(error).__name__: 1}
            return {kind: found[kind] for kind in kinds if found.get(kind)}

        until(lambda: not left(), left, seconds=seconds, every=0.3)


class Proxy:
    """A TCP proxy in front of a server: it cuts, stalls, slows down, or swallows the server's answers.

    Its own side of a connection is closed in order, also when a client is killed: the engine that `catwalk stack`
    serves ends when a connection is reset while it reads, which the official server does not.
    """

    def __init__(self, host: str, port: int, at: tuple[str, int] = ("127.0.0.1", 0)) -> None:
        self._target = (host, port)
        self._listener = socket.create_server(at)
        self.port: int = self._listener.getsockname()[1]
        self.refuse = False
        self.delay = 0.0  # seconds before each chunk of an answer
        self.hold = False  # as long as it is so, no answer to inserted events comes through
        self.cut_answers = 0  # so many connections are cut when the server answers to inserted rows
        self.cuts = 0
        self.silence_answers = 0  # so many connections fall silent there instead, and nobody is told
        self._open: set[socket.socket] = set()
        self._silent: set[socket.socket] = set()
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
            threading.Thread(target=self._pass, args=(client, server), daemon=True).start()

    def _pass(self, client: socket.socket, server: socket.socket) -> None:
        """One connection, until both sides have ended."""
        insert = _Insert()
        back = threading.Thread(target=self._pump, args=(server, client, insert, True), daemon=True)
        back.start()
        self._pump(client, server, insert, False)
        back.join()
        for one in (client, server):
            self._open.discard(one)
            one.close()

    def _pump(self, source: socket.socket, target: socket.socket, insert: _Insert, answers: bool) -> None:
        with suppress(OSError):
            while chunk := source.recv(1 << 16):
                if source in self._silent:
                    continue
                if not answers:
                    insert.sends(chunk)
                elif self._ends(source, target, insert.is_answered(), insert.of_events):
                    break
                if source not in self._silent:
                    with suppress(OSError):  # what still comes for him who is gone is read all the same
                        target.sendall(chunk)
        if source not in self._silent:
            with suppress(OSError):
                target.shutdown(socket.SHUT_RDWR if answers else socket.SHUT_WR)

    def _ends(self, source: socket.socket, target: socket.socket, of_rows: bool, of_events: bool) -> bool:
        """What happens to an answer of the server, here to inserted rows or not; whether the connection is cut."""
        if self.delay:
            time.sleep(self.delay)
        while of_rows and of_events and self.hold:
            time.sleep(EVERY)
        if of_rows and self.cut_answers:
            self.cut_answers -= 1
            self.cuts += 1
            source.shutdown(socket.SHUT_RDWR)
            return True  # the data were sent, the server has stored them, and nobody is told
        if of_rows and self.silence_answers:
            self.silence_answers -= 1
            self._silent |= {source, target}
        return False


class _Insert:
    """How far an insert of one connection is: it is asked for, rows follow, and last a block without rows."""

    def __init__(self) -> None:
        self._asked = self._sent = self.of_events = False
        self._end = b""

    def sends(self, chunk: bytes) -> None:
        """The client sends: with the question comes a block without rows too, which tells how such a block ends."""
        if b"INSERT INTO" in chunk:
            self._asked, self.of_events = True, b"INSERT INTO `events`" in chunk
        elif not self._asked:
            self._sent = self._sent or (bool(self._end) and chunk.endswith(self._end))
        if self._asked:
            self._end = chunk[-12:]

    def is_answered(self) -> bool:
        """Whether this answer is to all of the rows; to each block of rows there is another one."""
        self._asked = False
        rows, self._sent = self._sent, False
        if rows:
            self._end = b""
        return rows
