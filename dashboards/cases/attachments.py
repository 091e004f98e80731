"""Files of a case: attached, held against their hashes, and sent."""

from __future__ import annotations

import logging
from typing import Annotated, Any, Literal

from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.exceptions import NotFoundException
from litestar.params import MultipartBody, PathParameter
from litestar.response import Redirect
from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.casebook.case import Attachment, Case
from dashboards.casebook.files import FileAltered, FileMissing, FilesUnavailable
from dashboards.casebook.media_types import LARGEST, NotAttachable, media_type_of, plain_name
from dashboards.cases.access import case_of, found_case, must_work
from dashboards.desk import casework
from dashboards.desk.case_decisions import why_not_attached
from dashboards.desk.decisions import Refused
from dashboards.ledger.case_acts import CaseAttached
from dashboards.web.console import Console, ThisConsole, UserRequest
from dashboards.web.exports import send_file
from dashboards.web.gate import require_csrf
from dashboards.web.rendering import page

LARGEST_BODY = LARGEST + (64 << 10)  # the file, and the other fields of its form
FileState = Literal["kept", "missing", "altered", "not known"]
TOLD: dict[str, str] = {
    "missing": "The file is missing from where the console keeps it. Its name, size and SHA-256 are on record.",
    "altered": "The file is not the one that was attached: its SHA-256 is another than the one on record.",
    "not known": "The file cannot be read now.",
}
_log = logging.getLogger("catwalk.console")
Name = Annotated[str, PathParameter(max_length=64)]
Number = Annotated[int, PathParameter(ge=1, le=1_000)]


class Upload(Struct, kw_only=True):
    """A file to be attached to a case that was seen at this version."""

    version: int
    file: UploadFile
    csrf: str = ""


class KeptFile(Struct, frozen=True, kw_only=True):
    """A file of a case and how it is now; `state` is `kept` only if its content has the SHA-256 on record."""

    number: int
    name: str
    media_type: str
    sha256: str
    size: int
    by: str
    state: FileState


def attach(console: Console, user: User, name: str, version: int, file_name: str, content: bytes) -> Case:
    """Attach a file to a case: it is kept first, and then the act is written.

    Raises:
        PermissionDeniedException: the role may not.
        Unknown, Conflict, Refused: it was not done, and why.
        FilesUnavailable, DeskUnavailable: it could not be kept.
    """
    must_work(console, user, f"attached case {name}")
    case = case_of(console, user, name)
    file_name = plain_name(file_name)
    try:
        media_type = media_type_of(file_name, content)
    except NotAttachable as error:
        raise Refused(f"{file_name}: {error}") from error
    if case.version == version and (why := why_not_attached(case, len(content))):
        raise Refused(why)  # before a file is kept that nothing would name
    digest = console.files.keep(content)
    act = CaseAttached(
        case=name, version=version, name=file_name, media_type=media_type, sha256=digest, size=len(content)
    )
    return casework.act_on_case(console.desk, act, user.name)


def files_of(console: Console, case: Case) -> tuple[KeptFile, ...]:
    """The files of a case, each read and held against its hash now."""
    return tuple(_kept(console, one) for one in case.attachments)


def content_of(console: Console, one: Attachment) -> tuple[bytes, FileState]:
    """The content of a file, empty where it is not as it was kept, and how it is."""
    try:
        return console.files.read(one.sha256, one.size), "kept"
    except FileMissing:
        return b"", "missing"
    except FileAltered:
        return b"", "altered"
    except FilesUnavailable as error:
        _log.warning("attached files cannot be read: %s", error)
        return b"", "not known"


def _kept(console: Console, one: Attachment) -> KeptFile:
    return KeptFile(
        number=one.number, name=one.name, media_type=one.media_type, sha256=one.sha256, size=one.size, by=one.by,
        state=content_of(console, one)[1],
    )  # fmt: skip


@post(
    "/api/cases/{case:str}/attachments",
    status_code=201,
    sync_to_thread=True,
    request_max_body_size=LARGEST_BODY,
)
def attach_by_program(
    request: UserRequest, console: ThisConsole, case: Name, data: MultipartBody[Upload]
) -> tuple[KeptFile, ...]:
    """Attach a file (multipart, fields `version` and `file`); the case's files as they are now.

    422 for an empty file, one that is too large, or one whose content is not what its name says.
    """
    content = data.file.file.read(LARGEST + 1)
    return files_of(console, attach(console, request.user, case, data.version, data.file.filename, content))


@post("/cases/{case:str}/attachments", form=True, sync_to_thread=True, request_max_body_size=LARGEST_BODY)
def attach_by_form(
    request: UserRequest, console: ThisConsole, case: Name, data: MultipartBody[Upload]
) -> Response[Any]:
    """Attach a file, and show the case again; what will not do is said on a page of its own."""
    require_csrf(request.user, data.csrf)
    content = data.file.file.read(LARGEST + 1)
    try:
        attach(console, request.user, case, data.version, data.file.filename, content)
    except (Refused, FilesUnavailable) as error:
        why = error.why if isinstance(error, Refused) else str(error)
        status = 503 if isinstance(error, FilesUnavailable) else 422
        remedy = f"Nothing was attached to {case}. Go back, and attach another file, or load the case again."
        return page(
            request, console, "web/refused.html", status, title="Not attached", why=f"{why}.", remedy=remedy
        )
    return Redirect(f"/cases/{case}#h-files", status_code=303)


@get("/cases/{case:str}/attachments/{number:int}", sync_to_thread=True)
def download(request: UserRequest, console: ThisConsole, case: Name, number: Number) -> Response[Any]:
    """A file of a case, held against its hash; that it left is kept."""
    user, about = request.user, f"attachment {number} of case {case}"
    found = found_case(console, user, case, "export", about)
    console.require(console.role(user).exports, user, "export", about, "exports no files")
    if number > len(found.attachments):
        console.note(user.name, "export", about, granted=False, reason="unknown")
        raise NotFoundException(f"case {case} has no file {number}")
    one = found.attachments[number - 1]
    content, state = content_of(console, one)
    console.note(
        user.name,
        "export",
        f"{about}, sha256 {one.sha256}",
        granted=state == "kept",
        reason=TOLD.get(state, ""),
    )
    if state != "kept":
        status = {"missing": 404, "altered": 409}.get(state, 503)
        remedy = "Tell whoever runs the console; a backup may hold the file."
        return page(
            request, console, "web/refused.html", status, title=one.name, why=TOLD[state], remedy=remedy
        )
    bare = one.media_type.partition(";")[0]  # the answer adds the charset of a text
    return send_file(content, one.sha256, one.name, bare)


@get("/api/cases/{case:str}/attachments", sync_to_thread=True)
def read_files(request: UserRequest, console: ThisConsole, case: Name) -> tuple[KeptFile, ...]:
    """The files of a case, each held against its SHA-256 now; `/cases/{case}/attachments/{number}` sends one."""
    return files_of(console, case_of(console, request.user, case))


HANDLERS = (attach_by_program, attach_by_form, read_files, download)
