"""What is behind a figure of revenue: its rounds, each with a way to its replay, and its slips."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Annotated, Any
from urllib.parse import urlencode

import msgspec
from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.params import QueryParameter
from msgspec import Struct

from dashboards.reader import cash, revenue
from dashboards.reader.revenue import RoundBehind, Scope
from dashboards.revenue.books import places_of, scopes, sheets
from dashboards.revenue.edges import SIDE_WAGERS, WITH_MAIN
from dashboards.revenue.wanted import Wanted
from dashboards.server.accounts import User
from dashboards.server.console import Console
from dashboards.server.rendering import page
from dashboards.server.revenue_page import WAGERS, Word, address, may_read, wanted_of
from schemas.rulesets import RULESETS

Asked = Request[User, str, Any]
Flag = Annotated[bool, QueryParameter()]
Skip = Annotated[int, QueryParameter(ge=0, le=1_000_000_000)]
# What of the account is wanted -> how people read it, and the events it is made of.
SLIPS: dict[str, tuple[str, tuple[str, ...]]] = {
    "counts": ("Counts of the inventory", ("inventory_counted",)),
    "fills": ("Fills", ("fill_received",)),
    "credits": ("Credits", ("credit_sent",)),
    "drop": ("Drop boxes and their counts", ("drop_box_removed", "drop_counted")),
    "sold": ("Chips sold at the table", ("chips_bought", "cash_converted")),
    "all": (
        "Everything the net win is made of",
        ("inventory_counted", "fill_received", "credit_sent", "drop_box_removed", "drop_counted"),
    ),
}
_NAMES = {
    "inventory_counted": "Count", "fill_received": "Fill", "credit_sent": "Credit", "drop_box_removed": "Box taken",
    "drop_counted": "Box counted", "chips_bought": "Chips sold", "cash_converted": "Cash wager converted",
}  # fmt: skip
_KINDS: dict[str, tuple[str, ...]] = {"main": tuple(sorted(WITH_MAIN)), "side": tuple(sorted(SIDE_WAGERS))}


class _Line(Struct):
    data: dict[str, Any]


_read = msgspec.json.Decoder(_Line).decode


class Slip(Struct, frozen=True, kw_only=True):
    """One event of money as people read it; `cents` None where it moves none."""

    day: dt.date
    subject: str
    sequence: int
    at: dt.datetime
    what: str
    number: str
    told: str
    cents: int | None


def kinds_of(kind: str) -> tuple[str, ...]:
    """The kinds of stakes that a figure is of: all, a group of them, or one; doubles and splits go with the main."""
    return _KINDS.get(kind, (kind,) if kind in WAGERS else ())


@get("/revenue/hands", sync_to_thread=True)
def rounds_page(
    request: Asked, console: NamedDependency[Console], kind: Word = "", unknown: Flag = False, skip: Skip = 0
) -> Response[str]:
    """The rounds behind a figure, and what they come to."""
    asked = dict(request.query_params.items())
    may_read(console, request.user, f"rounds behind revenue {urlencode(asked)}")
    wanted, wrong = wanted_of(console, asked)
    places = places_of(console.records)
    found = list(scopes(wanted, places, console.desk.withheld_from(request.user.name)))
    kinds = kinds_of(kind)
    rows, total = _behind(console, found, kinds, unknown, skip)
    settled = [
        row
        for scope in found
        for row in revenue.settled(scope).ask(console.records)
        if not kinds or row.kind in kinds
    ]
    after = skip + len(rows)
    more = {"kind": kind, "unknown": int(unknown)}
    return page(
        request,
        console,
        "revenue_hands.html",
        wanted=wanted,
        wrong=wrong,
        kind=kind,
        unknown=unknown,
        rows=rows,
        total=total,
        skip=skip,
        sums={
            "handle": sum(row.handle_cents for row in settled),
            "paid": sum(row.paid_cents for row in settled),
            "win": sum(row.win_cents for row in settled),
            "unknown": sum(row.unknown for row in settled),
        },
        narrowed=told(wanted),
        wager=WAGERS.get(kind, "Side wagers" if kind == "side" else "All wagers"),
        earlier=address("/revenue/hands", wanted, **more, skip=max(0, skip - revenue.MOST)) if skip else "",
        later=address("/revenue/hands", wanted, **more, skip=after) if after < total else "",
        back=address("/revenue", wanted),
        zone=places.zone,
    )


def _behind(
    console: Console, found: Iterable[Scope], kinds: tuple[str, ...], unknown: bool, skip: int
) -> tuple[list[RoundBehind], int]:
    """One page of rounds over all scopes, and how many there are in all."""
    rows: list[RoundBehind] = []
    total = 0
    for scope in found:
        most = revenue.MOST - len(rows)
        here = max(0, skip - total)
        part = revenue.rounds_behind(scope, kinds, unknown, here, max(most, 1)).ask(console.records)
        counted = part or revenue.rounds_behind(scope, kinds, unknown, 0, 1).ask(console.records)
        rows += part[:most]
        total += counted[0].total if counted else 0
    return rows, total


@get("/revenue/slips", sync_to_thread=True)
def slips_page(
    request: Asked, console: NamedDependency[Console], what: Word = "all", skip: Skip = 0
) -> Response[str]:
    """The slips behind a figure of the account."""
    asked = dict(request.query_params.items())
    may_read(console, request.user, f"slips behind revenue {urlencode(asked)}")
    wanted, wrong = wanted_of(console, asked)
    places = places_of(console.records)
    what = what if what in SLIPS else "all"
    name, types = SLIPS[what]
    meant = tuple(
        cash.sheet(row.gaming_day, row.subject)
        for row, _ in sheets(console.records, wanted, places, console.desk.withheld_from(request.user.name))
    )
    rows = cash.slips(wanted.first, wanted.day, types, meant, skip).ask(console.records)
    total = rows[0].total if rows else 0
    after = skip + len(rows)
    return page(
        request,
        console,
        "revenue_slips.html",
        wanted=wanted,
        wrong=wrong,
        what=what,
        name=name,
        choices={key: text for key, (text, _) in SLIPS.items()},
        slips=[slip_of(row) for row in rows],
        total=total,
        skip=skip,
        narrowed=told(wanted),
        earlier=address("/revenue/slips", wanted, what=what, skip=max(0, skip - cash.MOST)) if skip else "",
        later=address("/revenue/slips", wanted, what=what, skip=after) if after < total else "",
        address=address,
        back=address("/revenue", wanted),
        zone=places.zone,
    )


def slip_of(row: cash.SlipRow) -> Slip:
    """An event of money as people read it."""
    data = _read(row.line).data
    cents, said = data.get("cents"), ""
    match row.type:
        case "drop_counted":
            parts = (data["currency_cents"], data["counter_check_cents"], data["voucher_cents"])
            cents, said = sum(parts), "currency, checks and vouchers"
        case "inventory_counted":
            said = f"{data['moment']}; {', '.join(data['staff'])}"
        case "chips_bought":
            said = str(data["tender"]).replace("_", " ")
        case "cash_converted":
            said = "cash"
    return Slip(
        day=row.gaming_day,
        subject=row.subject,
        sequence=row.sequence,
        at=row.time,
        what=_NAMES[row.type],
        number=data.get("slip") or data.get("box") or "",
        told=said,
        cents=cents,
    )


def told(wanted: Wanted) -> str:
    """What narrows the figure, in words."""
    days = f"{wanted.day}" if wanted.period == "day" else f"{wanted.first} to {wanted.day}"
    parts = [
        f"gaming day {days}" if wanted.period == "day" else f"gaming days {days}",
        f"table {wanted.table}" if wanted.table else "",
        RULESETS[wanted.game].title if wanted.game else "",
        f"pit {wanted.pit}" if wanted.pit else "",
        f"shift {wanted.shift}" if wanted.shift else "",
        f"dealer {wanted.dealer}" if wanted.dealer else "",
    ]
    return ", ".join(part for part in parts if part)


HANDLERS = (rounds_page, slips_page)
