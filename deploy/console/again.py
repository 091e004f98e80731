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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from dashboards.desk.alerts import Alert
from dashboards.desk.desk import Desk
from dashboards.desk.state import DeskState
from dashboards.ledger.acts import DESK, Act, EvidenceKept, Raised, RisenFrom
from processors.detectors.family import LEVEL
from processors.detectors.shapes import CheckedStanding
from processors.detectors.suspicion import rounded
from schemas.answers import FOLD_VERSION
from schemas.findings import Finding, finding_id

Standing = Callable[[Finding, dt.datetime], CheckedStanding | None]
_Seen = Mapping[tuple[str, dt.datetime], CheckedStanding]  # by alert and closing
MOST_ACTS: Final = 200  # of one look: the next one goes on
MOST_BYTES: Final = 1 << 20
_encode = msgspec.json.Encoder().encode
_SHOE: Final = "shoe"  # the value of a later shoe cannot be told from that of the one named


def needed(e_value: float, level: float = LEVEL) -> float:
    """The evidence at which a suspicion rises again that was cleared when there had been so much at most."""
    return rounded((1 + e_value) / level)


class RisingAgain:
    """Keeps the evidence of suspicions as they are cleared, and raises them again when it has grown far beyond."""

    def __init__(self, desk: Desk, page_at: Callable[[Finding], float]) -> None:
        """`page_at` is the evidence at which the budget of pages lets a suspicion page."""
        self._desk, self._page_at = desk, page_at

    @property
    def waiting(self) -> tuple[Finding, ...]:
        """The cleared suspicions whose evidence is to be looked at."""
        return tuple(alert.finding for alert in self._desk.look(_cleared))

    def look(self, standing: Standing) -> bool:
        """Keep what is new, and raise what has grown; whether nothing more is to be written.

        `standing` tells the evidence for a suspicion, with all that had been weighed by its clearing; None as long as
        that is not known.

        Raises:
            DeskUnavailable: the ledger of the desk cannot be written.
        """
        seen = {
            (alert.id, alert.closed_at): found
            for alert in self._desk.look(_cleared)
            if alert.closed_at is not None and (found := standing(alert.finding, alert.closed_at)) is not None
        }

        def is_due(state: DeskState) -> bool:
            return any(True for _ in self._due(state, seen, dt.datetime.now(dt.UTC)))

        if not self._desk.look(is_due):
            return True
        self._desk.decide(DESK, lambda state, at: _at_once(self._due(state, seen, at)))
        return not self._desk.look(is_due)

    def _due(self, state: DeskState, seen: _Seen, at: dt.datetime) -> Iterator[Sequence[Act]]:
        """What is to be written, by suspicion; the same state and evidence give the same."""
        for alert in _cleared(state):
            standing = seen.get((alert.id, alert.closed_at)) if alert.closed_at is not None else None
            if standing is None or not standing.highest or alert.closed_at is None:
                continue
            highest = standing.highest
            kept = state.evidence.get(alert.id)
            if kept is None or kept.closed_at != alert.closed_at or kept.fold < FOLD_VERSION:
                most = max(highest, _e_value(alert.finding))
                named, closed_at = alert.id, alert.closed_at
                yield [
                    EvidenceKept(alert=named, closed_at=closed_at, e_value=rounded(most), fold=FOLD_VERSION)
                ]
            elif (
                kept.fold == FOLD_VERSION
                and standing.due
                and highest >= max(needed(kept.e_value), self._page_at(alert.finding))
            ):
                yield state.tunings.raised_as([_risen(alert, kept, highest)], at)


def _at_once(due: Iterable[Sequence[Act]]) -> list[Act]:
    """The acts about the first suspicions, as many as one append may have."""
    found: list[Act] = []
    size = 0
    for acts in due:
        size += sum(len(_encode(act)) for act in acts)
        if found and (size > MOST_BYTES or len(found) + len(acts) > MOST_ACTS):
            break
        found += acts
    return found


def _cleared(state: DeskState) -> tuple[Alert, ...]:
    alerts = map(state.alerts.__getitem__, state.index.cleared())
    return tuple(
        one for one in alerts if isinstance(one.finding.about, dict) and _SHOE not in one.finding.about
    )


def _risen(alert: Alert, kept: EvidenceKept, highest: float) -> Raised:
    """The new alert; its words, its round and the time of its event are those of the first alarm."""
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
    finding = msgspec.structs.replace(old, finding_id=identity, e_value=rounded(highest))
    return Raised(finding=finding, decided_at=alert.decided_at, dealer=alert.dealer, again=again)


def _e_value(finding: Finding) -> float:
    return float(finding.e_value) if isinstance(finding.e_value, float | int) else 0.0
