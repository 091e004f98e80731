"""Cases as people and programs read them: rows of the list, members in words, and the timeline of it all."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote

from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.casebook.case import Case, CaseEntry, hand_of
from dashboards.desk.casework import MOST_SHOWN, found_cases
from dashboards.desk.disputes import Dispute
from dashboards.ledger import case_acts as acts
from dashboards.web.console import Console
from dashboards.wording.copying import copied
from dashboards.wording.short_titles.title import short_title
from dashboards.wording.titles import title_of

SHOWS: Final = {"mine": "Mine", "open": "Open", "waiting": "Waiting", "closed": "Closed"}
_NOT_SHOWN = "not there for you"


class CaseRow(Struct, frozen=True, kw_only=True):
    """A case in a list; `next_due` is when the first of its tasks that are not done is to be done."""

    id: str
    version: int
    status: str
    title: str
    owner: str
    opened_at: dt.datetime
    opened_by: str
    last_at: dt.datetime
    waits_for: str | None
    outcome: str | None
    members: int
    attachments: int
    tasks_open: int
    next_due: dt.date | None


class Cases(Struct, frozen=True, kw_only=True):
    """One page of cases, the last changed first; `total` is how many there are, `counts` how many under each name."""

    shown: tuple[CaseRow, ...]
    total: int
    counts: dict[str, int]


class MemberView(Struct, frozen=True, kw_only=True):
    """A member in words; `href` is empty, and the title says so, where it is not there for who looks.

    `message` is the whole sentence of an alert, of which `title` is one short line.
    """

    kind: str
    value: str
    name: str
    title: str
    state: str
    href: str
    table: str
    at: dt.datetime | None
    money_cents: int
    message: str = ""


class Moment(Struct, frozen=True, kw_only=True):
    """One line of the timeline: what happened to a case or one of its members."""

    at: dt.datetime
    what: str
    detail: str = ""
    who: str = ""
    href: str = ""
    record: int | None = None


class CaseView(Struct, frozen=True, kw_only=True):
    """One case with its members in words and its timeline, the earliest first."""

    case: Case
    members: tuple[MemberView, ...]
    timeline: tuple[Moment, ...]


def cases_of(console: Console, user: User, show: str, words: str = "", page: int = 1) -> Cases:
    """The cases of a user under one name of `SHOWS` that hold all these words."""
    asked = {name: found_cases(console.desk, name, user.name, words, 0, 0).total for name in SHOWS}
    found = found_cases(console.desk, show, user.name, words, (page - 1) * MOST_SHOWN)
    return Cases(shown=tuple(map(row_of, found.shown)), total=found.total, counts=asked)


def row_of(case: Case) -> CaseRow:
    """A case as a line of a list."""
    due = [one.by for one in case.tasks if one.done_at is None]
    return copied(
        CaseRow,
        case,
        outcome=case.closing.outcome if case.closing is not None else None,
        members=len(case.members),
        attachments=len(case.attachments),
        tasks_open=len(due),
        next_due=min(due, default=None),
    )


def viewed(console: Console, user: User, case: Case) -> CaseView:
    """A case as a user reads it."""
    members = tuple(member_view(console, user, one) for one in case.members)
    timeline = sorted(
        (*_of_case(case), *_of_members(console, case)), key=lambda one: (one.at, one.record or 0)
    )
    return CaseView(case=case, members=members, timeline=tuple(timeline))


def member_view(console: Console, user: User, member: acts.Member) -> MemberView:
    """A member in words."""
    if member.kind == "hand":
        subject, number, first = hand_of(member.value)
        return MemberView(
            kind="hand",
            value=member.value,
            name=f"{subject} round {number}",
            title=f"dealt by {', '.join(member.dealers)}" if member.dealers else "",
            state="",
            href=f"/hands/{quote(subject, safe='')}/{number}?first={first}",
            table=subject,
            at=None,
            money_cents=0,
        )
    if member.kind == "alert":
        return _alert(console, user, member)
    dispute = console.desk.dispute(member.value)
    if dispute is None:
        return _nothing(member)
    return MemberView(
        kind="dispute",
        value=member.value,
        name=dispute.id,
        title=dispute.claim,
        state=_state_of(dispute),
        href=f"/disputes/{dispute.id}",
        table=dispute.subject,
        at=dispute.opened_at,
        money_cents=dispute.claimed_cents,
    )


def _state_of(dispute: Dispute) -> str:
    if dispute.open or dispute.decision is None:
        return dispute.status
    return dispute.standing.replace(dispute.status, f"decided {dispute.decision.ruling}", 1)


def _alert(console: Console, user: User, member: acts.Member) -> MemberView:
    alert = console.desk.alert(member.value)
    if alert is None or not console.sees(user, alert):
        return _nothing(member)
    return MemberView(
        kind="alert",
        value=alert.id,
        name=alert.id[:12],
        title=short_title(alert.finding),
        state=f"{alert.finding.severity}, {alert.disposition or alert.status}",
        href=f"/alerts/{alert.id}",
        table=alert.finding.subject,
        at=alert.decided_at,
        money_cents=alert.finding.money_cents,
        message=title_of(alert.finding),
    )


def _nothing(member: acts.Member) -> MemberView:
    return MemberView(
        kind=member.kind, value=member.value, name=member.value[:12], title=_NOT_SHOWN, state="", href="", table="",
        at=None, money_cents=0,
    )  # fmt: skip


def table_of(view: CaseView) -> str:
    """The table whose clock the page of a case goes by: that of its first member; empty where it has none."""
    return next((one.table for one in view.members if one.table), "")


def _of_case(case: Case) -> Iterator[Moment]:
    for entry in case.history:
        yield Moment(
            at=entry.at, what=entry.name, detail=detail_of(entry), who=entry.actor, record=entry.sequence
        )
    for entry in case.prints:
        yield Moment(
            at=entry.at, what="printed", detail=detail_of(entry), who=entry.actor, record=entry.sequence
        )


def _of_members(console: Console, case: Case) -> Iterator[Moment]:
    """What happened to the members themselves; what they were put in for is in the case's own acts."""
    for member in case.members:
        if member.kind == "alert" and (alert := console.desk.alert(member.value)) is not None:
            href, name = f"/alerts/{alert.id}", f"alert {alert.id[:12]}"
            yield Moment(
                at=alert.decided_at, what=f"event of {name}", detail=title_of(alert.finding), href=href
            )
            yield Moment(at=alert.raised_at, what=f"{name} raised", href=href)
            if alert.closed_at is not None:
                closed = f"{alert.disposition}: {alert.note}"
                who = alert.closed_by or ""
                yield Moment(at=alert.closed_at, what=f"{name} closed", detail=closed, who=who, href=href)
        if member.kind == "dispute" and (dispute := console.desk.dispute(member.value)) is not None:
            href = f"/disputes/{dispute.id}"
            yield Moment(
                at=dispute.opened_at, what=f"dispute {dispute.id} opened", detail=dispute.claim,
                who=dispute.opened_by, href=href,
            )  # fmt: skip
            if dispute.decision is not None:
                decision = dispute.decision
                yield Moment(
                    at=decision.at, what=f"dispute {dispute.id} decided {decision.ruling}", detail=decision.reason,
                    who=decision.by, href=href,
                )  # fmt: skip


def detail_of(entry: CaseEntry) -> str:
    """What an act upon a case said, in words."""
    match entry.act:
        case acts.CaseOpened() | acts.CaseDescribed() as act:
            return f"{act.title}. {act.summary}" if act.summary else act.title
        case acts.CaseAssigned(to=to):
            return f"to {to}"
        case acts.CaseNoted(note=note):
            return note
        case acts.CaseMemberAdded(member=member):
            return f"{member.kind} {member.value}"
        case acts.CaseMemberRemoved() as act:
            return f"{act.kind} {act.value}: {act.reason}"
        case acts.CaseTaskAdded() as act:
            return f"{act.what}; {act.who} by {act.by}"
        case acts.CaseTaskDone(task=task):
            return f"task {task}"
        case acts.CaseWaiting(reason=reason) | acts.CaseReopened(reason=reason):
            return reason
        case acts.CaseClosed() as act:
            return f"{act.outcome}: {act.reason}"
        case acts.CaseAttached() as act:
            return f"{act.name}, {act.media_type}, {act.size:,} bytes, SHA-256 {act.sha256}"
        case acts.CasePrinted() as act:
            return f"{act.form} of version {act.version}, SHA-256 {act.sha256}"
    return ""
