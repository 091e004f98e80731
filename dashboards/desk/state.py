"""The fold of the desk: records in order become alerts, each with its version, and one gap-free count of changes."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

import msgspec
from msgspec import UNSET, Struct

from dashboards.casebook.index import CaseIndex
from dashboards.desk.alerts import Alert, Change, GlassOpening, Status
from dashboards.desk.case_fold import fold_case, rekey_of_dispute
from dashboards.desk.closing import after_closing, opened_again, why_not
from dashboards.desk.disputes import Dispute, DisputeEntry, after, opened, why_not_second
from dashboards.desk.index import Index
from dashboards.desk.personal_fold import Kept
from dashboards.desk.shifts import Handovers
from dashboards.desk.tunings import Tunings
from dashboards.desk.watch_fold import Subject, Watch
from dashboards.desk.watch_fold import after as after_watching
from dashboards.desk.watch_fold import why_not as why_not_watched
from dashboards.ledger import acts
from dashboards.ledger.case_acts import CaseAct
from dashboards.ledger.dispute_acts import DisputeAct, DisputeOpened, DisputePrinted
from dashboards.ledger.personal_acts import PersonalAct
from dashboards.ledger.seal_acts import FiguresSealed
from dashboards.ledger.seals import Seals
from dashboards.ledger.shift_acts import ShiftAct
from dashboards.ledger.tuning_acts import TuningAct
from dashboards.ledger.watch_acts import WatchAct
from dashboards.wording.copying import copied
from schemas.events.envelope import GENESIS


class LastProof(Struct, frozen=True, kw_only=True):
    """The last time the ledger's chain was walked: who had it walked, when, and what came of it."""

    by: str
    at: dt.datetime
    act: acts.ChainProven


Moved = tuple[str, str]  # status before, status after
Denied = tuple[str, str, str]  # user, kind, value


@dataclass(slots=True)
class DeskState:
    """All alerts behind the last record, and the head of the chain."""

    alerts: dict[str, Alert] = field(default_factory=dict)
    shelf: set[str] = field(default_factory=set)
    disputes: dict[str, Dispute] = field(default_factory=dict)
    casebook: CaseIndex = field(default_factory=CaseIndex)
    tunings: Tunings = field(default_factory=Tunings)
    watched: dict[Subject, Watch] = field(default_factory=dict)
    kept: Kept = field(default_factory=Kept)
    evidence: dict[str, acts.EvidenceKept] = field(default_factory=dict)  # of cleared suspicions, by alert
    handovers: Handovers = field(default_factory=Handovers)
    seals: Seals = field(default_factory=Seals)
    index: Index = field(default_factory=Index)
    # Both are replaced, never changed: they are read without a lock.
    withheld: frozenset[Denied] = frozenset()
    openings: tuple[GlassOpening, ...] = ()
    # user -> the last change before their deny list changed
    restricted: dict[str, int] = field(default_factory=dict)
    moved: dict[int, Moved] = field(default_factory=dict)  # by the record that did it
    # by alert: channel and whom -> what came of it; replaced, never changed
    pages: dict[str, dict[tuple[str, str], str]] = field(default_factory=dict)
    proven: LastProof | None = None
    seq: int = 0
    sequence: int = 0
    head: str = GENESIS
    last_time: dt.datetime | None = None

    def settled(self) -> tuple[Alert, ...]:
        """The alerts whose closing holds: closed ones, and those of which the opening waits for a second person."""
        return tuple(map(self.alerts.__getitem__, self.index.settled()))

    def take(self, line: bytes) -> Change | None:
        """Fold the next line of the ledger; a change if it is about an alert.

        Raises:
            DeskBroken: the line is not the next record, or does not fit what came before.
        """
        record, head = acts.read(line, self.sequence + 1, self.head)
        change = self._fold(record, head)
        self.index.kept(record, self.alerts)
        self.sequence, self.head, self.last_time = record.sequence, head, record.time
        return change

    def _fold(self, record: acts.DeskRecord, digest: str) -> Change | None:
        act = record.data
        match act:
            case acts.Raised():
                if act.finding.finding_id in self.alerts:
                    raise acts.DeskBroken(record.sequence, f"raises {act.finding.finding_id} a second time")
                return self._changed("raised", _raised(act, record, self.tunings))
            case acts.EvidenceKept():
                self.evidence[act.alert] = act
            case acts.Withheld() | acts.Released():
                denied = {(act.user, act.kind, act.value)}
                withholds = isinstance(act, acts.Withheld)
                self.withheld = self.withheld | denied if withholds else self.withheld - denied
                self.restricted[act.user] = self.seq
            case acts.ChainProven():
                self.proven = LastProof(by=record.actor, at=record.time, act=act)
            case acts.PageSent():
                known = self.pages.get(act.alert, {})
                self.pages[act.alert] = known | {(act.channel, act.to): act.outcome}
            case FiguresSealed():
                if why := self.seals.why_not(act):
                    raise acts.DeskBroken(record.sequence, f"seals {act.first} to {act.last}: {why}")
                self.seals.take(act, record.actor, record.time, record.sequence, digest)
            case acts.GlassBroken():
                self.openings += (copied(GlassOpening, act, user=record.actor, at=record.time),)
            case _ if isinstance(act, acts.OnAlert):
                alert = self.alerts.get(act.alert)
                if alert is None or alert.version != act.version:
                    raise acts.DeskBroken(record.sequence, f"acts upon version {act.version} of {act.alert}")
                name = str(act.__struct_config__.tag)
                if isinstance(act, acts.OfTwo) and (why := why_not(alert, act, record.actor)):
                    raise acts.DeskBroken(record.sequence, f"{name.replace('_', ' ')} of {act.alert}: {why}")
                acted = _acted(alert, act, name, record)
                self.moved[record.sequence] = alert.status, acted.status
                return self._changed(name, acted)
            case _ if isinstance(act, WatchAct):
                if why := why_not_watched(self.watched, act, record.time):
                    raise acts.DeskBroken(record.sequence, f"watches {act.kind} {act.value}: {why}")
                self.watched = after_watching(self.watched, act, record)
            case _ if isinstance(act, DisputeAct):
                self._fold_dispute(act, record, digest)
            case _ if isinstance(act, TuningAct):
                if why := self.tunings.why_not(act, record.actor, record.time):
                    raise acts.DeskBroken(record.sequence, f"{act.tuning}: {why}")
                self.moved[record.sequence] = self.tunings.take(act, record.actor, record.time)
            case _ if isinstance(act, ShiftAct):
                if why := self.handovers.why_not(act, record.actor):
                    raise acts.DeskBroken(record.sequence, f"{act.shift}: {why}")
                taken = self.handovers.take(act, record.actor, record.time, record.sequence)
                self.moved[record.sequence] = taken
            case _ if isinstance(act, PersonalAct):
                if why := self.kept.why_not(act, record.actor):
                    raise acts.DeskBroken(record.sequence, f"{act.of} of {record.actor}: {why}")
                self.kept.take(act, record.actor)
            case _ if isinstance(act, CaseAct):
                moved = fold_case(self.casebook, self.alerts, self.disputes, record, digest)
                if moved is not None:
                    self.moved[record.sequence] = moved
        return None

    def _fold_dispute(self, act: DisputeAct, record: acts.DeskRecord, digest: str) -> None:
        entry = DisputeEntry(
            sequence=record.sequence, hash=digest, at=record.time, actor=record.actor, act=act
        )
        before = self.disputes.get(act.dispute)
        if isinstance(act, DisputeOpened):
            if before is not None:
                raise acts.DeskBroken(record.sequence, f"opens {act.dispute} a second time")
            self.disputes[act.dispute] = opened(entry, act)
            return
        printed = isinstance(act, DisputePrinted)  # a report may be of an older version
        if before is None or act.version > before.version or (act.version < before.version and not printed):
            raise acts.DeskBroken(record.sequence, f"acts upon version {act.version} of {act.dispute}")
        if why := why_not_second(before, act, record.actor):
            raise acts.DeskBroken(record.sequence, f"{entry.name} of {act.dispute}: {why}")
        acted = after(before, entry, act)
        self.moved[record.sequence] = before.standing, acted.standing
        self.disputes[act.dispute] = acted
        rekey_of_dispute(self.casebook, act.dispute, self.alerts, self.disputes)

    def _changed(self, act: str, alert: Alert) -> Change:
        self.index.changed(self.alerts.get(alert.id), alert)
        self.alerts[alert.id] = alert
        (self.shelf.add if alert.status == "shelved" else self.shelf.discard)(alert.id)
        self.seq += 1
        return Change(self.seq, act, alert)


def _raised(act: acts.Raised, record: acts.DeskRecord, tunings: Tunings) -> Alert:
    return Alert(
        id=act.finding.finding_id,
        version=1,
        status="new",
        finding=act.finding,
        decided_at=act.decided_at,
        raised_at=record.time,
        dealer=act.dealer,
        again=None if act.again is UNSET else act.again,
        grouped_by=tunings.grouped_by(act.finding, record.time),
        last_actor=record.actor,
        last_at=record.time,
    )


def _acted(alert: Alert, act: acts.OnAlert, name: str, record: acts.DeskRecord) -> Alert:
    base = alert
    before: Alert | None = msgspec.structs.replace(alert, before=None)
    fields: dict[str, object] = {}
    match act:
        case acts.Acknowledged():
            fields = _unshelved("acknowledged") | {"acknowledged_by": record.actor}
            fields["owner"] = alert.owner or record.actor
            fields["acknowledged_at"] = alert.acknowledged_at or record.time
        case acts.Assigned():
            fields = {"owner": act.to}
        case acts.Shelved():
            fields = {"status": "shelved", "shelved_until": act.until, "shelved_for": act.reason}
        case acts.Returned():
            fields, before = _unshelved("new"), None
        case acts.Unshelved():
            fields = _unshelved("new")
        case _ if isinstance(act, acts.Disposed | acts.OfTwo):
            fields = after_closing(alert, act, record)
        case acts.Reopened():
            fields = opened_again(alert, act.reason)
        case acts.AddedToCase():
            fields = {"cases": tuple(dict.fromkeys((*alert.cases, act.case)))}
        case acts.RemovedFromCase():
            fields, before = {"cases": tuple(one for one in alert.cases if one != act.case)}, None
        case acts.Undone():
            if alert.before is None:
                raise acts.DeskBroken(record.sequence, f"undoes nothing of {act.alert}")
            base, before = alert.before, None
    told = {"last_act": name, "last_actor": record.actor, "last_at": record.time, "before": before}
    return msgspec.structs.replace(base, **fields, **told, version=alert.version + 1)


def _unshelved(status: Status) -> dict[str, object]:
    return {"status": status, "shelved_until": None, "shelved_for": None}
