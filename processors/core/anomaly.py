"""What the fold itself finds amiss in the record: in chain, order, seals, witnesses, the shoe's cards, clocks."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from processors.core.witnesses import Witness
from schemas.findings import Severity, Verdict


class Anomaly(Struct, frozen=True, kw_only=True):
    """One thing amiss in the record.

    `check` is `integrity.<name>`; `cites` is the rule of the record (`schemas.integrity`) that it breaks where that
    has another name, `because_of` the id of the finding that it is a consequence of, `discriminator` what tells it
    from another anomaly of the same check at the same event. A `lost_word` of a device says nothing against the round.
    `of` is the witness whose word is missing: the anomaly is told once that speaks again, unless it is found silent.
    """

    check: str
    message: str
    sequences: tuple[int, ...]
    expected: Any = None
    observed: Any = None
    verdict: Verdict = "breached"
    severity: Severity = "critical"
    discriminator: str = ""
    cites: str = ""
    hand: str | None = None
    exposure: Any = None
    missing: tuple[str, ...] = ()
    because_of: str = ""
    lost_word: bool = False
    of: Witness | None = None
