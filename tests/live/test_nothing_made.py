"""A property whose topics and database nobody has made yet: everybody waits, and says alike what to do."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.live.consoles import NO_TLS, ConsoleProcess, free_port
from tests.live.folding import REPOSITORY, Environment, Worker, apply_topics, migrate
from tests.live.servers import database_of
from tests.pipeline.streams import lines_of
from tests.starting import start
from tests.waiting import until

APPLY = "is not there; `catwalk topics apply`, or name other brokers or another prefix"
MIGRATE = "is not there; `catwalk migrate` makes it"


class Waiting:
    """One process of each kind, all started before there is anything for them."""

    def __init__(self, environment: Environment, folder: Path, held: ExitStack) -> None:
        own = {
            **environment,
            "CATWALK_CONSOLE_FACTOR_ROLES": "none",
            "CATWALK_CONSOLE_USERS": str(folder / "users"),
        }
        self.workers = {
            kind: Worker(own, folder / f"{kind}.log", *arguments, kind=kind)
            for kind, arguments in {
                "fold": ("--start", "1"), "analyst": (), "sink": (), "reconcile": ("--every", "24"),
            }.items()
        }  # fmt: skip
        for worker in self.workers.values():
            held.callback(worker.kill)
        self.console = ConsoleProcess(own, folder, "console", "--start", "1")
        held.callback(self.console.kill)
        self.port = free_port()
        self.log = folder / "gateway.log"
        with self.log.open("wb") as out:
            self.gateway = start(
                [sys.executable, "-m", "deploy.cli", "record", "--to", "kafka", "--seconds", "600",
                 "--health-port", str(self.port), "-"],
                env=own, cwd=REPOSITORY, stdin=subprocess.PIPE, stdout=out, stderr=out,
            )  # fmt: skip
        held.callback(self.gateway.wait)
        held.callback(self.gateway.kill)
        assert self.gateway.stdin is not None
        held.callback(self.gateway.stdin.close)
        self.gateway.stdin.write(lines_of("breach_overpay")[0] + b"\n")
        self.gateway.stdin.flush()

    def told(self) -> dict[str, tuple[int, str]]:
        """What each says at `/readyz`."""
        found = {kind: worker.get("readyz") for kind, worker in self.workers.items()}
        return found | {"console": self.console.page("readyz"), "gateway": self._of_gateway()}

    def _of_gateway(self) -> tuple[int, str]:
        try:
            answer = httpx.get(f"http://127.0.0.1:{self.port}/readyz", timeout=5, verify=NO_TLS)
        except httpx.TransportError:
            return 0, ""
        return answer.status_code, answer.text


@pytest.fixture
def waiting(live_environment: Environment, tmp_path: Path) -> Iterator[Waiting]:
    with ExitStack() as held:
        yield Waiting(live_environment, tmp_path, held)


def test_without_topics_and_database_all_wait_and_name_the_commands_that_make_them(
    live_environment: Environment, waiting: Waiting
) -> None:
    lacks = f"database {database_of(live_environment)} {MIGRATE}"
    kafka, prefix = live_environment["CATWALK_KAFKA"], live_environment["CATWALK_KAFKA_PREFIX"]

    def told_of_topics() -> bool:
        told = waiting.told()
        return all(
            status == 503 and f"Kafka at {kafka}: topic {prefix}catwalk." in text and APPLY in text
            for kind, (status, text) in told.items()
            if kind != "reconcile"
        ) and all(lacks in told[kind][1] for kind in ("sink", "reconcile"))

    until(told_of_topics, waiting.told)
    apply_topics(live_environment)
    until(lambda: waiting.told()["console"] == (200, f"ready\nwithout records: {lacks}\n"), waiting.told)
    until(lambda: lacks in waiting.told()["sink"][1] and APPLY not in waiting.told()["sink"][1], waiting.told)
    migrate(live_environment)
    until(lambda: all(status == 200 for status, _ in waiting.told().values()), waiting.told)
