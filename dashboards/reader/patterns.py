"""What the store holds of patterns: suspicions, the newest first."""

from __future__ import annotations

import datetime as dt
from typing import Final

from msgspec import Struct

from dashboards.reader.question import Question, stored

MOST: Final = 500
_SUSPECTED: Final = "WHERE verdict = 'suspected' AND check_id LIKE 'pattern.%'"


class SuspicionRow(Struct, frozen=True):
    """One suspicion; `record` is the finding as JSON."""

    finding_id: str
    decided_at: dt.datetime
    record: str


def suspicions(most: int = MOST) -> Question[SuspicionRow]:
    """The suspicions that were raised last."""
    rest = f"{_SUSPECTED} ORDER BY decided_at DESC, finding_id LIMIT {{most:UInt32}}"
    return stored(SuspicionRow, "findings", rest, {"most": most})


def suspicion(finding_id: str) -> Question[SuspicionRow]:
    """One suspicion."""
    return stored(
        SuspicionRow, "findings", f"{_SUSPECTED} AND finding_id = {{id:String}}", {"id": finding_id}
    )
