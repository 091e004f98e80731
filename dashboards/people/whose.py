"""Whom a page is about: who may read it, and which rounds of theirs it sums."""

from __future__ import annotations

import datetime as dt
from typing import Final

from litestar.exceptions import NotFoundException
from msgspec import Struct
from msgspec.structs import replace

from dashboards.accounts.accounts import User
from dashboards.reader import people
from dashboards.reader.newest import SeatRow, WantedRounds, seats_of
from dashboards.reader.people import Kind, PeopleScope
from dashboards.reader.search import span_of_rounds
from dashboards.web.console import Console

SPANS: Final = (7, 30, 90)  # days back from the newest round
USUAL: Final = 30
PATHS: dict[Kind, str] = {"dealer": "/dealers", "patron": "/players", "table": "/tables"}


class Asked(Struct, frozen=True, kw_only=True):
    """Somebody and the rounds of the last `days`; `compared` are the tables that others are looked for at.

    `scope` is None where the store has no round of the span. `ever` are the tables where they ever were.
    """

    kind: Kind
    name: str
    days: int
    scope: PeopleScope | None = None
    compared: tuple[str, ...] = ()
    ever: tuple[str, ...] = ()


def may_read_person(console: Console, user: User, kind: Kind, name: str) -> None:
    """Return if the user may read about dealers or patrons and there is one of this name; the look is kept.

    Raises:
        PermissionDeniedException: the role reads no hands, or looks up no patrons.
        NotFoundException: there is none of this name for this user.
        DeskUnavailable: the look could not be kept.
    """
    about, role = f"{kind} {name}", console.role(user)
    console.require(role.reads_hands, user, "record", about, "reads no hands")
    console.require(kind != "patron" or role.sees_cards, user, "record", about, "looks up no patrons")
    ever = people.ever_dealt if kind == "dealer" else people.ever_seen
    hidden = (kind, name) in console.desk.withheld_from(user.name)
    if hidden or not ever(name).ask(console.records):
        console.note(user.name, "record", about, granted=False, reason="unknown or withheld")
        raise NotFoundException(f"no {kind} {name}")
    console.note(user.name, "record", about)


def asked_about(console: Console, user: User, kind: Kind, name: str, days: int) -> Asked:
    """The rounds of somebody that this user may see, back from the newest round of the store.

    Raises:
        Exception: the store does not answer.
    """
    records, desk = console.records, console.desk
    hidden = desk.hidden_from(user.name, "table")
    known = (
        [name] if kind == "table" else [row.subject for row in people.tables_ever(kind, name).ask(records)]
    )
    ever = tuple(subject for subject in known if subject not in hidden)
    asked = Asked(kind=kind, name=name, days=days, ever=ever)
    found = span_of_rounds().ask(records)
    if not found or not found[0].rounds:
        return asked
    until = found[0].last
    since = max(found[0].first, until - dt.timedelta(days=days))
    seats: tuple[SeatRow, ...] = ()
    compared: tuple[str, ...] = ()
    if kind == "patron":
        sought = WantedRounds(since=since, until=until, patron=name)
        seats = tuple(one for one in seats_of(sought).ask(records) if one.subject not in hidden)
        tables = tuple(sorted({one.subject for one in seats}))
    else:
        at = people.tables_of_dealer if kind == "dealer" else people.tables_alike
        compared = tuple(r.subject for r in at(name, since, until).ask(records) if r.subject not in hidden)
        tables = compared if kind == "dealer" else (name,)
    scope = PeopleScope(
        kind=kind,
        name=name,
        since=since,
        until=until,
        tables=tables,
        seats=seats,
        without_tables=tuple(sorted(hidden)),
        without_dealers=tuple(sorted(desk.hidden_from(user.name, "dealer"))),
    )
    return replace(asked, scope=scope if tables else None, compared=compared)
