"""The clauses that govern an event, and what was found there; the registry of checks is handed in as data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from schemas.check_names import current
from schemas.findings import Finding


class Duty(Struct, frozen=True):
    """One check that reads events of a type, and the clauses it decides under the table's ruleset."""

    check: str
    provisions: tuple[str, ...]


Duties = Mapping[str, tuple[Duty, ...]]
"""Duties by the event type's short name (`card_placed`), of one ruleset."""


class Governing(Struct, frozen=True):
    """A clause at an event: `nothing found` means that no check spoke of it, not that one upheld it."""

    provisions: tuple[str, ...]
    check: str
    verdict: str = "nothing found"
    message: str = ""
    finding_id: str = ""
    money_cents: int = 0


def governing(event: str, duties: Duties, findings: Iterable[Finding]) -> tuple[Governing, ...]:
    """What governs an event: first what was found at it, worst first, then the duties without a finding."""
    rank = {"breached": 0, "interpretation": 1, "suspected": 2, "indeterminate": 3}
    found = sorted(findings, key=lambda one: (rank[one.verdict], one.check, one.finding_id))
    spoken = {current(one.check) for one in found}
    told = [
        Governing(one.cites, current(one.check), one.verdict, one.message, one.finding_id, one.money_cents)
        for one in found
    ]
    quiet = (duty for duty in duties.get(event, ()) if duty.check not in spoken and duty.provisions)
    return (*told, *(Governing(duty.provisions, duty.check) for duty in quiet))
