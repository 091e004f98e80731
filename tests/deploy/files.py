"""The files a deployment is made of, read as what they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import promql_parser
import yaml

from processors.runtime.watch.metrics import WorkerMetrics

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
LOADER = getattr(
    yaml, "CSafeLoader", yaml.SafeLoader
)  # the same in C, where it was built: each worker reads them all
YAML = sorted(path for path in DEPLOY.rglob("*.y*ml") if ".yaml" in path.name or ".yml" in path.name)


def documents(path: Path) -> list[dict[str, Any]]:
    """All documents of a YAML file."""
    return [
        document for document in yaml.load_all(path.read_text(encoding="utf-8"), Loader=LOADER) if document
    ]


def metric_names(expression: str) -> set[str]:
    """The series that a PromQL expression reads; it is parsed, so a wrong one fails here."""
    return set(
        re.findall(r"(?:^|[^\w:\"])((?:catwalk|up)[\w:]*)", str(promql_parser.parse(expression).prettify()))
    )


def worker_series() -> set[str]:
    """Names of all series that a worker shows at /metrics."""
    names = set()
    for family in WorkerMetrics("fold").registry.collect():
        suffixes = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count")}.get(
            family.type, ("",)
        )
        names |= {family.name + suffix for suffix in suffixes}
    return names


def words_of_commands(text: str) -> Iterator[str]:
    """The subcommand of each `catwalk ...` that a text tells somebody to run."""
    yield from re.findall(r"(?:^|[`\n$(])\s*catwalk ([a-z]+)", text)
