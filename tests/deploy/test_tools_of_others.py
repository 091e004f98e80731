"""Alert rules in promtool's own unit tests, manifests before kubeconform; both are built from their Go modules."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml

from deploy.stack.parts import cache_folder
from tests.deploy.files import DEPLOY, documents, worker_series

TOOLS = {
    "promtool": "github.com/prometheus/prometheus/cmd/promtool@v0.316.0",
    "kubeconform": "github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0",
}
PROMETHEUS = DEPLOY / "prometheus"
[UNIT_TESTS] = documents(PROMETHEUS / "rules.test.yml")
ALERTS = [
    rule["alert"]
    for group in documents(PROMETHEUS / "rules.yml")[0]["groups"]
    for rule in group["rules"]
    if "alert" in rule
]


@pytest.mark.parametrize("alert", ALERTS)
def test_a_unit_test_says_what_sets_an_alert_off_and_what_does_not(alert: str) -> None:
    cases = [
        case for one in UNIT_TESTS["tests"] for case in one["alert_rule_test"] if case["alertname"] == alert
    ]
    assert any(case["exp_alerts"] for case in cases)
    assert any(not case["exp_alerts"] for case in cases)


def test_the_series_of_unit_tests_are_those_that_workers_show() -> None:
    named = {
        re.split(r"[{ ]", series["series"])[0]
        for one in UNIT_TESTS["tests"]
        for series in one["input_series"]
    }
    assert named - worker_series() == {"up"}


def tool(name: str) -> Path:
    """The tool, built once a machine from its module."""
    go = shutil.which("go")
    if go is None:
        if os.environ.get("CI") == "true":
            pytest.fail("Go is not installed: https://go.dev/doc/install")
        pytest.skip("Go is not installed")
    _, _, version = TOOLS[name].partition("@")
    folder = cache_folder() / f"{name}-{version}"
    if not (folder / name).exists():
        environment = os.environ | {"GOBIN": str(folder), "GOFLAGS": "-mod=mod"}
        subprocess.run([go, "install", TOOLS[name]], env=environment, check=True, timeout=1_500)
    return folder / name


def said(*command: str | Path) -> str:
    """What a command printed; it has to end well."""
    ran = subprocess.run([str(one) for one in command], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.mark.soak
@pytest.mark.timeout(1_800)
def test_every_alert_comes_and_stays_away_as_its_unit_test_says(tmp_path: Path) -> None:
    promtool = tool("promtool")
    assert "SUCCESS" in said(promtool, "check", "rules", PROMETHEUS / "rules.yml")
    assert "SUCCESS" in said(promtool, "test", "rules", PROMETHEUS / "rules.test.yml")
    # A rule that says something else is noticed.
    rules = (PROMETHEUS / "rules.yml").read_text(encoding="utf-8")
    (tmp_path / "rules.yml").write_text(rules.replace("> 5000", "> 6000"), encoding="utf-8")
    shutil.copy(PROMETHEUS / "rules.test.yml", tmp_path)
    with pytest.raises(AssertionError, match="CatwalkFoldBehind"):
        said(promtool, "test", "rules", tmp_path / "rules.test.yml")


def whole(schema: Any, definitions: dict[str, Any]) -> Any:
    """A schema with what it refers to put in its place, as kubeconform needs it."""
    if isinstance(schema, list):
        return [whole(one, definitions) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return whole(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    return {name: whole(value, definitions) for name, value in schema.items()}


@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.parametrize("version", ["v1.32.0", "v1.37.0"])
def test_manifests_pass_kubeconform(version: str, tmp_path: Path) -> None:
    schemas = Path(str(files("kubernetes_validate"))) / "kubernetes-json-schema" / f"{version}-local-strict"
    definitions = json.loads((schemas / "_definitions.json").read_bytes())["$defs"]
    paths = [
        one for one in sorted((DEPLOY / "kubernetes").glob("*.yaml")) if one.name != "kustomization.yaml"
    ]
    for manifest in (one for path in paths for one in documents(path)):
        group, _, number = manifest["apiVersion"].rpartition("/")
        parts = (manifest["kind"].lower(), group.partition(".")[0], number)
        name = "-".join(part for part in parts if part) + ".json"
        inlined = whole(json.loads((schemas / name).read_bytes()), definitions)
        (tmp_path / name).write_text(json.dumps(inlined), encoding="utf-8")
    asked = (
        "-strict",
        "-summary",
        "-schema-location",
        f"{tmp_path}/{{{{ .ResourceKind }}}}{{{{ .KindSuffix }}}}.json",
    )
    assert "Invalid: 0, Errors: 0, Skipped: 0" in said(tool("kubeconform"), *asked, *paths)
    wrong: dict[str, Any] = documents(DEPLOY / "kubernetes" / "fold.yaml")[0]
    wrong["spec"]["replcas"] = wrong["spec"].pop("replicas")
    (tmp_path / "fold.yaml").write_text(yaml.safe_dump(wrong), encoding="utf-8")
    with pytest.raises(AssertionError, match="replcas"):
        said(tool("kubeconform"), *asked, tmp_path / "fold.yaml")
