"""Who is to be paid back: every stake of the days that was not settled as it was due, by patron, also as files."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final
from urllib.parse import urlencode

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import PathParameter

from dashboards.debts.decided import scope_of
from dashboards.debts.seen import NAMELESS, NAMELESS_ALERT, is_theirs
from dashboards.debts.settling import SAME_MATTER, Scope
from dashboards.desk.disputes import Dispute
from dashboards.desk.state import DeskState
from dashboards.restitution.causes import of_days
from dashboards.restitution.claims import NOT_SHOWN, Claim, Restitution, Undecided
from dashboards.restitution.files import as_csv, as_workbook, ruling_words
from dashboards.restitution.money_days import ruled_of_days
from dashboards.restitution.patrons import by_patron
from dashboards.restitution.printed import as_pdf
from dashboards.restitution.rulings import NO_ROUND
from dashboards.revenue.books import places_of
from dashboards.revenue.opened import address
from dashboards.revenue.pages.page import PERIOD_NAMES, may_read, wanted_of
from dashboards.revenue.wanted import WantedRevenue
from dashboards.web.console import Console, UserRequest
from dashboards.web.exports import export_file
from dashboards.web.rendering import page
from dashboards.wording.settlements import stake_name

Form = Annotated[str, PathParameter(max_length=8)]
SHOWN: Final = 500  # stakes on the page; files have all
_FILES: Final[Mapping[str, Callable[[Restitution, dt.tzinfo], bytes]]] = MappingProxyType(
    {"csv": lambda made, zone: as_csv(made, zone).encode(), "xlsx": as_workbook, "pdf": as_pdf}
)


def open_about(
    disputes: Iterable[Dispute], rows: Iterable[Claim | Undecided]
) -> dict[tuple[str, int, int, str | None], tuple[str, ...]]:
    """The names of the open ones among these disputes about each row, by table, first event, seat and hand."""
    waiting: dict[tuple[str, int], list[Dispute]] = defaultdict(list)
    for dispute in disputes:
        if dispute.open:
            waiting[dispute.subject, dispute.first_sequence].append(dispute)
    found = {}
    for row in rows:
        place = row.subject, row.first_sequence
        if place in waiting:
            scope = Scope(
                subject=row.subject,
                first_sequence=row.first_sequence,
                seat=row.seat,
                hand=row.hand,
                patron=row.player,
            )
            named = tuple(one.id for one in waiting[place] if scope_of(one).overlaps(scope))
            found[(*place, row.seat, row.hand)] = named
    return found


def _asked(request: UserRequest) -> tuple[dict[str, str], str]:
    """The days as an address has them, and what is kept of the look: a list of stakes is of the whole floor."""
    asked = {name: str(request.query_params.get(name, ""))[:64] for name in ("day", "period")}
    given = {name: value for name, value in asked.items() if value}
    return given, f"owed of revenue {urlencode(given)}".rstrip()


def _made(request: UserRequest, console: Console, wanted: WantedRevenue) -> Restitution:
    """The stakes of the days as this user may see them, with what disputes decided of them."""
    user, role = request.user, console.role(request.user)
    withheld = console.desk.withheld_from(user.name)
    made = of_days(console.records, wanted.first, wanted.day, withheld)
    closed = [one for one in console.desk.look(DeskState.settled) if one.money_cents]
    unseen = {("alert", one.id) for one in closed if not console.sees(user, one)}
    names = role.reads_disputes == "all"
    disputes, days = console.desk.disputes(), (wanted.first, wanted.day)
    return ruled_of_days(
        console.records,
        made,
        disputes,
        closed,
        days,
        withheld,
        unseen=unseen,
        names=names,
        hidden=role.hidden,
    )


@get("/revenue/owed", sync_to_thread=True)
def owed_page(request: UserRequest, console: NamedDependency[Console]) -> Response[str]:
    """The stakes that were not settled as they were due, and those of which nobody can say it."""
    asked, about = _asked(request)
    may_read(console, request.user, about)
    wanted, wrong = wanted_of(console, asked)  # it asks the store, which may be away
    made = _made(request, console, wanted)
    user, role, patrons = request.user, console.role(request.user), by_patron(made.lines)
    lines, undecided = made.lines[:SHOWN], made.undecided[:SHOWN]
    theirs = [one for one in console.desk.disputes() if is_theirs(console, user, one)]
    rows: list[Claim | Undecided] = [*lines, *undecided]
    return page(
        request,
        console,
        "restitution/owed.html",
        wanted=wanted,
        wrong=wrong,
        made=made,
        patrons=[one for one in patrons if one.to_pay_cents],
        unpaid_none=[one for one in patrons if not one.to_pay_cents],
        lines=lines,
        undecided=undecided,
        no_rounds=(NO_ROUND, SAME_MATTER),
        not_shown=NOT_SHOWN,
        apart_rows=made.without_stake[:SHOWN],
        waiting=open_about(theirs, rows),
        letters=role.exports and role.reads_hands and role.sees_cards and role.reads_disputes == "all",
        periods=PERIOD_NAMES,
        exports=role.exports,
        address=address,
        stake_name=stake_name,
        ruling_words=ruling_words,
        nameless=NAMELESS,
        nameless_alert=NAMELESS_ALERT,
        zone=places_of(console.records).zone,
    )


@get("/revenue/owed/{form:str}", sync_to_thread=True)
def owed_file(request: UserRequest, console: NamedDependency[Console], form: Form) -> Response[Any]:
    """The same stakes, all of them, as `catwalk report restitution --day` writes them."""
    asked, about = _asked(request)
    user, role = request.user, console.role(request.user)
    console.require(role.reads_revenue and role.exports, user, "export", about, "exports no revenue")
    write = _FILES.get(form)
    if write is None:
        raise NotFoundException(f"there is no such file; there are {', '.join(_FILES)}")
    wanted, _ = wanted_of(console, asked)
    made = _made(request, console, wanted)
    days = f"{wanted.day}" if wanted.first == wanted.day else f"{wanted.first}-to-{wanted.day}"
    content = write(made, places_of(console.records).zone)
    return export_file(console, user, about, content, f"owed-{days}.{form}")


HANDLERS = (owed_page, owed_file)
