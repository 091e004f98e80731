"""What a finding says, and how its id follows from its content."""

from __future__ import annotations

import hashlib
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

Verdict = Literal["breached", "indeterminate", "interpretation", "suspected"]
Severity = Literal["critical", "major", "minor", "info"]


class Finding(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One finding as it stands in `findings.ndjson`; `money_cents` is the patron's view: + the house owes."""

    file: str | UnsetType = UNSET
    finding_id: str
    check: str
    cites: tuple[str, ...]
    verdict: Verdict
    severity: Severity
    subject: str
    round: int | None
    seat: int | UnsetType = UNSET
    hand: str | UnsetType = UNSET
    sequence: int
    sequences: tuple[int, ...]
    expected: Any
    observed: Any
    money_cents: int
    message: str
    missing: tuple[str, ...] | UnsetType = UNSET
    because_of: str | UnsetType = UNSET
    reading: str | UnsetType = UNSET
    exposure: Any | UnsetType = UNSET
    about: dict[str, str | int] | UnsetType = UNSET
    e_value: float | UnsetType = UNSET
    bound: dict[str, Any] | UnsetType = UNSET

    @property
    def said(self) -> tuple[Verdict, str, int]:
        """What people act upon: the verdict, the sentence and the money."""
        return self.verdict, self.message, self.money_cents


def finding_id(subject: str, check: str, sequence: int, discriminator: str) -> str:
    """Stable id of a finding: the same stream gives the same id, whatever crashed in between.

    It is derived from the table, the check, the deciding event and what tells two findings of one check on one
    event apart, never from a clock or a random number.
    """
    text = f"{subject}|{check}|{sequence}|{discriminator}"
    return hashlib.sha256(text.encode()).hexdigest()[:32]
