"""The watch list as the desk's records leave it, and whether an act upon it may be written."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from dashboards.ledger.watch_acts import Kind, WatchAct, WatchChanged, WatchPut, WatchTaken
from dashboards.wording.copying import copied

LONGEST: Final = dt.timedelta(days=90)
Subject = tuple[Kind, str]


def denied_by(kind: Kind, value: str) -> tuple[str, str]:
    """How a deny list names whom or what is watched; a finding says `player` where a deny list says `patron`."""
    return "patron" if kind == "player" else kind, value


class Watch(Struct, frozen=True, kw_only=True):
    """One entry: `version` grows with each change; from `until` on nobody is watched by it."""

    kind: Kind
    value: str
    reason: str
    until: dt.datetime
    version: int
    put_by: str
    put_at: dt.datetime
    last_by: str
    last_at: dt.datetime

    @property
    def subject(self) -> Subject:
        """Whom or what it watches."""
        return self.kind, self.value

    def active(self, now: dt.datetime) -> bool:
        """Whether its end has not come."""
        return now < self.until


Watched = Mapping[Subject, Watch]


class Written(Protocol):
    """A record of the desk, as far as the list needs it."""

    @property
    def actor(self) -> str:
        """Who did it."""

    @property
    def time(self) -> dt.datetime:
        """When."""


def why_not(watched: Watched, act: WatchAct, at: dt.datetime) -> str | None:
    """Why this cannot be done to the list at this time; None if it can."""
    known = watched.get((act.kind, act.value))
    active = known is not None and known.active(at)
    if isinstance(act, WatchPut | WatchChanged) and not at < act.until <= at + LONGEST:
        return f"the end lies ahead, within {LONGEST.days} days"
    if isinstance(act, WatchPut):
        return f"{act.kind} {act.value} is on the watch list already" if active else None
    if known is None or not active:
        return f"{act.kind} {act.value} is not on the watch list"
    if known.version != act.version:
        return f"{known.last_by} has changed it meanwhile"
    return None


def after(watched: Watched, act: WatchAct, record: Written) -> dict[Subject, Watch]:
    """The list behind an act that `why_not` has nothing against."""
    subject: Subject = act.kind, act.value
    others = {one: watch for one, watch in watched.items() if one != subject}
    last = {"last_by": record.actor, "last_at": record.time}
    match act:
        case WatchPut():
            put = {"put_by": record.actor, "put_at": record.time, "version": 1}
            return others | {subject: copied(Watch, act, **put, **last)}
        case WatchChanged():
            known = watched[subject]
            changed = replace(
                known, reason=act.reason, until=act.until, version=known.version + 1,
                last_by=record.actor, last_at=record.time,
            )  # fmt: skip
            return others | {subject: changed}
        case WatchTaken():
            return others
