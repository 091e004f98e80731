"""A whole property on servers of its own: brokers, a store behind a proxy, and one of each process that needs them."""

from __future__ import annotations

import asyncio
import itertools
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import httpx

from deploy.configured.workers import brokers_of
from deploy.settings import PREFIX, load
from deploy.stack.clickhouse import ClickHouse
from deploy.stack.kafka import Broker
from deploy.stack.stack import Stack
from processors.runtime.brokers.lag import admin_of
from schemas.answers import FOLD_VERSION
from schemas.topics import GROUPS
from tests.live.consoles import NO_TLS, ConsoleProcess, free_port
from tests.live.folding import REPOSITORY, Environment, Worker, apply_topics, migrate
from tests.live.working import Proxy
from tests.starting import start
from tests.waiting import until

KINDS = ("fold", "analyst", "sink")
SESSION = "6"  # seconds after which brokers give a silent worker up
SOON = 60.0  # seconds from a loss, or a return, until everybody says so


@dataclass
class Site:
    """The processes of a property; `coming` are lines that its tables will send, `given` what they have sent."""

    stack: Stack
    proxy: Proxy
    environment: dict[str, str]
    folder: Path
    coming: Sequence[tuple[str, bytes]]
    given: dict[bytes, list[bytes]] = field(default_factory=dict)
    workers: dict[str, Worker] = field(default_factory=dict)
    gateway_port: int = field(default_factory=free_port)

    def __post_init__(self) -> None:
        self._sent: list[bytes] = []
        self._subjects = {line: subject.encode() for subject, line in self.coming}
        self.gateway = self._recording()
        self.console = ConsoleProcess(self.environment, self.folder, "console")
        self.start(*KINDS)

    @property
    def directly(self) -> Environment:
        """The same, past the proxy."""
        return self.environment | {f"{PREFIX}CLICKHOUSE_PORT": str(self.stack.plan.clickhouse_port)}

    def shares(self, number: int) -> list[list[bytes]]:
        """The lines that come, in so many parts."""
        lines = [line for _, line in self.coming]
        ends = [len(lines) * at // number for at in range(number + 1)]
        return [lines[begin:end] for begin, end in itertools.pairwise(ends)]

    def give(self, lines: Sequence[bytes]) -> None:
        """Tables send lines; to a gateway that is dead they send them when it is back."""
        for line in lines:
            self.given.setdefault(self._subjects[line], []).append(line)
        self._sent += lines
        if self.gateway.poll() is None:
            self._write(lines)

    def start(self, *parts: str) -> None:
        """Start processes that are not there; tables send a new gateway everything again."""
        for part in parts:
            if part == "gateway":
                self.gateway = self._recording()
                self._write(self._sent)
            elif part == "console":
                self.console.start()
            else:
                named = ("--session", SESSION, "--member", f"{part}-1")
                self.workers[part] = Worker(
                    self.environment, self.folder / f"{part}-1.log", *named, kind=part
                )

    def kill(self, *parts: str) -> None:
        """End processes as a power cut does."""
        for one in self.processes(parts):
            one.kill()
            one.wait()
            if one.stdin is not None:
                with suppress(BrokenPipeError):
                    one.stdin.close()

    def processes(self, parts: Sequence[str]) -> list[subprocess.Popen[Any]]:
        every = {kind: one.process for kind, one in self.workers.items()}
        every |= {"gateway": self.gateway, "console": self.console.process}
        return [every[part] for part in parts]

    def servers(self, parts: Sequence[str]) -> list[Broker | ClickHouse]:
        brokers = self.stack.brokers if "brokers" in parts else ()
        return [*brokers, *((self.stack.clickhouse,) if "store" in parts else ())]

    @property
    def said(self) -> Path:
        """What the gateway says."""
        return self.folder / "gateway.log"

    def _recording(self) -> subprocess.Popen[bytes]:
        with self.said.open("ab") as out:
            return start(
                [sys.executable, "-m", "deploy.cli", "record", "--to", "kafka", "--health-port",
                 str(self.gateway_port), "-"],
                env=self.environment, cwd=REPOSITORY, stdin=subprocess.PIPE, stdout=out, stderr=out,
            )  # fmt: skip

    def _write(self, lines: Sequence[bytes]) -> None:
        assert self.gateway.stdin is not None
        self.gateway.stdin.write(b"".join(line + b"\n" for line in lines))
        self.gateway.stdin.flush()

    def end(self) -> None:
        """End whatever runs."""
        self.kill(*self.workers, "console", "gateway")

    def readiness(self) -> dict[str, tuple[int, str]]:
        found = {kind: one.get("readyz") for kind, one in self.workers.items()}
        return found | {"console": self.console.page("readyz"), "gateway": self._of_gateway("readyz")}

    def _of_gateway(self, path: str) -> tuple[int, str]:
        try:
            answer = httpx.get(f"http://127.0.0.1:{self.gateway_port}/{path}", timeout=5, verify=NO_TLS)
        except httpx.TransportError:
            return 0, ""
        return answer.status_code, answer.text

    def all_ready(self) -> bool:
        return all(status == 200 for status, _ in self.readiness().values()) and self.at_desk()

    def at_desk(self) -> bool:
        return self.console.health().get("status") == "ok"

    def names(self, servers: Sequence[str]) -> bool:
        """Whether everybody who needs these servers is not ready and says of them that they do not answer."""
        found = self.readiness()
        brokers = f"Kafka at {self.stack.kafka_addresses} has not answered for "
        store = f"ClickHouse at 127.0.0.1:{self.proxy.port} has not answered for "
        told = {kind: text for kind, (status, text) in found.items() if status == 503}
        if "brokers" in servers and not (
            all(brokers in told.get(kind, "") for kind in (*KINDS, "gateway"))
            and "console" in told
            and not self.at_desk()
        ):
            return False
        return "store" not in servers or store in told.get("sink", "")

    def until(self, what: str, true: Callable[[], bool]) -> None:
        """Wait until it is so while nobody ends, and tell how long that took."""
        until(partial(self._lives_and, true), lambda: f"{what}: {self.told()}", seconds=SOON, every=0.2)

    def _lives_and(self, true: Callable[[], bool]) -> bool:
        self.nobody_ended()
        return true()

    def nobody_ended(self) -> None:
        for kind, one in self.workers.items():
            assert one.process.poll() is None, f"{kind}: {one.log.read_text()[-2000:]}"
        assert self.console.process.poll() is None
        assert self.gateway.poll() is None, self.said.read_text()

    def told(self) -> str:
        return f"{self.readiness()} {self.said.read_text()[-1000:]}"


@contextmanager
def site_on(stack: Stack, folder: Path, coming: Sequence[tuple[str, bytes]]) -> Iterator[Site]:
    """A property whose topics and relations are there and whose processes are at work; gone afterwards."""
    with ExitStack() as held:
        proxy = Proxy("127.0.0.1", stack.plan.clickhouse_port)
        held.callback(proxy.close)
        environment = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
        environment |= {PREFIX + name: value for name, value in (
            ("MODE", "distributed"), ("DATA", str(folder / "data")), ("KAFKA", stack.kafka_addresses),
            ("KAFKA_PARTITIONS", "3"), ("KAFKA_REPLICATION", str(len(stack.brokers))),
            ("CLICKHOUSE_HOST", "127.0.0.1"), ("CLICKHOUSE_DATABASE", "catwalk"), ("CLICKHOUSE_PORT", str(proxy.port)),
            ("CLICKHOUSE_ANSWER_SECONDS", "4"), ("CONSOLE_USERS", str(folder / "users")),
            ("CONSOLE_FACTOR_ROLES", "none"))}  # fmt: skip
        apply_topics(environment)
        migrate(environment)
        site = Site(stack, proxy, environment, folder, coming)
        held.callback(site.end)
        site.until("all are ready", site.all_ready)
        yield site


def members(environment: Mapping[str, str], kind: str) -> int:
    """How many members the brokers count in a worker's group."""
    [group] = [group for group in GROUPS if group.worker == kind]

    async def ask() -> int:
        async with admin_of(brokers_of(load(environment=environment).values)) as admin:
            prefix = environment.get(f"{PREFIX}KAFKA_PREFIX", "")
            answers: list[Any] = await admin.describe_consumer_groups([group.named(prefix, FOLD_VERSION)])
        return sum(len(one[5]) for answer in answers for one in answer.groups)

    return asyncio.run(ask())
