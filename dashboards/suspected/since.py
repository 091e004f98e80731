"""The evidence of a suspicion after its alarm: what the detectors hold of it now, where the console can read it."""

from __future__ import annotations

import datetime as dt
import logging
from typing import Final

from dashboards.reader.people import Kind
from dashboards.suspicions.evidence import CourseOfEvidence, EvidenceAwaited, EvidenceSince
from dashboards.suspicions.suspicions import Suspicion, course_of, of_which
from dashboards.web.console import Console

AWAITED: Final = (
    "What came after the alarm is being read out of the analyst's topic, which takes a moment after a start."
)
UNREADABLE: Final = (
    "What came after the alarm cannot be read: the store does not answer, or another release wrote it."
)
NOT_HELD: Final = "What this console reads of the detectors holds no evidence of this pattern now."
FAMILY_UNREAD: Final = (
    "What came after the alarm is not known: not all evidence of this family could be read."
)
# Whatever names a table is judged by that table, also where it names a dealer or a patron.
_ASKED: Final[tuple[tuple[str, Kind], ...]] = (("table", "table"), ("player", "patron"), ("dealer", "dealer"))
_log = logging.getLogger("catwalk.console")


def evidence_since(console: Console, shown: Suspicion) -> EvidenceSince:
    """The evidence of a suspicion now; where the console cannot read it, the course up to the alarm and why."""
    told = course_of(shown.finding)
    try:
        now, up_to, why = _now(console, shown)
    except EvidenceAwaited:
        return EvidenceSince(now=None, further=None, course=told, why=AWAITED)
    except Exception as error:  # whatever the store raises: the page stands without it
        _log.warning("the evidence of suspicion %s now cannot be read: %s", shown.finding.finding_id, error)
        return EvidenceSince(now=None, further=None, course=told, why=UNREADABLE)
    if now is None:
        return EvidenceSince(now=None, further=None, course=told, why=why)
    alarm = told[-1][0] if told else 0
    after = tuple(point for point in now.course if point[0] > alarm)
    further = now.course[-1][0] - alarm if told and now.course and now.course[-1][0] >= alarm else None
    return EvidenceSince(now=now, further=further, course=told + after, up_to=up_to)


def _now(console: Console, shown: Suspicion) -> tuple[CourseOfEvidence | None, dt.datetime | None, str]:
    """The standing of the suspicion's check about just those whom it names, and up to when; or None, and why."""
    wanted = family, _, about = of_which(shown.finding)
    named = next(((kind, str(about[name])) for name, kind in _ASKED if name in about), None)
    if named is None:
        return None, None, NOT_HELD
    held = console.evidence(*named, (shown.finding.subject,))
    for standing in held.standings:
        if (standing.family, standing.variant, standing.about) == wanted:
            return standing, standing.up_to or held.read_at, ""
    return None, None, FAMILY_UNREAD if family in held.unread else NOT_HELD
