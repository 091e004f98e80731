"""What the fold itself sees amiss in the record: chain, order, seal, witnesses, the shoe's cards, clocks."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from schemas.findings import Severity, Verdict


class Anomaly(Struct, frozen=True, kw_only=True):
    """One thing amiss in the record; `check` is `integrity.<name>`, `cites` what the contract calls it."""

    check: str
    cites: str
    message: str
    sequences: tuple[int, ...]
    expected: Any = None
    observed: Any = None
    verdict: Verdict = "breached"
    severity: Severity = "critical"
    discriminator: str = ""
    hand: str | None = None
    exposure: Any = None
    missing: tuple[str, ...] = ()
    because_of: str = ""
