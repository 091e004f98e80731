"""Nothing that is accepted can stop anything behind Kafka: extreme lines through every worker, command and page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import msgspec
import pytest

from deploy.console.alerting import asks_for_alert
from deploy.console.desk_memory import users_folder
from deploy.console.server import accounts_of
from deploy.settings import PREFIX, load
from schemas.findings import Finding
from schemas.topics import EVENTS
from tests.accepted.console import USERS, Pages, every_page_answers
from tests.accepted.desk import every_act_is_done
from tests.accepted.home import Home, every_report, recorded
from tests.accepted.lines import tables
from tests.commands.run import Catwalk, catwalk
from tests.live.consoles import NO_TLS, PASSWORD, ConsoleProcess, Person, consoles
from tests.live.folding import expected, read
from tests.live.working import all_caught_up, prepared, workers
from tests.sampling import SOAK
from tests.waiting import until

__all__ = ["catwalk"]  # a fixture
Environment = dict[str, str]
KINDS = ("fold", "analyst", "sink")
RESULTS = ("rounds.ndjson", "findings.ndjson", "deadletters.ndjson", "summary.json")
QUICK = (1, 400, 40)
WHOLE = [pytest.param(seed, 3000, 30, marks=SOAK) for seed in range(200, 204)]


@pytest.mark.timeout(900)
@pytest.mark.parametrize(("seed", "lines", "each"), [QUICK, *WHOLE])
def test_every_part_behind_kafka_reads_what_was_accepted(
    seed: int,
    lines: int,
    each: int,
    live_environment: Environment,
    tmp_path: Path,
    catwalk: Catwalk,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    environment = live_environment | {"CATWALK_CONSOLE_FACTOR_ROLES": "none"}
    _point_to(environment, monkeypatch)
    prepared(environment)
    home = recorded(tmp_path, [*tables(seed, lines)], catwalk)
    home.run("replay", "streams", "--out", "replayed", "--jobs", 1)
    _work(home, environment, each)
    _nothing_is_lost(home, environment)
    _commands(home)
    _restored(home, environment, monkeypatch)


def _point_to(environment: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands of this process work on the servers of the environment."""
    for name, value in environment.items():
        if name.startswith(PREFIX):
            monkeypatch.setenv(name, value)


def _work(home: Home, environment: Environment, each: int) -> None:
    """Every worker takes everything, and a console shows it; none of them fails, or ends before it is told to."""
    findings = expected({table.subject.encode(): table.lines for table in home.tables})[1]
    with workers(environment, home.folder, *KINDS) as started:
        all_caught_up(environment, kinds=KINDS)
        with _console(environment, home.folder) as (console, pages):
            told = [msgspec.json.decode(one, type=Finding) for one in findings]
            wanted = {one.finding_id for one in told if asks_for_alert(one)}

            def missing() -> list[str]:
                return sorted(wanted - {alert["id"] for alert in _alerts(pages)})

            # Each look is kept on the desk's topic, where alerts are raised too.
            until(lambda: not missing(), missing, running=console.process, every=1.0)
            every_page_answers(home, pages, each)
            every_act_is_done(home, pages, each)
            assert (pages.failed, pages.opened > 50) == ([], True)
            home.run("backup", "--out", "copy", ends=(0, 1))
        assert [one.stop() for one in started] == [0] * len(KINDS)
    logs = [*home.folder.glob("*.log")]
    assert len(logs) == len(KINDS) + 1
    for log in logs:
        assert not [word for word in ("Traceback", '"exception"') if word in log.read_text()], (
            log.read_text()[-4000:]
        )


def _alerts(pages: Pages) -> list[dict[str, str]]:
    alerts: list[dict[str, str]] = pages.open("/api/alerts").json()["alerts"]
    return alerts


@contextmanager
def _console(environment: Environment, folder: Path) -> Iterator[tuple[ConsoleProcess, Pages]]:
    """A console at work, and somebody of each role who has signed in."""
    own = environment | {"CATWALK_CONSOLE_USERS": str(folder / "users")}
    with closing(accounts_of(users_folder(load(environment=own).values))) as accounts:
        for name, role in USERS.items():
            accounts.add(name, role, PASSWORD)
    with consoles(own, folder, "console") as (console,):
        signed_in = {role: _signed_in(console.ready(), name) for name, role in USERS.items()}
        with httpx.Client(base_url=console.origin, timeout=120, verify=NO_TLS) as browser:
            yield console, Pages(browser, signed_in)
            assert console.stop() == 0


def _signed_in(console: ConsoleProcess, name: str) -> dict[str, str]:
    """What a browser in which this user has signed in sends with each request."""
    with closing(Person(console, name)) as person:
        sent = person.browser.headers
        cookies = "; ".join(f"{key}={value}" for key, value in person.browser.cookies.items())
        return {"origin": sent["origin"], "x-csrf-token": sent["x-csrf-token"], "cookie": cookies}


def _nothing_is_lost(home: Home, environment: Environment) -> None:
    """Each line that was accepted stands in the topic once, byte for byte, in the order of its table."""
    found: dict[str, list[bytes]] = {}
    for key, value in read(environment, EVENTS):
        found.setdefault((key or b"").decode(), []).extend(value.split(b"\n"))
    assert found == {table.subject: table.lines for table in home.tables}


def _commands(home: Home) -> None:
    """What was stored is what a replay of the files says, and what the ledger gives."""
    home.run("export", "--out", "exported")
    for name in RESULTS:
        exported, replayed = ((home.folder / out / name).read_bytes() for out in ("exported", "replayed"))
        assert exported == replayed, name
    assert (home.folder / "exported" / "deadletters.ndjson").read_bytes() == b""
    home.run("reconcile")
    home.run("lag")
    every_report(home)


def _restored(home: Home, environment: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    """The backup becomes new topics, which are folded into a store that gives the same."""
    other = environment | {
        "CATWALK_KAFKA_PREFIX": environment["CATWALK_KAFKA_PREFIX"] + "new.",
        "CATWALK_CLICKHOUSE_DATABASE": environment["CATWALK_CLICKHOUSE_DATABASE"] + "_new",
        "CATWALK_DATA": str(home.folder / "elsewhere"),
    }
    home.run("backup", "--verify", "copy", ends=(0, 1))
    _point_to(other, monkeypatch)
    prepared(other)
    home.run("restore", "copy")
    _nothing_is_lost(home, other)
    said = json.loads(home.run("rebuild", "--format", "json", ends=(0, 1)).out)
    assert said["after"]["events"] > 0
    home.run("export", "--out", "again")
    for name in RESULTS:
        assert (home.folder / "again" / name).read_bytes() == (
            home.folder / "exported" / name
        ).read_bytes(), name
