"""Tables: what each does now, and one table with its shoe, its rounds and its chip tray."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import Annotated, Any, Literal

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import PathParameter, QueryParameter, URLEncodedBody
from litestar.response import Redirect
from msgspec import UNSET, Struct

from dashboards.accounts.accounts import User
from dashboards.alerts.queue_filter import of_table
from dashboards.folding.states import Now, UnknownTable
from dashboards.health.failures import DevicePart, failures_of, parts, still_going
from dashboards.reader import tables
from dashboards.reader.question import Reader
from dashboards.revenue.pages.page import WAGERS
from dashboards.sign_in.break_glass import KINDS, LONGEST, SHORTEST_REASON, Wish, break_glass
from dashboards.tables.floor import floor_failing, floor_lines, line_of, view_of
from dashboards.tables.floor_map import ROOMY, age_of, open_by_table, pits_of
from dashboards.tables.shoes import LIVE, past_shoes, shown_shoe
from dashboards.tables.tray import tray_of
from dashboards.web.console import Console, UserRequest
from dashboards.web.gate import require_csrf
from dashboards.web.looks import note_look
from dashboards.web.rendering import page
from dashboards.wording.times import zone_called
from processors.core.state import Table
from schemas.rulesets import RULESETS

Name = Annotated[str, PathParameter(max_length=64)]
Number = Annotated[int | None, QueryParameter(ge=0, le=4_000_000_000)]
View = Annotated[Literal["map", "list"], QueryParameter()]
STATES = ("in a round", "open", "closed")


class Opened(Struct, frozen=True):
    """The form by which a live shoe is opened."""

    csrf: str = ""
    reason: str = ""


def may_read(console: Console, request: UserRequest, about: str) -> None:
    """Return if the user reads tables; a refusal is kept.

    Raises:
        PermissionDeniedException: they do not.
    """
    user = request.user
    console.require(console.role(user).reads_tables, user, "page", about, "does not read tables")


@get("/tables", sync_to_thread=True)
def tables_page(request: UserRequest, console: NamedDependency[Console], view: View = "map") -> Response[str]:
    """All tables, what each does now: by pit as a map, or one below the other (`view` is `list`)."""
    may_read(console, request, "tables")
    note_look(console, request.user, "page", "tables")
    now = console.clock()
    withheld = console.desk.withheld_from(request.user.name)
    lines = [
        line
        for line in floor_lines(console.records, console.states, now)
        if ("table", line.subject) not in withheld
    ]
    shown: dict[str, Any] = {
        "states": Counter(line.state for line in lines),
        "order": STATES,
        "looked_at": view_of(console.states).at,
        "clock_of": lines[0].subject if lines else "",
        "view": view,
    }
    alerts = open_by_table(console, request.user)
    hidden = console.desk.hidden_from(request.user.name, "dealer")
    failing = floor_failing(console.states)
    if view == "list":
        return page(
            request,
            console,
            "tables/tables.html",
            lines=lines,
            hidden_dealers=hidden,
            alerts={subject: here.count for subject, here in alerts.items()},
            alerts_of=of_table,
            failing=failing,
            age=lambda line: age_of(line, console.at_tables()),
            **shown,
        )
    pits = pits_of(lines, alerts, failing, hidden, console.at_tables())
    return page(request, console, "tables/floor.html", pits=pits, roomy=len(lines) <= ROOMY, **shown)


@get("/tables/{subject:str}", sync_to_thread=True)
def table_page(
    request: UserRequest, console: NamedDependency[Console], subject: Name, at: Number = None
) -> Response[str]:
    """One table; with `at`, the load of an earlier shoe, that shoe as it ended."""
    return _one_table(request, console, subject, at)


def _one_table(
    request: UserRequest, console: Console, subject: str, at: int | None, wrong: str = "", status: int = 200
) -> Response[str]:
    about = f"table {subject}" + (f", shoe loaded at event {at}" if at is not None else "")
    may_read(console, request, about)
    now = known_table(console, request.user, subject)
    note_look(console, request.user, "page", about)
    shown = shown_shoe(console, request.user, now, at)
    table, config = now.table, now.table.config
    hidden = console.desk.hidden_from(request.user.name, "dealer")
    role = console.role(request.user)
    bars = [bar for bar in tables.strip(subject).ask(console.records) if bar.dealer not in hidden]
    return page(
        request,
        console,
        "tables/table.html",
        status,
        subject=subject,
        line=line_of(table),
        table=table,
        config=config,
        title=RULESETS[config.ruleset].title if config is not None else "",
        readings={} if config is None or config.readings is UNSET else config.readings,
        hidden_dealers=hidden,
        shown=shown,
        cover=_cover(table),
        others=[batch for name, batch in table.batches.items() if name != table.shoe.batch],
        shoes=past_shoes(console, table),
        bars=tuple(reversed(bars)),
        tallest=max((abs(bar.net_cents) for bar in bars), default=1) or 1,
        tray=tray_of(console.records, table),
        alerts=alerts_by_table(console, request.user)[subject],
        alerts_of=of_table,
        out_of_order=_out_of_order(table),
        devices=devices_of(console.records, table),
        may_break="live_composition" in role.may_break_glass,
        breaking={
            "kind": KINDS["live_composition"],
            "minutes": LONGEST.seconds // 60,
            "least": SHORTEST_REASON,
        },
        wrong=wrong,
        wagers=WAGERS,
        zone=zone_called(config.timezone) if config is not None else dt.UTC,
        age=age_of(line_of(table), console.at_tables()),
    )


@post("/tables/{subject:str}/open", form=True, sync_to_thread=True)
def open_shoe(
    request: UserRequest, console: NamedDependency[Console], subject: Name, data: URLEncodedBody[Opened]
) -> Response[str] | Redirect:
    """Break the glass over a live shoe, by the form of its table's page."""
    require_csrf(request.user, data.csrf)
    known_table(console, request.user, subject)
    if len(" ".join(data.reason.split())) < SHORTEST_REASON:
        wrong = f"Say why, in {SHORTEST_REASON} characters or more: auditors read it."
        return _one_table(request, console, subject, None, wrong, 422)
    break_glass(console, request.user, Wish(kind=LIVE, about=subject, reason=data.reason))
    return Redirect(f"/tables/{subject}#shoe", status_code=303)


def known_table(console: Console, user: User, subject: str) -> Now:
    """The table as it stands.

    Raises:
        NotFoundException: there is none of this name for this user.
    """
    try:
        if ("table", subject) not in console.desk.withheld_from(user.name):
            return console.states.now(subject)
    except UnknownTable:
        pass
    console.note(user.name, "page", f"table {subject}", granted=False, reason="unknown or withheld")
    raise NotFoundException(f"no table {subject}")


def alerts_by_table(console: Console, user: User) -> Counter[str]:
    """How many alerts of each table the list of the open ones shows this user."""
    return Counter({subject: here.count for subject, here in open_by_table(console, user).items()})


def devices_of(records: Reader, table: Table) -> tuple[DevicePart, ...]:
    """The devices of a table and how each one does, as the others show it."""
    if table.time is None:
        return ()
    ruleset = table.config.ruleset if table.config is not None else None
    reader = ruleset is not None and RULESETS[ruleset].family == "blackjack"
    found = failures_of(records, table.time, table.subject)
    now = [part for one in found for part in (still_going(one, table) if one.goes_on else (one,))]
    return parts(now, reader=reader)


def _cover(table: Table) -> int | None:
    """After how many cards of the shoe the cover card comes; None where none was put in."""
    below = table.decks.cover_in_shoe
    return table.shoe.loaded - below if below and table.shoe.loaded else None


def _out_of_order(table: Table) -> list[str]:
    devices = {**table.equipment.defects, **table.equipment.faults}
    return sorted(device.replace("_", " ") for device in devices)


HANDLERS = (tables_page, table_page, open_shoe)
