"""The forms beside a list that save a search and choose columns, and the same as JSON."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.exceptions import ClientException
from litestar.params import JSONBody, PathParameter, URLEncodedBody
from litestar.response import Redirect
from msgspec import Struct

from dashboards.desk.decisions import Refused
from dashboards.ledger.personal_acts import (
    LISTS,
    ListName,
    PersonalAct,
)
from dashboards.personal.keeping import Arranged, arranged, keep
from dashboards.personal.lists import LISTED, reads
from dashboards.web.console import Console, ThisConsole, UserRequest
from dashboards.web.gate import require_csrf
from dashboards.web.rendering import page

Which = Annotated[str, PathParameter(max_length=20)]
_ACTS = {"delete": "search_deleted", "start": "start_chosen", "no_start": "start_chosen"}
_HIDDEN = "0"  # the place of a column that is not shown


class SearchForm(Struct, frozen=True, kw_only=True):
    """A form that saves the search in view (`save`), deletes one, or says with which the list opens (`start`).

    With `no_start` it opens as it comes.
    """

    csrf: str = ""
    act: str = "save"
    name: str = ""
    query: str = ""


def _list(name: str) -> ListName:
    for one in LISTS:
        if one == name:
            return one
    raise ClientException(f"{name[:20]} is no list: there are {', '.join(LISTS)}")


@post("/searches/{which:str}", form=True, sync_to_thread=True)
def search_form(
    request: UserRequest, console: ThisConsole, which: Which, data: URLEncodedBody[SearchForm]
) -> Response[Any]:
    """Keep what the form says of a search, and go back to the list as it was."""
    require_csrf(request.user, data.csrf)
    name = _list(which)
    act = {"act": _ACTS.get(data.act, "search_saved"), "of": name, "name": " ".join(data.name.split())}
    if data.act == "no_start":
        act["name"] = ""
    if data.act not in _ACTS:
        act["query"] = data.query
    return _kept(request, console, act, data.query)


@post("/columns/{which:str}", form=True, sync_to_thread=True)
def columns_form(
    request: UserRequest, console: ThisConsole, which: Which, data: URLEncodedBody[dict[str, str]]
) -> Response[Any]:
    """Choose the columns by the place each has, where `0` hides it, or take them as they come."""
    require_csrf(request.user, data.get("csrf", ""))
    name = _list(which)
    listed = LISTED[name]
    headings = listed.headings(console.role(request.user))
    places = {one: data.get(f"place-{one}", _HIDDEN) for one in headings}
    shown = [one for one, place in places.items() if place.isdigit() and place != _HIDDEN]
    columns = () if data.get("act") == "reset" else tuple(sorted(shown, key=lambda one: int(places[one][:4])))
    if data.get("act") != "reset" and listed.always not in columns:
        columns = (listed.always, *columns)
    return _kept(
        request, console, {"act": "columns_chosen", "of": name, "columns": columns}, data.get("query", "")
    )


def _kept(request: UserRequest, console: Console, act: dict[str, Any], query: str) -> Response[Any]:
    listed = LISTED[act["of"]]
    back = listed.address(listed.query(query))
    try:
        keep(console, request.user, msgspec.convert(act, PersonalAct))
    except (msgspec.ValidationError, Refused) as error:
        why = f"Not kept: {error.why if isinstance(error, Refused) else error}."
        return page(request, console, "personal/refused.html", 422, why=why, back=back)
    return Redirect(back, status_code=303)


@get("/api/arranged/{which:str}", sync_to_thread=True)
def read_arranged(request: UserRequest, console: ThisConsole, which: Which) -> Arranged:
    """How who asks has a list: saved searches, and columns in their order."""
    name = _list(which)
    console.require(
        reads(console.role(request.user), name), request.user, "record", f"searches of {name}", "reads it not"
    )
    return arranged(console, request.user, name)


@post("/api/arranged", status_code=200, sync_to_thread=True)
def arrange(request: UserRequest, console: ThisConsole, data: JSONBody[PersonalAct]) -> Arranged:
    """Keep a search, a start or columns; the answer is how the list is arranged then. 422 says why not."""
    keep(console, request.user, data)
    return arranged(console, request.user, data.of)


HANDLERS = (search_form, columns_form, read_arranged, arrange)
