"""Consoles as processes of their own, people at them, and the desk's topic read without them."""

from __future__ import annotations

import hashlib
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from schemas.topics import DESK
from tests.live.folding import REPOSITORY, Environment, home_of, read
from tests.starting import start
from tests.waiting import PATIENCE, until

PASSWORD = "correct horse battery"
NO_TLS = (
    False  # httpx reads every authority's certificate at each call, 25 ms of work, unless nothing is verified
)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def prepared_users(environment: Environment, folder: Path, *names: str) -> dict[str, str]:
    """The variables of consoles that share these users."""
    own = {
        **environment,
        "CATWALK_CONSOLE_USERS": str(folder / "users"),
        "CATWALK_CONSOLE_FACTOR_ROLES": "none",
    }
    for name in names:
        command = [
            sys.executable,
            "-m",
            "deploy.cli",
            "console",
            "user",
            "add",
            name,
            "--role",
            "surveillance",
        ]
        subprocess.run(
            command,
            env=own,
            cwd=REPOSITORY,
            input=PASSWORD + "\n",
            text=True,
            check=True,
            capture_output=True,
        )
    return own


class ConsoleProcess:
    """One `catwalk console`; started again on the same ports, so that people find it."""

    def __init__(self, environment: Mapping[str, str], folder: Path, name: str, *arguments: str) -> None:
        self._arguments = arguments
        self.port, self.health_port = free_port(), free_port()
        self.origin = f"http://127.0.0.1:{self.port}"
        self.log = folder / f"{name}.log"
        self._environment = {**environment, "CATWALK_DATA": str(folder / name), "PYTHONFAULTHANDLER": "1"}
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "deploy.cli", "console", "--port", str(self.port)]
        command += ["--health-port", str(self.health_port), *self._arguments]
        with self.log.open("ab") as out:
            self.process = start(
                command, env=self._environment, cwd=home_of(self._environment), stdout=out, stderr=out
            )

    def ready(self, seconds: float = 150.0) -> ConsoleProcess:
        """Wait until it is at work."""
        self.until(lambda: self.page("readyz")[0] == 200 and self.health().get("status") == "ok", seconds)
        return self

    def until(self, true: Any, seconds: float = PATIENCE) -> None:
        until(true, lambda: self.log.read_text()[-3000:], running=self.process, seconds=seconds)

    def page(self, path: str) -> tuple[int, str]:
        """Status and body at the health port; 0 when it does not answer."""
        try:
            answer = httpx.get(f"http://127.0.0.1:{self.health_port}/{path}", timeout=5, verify=NO_TLS)
        except httpx.TransportError:
            return 0, ""
        return answer.status_code, answer.text

    def health(self) -> dict[str, Any]:
        try:
            found: dict[str, Any] = httpx.get(f"{self.origin}/health", timeout=5, verify=NO_TLS).json()
        except (httpx.TransportError, ValueError):
            return {}
        return found

    def kill(self) -> None:
        """The way a power cut ends it."""
        self.process.kill()
        self.process.wait()

    def stop(self, seconds: float = PATIENCE) -> int:
        """Its exit status once it was asked to end; of one that does not end, what each of its threads is at."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGABRT)
            self.process.wait()
            raise AssertionError(f"asked to end, it goes on: {self.log.read_text()[-20_000:]}") from None


@contextmanager
def consoles(environment: Mapping[str, str], folder: Path, *names: str) -> Iterator[list[ConsoleProcess]]:
    """Consoles that are gone afterwards."""
    started = [ConsoleProcess(environment, folder, name) for name in names]
    try:
        yield started
    finally:
        for one in started:
            one.kill()


class Person:
    """Someone signed in at one console."""

    def __init__(self, console: ConsoleProcess, name: str) -> None:
        self.name = name
        self.console = console
        own = {"origin": console.origin}
        self.browser = httpx.Client(base_url=console.origin, headers=own, timeout=30, verify=NO_TLS)
        form = {"name": name, "password": PASSWORD}
        try:
            page = self.browser.post("/sign-in", data=form, follow_redirects=True)
            assert page.status_code == 200, page.text
        except BaseException:
            self.close()
            raise
        csrf = page.text.partition('name="csrf" value="')[2].partition('"')[0]
        self.browser.headers["x-csrf-token"] = csrf

    def alerts(self) -> dict[str, dict[str, Any]]:
        answer = self.browser.get("/api/alerts")
        assert answer.status_code == 200, answer.text
        return {alert["id"]: {"status": "new", "version": 1} | alert for alert in answer.json()["alerts"]}

    def sees(self, count: int, seconds: float = PATIENCE) -> dict[str, dict[str, Any]]:
        """Wait until so many alerts are there."""
        until(lambda: len(self.alerts()) >= count, lambda: len(self.alerts()), seconds=seconds)
        return self.alerts()

    def act(self, alert: str, version: int, act: str, **more: Any) -> httpx.Response:
        return self.browser.post(f"/api/alerts/{alert}/acts", json={"act": act, "version": version, **more})

    def close(self) -> None:
        self.browser.close()


@dataclass
class Watched:
    """What came by a feed, each message with the moment (monotonic seconds) at which it came."""

    messages: list[tuple[float, dict[str, Any]]] = field(default_factory=list)

    def changes(self) -> list[dict[str, Any]]:
        return [message for _, message in self.messages if message["kind"] == "change"]


@contextmanager
def watching(person: Person, after: int = 0) -> Iterator[Watched]:
    """A feed that is open, and read by a thread."""
    cookie = "; ".join(f"{name}={value}" for name, value in person.browser.cookies.items())
    origin: Any = person.console.origin
    address = f"ws://127.0.0.1:{person.console.port}/feed?after={after}"
    watched = Watched()
    with connect(address, origin=origin, additional_headers={"cookie": cookie}, max_size=None) as feed:

        def follow() -> None:
            with suppress(WebSocketException):
                while True:
                    lines = str(feed.recv()).splitlines()
                    now = time.monotonic()
                    watched.messages += [(now, json.loads(line)) for line in lines]

        thread = threading.Thread(target=follow)
        thread.start()
        try:
            yield watched
        finally:
            feed.close()
            thread.join(10)


@dataclass
class Kept:
    """The desk's topic as a checker of its own reads it."""

    records: list[dict[str, Any]] = field(default_factory=list)
    void: int = 0

    def acts(self, kind: str) -> list[dict[str, Any]]:
        return [record for record in self.records if record["data"]["act"] == kind]


def kept(environment: Environment) -> Kept:
    """Every record that counts, in order: each names its sequence and the hash of the line before it."""
    found, head = Kept(), "0" * 64
    for _, value in read(environment, DESK):
        lines = value.split(b"\n")
        told: list[dict[str, Any]] = [json.loads(line) for line in lines]
        follows = told[0]["sequence"] == len(found.records) + 1 and told[0]["prevhash"] == head
        if not follows:
            found.void += 1
            continue
        for record, line in zip(told, lines, strict=True):
            assert (record["sequence"], record["prevhash"]) == (len(found.records) + 1, head), "the chain"
            found.records.append(record)
            head = hashlib.sha256(line).hexdigest()
    return found


def to_be_raised(findings: Iterable[bytes]) -> dict[str, tuple[str, int]]:
    """Table and sequence of the findings that ask for an alert, by id."""
    told = [json.loads(one) for one in findings]
    return {
        one["finding_id"]: (one["subject"], one["sequence"])
        for one in told
        if one["verdict"] in ("breached", "suspected") or one["severity"] == "critical"
    }
