"""All services of the compose file at once, from its image, before a real broker and a real server.

The broker is started with the settings that the file gives its image, the server with the users of `users.d`, both as
processes of this machine in the services' network; of the server's own image nothing is tried.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shlex
import shutil
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from deploy.stack.class_archive import java_of_brokers
from deploy.stack.clickhouse import SERVER
from deploy.stack.parts import JAVA, clickhouse_engine, kafka_jars, needed
from tests.deploy.containers import COMPOSE, SERVICES, Container, Network, limits_of, size
from tests.deploy.files import DEPLOY, ROOT
from tests.deploy.image import build, needs_root, opened_to_others
from tests.live.figures import tell
from tests.live.folding import simulated
from tests.live.test_clickhouse_rights import LOCAL
from tests.waiting import until

pytestmark = pytest.mark.soak
WORKERS = ("gateway", "fold", "analyst", "sink", "reconcile", "console")
METRICS = (
    "import sys, urllib.request as r; sys.stdout.write(r.urlopen(sys.argv[1], timeout=5).read().decode())"
)


def start_kafka(network: Network, folder: Path) -> None:
    """The broker with what the compose file gives its image: `KAFKA_A_B` is the setting `a.b`."""
    told = SERVICES["kafka"]["environment"]
    cluster = told["CLUSTER_ID"]
    settings = {
        n.removeprefix("KAFKA_").lower().replace("_", "."): v for n, v in told.items() if n != "CLUSTER_ID"
    }
    assert SERVICES["kafka"]["volumes"] == [f"kafka:{settings['log.dirs']}"]
    settings["log.dirs"] = str(folder / "kafka")
    file = folder / "server.properties"
    file.write_text("".join(f"{name}={value}\n" for name, value in settings.items()), encoding="utf-8")
    java = [*java_of_brokers(needed(JAVA), kafka_jars()), "-Xmx512m"]
    script = (
        f"{shlex.join(java)} kafka.tools.StorageTool format -t {cluster} -c {file}"
        f" && exec {shlex.join(java)} kafka.Kafka {file}"
    )
    network.serve(folder / "kafka.log", "/bin/sh", "-c", script, environment=os.environ)


def start_clickhouse(network: Network, folder: Path) -> None:
    """The engine with the deployment's users, behind a proxy at the port that the services are told."""
    users = (DEPLOY / "clickhouse" / "users.d" / "catwalk.xml").read_text(encoding="utf-8")
    users = users.replace('<default remove="remove"/>', LOCAL + "<quota>default</quota></default>")
    (folder / "users.xml").write_text(users.replace("<quotas>", "<quotas><default/>"), encoding="utf-8")
    config = folder / "config.xml"
    config.write_text(
        f"<clickhouse><users_config>{folder / 'users.xml'}</users_config></clickhouse>", encoding="utf-8"
    )
    digests = {}
    for user in ("admin", "sink", "reader"):  # as secrets.sh makes them
        password = (folder / "secrets" / f"clickhouse_{user}").read_bytes().replace(b"\n", b"")
        digests[f"CATWALK_{user.upper()}_SHA256"] = hashlib.sha256(password).hexdigest()
    data = folder / "clickhouse"
    command = (sys.executable, SERVER, clickhouse_engine(), data, "9100", config)
    network.serve(folder / "clickhouse.log", *command, environment={**os.environ, **digests})
    # A connection that comes before would end it.
    until((data / "ready").exists, (folder / "clickhouse.log").read_text, seconds=60)
    port = SERVICES["fold"]["environment"]["CATWALK_CLICKHOUSE_PORT"]
    proxy = (
        "import time; from tests.live.working import Proxy;"
        f"Proxy('127.0.0.1', 9100, at=('0.0.0.0', {port})); time.sleep(86400)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    network.serve(folder / "proxy.log", sys.executable, "-c", proxy, environment=environment)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    needs_root()
    opened_to_others(tmp_path)
    tmp_path.chmod(0o755)
    (tmp_path / "secrets").mkdir()
    for name in COMPOSE["secrets"]:
        secret = tmp_path / "secrets" / name
        secret.write_text(secrets.token_hex(24) + "\n", encoding="utf-8")
        secret.chmod(0o600)
        shutil.chown(secret, 10001)
    return tmp_path


@pytest.mark.timeout(1_200)
def test_the_services_start_work_within_their_limits_survive_a_kill_and_end_in_time(folder: Path) -> None:
    begun = time.monotonic()
    image = build(folder / "image", whole=True)
    tell("s to build", round(time.monotonic() - begun))
    with ExitStack() as held:
        network = held.enter_context(Network(folder, ("kafka", "clickhouse")))

        def start(service: str, *command: str, feed: bool = False) -> Container:
            one = Container(image, folder, service, *command, network=network, feed=feed)
            return held.enter_context(one)

        def told(*command: str, given: bytes = b"") -> str:
            """What `docker compose run --rm catwalk ...` says when all is well."""
            with Container(image, folder, "catwalk", *command, network=network, feed=True) as one:
                one.give(given, all_of_it=True)
                assert one.wait(180) == 0, one.said[-3000:]
                return one.said

        start_kafka(network, folder)
        start_clickhouse(network, folder)
        network.until_it_answers("kafka:9092", 120)
        with Container(image, folder, "topics", network=network) as topics:
            assert topics.wait(120) == 0, topics.said
        with Container(image, folder, "relations", network=network) as relations:
            assert relations.wait(60) == 0, relations.said
        workers = {name: start(name, feed=name == "gateway") for name in WORKERS}
        for worker in workers.values():
            worker.until_healthy()
        told("doctor")
        tables = simulated(folder / "simulated", 4, 10, 7, dict(os.environ))
        lines = b"".join(line + b"\n" for table in tables.values() for line in table)
        assert '"recorded"' in told("record", "-", "--format", "json", given=lines)
        told("lag", "--wait", "--seconds", "120")
        told("reconcile")
        for name, worker in workers.items():
            # Asked for its figures as Prometheus asks: by its name, from another container.
            shown = workers["fold"].run("python", "-c", METRICS, f"http://{name}:9464/metrics")
            assert f'catwalk_ready{{worker="{name}"}} 1.0' in shown.stdout, shown.stdout + shown.stderr
            status = Path(f"/proc/{worker.pid}/status").read_text()
            sizes = {w: int(status.split(f"{w}:")[1].split()[0]) >> 10 for w in ("VmHWM", "VmData")}
            threads = int(status.split("Threads:")[1].split()[0])
            files = len(list(Path(f"/proc/{worker.pid}/fd").iterdir()))
            tell(f"MB resident at most of {name}", sizes["VmHWM"])
            tell("of its own writable memory", sizes["VmData"])
            tell("threads and open files", f"{threads} and {files}")
            assert limits_of(worker.pid)["Max data size"] == str(size(worker.told["mem_limit"]))
            assert threads < worker.told["pids_limit"] // 2
            assert files < worker.told["ulimits"]["nofile"]["soft"] // 2
        workers["fold"].kill()
        workers["fold"] = start("fold")  # as `restart: unless-stopped` does
        workers["fold"].until_healthy()
        told("record", "-", given=lines)
        told("lag", "--wait", "--seconds", "120")
        told("reconcile")
        for name, worker in workers.items():
            asked = time.monotonic()
            # A gateway ends as other commands do that are told to.
            assert worker.stop() == (143 if name == "gateway" else 0), worker.said[-3000:]
            tell(f"s until {name} has ended", round(time.monotonic() - asked, 1))
            assert "Traceback" not in worker.said, worker.said
