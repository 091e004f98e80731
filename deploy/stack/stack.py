"""A broker or three and a ClickHouse server in one folder: up, down, what runs, and where it is reached."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Final, Literal

import msgspec

from deploy.errors import UserError
from deploy.stack.clickhouse import ClickHouse
from deploy.stack.kafka import START_SECONDS, Broker, Voter
from deploy.stack.ports import LOOPBACK, choose, refuse_taken
from deploy.stack.processes import Process, stop_all

KAFKA_PORT: Final = 9092
CLICKHOUSE_PORT: Final = 9000
HEAP: Final = "512m"
CLICKHOUSE: Final = "clickhouse"
# The last of three brokers would wait for ever for a majority that is gone; what it has not closed properly
# it reads again when it starts.
STOP_SECONDS: Final = 8.0
BrokerCount = Literal[1, 3]
Server = Broker | ClickHouse
State = Literal["up", "starting", "down"]


class StackPlan(msgspec.Struct, frozen=True):
    """What a folder holds: the brokers with their ports, and the port of the ClickHouse server."""

    voters: tuple[Voter, ...]
    clickhouse_port: int
    heap: str = HEAP


class Running(msgspec.Struct, frozen=True):
    """One server: `state` is `up`, `starting` (runs, does not answer) or `down`."""

    server: str
    state: State
    address: str
    pid: int | None
    log: str


def planned(
    brokers: BrokerCount = 1,
    kafka_port: int = KAFKA_PORT,
    clickhouse_port: int = CLICKHOUSE_PORT,
    heap: str = HEAP,
) -> StackPlan:
    """Ports for so many brokers: each takes two in a row from `kafka_port`; 0 chooses free ones.

    Raises:
        UserError: no ports are free.
    """
    ports = range(kafka_port, kafka_port + 2 * brokers) if kafka_port else choose(2 * brokers)
    pairs = zip(ports[::2], ports[1::2], strict=True)
    voters = tuple(Voter(number, *pair) for number, pair in enumerate(pairs, 1))
    return StackPlan(voters, clickhouse_port or choose(1)[0], heap)


class Stack:
    """The servers whose data, logs and process ids are in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        self._file = self.folder / "stack.json"

    @property
    def exists(self) -> bool:
        """Whether a stack was ever started here."""
        return self._file.exists()

    def prepare(self, plan: StackPlan) -> None:
        """Keep the plan: the same folder has the same servers and ports from now on.

        Raises:
            UserError: the folder holds another number of brokers, or servers that run on other ports.
        """
        if self.exists:
            if len(self.plan.voters) != len(plan.voters):
                why = f"it holds a cluster of {len(self.plan.voters)}, not of {len(plan.voters)}"
                raise UserError(str(self.folder), why, "name another folder by --data, or remove this one")
            if self.plan != plan and any(row.pid for row in self.status()):
                remedy = "`catwalk stack down` first"
                raise UserError(str(self.folder), "its servers run on other ports", remedy)
        self.folder.mkdir(parents=True, exist_ok=True)
        new = self._file.with_suffix(".new")
        new.write_bytes(msgspec.json.encode(plan))
        new.replace(self._file)
        for name in ("plan", "brokers", "clickhouse"):
            self.__dict__.pop(name, None)

    @cached_property
    def plan(self) -> StackPlan:
        """What the folder holds.

        Raises:
            UserError: no stack was ever started here.
        """
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=StackPlan)
        except FileNotFoundError as error:
            raise UserError(str(self.folder), "no stack was started here", "`catwalk stack up`") from error
        except msgspec.DecodeError as error:
            remedy = f"remove {self.folder}, or name another folder by --data"
            raise UserError(str(self._file), f"not readable: {error}", remedy) from error

    @cached_property
    def brokers(self) -> tuple[Broker, ...]:
        """The brokers, number 1 first."""
        voters, heap = self.plan.voters, self.plan.heap
        named = ((voter, f"kafka-{voter.number}") for voter in voters)
        return tuple(
            Broker(voter.number, voters, Process(name, self.folder / name), heap) for voter, name in named
        )

    @cached_property
    def clickhouse(self) -> ClickHouse:
        """The ClickHouse server."""
        return ClickHouse(self.plan.clickhouse_port, Process(CLICKHOUSE, self.folder / CLICKHOUSE))

    @property
    def servers(self) -> tuple[Server, ...]:
        """All of them, the brokers first."""
        return (*self.brokers, self.clickhouse)

    @property
    def kafka_addresses(self) -> str:
        """The brokers as clients name them, `host:port` with commas between."""
        return ",".join(f"{LOOPBACK}:{voter.port}" for voter in self.plan.voters)

    def up(self, servers: Sequence[Server] | None = None) -> bool:
        """Start what does not run, and return when all answer; False if all ran already.

        Raises:
            UserError: a part is missing, a port is taken, or a server does not come up.
        """
        chosen = self.servers if servers is None else servers
        with self._alone():
            idle = [server for server in chosen if server.process.pid is None]
            for server in idle:
                _refuse_taken(server)
            for server in idle:
                server.start()
            for server in chosen:
                server.wait()
            for broker in (server for server in idle if isinstance(server, Broker)):
                broker.process.wait_until(broker.coordinates, START_SECONDS)
        return bool(idle)

    def down(self) -> bool:
        """Stop what runs; False if nothing ran."""
        with self._alone():
            return stop_all([server.process for server in self.servers], STOP_SECONDS)

    def status(self) -> tuple[Running, ...]:
        """What runs, one row for each server."""
        return tuple(_running(server) for server in self.servers)

    def environment(self) -> dict[str, str]:
        """The variables that point every other command at these servers."""
        return {
            "CATWALK_MODE": "distributed",
            "CATWALK_KAFKA": self.kafka_addresses,
            "CATWALK_CLICKHOUSE_HOST": LOOPBACK,
            "CATWALK_CLICKHOUSE_PORT": str(self.plan.clickhouse_port),
        }

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Two `up` at once start one server each, not two."""
        with (self.folder / "lock").open("w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def _refuse_taken(server: Server) -> None:
    if isinstance(server, ClickHouse):
        refuse_taken([server.port], "--clickhouse-port")
    else:
        voter = server.voters[server.number - 1]
        refuse_taken([voter.port, voter.controller_port], "--kafka-port")


def _running(server: Server) -> Running:
    process, pid = server.process, server.process.pid
    state: State = "down" if pid is None else "up" if server.answers() else "starting"
    return Running(process.name, state, f"{LOOPBACK}:{server.port}", pid, str(process.log))
