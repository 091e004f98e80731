"""What the whole pipeline finds in a script when an unclear place is read in one way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from processors.pipeline import TablePipeline
from schemas.findings import Finding
from tests.law.record import SUBJECT
from tests.law.script import play


def findings(
    script: list[str], ruleset: str, table: dict[str, Any], chosen: Mapping[str, str]
) -> list[Finding]:
    """Every finding of the script played at a table, the chosen policies over the table's own."""
    pipeline = TablePipeline(SUBJECT, chosen, detect=False)
    found: list[Finding] = []
    for line in play(script, ruleset, table).lines:
        found += pipeline.advance(line).findings
    return [*found, *pipeline.finish().findings]


def told(found: list[Finding]) -> list[str]:
    """Findings as "check verdict", and the reading that a finding names, in order."""
    return [
        f"{one.check} {one.verdict}" + (f" {one.reading}" if one.reading is not UNSET else "")
        for one in found
    ]
