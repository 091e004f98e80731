"""A case on paper: how it stands, what belongs to it, its tasks and files, and everything that was done."""

from __future__ import annotations

import datetime as dt

from msgspec import Struct

from dashboards.casebook.case import Case
from dashboards.reports.typesetting import typeset
from dashboards.reports.wording import listed
from dashboards.wording.times import in_zone_of

TEMPLATE = "case.typ"


class PrintedMember(Struct, frozen=True, kw_only=True):
    """An alert, a hand or a dispute of the case."""

    kind: str
    name: str
    title: str
    state: str
    at: str


class PrintedTask(Struct, frozen=True, kw_only=True):
    """A task and whether it is done."""

    number: int
    what: str
    who: str
    by: str
    done: str


class PrintedFile(Struct, frozen=True, kw_only=True):
    """A file of the case; `state` says whether it is as it was attached."""

    name: str
    kind: str
    sha256: str
    state: str


class PrintedMoment(Struct, frozen=True, kw_only=True):
    """One line of the timeline; `record` is its number in the desk's ledger, empty where it is an event of a member."""

    at: str
    who: str
    what: str
    detail: str
    record: str
    hash: str


class Footer(Struct, frozen=True):
    """What the foot of each page needs of a proof of a round: nothing, where there is none."""

    after: str = ""


class CaseContent(Struct, frozen=True, kw_only=True):
    """Everything on the pages."""

    title: str
    status: str
    facts: tuple[tuple[str, str], ...]
    summary: str
    members: tuple[PrintedMember, ...]
    tasks: tuple[PrintedTask, ...]
    files: tuple[PrintedFile, ...]
    timeline: tuple[PrintedMoment, ...]
    proving: Footer = Footer()


def case_report(content: CaseContent, at: dt.datetime) -> bytes:
    """The report of a case as PDF, made at this time."""
    return typeset(TEMPLATE, content, at)


def status_of(case: Case, zone: dt.tzinfo) -> str:
    """How it stands, in one line."""
    if case.closing is not None:
        closing = case.closing
        when = in_zone_of(closing.at, zone)
        return f"Closed, {closing.outcome}, by {closing.by}, {when}: {closing.reason}"
    return f"Waiting for {case.waits_for}" if case.status == "waiting" else "Open."


def facts_of(case: Case, by: str, at: dt.datetime, zone: dt.tzinfo) -> tuple[tuple[str, str], ...]:
    """The facts at the head of the report."""
    undone = [str(one.number) for one in case.tasks if one.done_at is None]
    return (
        ("Owner", case.owner),
        ("Opened", f"{in_zone_of(case.opened_at, zone)} by {case.opened_by}"),
        ("Version", str(case.version)),
        ("Tasks not done", listed(undone)),
        ("Files", str(len(case.attachments))),
        ("Printed", f"{in_zone_of(at, zone)} by {by}"),
    )
