"""Suspicions that people cleared rise again from later evidence, each as an alert of its own.

A finding is raised once for each check and those whom it names. The desk alone knows that somebody cleared it, so the
desk raises the new alert. Its ledger keeps the most evidence that there was by the clearing. The new alert rises once
the evidence is 1 / level times as much, and one more for what a mixture of beginnings has not spent yet.

Two bounds hold (Ville 1939). Evidence whose every factor has a mean of at most 1, given all before it, is a test
supermartingale: after any clearing it grows so far with a chance of at most the level. Of families whose value is a
likelihood over the best honest rate, or the highest over devices, the later evidence divided by the earlier is no such
process. There the evidence of all time decides: it is at least 1 / level when the alarm rises, so that it comes to
1 / level^2 on at most level^2 of the streams. Growth is counted from the highest evidence: both bounds hold for it.

What keeps a family from an alarm keeps it from rising too: a standing says whether an alarm would be due.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET

from dashboards.desk.alerts import Alert
from dashboards.desk.desk import Desk
from dashboards.desk.state import DeskState
from dashboards.ledger.acts import DESK, Act, EvidenceKept, Raised, RisenFrom
from dashboards.suspicions.suspicions import evidence_of
from processors.detectors.family import LEVEL
from processors.detectors.shapes import CheckedStanding
from processors.detectors.suspicion import rounded
from processors.detectors.weighty import LISTED, LISTED_BESIDE, events_of, heaviest_since, rows_of
from schemas.answers import FOLD_VERSION
from schemas.findings import Finding, finding_id

Standing = Callable[[Finding, dt.datetime], CheckedStanding | None]
MOST_ACTS: Final = 200  # of one look: the next one goes on
MOST_BYTES: Final = 1 << 20
_encode = msgspec.json.Encoder().encode
_SHOE: Final = "shoe"  # the value of a later shoe cannot be told from that of the one named


class Cleared(NamedTuple):
    """The last alert of a suspicion that people cleared, and when it was closed.

    kept: the evidence by that closing; None where it was not kept yet, or by an earlier version of the fold.
    """

    alert: Alert
    closed_at: dt.datetime
    kept: EvidenceKept | None


def needed(e_value: float, level: float = LEVEL) -> float:
    """The evidence at which a suspicion rises again that was cleared when there had been so much at most."""
    return rounded((1 + e_value) / level)


class RisingAgain:
    """Keeps the evidence of suspicions as they are cleared, and raises them again when it has grown far beyond."""

    def __init__(self, desk: Desk, page_at: Callable[[Finding], float]) -> None:
        """`page_at` is the evidence at which the budget of pages lets a suspicion page."""
        self._desk, self._page_at = desk, page_at

    @property
    def cleared(self) -> tuple[Cleared, ...]:
        """The suspicions whose evidence is to be looked at."""
        return self._desk.look(_cleared)

    def look(self, standing: Standing) -> bool:
        """Keep and raise as `take` does, of all that is cleared now."""
        return self.take(self.cleared, standing)

    def take(self, cleared: Iterable[Cleared], standing: Standing) -> bool:
        """Keep what is new of these, and raise what has grown; whether nothing more is to be written.

        `standing` tells the evidence for a suspicion, with all that had been weighed by its clearing; None as long as
        that is not known. What changed at the desk meanwhile is left to the next look.

        Raises:
            DeskUnavailable: the ledger of the desk cannot be written.
        """
        told = ((last, standing(last.alert.finding, last.closed_at)) for last in cleared)
        due = [(last, now) for last, now in told if now is not None and self._is_due(last, now)]
        if not due:
            return True
        written = 0

        def decide(state: DeskState, at: dt.datetime) -> list[Act]:
            nonlocal written
            stands = {one.alert.id: one for one in _cleared(state)}
            holding = (_act(one, now) for one, now in due if stands.get(one.alert.id) == one)
            acts, written = _at_once(
                state.tunings.raised_as([act], at) if isinstance(act, Raised) else [act] for act in holding
            )
            return acts

        self._desk.decide(DESK, decide)
        return written == len(due)

    def _is_due(self, one: Cleared, now: CheckedStanding) -> bool:
        """Whether the evidence is to be kept, or has grown so far that the suspicion rises again."""
        if one.kept is None or not now.highest:
            return bool(now.highest)
        enough = max(needed(one.kept.e_value), self._page_at(one.alert.finding))
        return one.kept.fold == FOLD_VERSION and now.due and now.highest >= enough


def _at_once(due: Iterable[Sequence[Act]]) -> tuple[list[Act], int]:
    """The acts about the first suspicions, as many as one append may have; and how many suspicions they are of."""
    found: list[Act] = []
    size = suspicions = 0
    for acts in due:
        size += sum(len(_encode(act)) for act in acts)
        if found and (size > MOST_BYTES or len(found) + len(acts) > MOST_ACTS):
            break
        found += acts
        suspicions += 1
    return found, suspicions


def _cleared(state: DeskState) -> tuple[Cleared, ...]:
    alerts = map(state.alerts.__getitem__, state.index.cleared())
    return tuple(
        Cleared(one, one.closed_at, _kept(state, one))
        for one in alerts
        if one.closed_at is not None
        and isinstance(one.finding.about, dict)
        and _SHOE not in one.finding.about
    )


def _kept(state: DeskState, alert: Alert) -> EvidenceKept | None:
    kept = state.evidence.get(alert.id)
    return (
        kept if kept is not None and kept.closed_at == alert.closed_at and kept.fold >= FOLD_VERSION else None
    )


def _act(one: Cleared, now: CheckedStanding) -> EvidenceKept | Raised:
    if one.kept is not None:
        return _risen(one.alert, one.kept, now)
    most = rounded(max(now.highest, evidence_of(one.alert.finding)))
    return EvidenceKept(
        alert=one.alert.id, closed_at=one.closed_at, e_value=most, fold=FOLD_VERSION, mark=now.mark
    )


def _risen(alert: Alert, kept: EvidenceKept, now: CheckedStanding) -> Raised:
    """The new alert; its words, its round and the time of its event are those of the first alarm.

    The rounds that it names are those after the closing that weigh most, where its detector keeps these.
    """
    before = (*(alert.again.alerts if alert.again is not None else ()), alert.id)
    again = RisenFrom(
        alerts=before,
        disposition=alert.disposition or "",
        by=alert.closed_by or "",
        confirmed_by=alert.second_auditor if alert.confirmed_at is not None else None,
        at=kept.closed_at,
        e_value=kept.e_value,
        needed=needed(kept.e_value),
    )
    old = alert.finding
    identity = finding_id(old.subject, old.check, old.sequence, f"again|{alert.id}")
    later = _rounds_since(old, kept, now)
    finding = msgspec.structs.replace(old, finding_id=identity, e_value=rounded(now.highest), **later)
    return Raised(finding=finding, decided_at=alert.decided_at, dealer=alert.dealer, again=again)


def _rounds_since(old: Finding, kept: EvidenceKept, now: CheckedStanding) -> dict[str, Any]:
    """What a finding says of the rounds after a closing, instead of the rounds named before; empty if not known."""
    if kept.mark is UNSET or not isinstance(old.observed, dict):
        return {}
    most = heaviest_since(now.weighty, kept.mark)
    if not most:
        return {}
    beside = LISTED_BESIDE in old.observed or isinstance(old.observed.get(LISTED), int)
    name = LISTED_BESIDE if beside else LISTED
    return {
        "observed": {**old.observed, name: rows_of(most)},
        "sequences": tuple(sorted({old.sequence, *events_of(most, old.subject)})),
    }
