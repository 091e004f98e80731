"""Break-glass: one user opens sealed data for a quarter of an hour, for a written reason."""

from __future__ import annotations

import datetime as dt
from typing import Annotated

from litestar import get, post
from litestar.exceptions import NotFoundException
from litestar.params import JSONBody
from msgspec import Meta, Struct

from dashboards.accounts.accounts import User
from dashboards.desk.alerts import GlassOpening
from dashboards.desk.decisions import Refused
from dashboards.ledger.acts import GlassBroken
from dashboards.web.address import current_address
from dashboards.web.console import Console, ThisConsole, UserRequest
from dashboards.wording.copying import copied
from schemas.values import Text

LONGEST = dt.timedelta(minutes=15)
SHORTEST_REASON = 10  # characters: long enough that a key held down is not one by accident

# Kind of a sealed thing -> what it is, as people read it; `about` names the one that is opened.
KINDS: dict[str, str] = {
    "live_composition": "Cards left in a shoe that is still dealt from; about: the table"
}


class Wish(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What shall be opened, and why."""

    kind: Text
    about: Text
    reason: Annotated[str, Meta(max_length=2000)]


def break_glass(console: Console, user: User, wish: Wish) -> dt.datetime:
    """Open something sealed for this user, kept before it opens; returns the end of it, in UTC.

    Raises:
        PermissionDeniedException: the role may not.
        NotFoundException: there is nothing sealed of this kind, no such table, or it is withheld from the user.
        Refused: the reason says nothing.
        RecordsAway: the store cannot say whether there is such a table.
        DeskUnavailable: it could not be kept, and is not open.
    """
    asked = f"open {wish.kind} of {wish.about}"
    if wish.kind not in KINDS:
        raise NotFoundException("nothing of this kind is sealed")
    may = wish.kind in console.role(user).may_break_glass
    console.require(may, user, "action", asked, "opens nothing of this kind")
    if ("table", wish.about) in console.desk.withheld_from(user.name):
        console.note(user.name, "action", asked, granted=False, reason="withheld")
        raise NotFoundException("no such table")
    if wish.about not in console.states.names():
        console.note(user.name, "action", asked, granted=False, reason="no such table")
        raise NotFoundException("no such table")
    reason = " ".join(wish.reason.split())
    if len(reason) < SHORTEST_REASON:
        raise Refused(f"say why, in {SHORTEST_REASON} characters or more: auditors read it")
    until = console.clock() + LONGEST
    broken = copied(GlassBroken, wish, reason=reason, until=until, address=current_address())
    console.desk.note(broken, user.name)
    return until


@post("/api/openings", sync_to_thread=True)
def open_one(request: UserRequest, console: ThisConsole, data: JSONBody[Wish]) -> dict[str, dt.datetime]:
    """Open something sealed; the answer says until when."""
    return {"until": break_glass(console, request.user, data)}


@get("/api/openings", sync_to_thread=True)
def openings(request: UserRequest, console: ThisConsole) -> tuple[GlassOpening, ...]:
    """Who opened what, and why, the newest first: who reads the log reads all openings, others their own."""
    me, everything = request.user.name, console.role(request.user).reads_log
    console.note(me, "record", "openings")
    return tuple(one for one in reversed(console.desk.openings()) if everything or one.user == me)


HANDLERS = (open_one, openings)
