"""The register of provisions: 662 duties, permissions and definitions in our own words, one row each."""

from __future__ import annotations

import csv
import io
from importlib import resources
from typing import Any

import msgspec
from msgspec import Struct

from schemas.findings import Severity


class Provision(Struct, frozen=True):
    """One provision of one ruleset; `id` is its clause, `#n` tells several duties of one clause apart."""

    id: str
    ruleset: str
    topic: str
    duty: str
    actor: str
    observable: str
    events: tuple[str, ...]
    violation: str
    severity: Severity
    differs_from: str


def _provision(row: dict[str, Any]) -> Provision:
    events = tuple(filter(None, row["events"].split(";")))
    return msgspec.convert({**row, "id": row.pop("provision_id"), "events": events}, Provision)


_TEXT = resources.files("schemas").joinpath("provisions.csv").read_text("utf-8")
PROVISIONS: dict[str, Provision] = {
    provision.id: provision for provision in map(_provision, csv.DictReader(io.StringIO(_TEXT)))
}
