"""The register of provisions: 662 duties, permissions and definitions in our own words, one row each."""

from __future__ import annotations

import csv
import io
from importlib import resources

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


def _load() -> dict[str, Provision]:
    text = resources.files("schemas").joinpath("provisions.csv").read_text("utf-8")
    register: dict[str, Provision] = {}
    for row in csv.DictReader(io.StringIO(text)):
        register[row["provision_id"]] = Provision(
            id=row["provision_id"],
            ruleset=row["ruleset"],
            topic=row["topic"],
            duty=row["duty"],
            actor=row["actor"],
            observable=row["observable"],
            events=tuple(filter(None, row["events"].split(";"))),
            violation=row["violation"],
            severity=row["severity"],  # type: ignore[arg-type]  # the register's test holds the four words
            differs_from=row["differs_from"],
        )
    return register


PROVISIONS: dict[str, Provision] = _load()
