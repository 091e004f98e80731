"""The processes of a property, started as its operator starts them, and stopped at the end."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Final

import msgspec

from deploy.configured.store import server
from deploy.errors import UserError
from deploy.settings import Settings
from deploy.stack.stack import Stack, planned

WORKERS: Final = ("fold", "sink", "analyst")
GATEWAY: Final = "gateway"
_STOP_SECONDS: Final = 30.0


class Property:
    """Gateway and workers over topics and a database of their own; `pids` also has the servers, where they are ours."""

    def __init__(self, settings: Settings, folder: Path, servers: Mapping[str, int]) -> None:
        """`servers` are the process ids of the servers that were started for this."""
        self.settings, self._folder, self._servers = settings, folder, servers
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    @property
    def pids(self) -> dict[str, int]:
        """By name, each process whose time counts."""
        return {name: one.pid for name, one in self._processes.items()} | dict(self._servers)

    @property
    def gateway(self) -> IO[bytes]:
        """Where the devices' lines go."""
        into = self._processes[GATEWAY].stdin
        assert into is not None
        return into

    def start(self) -> None:
        """Make topics and relations, and start gateway and workers.

        Raises:
            UserError: the topics could not be made.
        """
        applying = self._run("topics", "topics", "apply")
        if applying.wait():
            raise UserError("catwalk topics apply", "it failed", f"read {self._folder / 'topics.log'}")
        store = server(self.settings)
        store.migrate()
        store.close()
        for kind in WORKERS:
            self._processes[kind] = self._run(kind, kind, "--health-port", "0")
        journal = str(self._folder / "journal.db")
        self._processes[GATEWAY] = self._run(GATEWAY, "record", "--to", "kafka", "--ledger", journal, "-")

    def require_alive(self) -> None:
        """Raise UserError if one of the processes has ended."""
        for name, process in self._processes.items():
            if process.poll() is not None:
                log = (self._folder / f"{name}.log").read_text(encoding="utf-8", errors="replace")
                said = log.strip().splitlines()[-1:] or ["without a word"]
                raise UserError(f"catwalk {name}", f"it ended: {said[0][:200]}", "mend that, then measure")

    def stop(self) -> None:
        """Ask all to end, the gateway first, and end those that do not."""
        for name in (GATEWAY, *WORKERS):
            process = self._processes.get(name)
            if process is not None:
                process.terminate()
        for process in self._processes.values():
            try:
                process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            if process.stdin is not None:
                process.stdin.close()

    def _run(self, name: str, *words: str) -> subprocess.Popen[bytes]:
        settings = self.settings
        environment = os.environ | {
            "CATWALK_MODE": "distributed",
            "CATWALK_DATA": str(self._folder),
            "CATWALK_KAFKA": settings.kafka,
            "CATWALK_KAFKA_PREFIX": settings.kafka_prefix,
            "CATWALK_CLICKHOUSE_HOST": settings.clickhouse_host,
            "CATWALK_CLICKHOUSE_PORT": str(settings.clickhouse_port),
            "CATWALK_CLICKHOUSE_DATABASE": settings.clickhouse_database,
        }
        with (self._folder / f"{name}.log").open("wb") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "deploy.cli", *words],
                env=environment,
                stdin=subprocess.PIPE if name == GATEWAY else subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )


@contextmanager
def servers(settings: Settings, folder: Path) -> Iterator[tuple[Settings, dict[str, int]]]:
    """Settings that name a broker and a store, and the process ids of those that were started for it.

    Where the settings name a property's, these are used; otherwise both are started in the folder, and stopped.
    """
    if settings.mode == "distributed":
        yield settings, {}
        return
    with ExitStack() as held:
        stack = Stack(folder / "stack")
        stack.prepare(planned(kafka_port=0, clickhouse_port=0))
        held.callback(stack.down)
        stack.up()
        own = msgspec.structs.replace(
            settings,
            mode="distributed",
            kafka=stack.kafka_addresses,
            clickhouse_host="127.0.0.1",
            clickhouse_port=stack.plan.clickhouse_port,
        )
        pids = {"kafka": stack.brokers[0].process.pid, "clickhouse": stack.clickhouse.process.pid}
        yield own, {name: pid for name, pid in pids.items() if pid is not None}


def named_apart(settings: Settings) -> Settings:
    """Settings with topics, groups and a database of one run's own."""
    name = f"bench_{uuid.uuid4().hex[:8]}"
    return msgspec.structs.replace(settings, clickhouse_database=name, kafka_prefix=f"{name}.")
