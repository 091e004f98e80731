"""What is tuned: alerts of a check that wait, group or page otherwise, by two people and until a stated end."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

import msgspec
from msgspec import Struct

from dashboards.ledger import acts
from dashboards.ledger import tuning_acts as of_tuning
from dashboards.wording.copying import copied
from schemas.amounts import amount
from schemas.check_names import current
from schemas.findings import Finding

LONGEST = dt.timedelta(days=14)
SAME_PERSON = "the second person is someone else"
State = Literal["asked", "confirmed", "declined", "ended"]


class Tuning(Struct, frozen=True, kw_only=True):
    """One tuning of one check; in force from `confirmed_at` to `until`, unless it was ended before."""

    id: str
    check: str
    way: of_tuning.Way
    minutes: int | None
    until: dt.datetime
    reason: str
    asked_by: str
    asked_at: dt.datetime
    state: State = "asked"
    confirmed_by: str | None = None
    confirmed_at: dt.datetime | None = None
    ended_by: str | None = None
    declined_for: str | None = None

    def in_force(self, at: dt.datetime) -> bool:
        """Whether alerts are handled so at this moment."""
        return self.state == "confirmed" and at < self.until

    def waits(self, at: dt.datetime) -> bool:
        """Whether a second person has yet to say something, and still can."""
        return self.state == "asked" and at < self.until


def waits_for(tuning: str) -> str:
    """How the reason begins for which a tuning puts an alert on the shelf."""
    return f"{tuning}: alerts of this check wait "


def _kind(way: str) -> str:
    return way.partition(" ")[0]


@dataclass(slots=True)
class Tunings:
    """All tunings of a desk, in the order in which they were asked for."""

    made: dict[str, Tuning] = field(default_factory=dict)
    _live: dict[str, None] = field(default_factory=dict)  # asked or confirmed, perhaps over by now

    def next_id(self) -> str:
        """The id of the next one."""
        return f"TUNE-{len(self.made) + 1:04d}"

    def live(self, at: dt.datetime) -> tuple[Tuning, ...]:
        """Those in force, or that wait for a second person."""
        held = map(self.made.__getitem__, self._live)
        return tuple(one for one in held if one.in_force(at) or one.waits(at))

    def in_force(self, check: str, kind: str, at: dt.datetime) -> Tuning | None:
        """What is in force for a check of one kind: `wait`, `group` or `page`."""
        for one in map(self.made.__getitem__, self._live):
            if one.check == check and _kind(one.way) == kind and one.in_force(at):
                return one
        return None

    def why_not(self, act: of_tuning.TuningAct, actor: str, at: dt.datetime) -> str | None:
        """Why this person cannot do this now; None if they can."""
        if isinstance(act, of_tuning.TuningAsked):
            return self._why_not_asked(act, at)
        one = self.made.get(act.tuning)
        if one is None or not (one.in_force(at) or one.waits(at)):
            return f"nothing is tuned, or waits to be, by {act.tuning}"
        if isinstance(act, of_tuning.TuningEnded):
            waits = one.state == "asked" and one.asked_by != actor
            return (
                f"only {one.asked_by} may take it back; whoever does not agree declines it" if waits else None
            )
        if one.state != "asked":
            return f"{one.confirmed_by} has confirmed it"
        return SAME_PERSON if one.asked_by == actor else None

    def _why_not_asked(self, act: of_tuning.TuningAsked, at: dt.datetime) -> str | None:
        if not at < act.until <= at + LONGEST:
            return f"the end lies within the next {LONGEST.days} days"
        if (act.way == "wait") != (act.minutes is not None):
            return "alerts wait for a number of minutes, and nothing else does"
        for one in self.live(at):
            if one.check == act.check and _kind(one.way) == _kind(act.way):
                return f"{one.id} says how alerts of {act.check} {_kind(act.way)}; end it first"
        return None

    def take(self, act: of_tuning.TuningAct, actor: str, at: dt.datetime) -> tuple[str, str]:
        """Fold an act that `why_not` has nothing against; the state before and after."""
        if isinstance(act, of_tuning.TuningAsked):
            self.made[act.tuning] = copied(Tuning, act, id=act.tuning, asked_by=actor, asked_at=at)
            self._live = {name: None for name in self._live if at < self.made[name].until} | {
                act.tuning: None
            }
            return "", "asked"
        before = self.made[act.tuning]
        match act:
            case of_tuning.TuningConfirmed():
                changed = {"state": "confirmed", "confirmed_by": actor, "confirmed_at": at}
            case of_tuning.TuningDeclined():
                changed = {"state": "declined", "ended_by": actor, "declined_for": act.reason}
            case of_tuning.TuningEnded():
                changed = {"state": "ended", "ended_by": actor}
        after = msgspec.structs.replace(before, **changed)
        self.made[act.tuning] = after
        if after.state in ("declined", "ended"):
            self._live.pop(act.tuning, None)
        return before.state, after.state

    def grouped_by(self, finding: Finding, at: dt.datetime) -> str | None:
        """The tuning that puts alerts of this check and table on one line; None where none does."""
        one = self.in_force(current(finding.check), "group", at)
        return one.id if one is not None else None

    def raised_as(self, raised: Iterable[acts.Raised], at: dt.datetime) -> list[acts.Act]:
        """What is written when these are raised: those that are told to wait go on the shelf, critical ones never."""
        written: list[acts.Act] = []
        for act in raised:
            written.append(act)
            one = self.in_force(current(act.finding.check), "wait", at)
            if one is None or one.minutes is None or act.finding.severity == "critical":
                continue
            until = min(at + dt.timedelta(minutes=one.minutes), one.until)
            why = f"{waits_for(one.id)}{amount(one.minutes, 'minute')}"
            written.append(acts.Shelved(alert=act.finding.finding_id, version=1, reason=why, until=until))
        return written
