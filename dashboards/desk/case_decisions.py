"""Whether an act on a case may be written, and what an act on a case does to its alerts, and the other way round."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence

from dashboards.casebook.case import Case
from dashboards.casebook.media_types import MOST_BYTES, MOST_FILES
from dashboards.desk.decisions import ActConflict, Refused, UnknownToDesk
from dashboards.desk.state import DeskState
from dashboards.ledger import acts
from dashboards.ledger import case_acts as of_case
from dashboards.ledger.dispute_acts import DisputeLinked, OnDispute

MOST_MEMBERS = 200
MOST_TASKS = 100
_NAMED_AS_CASE = re.compile(r"CASE-\d+")


def permit_on_case(state: DeskState, act: of_case.OnCase, at: dt.datetime) -> list[acts.Act]:
    """The act, if it may be written now, and what it does to an alert.

    Raises:
        Unknown, Conflict, Refused: it may not, and why.
    """
    case = state.casebook.cases.get(act.case)
    if case is None:
        raise UnknownToDesk(f"no case {act.case}")
    if isinstance(act, of_case.CasePrinted):
        if act.version > case.version:
            raise Refused("there is no such version of it")
        return [act]
    if case.version != act.version:
        raise ActConflict(case, at)
    if why := _why_not(case, act):
        raise Refused(why)
    return [act, *on_alert(state, act)]


def _why_not(case: Case, act: of_case.OnCase) -> str | None:
    """Why this cannot be done to a case as it stands; None if it can."""
    match act:
        case of_case.CaseReopened():
            return "it is open" if case.open else None
        case of_case.CaseNoted():
            return None
        case _ if not case.open:
            return "it is closed; open it again first"
        case of_case.CaseAssigned() if act.to == case.owner:
            return f"it is {act.to}'s already"
        case of_case.CaseWaiting() if case.status == "waiting":
            return f"it waits already: {case.waits_for}"
        case of_case.CaseResumed() if case.status != "waiting":
            return "it does not wait"
        case of_case.CaseMemberAdded(member=member):
            if case.holds(member.kind, member.value):
                return f"the {member.kind} belongs to it already"
            return f"{MOST_MEMBERS} belong to it: no more may" if len(case.members) >= MOST_MEMBERS else None
        case of_case.CaseMemberRemoved() if not case.holds(act.kind, act.value):
            return f"no {act.kind} {act.value} belongs to it"
        case of_case.CaseTaskAdded() if len(case.tasks) >= MOST_TASKS:
            return f"it has {MOST_TASKS} tasks: no more may be added"
        case of_case.CaseTaskDone():
            return _why_not_done(case, act.task)
        case of_case.CaseAttached():
            return why_not_attached(case, act.size)
        case of_case.CaseClosed():
            undone = [str(one.number) for one in case.tasks if one.done_at is None]
            return f"not done yet: task {', '.join(undone)}" if undone else None
    return None


def why_not_attached(case: Case, size: int) -> str | None:
    """Why no file of this many bytes can be attached to a case as it stands; None if it can."""
    if not case.open:
        return "it is closed; open it again first"
    if len(case.attachments) >= MOST_FILES:
        return f"it has {MOST_FILES} files: no more may be attached"
    held = sum(one.size for one in case.attachments)
    if held + size > MOST_BYTES:
        return f"its files have {held:,} bytes; with this one they would have more than {MOST_BYTES:,}"
    return None


def _why_not_done(case: Case, task: int) -> str | None:
    if task > len(case.tasks):
        return f"it has no task {task}"
    done_by = case.tasks[task - 1].done_by
    return f"task {task} was done by {done_by}" if done_by is not None else None


def on_alert(state: DeskState, act: of_case.OnCase) -> list[acts.Act]:
    """An alert's own history says too that it was put into a case, or taken out."""
    match act:
        case of_case.CaseMemberAdded(member=of_case.Member(kind="alert", value=value)):
            alert = state.alerts.get(value)
            if alert is None:
                raise Refused(f"there is no alert {value}")
            if act.case not in alert.cases:
                return [acts.AddedToCase(alert=value, version=alert.version, case=act.case)]
        case of_case.CaseMemberRemoved(kind="alert", value=value):
            alert = state.alerts.get(value)
            if alert is not None and act.case in alert.cases:
                return [acts.RemovedFromCase(alert=value, version=alert.version, case=act.case)]
    return []


def permit_named_case(state: DeskState, name: str, actor: str) -> None:
    """A case of this desk that an alert is put to exists, is open and is not withheld; other names are references.

    Raises:
        Refused: it is not so.
    """
    if not _NAMED_AS_CASE.fullmatch(name):
        return
    case = state.casebook.cases.get(name)
    withheld = {(kind, value) for who, kind, value in state.withheld if who == actor}
    if case is None or name in state.casebook.hidden(withheld):
        raise Refused(f"there is no case {name}; open one under Cases")
    if not case.open:
        raise Refused(f"case {name} is closed; open it again first")


def of_alerts(state: DeskState, done: Iterable[acts.OnAlert]) -> Sequence[of_case.OnCase]:
    """What acts upon alerts, each permitted, do to the cases they name; their versions follow one another."""
    found: list[of_case.OnCase] = []
    versions: dict[str, int] = {}
    for act in done:
        alert = state.alerts[act.alert]
        before = alert.before.cases if alert.before is not None else ()
        named: tuple[str, ...]
        if isinstance(act, acts.AddedToCase):
            named, adds = (act.case,), True
        elif isinstance(act, acts.Undone) and alert.last_act == "added_to_case":
            named, adds = tuple(one for one in alert.cases if one not in before), False
        else:
            continue
        for case in filter(None, map(state.casebook.cases.get, named)):
            if case.holds("alert", alert.id) == adds or not case.open:
                continue
            version = versions.setdefault(case.id, case.version)
            versions[case.id] += 1
            if adds:
                member = of_case.Member(kind="alert", value=alert.id)
                found.append(of_case.CaseMemberAdded(case=case.id, version=version, member=member))
            else:
                gone = of_case.CaseMemberRemoved(
                    case=case.id, version=version, kind="alert", value=alert.id, reason="undone"
                )
                found.append(gone)
    return found


def belonging(state: DeskState, alert: str | None, case: str) -> list[acts.Act]:
    """What gives an alert this case or dispute, where there is such an alert and it lacks that."""
    found = state.alerts.get(alert or "")
    if found is None or case in found.cases:
        return []
    return [acts.AddedToCase(alert=found.id, version=found.version, case=case)]


def of_linked(state: DeskState, act: OnDispute) -> list[acts.Act]:
    """What an act on a dispute does to an alert: one that is linked has the dispute among its cases."""
    if isinstance(act, DisputeLinked) and act.kind == "alert":
        return belonging(state, act.value, act.dispute)
    return []
