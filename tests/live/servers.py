"""One real Kafka broker and one real ClickHouse server for a whole run of the tests, whoever runs them.

Workers of one run share them: the first that needs a server starts it, the last that is still there stops both.
A server that cannot be had fails the test with the remedy, unless `CATWALK_SKIP_LIVE` is set and this is no CI.
"""

from __future__ import annotations

import base64
import os
import re
import shutil
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from clickhouse_driver import Client
from kafka import KafkaAdminClient

from deploy.configured.kafka import connection
from deploy.errors import UserError
from deploy.settings import PREFIX, SKIP_LIVE, Settings, load
from deploy.stack.kafka import Broker
from deploy.stack.processes import Identity, identify
from deploy.stack.stack import BrokerCount, Server, Stack, planned
from producers.kafka.topics import Form, TopicAdmin
from schemas.answers import FOLD_VERSION
from tests.once import folder_of_run, locked

# A broker under test: two cores and many tests share the machine, so it is small, compiles little, and collects
# its garbage by one thread.
HEAP = "256m"
os.environ.setdefault("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
KAFKA_BY_ADDRESS = "KAFKA_UNDER_TEST"  # host:port of a broker to use instead of one of our own
CLICKHOUSE_BY_ADDRESS = "CLICKHOUSE_UNDER_TEST"


def _still_there(user: Path) -> bool:
    pid, started, _ = user.name.split("-")
    return identify(int(pid)) == Identity(int(pid), int(started))


@contextmanager
def _shared(folder: Path, choose: Callable[[Stack], Server]) -> Iterator[Stack]:
    """The run's stack with one of its servers up; stopped when nobody uses any of them."""
    stack, users = Stack(folder / "stack"), folder / "users"
    me = identify(os.getpid())
    assert me is not None
    user = users / f"{me.pid}-{me.started}-{uuid.uuid4().hex}"
    with locked(folder):
        users.mkdir(exist_ok=True)
        user.touch()
        if not stack.exists:
            stack.prepare(planned(kafka_port=0, clickhouse_port=0, heap=HEAP))
        try:
            stack.up([choose(stack)])
        except BaseException:
            user.unlink()
            stack.down()
            raise
    try:
        yield stack
    finally:
        with locked(folder):
            user.unlink()
            if not any(_still_there(other) for other in users.iterdir()):
                stack.down()


def _or_fail(error: UserError) -> None:
    if os.environ.get(SKIP_LIVE) and os.environ.get("CI", "").lower() not in ("1", "true"):
        pytest.skip(f"{SKIP_LIVE} is set, and {error.what}: {error.why}")
    pytest.fail(f"{error} (or set {SKIP_LIVE}=1 to leave out what needs a server)", pytrace=False)


def _run_folder(factory: pytest.TempPathFactory) -> Path:
    """Where the servers of this run are."""
    return folder_of_run(factory) / "servers"


@pytest.fixture(scope="session")
def kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a real broker, host:port; other tests use it too."""
    if named := os.environ.get(KAFKA_BY_ADDRESS):
        yield named
        return
    try:
        with _shared(_run_folder(tmp_path_factory), lambda stack: stack.brokers[0]) as stack:
            yield stack.kafka_addresses
    except UserError as error:
        _or_fail(error)


@pytest.fixture(scope="session")
def clickhouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    """Host and port of a real ClickHouse server; other tests use it too."""
    if named := os.environ.get(CLICKHOUSE_BY_ADDRESS):
        host, _, port = named.rpartition(":")
        yield host, int(port)
        return
    try:
        with _shared(_run_folder(tmp_path_factory), lambda stack: stack.clickhouse) as stack:
            yield "127.0.0.1", stack.plan.clickhouse_port
    except UserError as error:
        _or_fail(error)


@pytest.fixture(scope="session")
def shielded(clickhouse: tuple[str, int]) -> Iterator[tuple[str, int]]:
    """The same server behind a proxy that closes in order: the engine ends when a client is killed while it sends."""
    from tests.live.working import Proxy  # which needs what is here

    proxy = Proxy(*clickhouse)
    yield "127.0.0.1", proxy.port
    proxy.close()


def _revive(factory: pytest.TempPathFactory) -> None:
    """Start the shared server again if a test has ended it, so that no other test fails by that."""
    if CLICKHOUSE_BY_ADDRESS not in os.environ:
        folder = _run_folder(factory)
        with locked(folder):
            stack = Stack(folder / "stack")
            stack.up([stack.clickhouse])


@pytest.fixture
def kafka_prefix(kafka: str) -> Iterator[str]:
    """A prefix of topics and groups that is this test's own; its topics are gone afterwards."""
    prefix = f"t{uuid.uuid4().hex[:10]}."
    yield prefix
    admin = KafkaAdminClient(bootstrap_servers=kafka)
    try:
        left = [name for name in admin.list_topics() if name.startswith(prefix)]
        if left:
            admin.delete_topics(left)
    finally:
        admin.close()


@pytest.fixture
def database(clickhouse: tuple[str, int], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Name of a database that is this test's own and not there yet; it is gone afterwards."""
    name = f"t{uuid.uuid4().hex[:10]}"
    _revive(tmp_path_factory)
    yield name
    _revive(tmp_path_factory)
    client = Client(clickhouse[0], port=clickhouse[1])
    try:
        for (one,) in client.execute(f"SELECT name FROM system.databases WHERE startsWith(name, '{name}')"):
            client.execute(f"DROP DATABASE IF EXISTS `{one}` SYNC")
    finally:
        client.disconnect()


def database_of(environment: Mapping[str, str]) -> str:
    """Name of the database in which this release's results are."""
    return f"{environment['CATWALK_CLICKHOUSE_DATABASE']}_v{FOLD_VERSION}"


@pytest.fixture
def live_environment(
    kafka: str, shielded: tuple[str, int], kafka_prefix: str, database: str, tmp_path: Path
) -> dict[str, str]:
    """The variables that point a `catwalk` process at the servers and at this test's topics and database.

    They are all a process of ours needs beside the caller's own environment without its `CATWALK_` variables.
    """
    own = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    return own | {
        "CATWALK_MODE": "distributed",
        "CATWALK_DATA": str(tmp_path / "data"),
        "CATWALK_KAFKA": kafka,
        "CATWALK_KAFKA_PREFIX": kafka_prefix,
        "CATWALK_KAFKA_PARTITIONS": "3",
        "CATWALK_CLICKHOUSE_HOST": shielded[0],
        "CATWALK_CLICKHOUSE_PORT": str(shielded[1]),
        "CATWALK_CLICKHOUSE_DATABASE": database,
    }


@pytest.fixture
def live_settings(live_environment: dict[str, str]) -> Settings:
    """The same as settings, for code that runs in the test's own process."""
    return load(environment=live_environment).values


@pytest.fixture
def applied_topics(live_settings: Settings) -> list[Form]:
    """This test's topics, created."""
    with TopicAdmin(connection(live_settings)) as admin:
        wanted = admin.forms(live_settings.kafka_prefix, live_settings.kafka_partitions, 0)
        admin.apply(wanted)
    return wanted


_FORMATTED = (
    "meta.properties",
    "bootstrap.checkpoint",
)  # what a broker's folder of data holds before its first start


def _format_alike(brokers: Sequence[Broker], run: Path) -> None:
    """Format the data of brokers as those of a broker of this run are: Kafka's own tool starts a Java for each."""
    for one in brokers:
        data = one.process.folder / "data"
        if not (run / _FORMATTED[0]).exists():
            return
        data.mkdir(parents=True, exist_ok=True)
        shutil.copy(run / "bootstrap.checkpoint", data)
        own = {
            "node.id": one.number,
            "directory.id": base64.urlsafe_b64encode(b"t" + os.urandom(15)).decode()[:22],
        }
        told = (run / _FORMATTED[0]).read_text("utf-8")
        for name, value in own.items():
            told = re.sub(rf"(?m)^{re.escape(name)}=.*$", f"{name}={value}", told)
        (data / _FORMATTED[0]).write_text(told, "utf-8")


def _keep_format(broker: Broker, run: Path) -> None:
    """Keep how a broker was formatted for the others of this run; the file that is looked for comes last."""
    run.mkdir(parents=True, exist_ok=True)
    if not (run / _FORMATTED[0]).exists():
        for name in reversed(_FORMATTED):
            part = run / f"{name}.{os.getpid()}"
            shutil.copy(broker.process.folder / "data" / name, part)
            part.replace(run / name)


@pytest.fixture
def own_stack(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Stack]]:
    """A function that starts servers which are this test's alone, to be stopped, paused and killed.

    `own_stack(brokers=3, kafka=True, clickhouse=False)`; about 5 s each, so share what can be shared.
    """
    with own_stacks(tmp_path, tmp_path_factory) as start:
        yield start


@contextmanager
def own_stacks(folder: Path, factory: pytest.TempPathFactory) -> Iterator[Callable[..., Stack]]:
    """The same for whoever keeps them longer than a test."""
    started: list[Stack] = []

    def start(brokers: BrokerCount = 1, *, kafka: bool = True, clickhouse: bool = True) -> Stack:
        stack = Stack(folder / f"stack-{len(started)}")
        stack.prepare(planned(brokers, kafka_port=0, clickhouse_port=0, heap=HEAP))
        started.append(stack)
        formatted = _run_folder(factory) / "formatted"
        if kafka:
            _format_alike(stack.brokers, formatted)
        servers: list[Any] = [*(stack.brokers if kafka else ()), *([stack.clickhouse] if clickhouse else ())]
        try:
            stack.up(servers)
        except UserError as error:
            _or_fail(error)
        if kafka:
            _keep_format(stack.brokers[0], formatted)
        return stack

    try:
        yield start
    finally:
        for stack in started:
            for server in stack.servers:
                server.process.kill()
