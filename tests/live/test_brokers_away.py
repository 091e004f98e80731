"""Brokers and store that are frozen or killed: who needs them says so within seconds, and when they are back."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx
import pytest

from deploy.settings import PREFIX
from deploy.stack.stack import Stack
from tests.live.consoles import NO_TLS, ConsoleProcess, Person, consoles, free_port, prepared_users
from tests.live.figures import tell
from tests.live.folding import Environment, Worker, apply_topics, migrate, worker
from tests.live.gateways import REPOSITORY
from tests.live.working import Proxy
from tests.producers.builders import stream
from tests.starting import start
from tests.waiting import until

KINDS = ("fold", "analyst", "sink")
SOON = 30.0  # seconds from the loss, or the return, until everybody says so


@dataclass
class Site:
    """One broker, one store behind a proxy, and one of each that need them."""

    stack: Stack
    proxy: Proxy
    workers: dict[str, Worker]
    console: ConsoleProcess
    gateway: subprocess.Popen[bytes]
    gateway_port: int
    said: Path  # what the gateway says
    hale: Person

    def readiness(self) -> dict[str, tuple[int, str]]:
        found = {kind: one.get("readyz") for kind, one in self.workers.items()}
        return found | {"console": self.console.page("readyz"), "gateway": self._of_gateway("readyz")}

    def _of_gateway(self, path: str) -> tuple[int, str]:
        try:
            answer = httpx.get(f"http://127.0.0.1:{self.gateway_port}/{path}", timeout=5, verify=NO_TLS)
        except httpx.TransportError:
            return 0, ""
        return answer.status_code, answer.text

    def until(self, what: str, true: Callable[[], bool], seconds: float = SOON) -> None:
        """Wait until it is so, and tell how long that took."""
        begun = time.monotonic()
        until(
            partial(self._lives_and, true),
            lambda: f"{what}: {self.readiness()} {self.said.read_text()}",
            seconds=seconds,
            every=0.2,
        )
        tell(f"seconds until {what}", round(time.monotonic() - begun, 1))

    def _lives_and(self, true: Callable[[], bool]) -> bool:
        self.nobody_ended()
        return true()

    def nobody_ended(self) -> None:
        for kind, one in self.workers.items():
            assert one.process.poll() is None, f"{kind}: {one.log.read_text()[-2000:]}"
            assert one.get("healthz")[0] == 200, f"{kind} lives, and is not to be started again"
        assert self.console.page("healthz")[0] == 200
        assert self.gateway.poll() is None

    def all_ready(self) -> bool:
        return all(status == 200 for status, _ in self.readiness().values()) and self.at_desk()

    def at_desk(self) -> bool:
        return self.console.health().get("status") == "ok"

    def page(self) -> str:
        """The console's health page, empty while it is refused."""
        try:
            answer = self.hale.browser.get("/status")
        except httpx.HTTPError:
            return ""
        return answer.text if answer.status_code == 200 else ""

    def heard(self, text: str) -> int:
        return self.said.read_text().count(text)


@pytest.fixture
def site(own_stack: Callable[..., Stack], tmp_path: Path) -> Iterator[Site]:
    stack = own_stack()
    proxy = Proxy("127.0.0.1", stack.plan.clickhouse_port)
    environment: Environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(PREFIX)},
        **{PREFIX + name: value for name, value in (
            ("MODE", "distributed"), ("DATA", str(tmp_path / "data")), ("KAFKA", stack.kafka_addresses),
            ("KAFKA_PARTITIONS", "3"), ("CLICKHOUSE_HOST", "127.0.0.1"),
            ("CLICKHOUSE_PORT", str(proxy.port)))},
    }  # fmt: skip
    apply_topics(environment)
    migrate(environment)
    environment = prepared_users(environment, tmp_path, "hale")
    with ExitStack() as held:
        held.callback(proxy.close)
        held.callback(stack.brokers[0].process.resume)
        held.callback(stack.clickhouse.process.resume)
        workers = {
            kind: held.enter_context(
                worker(environment, tmp_path / f"{kind}.log", "--session", "6", kind=kind)
            )
            for kind in KINDS
        }
        (console,) = held.enter_context(consoles(environment, tmp_path, "console"))
        said = tmp_path / "gateway.log"
        port = free_port()
        gateway = held.enter_context(recording(environment, said, port))
        held.callback(gateway.kill)
        hale = held.enter_context(closing(Person(console.ready(), "hale")))
        found = Site(stack, proxy, workers, console, gateway, port, said, hale)
        found.until("all are ready", found.all_ready, 60)
        yield found


def recording(environment: Mapping[str, str], said: Path, port: int) -> subprocess.Popen[bytes]:
    with said.open("ab") as out:
        return start(
            [sys.executable, "-m", "deploy.cli", "record", "--to", "kafka", "--health-port", str(port), "-"],
            env=dict(environment), cwd=REPOSITORY, stdin=subprocess.PIPE, stdout=out, stderr=out,
        )  # fmt: skip


def give(gateway: subprocess.Popen[bytes], lines: list[bytes]) -> None:
    assert gateway.stdin is not None
    gateway.stdin.write(b"".join(line + b"\n" for line in lines))
    gateway.stdin.flush()


@pytest.mark.timeout(300)
@pytest.mark.parametrize("killed", [False, pytest.param(True, marks=pytest.mark.soak)])
def test_who_needs_a_part_that_is_frozen_or_killed_says_so_within_seconds_and_when_it_is_back(
    site: Site, killed: bool
) -> None:
    broker, store = site.stack.brokers[0], site.stack.clickhouse
    lines = stream(60)
    give(site.gateway, lines[:20])
    idle = time.monotonic()

    # Both stand still: connections stay open, and nothing answers.
    time.sleep(max(0.0, 12.0 - (time.monotonic() - idle)))  # longer than an answer is believed
    assert site.all_ready(), "nobody plays, and everything is well"
    broker.process.pause()
    store.process.pause()
    give(site.gateway, lines[20:40])
    site.until("all say that what is frozen does not answer", lambda: away(site) and gateway_says(site))
    for one in site.workers.values():
        assert one.measure("catwalk_ready") == 0
        assert "catwalk_lag_records{" not in one.get("metrics")[1], "it is not known"
        assert one.measure("catwalk_lag_age_seconds") > 5
    broker.process.resume()

    # The brokers are back, the store is not: the sink alone waits for it.
    site.until("only the sink is not ready", lambda: only_the_sink(site))
    site.until("the gateway says that it can again", lambda: site.heard("answers again after") == 1)
    assert "without records" in site.console.page("readyz")[1]
    site.until("the health page says it of the store", lambda: "it does not answer" in site.page())
    store.process.resume()
    site.until("all are ready again", site.all_ready)
    for one in site.workers.values():
        assert one.measure("catwalk_ready") == 1
        assert one.measure("catwalk_lag_age_seconds") < 10

    if killed:
        site.proxy.refuse = True  # a connection that comes too soon would end the engine
        broker.process.kill()
        store.process.kill()
        site.until("all say that what was killed does not answer", lambda: away(site))
        site.stack.up([broker, store])
        site.proxy.refuse = False
        site.until("all are ready after the kill", site.all_ready)
    give(site.gateway, lines[40:])
    assert site.gateway.stdin is not None
    site.gateway.stdin.close()
    assert site.gateway.wait(60) == 0, site.said.read_text()

    # Told to end while both stand still, all do.
    broker.process.pause()
    store.process.pause()
    begun = time.monotonic()
    for one in site.workers.values():
        one.process.terminate()
    assert {kind: one.process.wait(40) for kind, one in site.workers.items()} == dict.fromkeys(KINDS, 0)
    tell("seconds until all had ended", round(time.monotonic() - begun, 1))
    for one in site.workers.values():
        assert "Traceback" not in one.log.read_text()


def away(site: Site) -> bool:
    """Everybody says what is away: the brokers, and to the sink the store too."""
    found = site.readiness()
    brokers = f"Kafka at {site.stack.kafka_addresses} has not answered for "
    told = all(found[kind][0] == 503 and brokers in found[kind][1] for kind in (*KINDS, "gateway"))
    store = f"ClickHouse at 127.0.0.1:{site.proxy.port} has not answered for " in found["sink"][1]
    return told and store and found["console"][0] == 503 and not site.at_desk()


def gateway_says(site: Site) -> bool:
    said = f"Kafka at {site.stack.kafka_addresses}: nothing can be forwarded since "
    return site.heard(said) == site.heard("20 events wait in the journal; check that the brokers run") == 1


def only_the_sink(site: Site) -> bool:
    found = site.readiness()
    return {name for name, (status, _) in found.items() if status != 200} == {"sink"} and site.at_desk()
