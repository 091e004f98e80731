"""Pages of cases: the list, opening one about an alert, a hand or a dispute, and one with all that belongs to it."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response, get, post
from litestar.params import PathParameter, QueryParameter, URLEncodedBody
from litestar.response import Redirect

from dashboards.casebook.case import Case
from dashboards.casebook.media_types import ENDINGS, LARGEST
from dashboards.cases.access import case_of, caseworkers, must_read_cases, must_work
from dashboards.cases.attachments import TOLD, files_of
from dashboards.cases.exporting import export_case
from dashboards.cases.forms import CaseForm, open_of, wish_of
from dashboards.cases.views import SHOWS, cases_of, member_view, table_of, viewed
from dashboards.cases.wishes import act_on_case, member_of, open_case
from dashboards.desk.casework import MOST_SHOWN
from dashboards.desk.casework import cases_of as cases_with
from dashboards.desk.decisions import ActConflict, Refused, UnknownToDesk
from dashboards.ledger.case_acts import MEMBER_KINDS, OUTCOMES
from dashboards.web.console import Console, ThisConsole, UserRequest
from dashboards.web.gate import require_csrf
from dashboards.web.rendering import page

Name = Annotated[str, PathParameter(max_length=64)]
Words = Annotated[str, QueryParameter(max_length=200)]
PageNumber = Annotated[int, QueryParameter(name="page", ge=1, le=100_000)]


@get("/cases", sync_to_thread=True)
def list_cases(
    request: UserRequest, console: ThisConsole, show: Words = "open", q: Words = "", number: PageNumber = 1
) -> Response[str]:
    """The cases of the user, the last changed first."""
    user = request.user
    must_read_cases(console, user, "cases")
    shown = show if show in SHOWS else "open"
    found = cases_of(console, user, shown, q.strip(), number)
    console.note(user.name, "page", f"cases, {len(found.shown)} of {found.total} {shown}")
    return page(
        request,
        console,
        "cases/cases.html",
        found=found,
        shows=SHOWS,
        show=shown,
        q=q.strip(),
        number=number,
        pages=-(-found.total // MOST_SHOWN),
        first=(number - 1) * MOST_SHOWN + 1,
    )


@get("/cases/new", sync_to_thread=True)
def ask_to_open(
    request: UserRequest, console: ThisConsole, kind: Words = "", value: Words = "", q: Words = ""
) -> Response[str]:
    """The form that opens a case; with an alert, a hand or a dispute also the open cases that it can be put into."""
    must_work(console, request.user, f"open case about {kind} {value}".strip())
    console.note(request.user.name, "page", f"new case {kind} {value}".strip())
    return _new(request, console, CaseForm(kind=kind, value=value), q=q.strip())


@post("/cases", form=True, sync_to_thread=True)
def open_one(request: UserRequest, console: ThisConsole, data: URLEncodedBody[CaseForm]) -> Response[Any]:
    """Open a case; what is not right is said beside the form, which keeps what was written."""
    user = request.user
    require_csrf(user, data.csrf)
    must_work(console, user, "open case")
    try:
        made = open_case(console, user, open_of(data))
    except Refused as error:
        return _new(request, console, data, refused=error.why, status=422)
    return Redirect(f"/cases/{made.id}", status_code=303)


@get("/cases/{case:str}", sync_to_thread=True)
def one_case(request: UserRequest, console: ThisConsole, case: Name) -> Response[Any]:
    """One case with all that belongs to it; with `.pdf` its report, with `.zip` its files too."""
    if case.endswith(".pdf"):
        return export_case(request, console, case.removesuffix(".pdf"), "pdf")
    if case.endswith(".zip"):
        return export_case(request, console, case.removesuffix(".zip"), "zip")
    return _shown(request, console, case_of(console, request.user, case))


@post("/cases/{case:str}/acts", form=True, sync_to_thread=True)
def act(
    request: UserRequest, console: ThisConsole, case: Name, data: URLEncodedBody[CaseForm]
) -> Response[Any]:
    """Do one thing to a case; a conflict or a refusal is said on its page, which keeps what was written."""
    user = request.user
    require_csrf(user, data.csrf)
    must_work(console, user, f"{data.act[:20]} case {case}")
    try:
        act_on_case(console, user, case, wish_of(data))
    except UnknownToDesk:
        raise
    except Refused as error:
        status = 409 if isinstance(error, ActConflict) else 422
        return _shown(request, console, case_of(console, user, case), data, error.why, status)
    return Redirect(f"/cases/{case}", status_code=303)


def _new(
    request: UserRequest,
    console: Console,
    form: CaseForm,
    *,
    q: str = "",
    refused: str = "",
    status: int = 200,
) -> Response[str]:
    user = request.user
    member, title = None, form.title
    kind = next((one for one in MEMBER_KINDS if one == form.kind), None)
    if kind is not None and form.value.strip():
        try:
            found = member_of(console, user, kind, form.value)
        except Refused as error:
            refused, status = refused or error.why, 422
        else:
            member = member_view(console, user, found)
            title = title or f"{member.name}: {member.title}".rstrip(": ")[:200]
    return page(
        request,
        console,
        "cases/case_new.html",
        status,
        form=form,
        title=title,
        member=member,
        holding=cases_with(console.desk, user.name, member.kind, member.value) if member is not None else (),
        found=cases_of(console, user, "open", q) if member is not None else None,
        q=q,
        workers=caseworkers(console),
        refused=refused,
    )


def _shown(
    request: UserRequest,
    console: Console,
    case: Case,
    typed: CaseForm | None = None,
    refused: str = "",
    status: int = 200,
) -> Response[str]:
    view = viewed(console, request.user, case)
    acting = console.role(request.user).cases
    return page(
        request,
        console,
        "cases/case.html",
        status,
        case=case,
        members=view.members,
        timeline=view.timeline,
        table=table_of(view),
        acts=acting,
        workers=caseworkers(console) if acting else (),
        today=console.clock().date(),
        typed=typed or CaseForm(),
        refused=refused,
        kinds=MEMBER_KINDS,
        outcomes=OUTCOMES,
        files=files_of(console, case),
        told=TOLD,
        endings=ENDINGS,
        most_mib=LARGEST >> 20,
    )


HANDLERS = (list_cases, ask_to_open, open_one, one_case, act)
