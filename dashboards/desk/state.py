"""The fold of the desk: records in order become alerts, each with its version, and one gap-free count of changes."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import TypeGuard

import msgspec
from msgspec import Struct

from dashboards.desk.alerts import Alert, Change, GlassOpening, Status
from dashboards.desk.closing import after_closing, why_not
from dashboards.desk.disputes import Dispute, DisputeEntry, after, opened, why_not_second
from dashboards.desk.index import Index
from dashboards.ledger.acts import (
    Acknowledged,
    Act,
    AddedToCase,
    Assigned,
    ChainProven,
    ClosingConfirmed,
    ClosingDeclined,
    ClosingProposed,
    ClosingWithdrawn,
    DeskBroken,
    Disposed,
    GlassBroken,
    OfClosing,
    OnAlert,
    Raised,
    Record,
    Released,
    Reopened,
    Returned,
    Shelved,
    Undone,
    Withheld,
    read,
)
from dashboards.ledger.dispute_acts import DisputeAct, DisputeOpened, DisputePrinted
from dashboards.wording.copying import copied
from schemas.envelope import GENESIS


class LastProof(Struct, frozen=True, kw_only=True):
    """The last time the ledger's chain was walked: who had it walked, when, and what came of it."""

    by: str
    at: dt.datetime
    act: ChainProven


Moved = tuple[str, str]  # status before, status after
Denied = tuple[str, str, str]  # user, kind, value


@dataclass(slots=True)
class DeskState:
    """All alerts behind the last record, and the head of the chain."""

    alerts: dict[str, Alert] = field(default_factory=dict)
    shelf: set[str] = field(default_factory=set)
    disputes: dict[str, Dispute] = field(default_factory=dict)
    index: Index = field(default_factory=Index)
    # Both are replaced, never changed: they are read without a lock.
    withheld: frozenset[Denied] = frozenset()
    openings: tuple[GlassOpening, ...] = ()
    restricted: dict[str, int] = field(
        default_factory=dict
    )  # user -> the last change before their list changed
    moved: dict[int, Moved] = field(default_factory=dict)  # by the record that did it
    proven: LastProof | None = None
    seq: int = 0
    sequence: int = 0
    head: str = GENESIS
    last_time: dt.datetime | None = None

    def take(self, line: bytes) -> Change | None:
        """Fold the next line of the ledger; a change if it is about an alert.

        Raises:
            DeskBroken: the line is not the next record, or does not fit what came before.
        """
        record, head = read(line, self.sequence + 1, self.head)
        change = self._fold(record, head)
        self.index.kept(record, self.alerts)
        self.sequence, self.head, self.last_time = record.sequence, head, record.time
        return change

    def _fold(self, record: Record, digest: str) -> Change | None:
        act = record.data
        match act:
            case Raised():
                if act.finding.finding_id in self.alerts:
                    raise DeskBroken(record.sequence, f"raises {act.finding.finding_id} a second time")
                return self._changed("raised", _raised(act, record))
            case Withheld():
                self.withheld |= {(act.user, act.kind, act.value)}
                self.restricted[act.user] = self.seq
            case Released():
                self.withheld -= {(act.user, act.kind, act.value)}
                self.restricted[act.user] = self.seq
            case ChainProven():
                self.proven = LastProof(by=record.actor, at=record.time, act=act)
            case GlassBroken():
                self.openings += (_opening(act, record),)
            case _ if is_on_alert(act):
                alert = self.alerts.get(act.alert)
                if alert is None or alert.version != act.version:
                    raise DeskBroken(record.sequence, f"acts upon version {act.version} of {act.alert}")
                name = str(act.__struct_config__.tag)
                if isinstance(act, OfClosing) and (why := why_not(alert, act, record.actor)):
                    raise DeskBroken(record.sequence, f"{name.replace('_', ' ')} of {act.alert}: {why}")
                acted = _acted(alert, act, name, record)
                self.moved[record.sequence] = alert.status, acted.status
                return self._changed(name, acted)
            case _ if is_of_dispute(act):
                self._fold_dispute(act, record, digest)
        return None

    def _fold_dispute(self, act: DisputeAct, record: Record, digest: str) -> None:
        entry = DisputeEntry(
            sequence=record.sequence, hash=digest, at=record.time, actor=record.actor, act=act
        )
        before = self.disputes.get(act.dispute)
        if isinstance(act, DisputeOpened):
            if before is not None:
                raise DeskBroken(record.sequence, f"opens {act.dispute} a second time")
            self.disputes[act.dispute] = opened(entry, act)
            return
        printed = isinstance(act, DisputePrinted)
        if before is None or not (
            act.version <= before.version if printed else act.version == before.version
        ):
            raise DeskBroken(record.sequence, f"acts upon version {act.version} of {act.dispute}")
        if why := why_not_second(before, act, record.actor):
            raise DeskBroken(record.sequence, f"{entry.name} of {act.dispute}: {why}")
        acted = after(before, entry, act)
        self.moved[record.sequence] = before.status, acted.status
        self.disputes[act.dispute] = acted

    def _changed(self, act: str, alert: Alert) -> Change:
        self.index.changed(self.alerts.get(alert.id), alert)
        self.alerts[alert.id] = alert
        (self.shelf.add if alert.status == "shelved" else self.shelf.discard)(alert.id)
        self.seq += 1
        return Change(self.seq, act, alert)


def is_of_dispute(act: Act) -> TypeGuard[DisputeAct]:
    """Whether an act opens a dispute, or is one upon it."""
    return isinstance(act, DisputeAct)


def is_on_alert(act: Act) -> TypeGuard[OnAlert]:
    """Whether an act is one upon an alert."""
    return isinstance(act, OnAlert)


def _raised(act: Raised, record: Record) -> Alert:
    return Alert(
        id=act.finding.finding_id,
        version=1,
        status="new",
        finding=act.finding,
        decided_at=act.decided_at,
        raised_at=record.time,
        dealer=act.dealer,
        last_actor=record.actor,
        last_at=record.time,
    )


def _opening(act: GlassBroken, record: Record) -> GlassOpening:
    return copied(GlassOpening, act, user=record.actor, at=record.time)


def _acted(alert: Alert, act: OnAlert, name: str, record: Record) -> Alert:
    base = alert
    before: Alert | None = msgspec.structs.replace(alert, before=None)
    fields: dict[str, object] = {}
    match act:
        case Acknowledged():
            fields = _unshelved("acknowledged") | {"acknowledged_by": record.actor}
            fields["owner"] = alert.owner or record.actor
        case Assigned():
            fields = {"owner": act.to}
        case Shelved():
            fields = {"status": "shelved", "shelved_until": act.until, "shelved_for": act.reason}
        case Returned():
            fields, before = _unshelved("new"), None
        case Disposed() | ClosingProposed() | ClosingConfirmed() | ClosingDeclined() | ClosingWithdrawn():
            fields = after_closing(alert, act, record)
        case Reopened():
            fields = _unshelved("acknowledged" if alert.acknowledged_by else "new")
            fields |= dict.fromkeys(_OF_CLOSED)
            fields["note"] = act.reason
        case AddedToCase():
            fields = {"cases": tuple(dict.fromkeys((*alert.cases, act.case)))}
        case Undone():
            if alert.before is None:
                raise DeskBroken(record.sequence, f"undoes nothing of {act.alert}")
            base, before = alert.before, None
    told = {"last_act": name, "last_actor": record.actor, "last_at": record.time, "before": before}
    return msgspec.structs.replace(base, **fields, **told, version=alert.version + 1)


_OF_CLOSED = ("disposition", "closed_by", "second_auditor", "confirmed_at", "money_cents")


def _unshelved(status: Status) -> dict[str, object]:
    return {"status": status, "shelved_until": None, "shelved_for": None}
