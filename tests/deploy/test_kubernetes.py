"""The manifests: valid for Kubernetes, complete, and as careful as they claim to be."""

from __future__ import annotations

from typing import Any

import click
import kubernetes_validate
import pytest

from deploy.cli.console.console import command
from deploy.cli.main import COMMANDS
from deploy.cli.record.record import PIPE
from deploy.cli.record.record import command as record
from deploy.settings import load
from tests.deploy.files import DEPLOY, documents

FOLDER = DEPLOY / "kubernetes"
KUSTOMIZATION = documents(FOLDER / "kustomization.yaml")[0]
MANIFESTS = [
    document
    for path in sorted(FOLDER.glob("*.yaml"))
    if path.name != "kustomization.yaml"
    for document in documents(path)
]
NAMED = [pytest.param(m, id=f"{m['kind']}/{m['metadata']['name']}") for m in MANIFESTS]
WORKERS = {m["metadata"]["name"]: m for m in MANIFESTS if m["kind"] == "Deployment"}


def pods() -> list[tuple[str, dict[str, Any]]]:
    return [
        (m["metadata"]["name"], m["spec"]["template"]["spec"]) for m in MANIFESTS if "template" in m["spec"]
    ]


def setup_module() -> None:
    for manifest in MANIFESTS:
        manifest.setdefault("spec", {})


@pytest.mark.parametrize("version", ["1.32", "1.37"])
@pytest.mark.parametrize("manifest", NAMED)
def test_a_manifest_is_valid_for_kubernetes(manifest: dict[str, Any], version: str) -> None:
    told = {name: value for name, value in manifest.items() if name != "spec" or value}
    kubernetes_validate.validate(told, version, strict=True)


def test_the_kustomization_names_every_manifest_and_nothing_else() -> None:
    files = {path.name for path in FOLDER.glob("*.yaml")} - {"kustomization.yaml"}
    assert set(KUSTOMIZATION["resources"]) == files


@pytest.mark.parametrize("name", ["fold", "analyst", "sink"])
def test_a_worker_is_a_deployment_that_survives_a_node_and_is_probed(name: str) -> None:
    worker = WORKERS[f"catwalk-{name}"]
    assert worker["spec"]["replicas"] >= 2
    [container] = worker["spec"]["template"]["spec"]["containers"]
    # A fold waits for brokers at its start for as long as it is told to; the others do so without end.
    assert container["args"] == [name, *(["--start", "86400"] if name == "fold" else [])]
    assert name in COMMANDS
    assert container["livenessProbe"]["httpGet"]["path"] == "/healthz"
    assert container["readinessProbe"]["httpGet"]["path"] == "/readyz"
    [budget] = [
        m
        for m in MANIFESTS
        if m["kind"] == "PodDisruptionBudget" and m["metadata"]["name"] == f"catwalk-{name}"
    ]
    assert budget["spec"]["selector"] == worker["spec"]["selector"]
    labels = worker["spec"]["template"]["metadata"]["labels"].items()
    assert labels >= worker["spec"]["selector"]["matchLabels"].items()


def test_the_console_is_one_pod_for_its_volume_with_a_service_and_a_way_in() -> None:
    deployment = WORKERS["catwalk-console"]
    assert deployment["spec"]["replicas"] == 1
    assert deployment["spec"]["strategy"] == {"type": "Recreate"}, "two pods cannot mount one volume"
    pod = deployment["spec"]["template"]["spec"]
    [container] = pod["containers"]
    context = click.Context(command)
    command.parse_args(context, container["args"][1:])
    assert all(origin.startswith("https://") for origin in context.params["origins"])
    given = {variable["name"]: variable["value"] for variable in container["env"]}
    assert (given["CATWALK_KAFKA_USER"], given["CATWALK_CLICKHOUSE_USER"]) == ("console", "reader")
    named = {(m["kind"], m["metadata"]["name"]): m["spec"] for m in MANIFESTS}
    [claim] = [v["persistentVolumeClaim"] for v in pod["volumes"] if "persistentVolumeClaim" in v]
    assert ("PersistentVolumeClaim", claim["claimName"]) in named
    [users] = [m for m in container["volumeMounts"] if m["name"] == "users"]
    assert given["CATWALK_CONSOLE_USERS"] == users["mountPath"]
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    service, way_in = named["Service", "catwalk-console"], named["NetworkPolicy", "catwalk-console"]
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    assert labels.items() >= service["selector"].items()
    assert labels.items() >= way_in["podSelector"]["matchLabels"].items()
    assert [port["targetPort"] for port in service["ports"]] == ["http"]
    assert [port["port"] for rule in way_in["ingress"] for port in rule["ports"]] == [ports["http"]]
    for probe, path in (
        ("startupProbe", "/readyz"),
        ("livenessProbe", "/healthz"),
        ("readinessProbe", "/readyz"),
    ):
        assert container[probe]["httpGet"] == {"path": path, "port": "health"}


def test_the_gateway_is_one_pod_for_its_journal_and_reads_what_is_attached_to_it() -> None:
    deployment = WORKERS["catwalk-gateway"]
    assert deployment["spec"]["replicas"] == 1
    assert deployment["spec"]["strategy"] == {"type": "Recreate"}, "two pods cannot mount one volume"
    pod = deployment["spec"]["template"]["spec"]
    [container] = pod["containers"]
    context = click.Context(record)
    record.parse_args(context, container["args"][1:])
    assert (context.params["paths"], context.params["to"], container["stdin"]) == ((PIPE,), "kafka", True)
    assert [port["containerPort"] for port in container["ports"]] == [context.params["health_port"]]
    given = {variable["name"]: variable["value"] for variable in container["env"]}
    assert given["CATWALK_KAFKA_USER"] == "gateway"
    [journal] = [m for m in container["volumeMounts"] if m["name"] == "journal"]
    assert given["CATWALK_DATA"] == journal["mountPath"]
    [claim] = [v["persistentVolumeClaim"] for v in pod["volumes"] if "persistentVolumeClaim" in v]
    claims = [m["metadata"]["name"] for m in MANIFESTS if m["kind"] == "PersistentVolumeClaim"]
    assert claim["claimName"] in claims


def test_no_pod_runs_as_root_writes_its_image_gains_rights_or_is_unbounded() -> None:
    for name, pod in pods():
        assert pod["securityContext"]["runAsNonRoot"], name
        assert pod["automountServiceAccountToken"] is False, name
        for container in [*pod["containers"], *pod.get("initContainers", ())]:
            context = container["securityContext"]
            assert context["readOnlyRootFilesystem"], name
            assert context["allowPrivilegeEscalation"] is False, name
            assert context["capabilities"] == {"drop": ["ALL"]}, name
            assert {"cpu", "memory"} <= container["resources"]["requests"].keys(), name
            assert "memory" in container["resources"]["limits"], name
            mounts = {mount["name"] for mount in container["volumeMounts"]}
            assert mounts == {volume["name"] for volume in pod["volumes"]}, name


def test_the_settings_are_settings_and_no_password_stands_in_a_manifest() -> None:
    [settings] = [m["data"] for m in MANIFESTS if m["kind"] == "ConfigMap"]
    resolved = load(environment=settings)
    assert resolved.unknown == ()
    assert (resolved.values.mode, resolved.values.kafka_security) == ("distributed", "sasl_ssl")
    assert resolved.values.clickhouse_tls
    assert resolved.values.kafka_replication == 3
    for name, pod in pods():
        for container in [*pod["containers"], *pod.get("initContainers", ())]:
            given = {variable["name"]: variable["value"] for variable in container["env"]}
            assert not [v for v in given if "PASSWORD" in v and not v.endswith("_FILE")], name
            mounted = {mount["mountPath"] for mount in container["volumeMounts"]}
            for variable, path in given.items():
                if variable.endswith("_FILE"):
                    assert path.rpartition("/")[0] in mounted, (name, path)


def test_what_no_policy_speaks_of_reaches_nothing_and_is_reached_by_nothing() -> None:
    policies = {m["metadata"]["name"]: m["spec"] for m in MANIFESTS if m["kind"] == "NetworkPolicy"}
    assert policies.pop("default-deny") == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    for name, policy in policies.items():
        assert policy["podSelector"]["matchLabels"], f"{name} lets everything in the namespace do something"
        for rule in (*policy.get("ingress", ()), *policy.get("egress", ())):
            assert rule["ports"], name
            assert all(peer for peer in rule.get("from", rule.get("to"))), name
