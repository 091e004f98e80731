"""Handovers between shifts as they stand: who handed over what, and who took it; one at most waits."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

import msgspec
from msgspec import Struct

from dashboards.ledger import shift_acts as acts
from dashboards.wording.copying import copied

TAKEN_BY_ANOTHER = "who hands over does not take over; somebody else does"


class Handover(Struct, frozen=True, kw_only=True):
    """A handover, the counts as they were on record then; `record` is that of the act which handed over."""

    id: str
    by: str
    at: dt.datetime
    since: dt.datetime
    until: dt.datetime
    note: str
    raised: int
    closed: int
    open: int
    record: int
    taken_by: str | None = None
    taken_at: dt.datetime | None = None
    remark: str = ""
    withdrawn: bool = False

    @property
    def waits(self) -> bool:
        """Whether somebody has yet to take over."""
        return self.taken_by is None and not self.withdrawn


@dataclass(slots=True)
class Handovers:
    """All handovers of a desk, in the order in which they were made."""

    made: dict[str, Handover] = field(default_factory=dict)

    @property
    def waiting(self) -> Handover | None:
        """The handover that somebody has yet to take; there is one at most, and it is the last."""
        last = next(reversed(self.made.values()), None)
        return last if last is not None and last.waits else None

    @property
    def last(self) -> Handover | None:
        """The last handover that was not withdrawn."""
        return next((one for one in reversed(self.made.values()) if not one.withdrawn), None)

    def next_id(self) -> str:
        """The id of the next handover."""
        return f"SHIFT-{len(self.made) + 1:04d}"

    def why_not(self, act: acts.ShiftAct, actor: str) -> str | None:
        """Why this person cannot do this now; None if they can."""
        waiting = self.waiting
        if isinstance(act, acts.ShiftHandedOver):
            if waiting is not None:
                return f"{waiting.id} by {waiting.by} waits to be taken over"
            return "a shift ends after it begins" if act.until <= act.since else None
        if waiting is None or waiting.id != act.shift:
            return f"no handover {act.shift} waits to be taken over"
        if isinstance(act, acts.ShiftWithdrawn):
            return None if waiting.by == actor else f"only {waiting.by} may withdraw it"
        return TAKEN_BY_ANOTHER if waiting.by == actor else None

    def take(self, act: acts.ShiftAct, actor: str, at: dt.datetime, record: int) -> tuple[str, str]:
        """Fold an act that `why_not` has nothing against; the state before and after, in a word."""
        match act:
            case acts.ShiftHandedOver():
                self.made[act.shift] = copied(Handover, act, id=act.shift, by=actor, at=at, record=record)
                return "", "waits"
            case acts.ShiftTaken():
                taken = msgspec.structs.replace(
                    self.made[act.shift], taken_by=actor, taken_at=at, remark=act.remark
                )
                self.made[act.shift] = taken
                return "waits", "taken"
            case acts.ShiftWithdrawn():
                self.made[act.shift] = msgspec.structs.replace(self.made[act.shift], withdrawn=True)
                return "waits", "withdrawn"
