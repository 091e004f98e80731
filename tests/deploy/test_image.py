"""The image, and the services in it that need no server, held as containers are."""

from __future__ import annotations

import json
import shutil
import subprocess
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from tests.deploy.containers import COMPOSE, SERVICES, Container, limits_of, size
from tests.deploy.files import DEPLOY, ROOT
from tests.deploy.image import Image, build, context, needs_root, opened_to_others
from tests.waiting import until

GET = "import sys, urllib.request as r; sys.stdout.buffer.write(r.urlopen(sys.argv[1], timeout=5).read())"
URL = "http://127.0.0.1:8080"
IMAGE = SERVICES["fold"]["image"]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    needs_root()
    folder = tmp_path_factory.mktemp("image")
    opened_to_others(folder)
    return build(folder, whole=False)


@pytest.fixture
def folder(image: Image, tmp_path: Path) -> Path:
    """A deployment's folder, with secrets as the head of the compose file says."""
    opened_to_others(tmp_path)
    tmp_path.chmod(0o755)
    (tmp_path / "secrets").mkdir()
    for name in COMPOSE["secrets"]:
        secret = tmp_path / "secrets" / name
        secret.write_text("a password\n", encoding="utf-8")
        secret.chmod(0o600)
        shutil.chown(secret, image.user)
    return tmp_path


def test_no_secret_and_no_environment_reaches_the_builder(tmp_path: Path) -> None:
    secret = DEPLOY / "secrets" / "clickhouse_of_a_test"
    secret.write_text("never to be seen", encoding="utf-8")
    try:
        given = context(tmp_path / "context")
    finally:
        secret.unlink()
    names = {path.name for path in given.iterdir()}
    assert names == {
        *("LICENSE", "README.md", "pyproject.toml", "requirements.lock"),
        *("benchmarks", "dashboards", "deploy", "processors", "producers", "schemas"),
    }
    assert not list(given.rglob("clickhouse_of_a_test"))
    assert not list(given.rglob("__pycache__"))


def test_the_installed_command_runs_as_nobody_who_can_write_or_gain_rights(
    image: Image, folder: Path
) -> None:
    look = (
        "import os, json; import deploy, schemas\n"
        "def tried(path):\n"
        "    try: open(path, 'w').close(); return 'written'\n"
        "    except OSError as error: return os.strerror(error.errno)\n"
        "status = dict(l.replace(':', '').split()[:2] for l in open('/proc/self/status') if len(l.split()) > 1)\n"
        "print(json.dumps({'user': os.getuid(), 'groups': os.getgroups(), 'home': os.getcwd(),\n"
        "  'from': deploy.__file__, 'caps': [status[n] for n in ('CapPrm', 'CapEff', 'CapBnd')],\n"
        "  'more': status['NoNewPrivs'],\n"
        "  **{p: tried(p + '/x') for p in ('/tmp', '/opt/catwalk', '/var/lib/catwalk', '/etc', '/run')}}))"
    )
    with Container(image, folder, "fold", "record", "-", "--to", "kafka", feed=True) as container:
        ran = container.run("python", "-c", look)
        assert ran.returncode == 0, ran.stderr
        told = json.loads(ran.stdout)
        as_root = container.run("python", "-c", "open('/opt/catwalk/x', 'w')", user=0)
        limits = limits_of(container.pid)
    assert (told["user"], told["groups"], told["home"]) == (10001, [], "/var/lib/catwalk")
    assert told["from"].startswith("/opt/catwalk/lib/"), "not the checkout's"
    assert (told["caps"], told["more"]) == (["0000000000000000"] * 3, "1")
    # Only what the compose file names can be written; a service with a volume writes there too.
    read_only = dict.fromkeys(("/opt/catwalk", "/var/lib/catwalk", "/etc", "/run"), "Read-only file system")
    assert {path: told[path] for path in ("/tmp", *read_only)} == {"/tmp": "written", **read_only}
    assert "Read-only file system" in as_root.stderr
    assert limits["Max data size"] == str(size(SERVICES["fold"]["mem_limit"]))
    assert limits["Max open files"] == str(SERVICES["fold"]["ulimits"]["nofile"]["soft"])


def test_the_image_holds_every_file_that_the_packages_work_with(image: Image) -> None:
    [installed] = (image.root / "opt" / "catwalk" / "lib").glob("python3.*/site-packages")
    there = {str(path.relative_to(installed)) for path in installed.rglob("*")}
    rooms = {path.parent for path in ROOT.glob("[a-z]*/**/__init__.py")} - {ROOT / "tests"}
    packages = {room.relative_to(ROOT).parts[0] for room in rooms} - {"tests", "deploy"}
    files = {path for name in packages for path in (ROOT / name).rglob("*.*")}
    files |= {path for path in (DEPLOY / "stack").iterdir() if path.is_file()}
    missing = {str(path.relative_to(ROOT)) for path in files} - there
    assert {name for name in missing if not name.endswith((".md", ".pyc"))} == set()


def unhealthy(container: Container, why: str) -> subprocess.CompletedProcess[str]:
    """Wait until its health check fails and names this; the check."""

    def named() -> subprocess.CompletedProcess[str] | None:
        done = container.healthy()
        return done if done.returncode == 1 and why in done.stdout else None

    return until(named, lambda: (container.name, container.healthy(), container.said), seconds=180, every=0.2)


def shows(console: Container, path: str, text: str) -> bool:
    return text in console.run("python", "-c", GET, URL + path).stdout


def test_without_servers_every_worker_is_unhealthy_and_says_why_and_ends_when_asked(
    image: Image, folder: Path
) -> None:
    ours = [name for name, told in SERVICES.items() if "healthcheck" in told and told["image"] == IMAGE]
    workers = [name for name in ours if not SERVICES[name].get("stdin_open")]
    assert set(workers) == {"fold", "analyst", "sink", "reconcile", "console"}
    assert set(ours) == {"gateway", *workers}
    with ExitStack() as held:
        started = [held.enter_context(Container(image, folder, name)) for name in workers]
        for worker in started:
            asks = "clickhouse:9000" if worker.name == "reconcile" else "kafka:9092"
            done = unhealthy(worker, asks)
            assert "Traceback" not in done.stderr + worker.said
        for worker in started:
            assert worker.stop() == 0, worker.said


def test_a_gateway_without_brokers_is_unhealthy_says_why_and_takes_no_table_that_it_does_not_know(
    image: Image, folder: Path
) -> None:
    record = ("record", "-", "--to", "kafka", "--seconds", "1", "--health-port", "9464")
    with Container(image, folder, "gateway", *record, feed=True) as gateway:
        unhealthy(gateway, "kafka:9092")
        gateway.give((ROOT / "examples" / "breach_no_burn.ndjson").read_bytes().splitlines(True)[0])
        assert gateway.wait(90) == 2
        assert "Kafka at kafka:9092" in gateway.said
        assert "nothing of it was recorded" in gateway.said
    assert (folder / "volumes" / "gateway" / "journal.db").exists()


def test_the_embedded_mode_works_in_its_volume_alone(image: Image, folder: Path) -> None:
    in_one = {"CATWALK_MODE": "embedded"}
    stream = (ROOT / "examples" / "breach_no_burn.ndjson").read_bytes()
    steps = {
        ("console", "user", "add", "hale", "--role", "surveillance"): b"correct horse battery staple\n",
        ("record", "-"): stream,
        ("fold", "--once"): b"",
    }
    for command, given in steps.items():
        with Container(image, folder, "console", *command, environment=in_one, feed=True) as step:
            step.give(given, all_of_it=True)
            assert step.wait(60) == 0, step.said
    with Container(image, folder, "console", environment=in_one) as console:
        for path, holds in (("/sign-in", "<title>"), ("/static/catwalk.svg", "<svg")):
            until(partial(shows, console, path, holds), lambda: console.said, every=0.2)
        assert console.stop() == 0, console.said
