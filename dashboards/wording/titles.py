"""The heading of a finding where people act upon it: how far it is proven, then its own message."""

from __future__ import annotations

from msgspec import UNSET

from schemas.findings import Finding

_NAMED = 3  # of what was not seen; the alert's page has all of it


def title_of(finding: Finding) -> str:
    """The finding's message; one that is no proven breach says so first, and what was missing to prove it."""
    doubt = _doubt(finding)
    return f"{doubt}: {finding.message}" if doubt else finding.message


def unseen(finding: Finding) -> tuple[str, ...]:
    """What was not seen, so that the finding is not proven."""
    return () if finding.missing is UNSET else finding.missing


def bare_doubt(finding: Finding) -> str:
    """How far a finding is proven without a word of hands and cards; empty where it is."""
    return {
        "indeterminate": "not proven",
        "interpretation": "a breach by one reading of the rules alone",
    }.get(finding.verdict, "")


def _doubt(finding: Finding) -> str:
    if finding.verdict == "interpretation":
        which = "" if finding.reading is UNSET else f" ({finding.reading})"
        return f"A breach by one reading of the rules alone{which}"
    if finding.verdict != "indeterminate":
        return ""
    lacking = unseen(finding)
    if lacking:
        more = f" and {len(lacking) - _NAMED} more" if len(lacking) > _NAMED else ""
        return f"Not proven (unseen: {', '.join(lacking[:_NAMED])}{more})"
    if finding.because_of is not UNSET:
        return "Not proven (may only follow from an earlier finding)"
    return "Not proven"
