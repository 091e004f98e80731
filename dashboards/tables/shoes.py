"""Which shoe of a table is shown, and whether the viewer may see its cards by rank and suit.

While a shoe is dealt from, roles that may see its cards and users who have broken the glass see them. When the shoe
is over its cards are no secret: a shoe that ran out and was filled again in mid-round held the whole batch, which says
nothing of what is left now.
"""

from __future__ import annotations

import datetime as dt

from litestar.exceptions import NotFoundException
from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.folding.states import Now
from dashboards.reader import tables
from dashboards.tables.composition import Composition, Count, composition_of, count_of, is_over
from dashboards.web.console import Console
from dashboards.web.looks import note_look
from processors.core.state import Table

LIVE = "live_composition"
NOTED_EVERY = dt.timedelta(minutes=1)  # a live shoe is looked into


class Past(Struct, frozen=True):
    """A shoe that is over: loaded at event `sequence`; at `ended` the next was loaded, or its batch was removed."""

    shoe: int
    sequence: int
    time: dt.datetime
    ended: int


class Shown(Struct, frozen=True):
    """A shoe on the page: `count` by place, `composition` where this viewer may see it.

    `why` says by what right, `until` when that ends; `over` whether the shoe is dealt from no more.
    """

    number: int
    batch: str
    at: int | None
    over: bool
    count: Count | None
    composition: Composition | None
    why: str = ""
    until: dt.datetime | None = None


def shown_shoe(console: Console, user: User, now: Now, at: int | None) -> Shown:
    """The shoe that is dealt from, or the one loaded at event `at` as it ended; a look into a live one is kept first.

    Raises:
        NotFoundException: no shoe was loaded there, or it is not over yet.
    """
    table = now.table
    if at is not None and (at != table.shoe.loaded_at or is_over(table)):
        table = _as_it_ended(console, table, at)
        return _shown(table, at, over=True, why="the shoe is over")
    if is_over(table):
        return _shown(table, None, over=True, why="the shoe is over")
    right, until = _right(console, user, table.subject)
    if right:
        about = f"live composition of {table.subject}, shoe {table.shoe.number}"
        note_look(console, user, "record", about, NOTED_EVERY)
    return _shown(table, None, over=False, why=right, until=until)


def past_shoes(console: Console, table: Table) -> list[Past]:
    """Shoes of the table that are over, the newest first."""
    found = tables.shoes(table.subject).ask(console.records)
    past: list[Past] = []
    following = 0
    for place, row in enumerate(found):
        if not row.shoe:
            continue
        removed = [one.sequence for one in found[:place] if not one.shoe and one.batch == row.batch]
        ended = min(one for one in (following, *removed) if one) if following or removed else 0
        following = row.sequence
        if ended:
            past.append(Past(row.shoe, row.sequence, row.time, ended))
    return past[: tables.SHOES]


def _as_it_ended(console: Console, table: Table, at: int) -> Table:
    past = next((one for one in past_shoes(console, table) if one.sequence == at), None)
    if past is None:
        raise NotFoundException(f"no shoe of table {table.subject} that is over was loaded at event {at}")
    return console.states.before(table.subject, past.ended).table()


def _right(console: Console, user: User, subject: str) -> tuple[str, dt.datetime | None]:
    """By what right this user sees into a live shoe, empty where by none; and when it ends."""
    if console.role(user).sees_composition:
        return f"the role {user.role} may see it", None
    mine = [
        one
        for one in console.desk.openings()
        if (one.user, one.kind, one.about) == (user.name, LIVE, subject) and console.clock() < one.until
    ]
    if not mine:
        return "", None
    last = max(mine, key=lambda one: one.until)
    return f"you broke the glass: {last.reason}", last.until


def _shown(table: Table, at: int | None, *, over: bool, why: str, until: dt.datetime | None = None) -> Shown:
    return Shown(
        number=table.shoe.number,
        batch=table.shoe.batch,
        at=at,
        over=over,
        count=count_of(table),
        composition=composition_of(table) if why else None,
        why=why,
        until=until,
    )
