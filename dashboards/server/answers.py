"""What a program reads of each route where it was not done: the same answers everywhere, told in the schema."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from msgspec import Struct

__all__ = ["NotDone", "with_answers"]

API: Final = "/api/"
_ALL: Final[dict[int, str]] = {
    400: "The address or what was sent cannot be read; which part, and what would be.",
    401: "Nobody is signed in.",
    403: "The role may not, or the request is not from a page of this console; the refusal is kept.",
    503: "The record of the desk or the store does not answer; nothing was shown or done.",
}
_NAMED: Final = {404: "There is none of this name, or it is withheld from who asks."}
_DONE: Final[dict[int, str]] = {
    404: "What it is about is not there, or is withheld from who asks.",
    409: "Somebody changed it meanwhile; who, and when.",
    422: "It cannot be done, and why.",
}


class NotDone(Struct, frozen=True):
    """Why a request was not answered as it asks."""

    detail: str


def with_answers(handlers: Iterable[Any]) -> tuple[Any, ...]:
    """The handlers, those of programs with the answers they give where nothing was done."""
    made = tuple(handlers)
    for handler in made:
        if isinstance(handler, HTTPRouteHandler) and any(path.startswith(API) for path in handler.paths):
            told = _ALL | (_NAMED if any("{" in path for path in handler.paths) else {})
            told |= _DONE if "POST" in handler.http_methods else {}
            specs = {
                status: ResponseSpec(NotDone, generate_examples=False, description=why)
                for status, why in sorted(told.items())
            }
            handler.responses = specs | dict(handler.responses or {})
    return made
