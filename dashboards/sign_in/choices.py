"""What a person chooses for their own pages is kept with their account."""

from __future__ import annotations

from litestar import post
from litestar.exceptions import ClientException
from litestar.params import JSONBody
from msgspec import Struct

from dashboards.web.console import ThisConsole, UserRequest


class Choice(Struct, frozen=True, forbid_unknown_fields=True):
    """One choice and its value."""

    choice: str
    value: str


@post("/api/preferences", status_code=204, sync_to_thread=True)
def choose(request: UserRequest, console: ThisConsole, data: JSONBody[Choice]) -> None:
    """Keep a choice of who asks; 400 names those there are. Nobody else sees it, so no record tells it."""
    try:
        console.accounts.preferences.choose(request.user.name, data.choice, data.value)
    except ValueError as error:
        raise ClientException(str(error)) from error


HANDLERS = (choose,)
