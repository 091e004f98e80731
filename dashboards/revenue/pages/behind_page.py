"""The rounds and slips behind a figure of revenue, each with a link to its replay or with its record."""

from __future__ import annotations

import datetime as dt
from contextlib import suppress
from typing import Annotated, Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import QueryParameter
from msgspec import Struct

from dashboards.reader import cash, revenue
from dashboards.revenue.behind import account_of, rounds_of, scopes_of
from dashboards.revenue.books import places_of, sheets
from dashboards.revenue.intervals import intervals
from dashboards.revenue.opened import FIGURES, Figure, address, figure, figure_text, of_round, opens
from dashboards.revenue.pages.page import WAGERS, Word, may_read, wanted_of
from dashboards.revenue.statement import StatementLine
from dashboards.revenue.wanted import WantedRevenue
from dashboards.web.console import Console, UserRequest
from dashboards.web.rendering import page
from schemas import events as e
from schemas.events.codec import decode, record_hash
from schemas.rulesets import RULESETS

Skip = Annotated[int, QueryParameter(ge=0, le=1_000_000_000)]
Query = Annotated[str, QueryParameter(max_length=4096)]
# Lists of slips that the page leads to.
CHOICES = {
    "counts": "Counts of the inventory", "fills": "Fills", "credits": "Credits", "drop": "Drop boxes",
    "sold": "Chips sold", "net": "Net win",
}  # fmt: skip
OF_TRAY = ("net", "unexplained", "counts", "opening", "closing")  # figures that the counts of a tray carry
USUAL_ROUNDS, USUAL_SLIPS = "win", "net"
_NAMES = {
    "inventory_counted": "Count", "fill_received": "Fill", "credit_sent": "Credit", "drop_box_removed": "Box taken",
    "drop_counted": "Box counted", "chips_bought": "Chips sold", "cash_converted": "Cash wager converted",
    "table_opened": "Table opened", "table_closed": "Table closed",
}  # fmt: skip


class Slip(Struct, frozen=True, kw_only=True):
    """One event of money as people read it; `cents` is what it adds to the sum, None where it moves none.

    `line` is the record and `hash` its SHA-256.
    """

    day: dt.date
    subject: str
    sequence: int
    at: dt.datetime
    what: str
    number: str
    told: str
    cents: int | None
    line: str
    hash: str


class FigurePart(NamedTuple):
    """A figure that another is reckoned from, and the list that it opens."""

    title: str
    text: str
    href: str


def _figure(name: str, usual: str, slips: bool, wrong: list[str]) -> str:
    """The figure of this name if this list is its own; otherwise the usual one, and a message in `wrong`."""
    known = name == "hold" or (name in FIGURES and bool(FIGURES[name].slips) == slips)
    if name and not known:
        wrong.append(f"“{name}” is no figure: {FIGURES[usual].title.lower()} is shown")
    return name if known else usual


def _moment(given: str, wrong: list[str]) -> dt.datetime | None:
    with suppress(ValueError):
        found = dt.datetime.fromisoformat(given)
        if found.tzinfo is not None:
            return found.astimezone(dt.UTC)
    if given:
        wrong.append(f"“{given}” is no moment: rounds of the whole day are shown")
    return None


def _parts(opened: Figure, wanted: WantedRevenue, line: StatementLine, **more: Any) -> list[FigurePart]:
    """What a figure is reckoned from."""
    return [
        FigurePart(FIGURES[name].title, figure_text(name, line), opens(name, wanted, line, **more))
        for name in opened.made_of
        if figure_text(name, line)
    ]


def _asked(request: UserRequest, console: Console, what: str) -> tuple[WantedRevenue, list[str]]:
    """What a list is wanted of, and what of its address says nothing; the look is recorded first.

    Raises:
        PermissionDeniedException: the user reads no revenue.
    """
    asked = {name: value for name, value in request.query_params.items() if name != "back"}
    may_read(console, request.user, f"{what} behind revenue {urlencode(asked)}")
    return wanted_of(console, asked)


def _back(console: Console, wanted: WantedRevenue, query: str) -> str:
    """The statement of this query; without one the statement of what is listed."""
    return address("/revenue", wanted_of(console, dict(parse_qsl(query)))[0] if query else wanted)


@get("/revenue/hands", sync_to_thread=True)
def rounds_page(
    request: UserRequest,
    console: NamedDependency[Console],
    of: Word = "",
    kind: Word = "",
    until: Word = "",
    skip: Skip = 0,
    back: Query = "",
) -> Response[str]:
    """The rounds behind a figure, and what they come to; `back` is the query of the statement that names it."""
    wanted, wrong = _asked(request, console, "rounds")
    withheld, records = console.desk.withheld_from(request.user.name), console.records
    places = places_of(records)
    if kind not in ("", "side", *WAGERS):
        wrong.append(f"“{kind}” is no kind of wager: all are shown")
        kind = ""
    name, moment = _figure(of, USUAL_ROUNDS, False, wrong), _moment(until, wrong)
    opened = figure(name)
    found = scopes_of(wanted, places, withheld, name, moment)
    made = rounds_of(records, found, places, opened, kind, skip)
    if name == "hold":
        made.sums.account = account_of(records, wanted, places, withheld)
        opened = figure(name, made.sums)
    after = skip + len(made.rounds)
    more = {"of": name, "kind": kind, "until": until if moment is not None else "", "back": back}
    return page(
        request,
        console,
        "revenue/pages/revenue_hands.html",
        wanted=wanted,
        wrong=wrong,
        name=name,
        title=opened.title,
        value=figure_text(name, made.sums),
        parts=_parts(opened, wanted, made.sums, kind=kind, until=moment, back=back),
        columns=[one for one in opened.columns if not (kind and one == "hands")],
        figures=FIGURES,
        of_round=of_round,
        figure_text=figure_text,
        made=made,
        skip=skip,
        narrowed=told(wanted, name == "dayless"),
        moment=moment,
        wager={"": "", "side": "Side wagers", **WAGERS}[kind],
        earlier=address("/revenue/hands", wanted, **more, skip=max(0, skip - revenue.MOST)) if skip else "",
        later=address("/revenue/hands", wanted, **more, skip=after) if after < made.total else "",
        back=_back(console, wanted, back),
        zone=places.zone,
    )


@get("/revenue/slips", sync_to_thread=True)
def slips_page(
    request: UserRequest,
    console: NamedDependency[Console],
    what: Word = "",
    skip: Skip = 0,
    back: Query = "",
) -> Response[str]:
    """The slips behind a figure of the account; `back` is the query of the statement that names it."""
    wanted, wrong = _asked(request, console, "slips")
    withheld, records = console.desk.withheld_from(request.user.name), console.records
    places = places_of(records)
    name = _figure(what, USUAL_SLIPS, True, wrong)
    line = StatementLine("", "All", account=account_of(records, wanted, places, withheld))
    if name in ("hold", "unexplained"):
        found = scopes_of(wanted, places, withheld, "win")
        line.figures = rounds_of(records, found, places, FIGURES["win"]).sums.figures
    opened = figure(name, line)
    days = sheets(records, wanted, places, withheld)
    meant = tuple(cash.sheet(row.gaming_day, row.subject) for row, _ in days)
    listed = opened.slips or USUAL_SLIPS
    rows = cash.slips(wanted.first, wanted.day, listed, meant, skip).ask(records)
    total = rows[0].total if rows else 0
    after, more = skip + len(rows), {"what": name, "back": back}
    return page(
        request,
        console,
        "revenue/pages/revenue_slips.html",
        wanted=wanted,
        wrong=wrong,
        name=name,
        list=listed,
        title=opened.title,
        value=figure_text(name, line),
        parts=_parts(opened, wanted, line, back=back),
        account=line.account,
        intervals=intervals(records, wanted, places, withheld) if name in OF_TRAY else (),
        named=_NAMES,
        slips=[slip_of(row) for row in rows],
        total=total,
        sum_cents=rows[0].sum_cents if rows else 0,
        skip=skip,
        narrowed=told(wanted),
        earlier=address("/revenue/slips", wanted, **more, skip=max(0, skip - cash.MOST)) if skip else "",
        later=address("/revenue/slips", wanted, **more, skip=after) if after < total else "",
        choices={
            text: (key == name, address("/revenue/slips", wanted, what=key, back=back))
            for key, text in CHOICES.items()
        },
        back=_back(console, wanted, back),
        zone=places.zone,
    )


def slip_of(row: cash.SlipRow) -> Slip:
    """An event of money as people read it."""
    data = decode(row.line.encode()).data
    said = ""
    match data:
        case e.DropCounted():
            said = "currency, checks and vouchers"
        case e.InventoryCounted():
            said = f"{data.moment}; {', '.join(data.staff)}"
        case e.ChipsBought():
            said = data.tender.replace("_", " ")
        case e.CashConverted():
            said = "cash"
    if not row.stands:
        told_again = "counted" if row.type in ("drop_counted", "inventory_counted") else "told"
        said = f"{said and said + '; '}{told_again} again later: the later one stands"
    return Slip(
        day=row.gaming_day,
        subject=row.subject,
        sequence=row.sequence,
        at=row.time,
        what=_NAMES[row.type],
        number=getattr(data, "slip", "") or getattr(data, "box", ""),
        told=said,
        cents=None if row.type in ("drop_box_removed", "table_opened", "table_closed") else row.cents,
        line=row.line,
        hash=record_hash(row.line.encode()),
    )


def told(wanted: WantedRevenue, dayless: bool = False) -> str:
    """What narrows the figure, in words."""
    days = f"{wanted.day}" if wanted.period == "day" else f"{wanted.first} to {wanted.day}"
    parts = [
        f"gaming day {days}" if wanted.period == "day" else f"gaming days {days}",
        f"table {wanted.table}" if wanted.table else "",
        RULESETS[wanted.game].title if wanted.game else "",
        f"pit {wanted.pit}" if wanted.pit else "",
        f"shift {wanted.shift}" if wanted.shift else "",
        f"dealer {wanted.dealer}" if wanted.dealer else "",
        *(f"no {what} named" for what in wanted.lacking),
    ]
    if dayless:
        parts[0] = f"around {days}, in no gaming day"
    return ", ".join(part for part in parts if part)


HANDLERS = (rounds_page, slips_page)
