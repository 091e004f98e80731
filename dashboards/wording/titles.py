"""The heading of a finding where people act upon it: how far it is proven, then its own message."""

from __future__ import annotations

import re

from msgspec import UNSET

from schemas.findings import Finding

_NAMED = 3  # of what was not seen; the alert's page has all of it


# A wager that was settled otherwise than it is due: what was seen comes first where people read many of them.
_SETTLED = re.compile(
    r"For the (?P<wager>.+?), (?P<due>\$[\d,.]*\d) is to be (?P<do>\w+) \((?P<why>.+)\),"
    r" but (?P<seen>\$[\d,.]*\d) was (?P<done>\w+)\."
)
_MAIN = "main wager of hand "


def title_of(finding: Finding) -> str:
    """The finding in a line; one that is no proven breach says so first, and what was missing to prove it.

    It is the finding's message; of a wager that was settled wrong it says what was seen before what is due.
    """
    doubt, said = _doubt(finding), _said(finding.message)
    return f"{doubt}: {said}" if doubt else said


def _said(message: str) -> str:
    found = _SETTLED.fullmatch(message)
    if found is None:
        return message
    wager, due, do, why, seen, done = found.groups()
    name = f"Hand {wager.removeprefix(_MAIN)}" if wager.startswith(_MAIN) else wager[:1].upper() + wager[1:]
    if do == done == "paid":
        return f"{name} was paid {seen}; {due} was due ({why})."
    return f"{name}: {seen} was {done}; {due} is to be {do} ({why})."


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
