"""Refusals: the answer a browser or a program gets when something was not done, with the reason and no more."""

from __future__ import annotations

import logging
from typing import Any

from litestar import Response
from litestar.exceptions import HTTPException, NotAuthorizedException, ValidationException
from litestar.response import Redirect

from dashboards.casebook.files import FilesUnavailable
from dashboards.desk.decisions import ActConflict, Refused, UnknownToDesk
from dashboards.ledger.holding import REMEDY
from dashboards.ledger.ledger import DeskAltered, DeskBusy, DeskInDoubt, DeskUnavailable
from dashboards.reader.question import RecordsAway
from dashboards.web.console import AnyRequest
from dashboards.web.rendering import page, page_of_nobody

_TITLES = {
    400: "That cannot be asked for",
    403: "That is not for you",
    404: "There is no such page",
    409: "Someone was faster",
    422: "That cannot be done",
    503: "Not at this moment",
}
_REMEDIES = {
    400: "Take it out of the address or put it right, or begin again from a page above.",
    403: "An administrator gives out what a role may do. That you asked is kept.",
    404: "It may never have been there, or not be for you.",
    500: "Tell whoever runs the console when it was; it is in the server's log.",
    503: "Ask again in a moment; the health page says what is wrong.",
}

_log = logging.getLogger("catwalk.console")


def tell_refusal(request: AnyRequest, error: Exception) -> Response[Any]:
    """What a browser or a program reads when something was not done; never more than why."""
    if isinstance(error, NotAuthorizedException) and not request.url.path.startswith("/api/"):
        return Redirect("/sign-in", status_code=303)
    status = _status(error)
    if status == 500:
        _log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    altered = isinstance(error, DeskAltered)
    # A form that is sent by a browser is answered by a page too where nothing on the page it came from can help.
    if (request.method == "GET" or altered) and "text/html" in request.headers.get("accept", ""):
        return _page(request, status, _why(error), REMEDY if altered else _REMEDIES.get(status, ""))
    why = f"{_why(error)}. {REMEDY}" if altered else _why(error)
    return Response({"detail": why}, status_code=status)


def _page(request: AnyRequest, status: int, why: str, remedy: str) -> Response[str]:
    told = {
        "title": _TITLES.get(status, "Something failed"),
        "why": f"{why[:1].upper()}{why[1:]}".rstrip(".") + ".",
        "remedy": remedy,
    }
    if request.scope.get("user") is None:
        return page_of_nobody(request, "web/refused.html", status, **told)
    return page(request, request.app.state.console, "web/refused.html", status, **told)


def _status(error: Exception) -> int:
    match error:
        case HTTPException():
            return error.status_code
        case UnknownToDesk():
            return 404
        case ActConflict():
            return 409
        case Refused():
            return 422
        case DeskUnavailable() | RecordsAway() | FilesUnavailable():
            return 503
    return 500


def _misread(fault: Any) -> str:
    """What of the request could not be read; what was sent is not said again."""
    if not isinstance(fault, dict) or not fault.get("key"):
        return "what was sent cannot be read"
    expected = str(fault.get("message", ""))[:100].removeprefix("Expected ").replace("`", "")
    return f"the value of “{fault['key']}” cannot be read; expected: {expected}"


def _why(error: Exception) -> str:
    match error:
        case ValidationException(extra=[*faults]) if faults:
            return "; ".join(_misread(fault) for fault in faults)
        case HTTPException():
            return error.detail
        case Refused():
            return error.why
        case DeskAltered():
            return (
                "the record of the desk was altered and the console is read-only: nothing was shown or done"
            )
        case DeskBusy():
            return "others write the record of the desk faster than this console: nothing was done, try again"
        case DeskInDoubt():
            return "the record of the desk does not answer: look whether it was done before doing it again"
        case DeskUnavailable():
            return "the record of the desk cannot be written: nothing was shown or done"
        case FilesUnavailable():
            return str(error)
        case RecordsAway():
            return "the store of records does not answer; alerts go on"
    return "something failed; it is in the server's log"
