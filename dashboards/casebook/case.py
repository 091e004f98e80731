"""Cases as they stand: the fold of what was done to each, with its members, tasks, files and history."""

from __future__ import annotations

import datetime as dt
from typing import Literal

import msgspec
from msgspec import Struct

from dashboards.casebook.worked_on import ActEntry, WorkedOn, acted, begun
from dashboards.ledger import case_acts as acts
from dashboards.wording.copying import copied

Status = Literal["open", "waiting", "closed"]


CaseEntry = ActEntry[acts.CaseAct]


class Task(Struct, frozen=True, kw_only=True):
    """What someone is to do by the end of a day; `number` is 1, 2, 3 ... within its case."""

    number: int
    what: str
    who: str
    by: dt.date
    added_by: str
    done_by: str | None = None
    done_at: dt.datetime | None = None


class Attachment(Struct, frozen=True, kw_only=True):
    """A file of a case; `number` is 1, 2, 3 ... within its case, `size` is in bytes."""

    number: int
    name: str
    media_type: str
    sha256: str
    size: int
    by: str
    at: dt.datetime


class Closing(Struct, frozen=True, kw_only=True):
    """How a case was closed, why, by whom and when."""

    outcome: acts.Outcome
    reason: str
    by: str
    at: dt.datetime


class Case(WorkedOn[acts.CaseAct], frozen=True, kw_only=True):
    """A case as it stands."""

    status: Status = "open"
    title: str
    summary: str
    owner: str
    waits_for: str | None = None
    closing: Closing | None = None
    members: tuple[acts.Member, ...] = ()
    tasks: tuple[Task, ...] = ()
    attachments: tuple[Attachment, ...] = ()

    @property
    def open(self) -> bool:
        """Whether someone still has to close it; a waiting one is open."""
        return self.status != "closed"

    def holds(self, kind: str, value: str) -> bool:
        """Whether this alert, hand or dispute belongs to it."""
        return any((one.kind, one.value) == (kind, value) for one in self.members)


def case_id(number: int) -> str:
    """Id of the case opened as the so many-th of a desk."""
    return f"CASE-{number:04d}"


def hand_value(subject: str, number: int, first: int) -> str:
    """A hand as a member of a case: of two rounds of one number the first event tells which."""
    return f"{subject}/{number}/{first}"


def hand_of(value: str) -> tuple[str, int, int]:
    """Table, number of the round, and its first event, out of a hand's value.

    Raises:
        ValueError: it is no such value.
    """
    subject, number, first = value.rsplit("/", 2)
    return subject, int(number), int(first)


def opened(entry: CaseEntry, act: acts.CaseOpened) -> Case:
    """A case as it is opened."""
    return begun(Case, act.case, entry)


def after(case: Case, entry: CaseEntry, act: acts.OnCase) -> Case:
    """The case behind an act upon it."""
    return acted(case, entry, _fields(case, entry, act))


def _fields(case: Case, entry: CaseEntry, act: acts.OnCase) -> dict[str, object] | None:
    match act:
        case acts.CaseDescribed():
            return {"title": act.title, "summary": act.summary}
        case acts.CaseAssigned():
            return {"owner": act.to}
        case acts.CaseMemberAdded():
            return {"members": (*case.members, act.member)}
        case acts.CaseMemberRemoved():
            gone = (act.kind, act.value)
            return {"members": tuple(one for one in case.members if (one.kind, one.value) != gone)}
        case acts.CaseTaskAdded():
            return {
                "tasks": (*case.tasks, copied(Task, act, number=len(case.tasks) + 1, added_by=entry.actor))
            }
        case acts.CaseTaskDone():
            return {
                "tasks": tuple(_done(one, entry) if one.number == act.task else one for one in case.tasks)
            }
        case acts.CaseWaiting():
            return {"status": "waiting", "waits_for": act.reason}
        case acts.CaseResumed():
            return {"status": "open", "waits_for": None}
        case acts.CaseClosed():
            closing = copied(Closing, act, by=entry.actor, at=entry.at)
            return {"status": "closed", "waits_for": None, "closing": closing}
        case acts.CaseReopened():
            return {"status": "open", "closing": None}
        case acts.CaseAttached():
            number = len(case.attachments) + 1
            held = copied(Attachment, act, number=number, by=entry.actor, at=entry.at)
            return {"attachments": (*case.attachments, held)}
        case acts.CaseNoted():
            return {}
        case acts.CasePrinted():
            return None


def _done(task: Task, entry: CaseEntry) -> Task:
    return msgspec.structs.replace(task, done_by=entry.actor, done_at=entry.at)
