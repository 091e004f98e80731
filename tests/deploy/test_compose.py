"""The compose file and the image: what they refer to is there, and nothing is open to the network."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

import click
import pytest

from deploy.cli.console.console import command
from deploy.cli.main import COMMANDS
from deploy.cli.record.record import PIPE
from deploy.cli.record.record import command as record
from deploy.settings import DECLARED
from tests.deploy.files import DEPLOY, ROOT, documents

[COMPOSE] = documents(DEPLOY / "compose.yaml")
WATCHED = ("gateway", "fold", "analyst", "sink", "reconcile", "console")
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]


def test_what_a_service_waits_for_mounts_and_is_told_is_there() -> None:
    variables = {name for s in DECLARED for name in (s.variable, s.file_variable)}
    for name, service in SERVICES.items():
        for other, how in service.get("depends_on", {}).items():
            assert other in SERVICES, name
            if how["condition"] == "service_healthy":
                assert "healthcheck" in SERVICES[other], f"{name} waits for the health of {other}"
        assert set(service.get("secrets", ())) <= COMPOSE["secrets"].keys(), name
        for mount in service.get("volumes", ()):
            source = mount.split(":")[0]
            if source.startswith("."):
                assert (DEPLOY / source).is_file(), f"{name} mounts {source}"
            else:
                assert source in COMPOSE["volumes"], f"{name} mounts {source}"
        told = {v for v in service.get("environment", {}) if v.startswith("CATWALK_")}
        assert told <= variables, name
        for variable in (v for v in told if v.endswith("_FILE")):
            secret = service["environment"][variable].removeprefix("/run/secrets/")
            assert secret in service["secrets"], f"{name} is told of {secret} and not given it"


def test_our_services_run_commands_that_exist_and_prepare_before_they_work() -> None:
    ours = {n: s for n, s in SERVICES.items() if s["image"].startswith("catwalk:")}
    assert {"topics", "relations", "gateway", "fold", "analyst", "sink", "console"} <= ours.keys()
    for name, service in ours.items():
        if "command" in service:
            assert service["command"][0] in COMMANDS, name
        assert service["read_only"], name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert {"mem_limit", "pids_limit", "ulimits"} <= service.keys(), f"{name} may take the machine"
    for name in ("gateway", "fold", "analyst", "sink", "console"):
        assert "topics" in ours[name]["depends_on"]
    assert "relations" in ours["sink"]["depends_on"]


def test_every_image_is_named_with_its_version_and_every_port_is_this_machine_s_alone() -> None:
    for name, service in SERVICES.items():
        assert re.fullmatch(r"[\w./-]+:v?\d[\w.-]*(@sha256:[0-9a-f]{64})?", service["image"]), name
        for port in service.get("ports", ()):
            assert port.startswith("127.0.0.1:"), name


def test_no_secret_of_a_deployment_can_be_committed() -> None:
    rules = (DEPLOY / "secrets" / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert "*" in rules
    for secret in COMPOSE["secrets"].values():
        assert secret["file"].startswith("./secrets/")


def test_the_image_holds_every_package_and_runs_as_nobody_in_particular() -> None:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    copied = set(re.findall(r"^COPY (\w+) \1$", text, re.M))
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests"}
    assert copied == packages
    assert "--require-hashes" in text
    assert re.search(r"^USER [1-9]\d+$", text, re.M)
    for name in re.findall(r"^COPY ([\w. ]+) \./$", text, re.M)[0].split():
        assert (ROOT / name).is_file(), name


@pytest.mark.parametrize("port", ["9464"])
def test_workers_are_asked_for_their_health_where_they_tell_it(port: str) -> None:
    assert SERVICES["fold"]["environment"]["CATWALK_HEALTH_PORT"] == port
    assert port in SERVICES["fold"]["healthcheck"]["test"][-1]
    [prometheus] = documents(DEPLOY / "prometheus" / "prometheus.yml")
    targets = prometheus["scrape_configs"][0]["static_configs"][0]["targets"]
    assert set(targets) == {f"{name}:{port}" for name in WATCHED}


def test_the_gateway_listens_keeps_its_journal_and_shares_it_with_nobody() -> None:
    gateway = SERVICES["gateway"]
    context = click.Context(record)
    record.parse_args(context, gateway["command"][1:])
    assert (context.params["paths"], context.params["to"], gateway["stdin_open"]) == ((PIPE,), "kafka", True)
    assert str(context.params["health_port"]) == gateway["environment"]["CATWALK_HEALTH_PORT"]
    [mount] = gateway["volumes"]
    assert [name for name, one in SERVICES.items() if mount in one.get("volumes", ())] == ["gateway"]


def test_the_console_reads_only_and_is_started_with_options_that_it_has() -> None:
    console = SERVICES["console"]
    assert console["environment"]["CATWALK_CLICKHOUSE_USER"] == "reader"
    context = click.Context(command)
    command.parse_args(context, console["command"][1:])
    origins = context.params["origins"]
    [published] = console["ports"]
    assert {urlsplit(origin).port for origin in origins} == {int(published.split(":")[1])}
    folder = console["environment"]["CATWALK_CONSOLE_USERS"]
    assert [mount for mount in console["volumes"] if mount.endswith(f":{folder}")], (
        "users outlive the container"
    )
