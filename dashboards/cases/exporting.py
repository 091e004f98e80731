"""A case out of the console: as one PDF, and as one archive with its files; that it left is an act upon the case."""

from __future__ import annotations

import datetime as dt
import hashlib
import io
import zipfile
from typing import Literal

import msgspec
from litestar import Response

from dashboards.accounts.accounts import User
from dashboards.casebook.case import Case
from dashboards.cases.access import found_case, must_read_cases
from dashboards.cases.attachments import TOLD, KeptFile, content_of, files_of
from dashboards.cases.views import CaseView, Moment, table_of, viewed
from dashboards.desk import casework
from dashboards.ledger.case_acts import CasePrinted
from dashboards.reports.case_report import (
    CaseContent,
    PrintedFile,
    PrintedMember,
    PrintedMoment,
    PrintedTask,
    case_report,
    facts_of,
    status_of,
)
from dashboards.web.console import Console, UserRequest
from dashboards.web.exports import keep_export, send_file
from dashboards.web.rendering import zone_of_table
from dashboards.wording.times import in_zone_of

Form = Literal["pdf", "zip"]
_EPOCH = (1980, 1, 1, 0, 0, 0)  # of every member of an archive: its own time is in its PDF


def export_case(request: UserRequest, console: Console, name: str, form: Form) -> Response[bytes]:
    """The case as it stands now; the same bytes are never promised, for alerts and disputes in it move on.

    Raises:
        PermissionDeniedException, Unknown: it is not for this user.
    """
    user, about = request.user, f"case {name} as {form}"
    must_read_cases(console, user, about)
    console.require(console.role(user).exports, user, "export", about, "exports no evidence")
    case = found_case(console, user, name, "export", about)
    view, files, now = viewed(console, user, case), files_of(console, case), console.clock()
    made = case_report(_content(console, view, files, user, now), now)
    if form == "zip":
        made = _archive(console, view, files, made)
    digest = keep_export(console, user, f"case {name}, version {case.version}", made, form)
    printed = CasePrinted(case=case.id, version=case.version, form=form, sha256=digest, size=len(made))
    casework.act_on_case(console.desk, printed, user.name)
    return send_file(made, digest, f"{case.id}-{case.version}.{form}")


def _archive(console: Console, view: CaseView, files: tuple[KeptFile, ...], report: bytes) -> bytes:
    """The report, the case as JSON, its files, and the hashes of all; a file that is not as it was is left out."""
    case = view.case
    held = {f"{case.id}.pdf": report, "case.json": msgspec.json.format(msgspec.json.encode(view))}
    for one in case.attachments:
        content, state = content_of(console, one)
        if state == "kept":
            held[f"files/{one.number:02d}-{one.name}"] = content
    lines = [f"{hashlib.sha256(content).hexdigest()}  {name}" for name, content in held.items()]
    missing = [f"# {one.number:02d}-{one.name}: {TOLD[one.state]}" for one in files if one.state != "kept"]
    held["SHA256SUMS"] = ("\n".join([*lines, *missing]) + "\n").encode()
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
        for name, content in held.items():
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), content)
    return made.getvalue()


def _content(
    console: Console, view: CaseView, files: tuple[KeptFile, ...], user: User, now: dt.datetime
) -> CaseContent:
    case, zone = view.case, zone_of_table(console, table_of(view))
    hashes = {entry.sequence: entry.hash for entry in (*case.history, *case.prints)}
    return CaseContent(
        title=f"{case.id}: {case.title}",
        status=status_of(case, zone),
        facts=facts_of(case, user.name, now, zone),
        summary=case.summary,
        members=tuple(
            PrintedMember(
                kind=one.kind,
                name=f"{one.name}{f', {one.table}' if one.kind == 'alert' and one.table else ''}",
                title=one.message or one.title,
                state=one.state,
                at=in_zone_of(one.at, zone) if one.at is not None else "",
            )
            for one in view.members
        ),
        tasks=_tasks(case, zone),
        files=tuple(
            PrintedFile(
                name=one.name,
                kind=f"{one.media_type}, {one.size:,} bytes",
                sha256=one.sha256,
                state=TOLD.get(one.state, "The file has this SHA-256."),
            )
            for one in files
        ),
        timeline=tuple(_moment(one, hashes, zone) for one in view.timeline),
    )


def _tasks(case: Case, zone: dt.tzinfo) -> tuple[PrintedTask, ...]:
    return tuple(
        PrintedTask(
            number=one.number,
            what=one.what,
            who=one.who,
            by=str(one.by),
            done=f"by {one.done_by}, {in_zone_of(one.done_at, zone)}"
            if one.done_at is not None
            else "not done",
        )
        for one in case.tasks
    )


def _moment(one: Moment, hashes: dict[int, str], zone: dt.tzinfo) -> PrintedMoment:
    return PrintedMoment(
        at=in_zone_of(one.at, zone),
        who=one.who,
        what=one.what,
        detail=one.detail,
        record=str(one.record or ""),
        hash=hashes.get(one.record or 0, ""),
    )
