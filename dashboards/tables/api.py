"""Tables as JSON: all of them, and one with its shoe as far as this user may see it."""

from __future__ import annotations

import datetime as dt

from litestar import get
from litestar.di import NamedDependency
from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.health.failures import DevicePart
from dashboards.tables.floor import TableLine, floor_lines, line_of
from dashboards.tables.page import Name, Number, alerts_by_table, devices_of, known_table, may_read
from dashboards.tables.shoes import Shown, past_shoes, shown_shoe
from dashboards.web.console import Console, UserRequest
from dashboards.web.looks import note_look
from dashboards.wording.copying import copied


class TableView(Struct, frozen=True, kw_only=True):
    """A table now; `dealt` and `loaded` are cards of its shoe, `alerts` the open ones, `missing` events it lacks."""

    table: str
    state: str
    game: str
    pit: str
    dealer: str | None
    gaming_day: dt.date | None
    round: int
    shoe: int
    dealt: int
    loaded: int
    alerts: int
    last_event: dt.datetime | None
    missing: int


class CardsLeft(Struct, frozen=True, kw_only=True):
    """A card: how often the batch holds it and how often it was seen to leave; `mark`: extra or short."""

    card: str
    expected: int
    seen: int
    mark: str


class ShoeView(Struct, frozen=True, kw_only=True):
    """A shoe: cards by place, and by rank and suit (`cards`) for who may know, by the right that `why` names.

    `batch_cards` is how many its batch has; `burnt` and `batch_cards` are None where that is not known. `until` is when
    the right ends. `unknown` cards left the shoe and nobody saw which they are. `sign` and `standing` say how it stands
    against its batch, of which `short` cards and `extra` ones were found when a shoe was laid open.
    """

    number: int
    batch: str
    over: bool
    shoe: int
    table: int
    discard: int
    burnt: int | None
    missing: int
    batch_cards: int | None
    sign: str
    standing: str
    short: int
    extra: int
    why: str
    until: dt.datetime | None
    cards: tuple[CardsLeft, ...] | None
    unknown: int


class PastShoe(Struct, frozen=True, kw_only=True):
    """A shoe that is over; `loaded_at` is the event it was loaded at, which names it in addresses."""

    number: int
    loaded_at: int
    time: dt.datetime


class DeviceView(Struct, frozen=True, kw_only=True):
    """A device by what it reports: `silent`, `unreliable`, `in order` or `in order again`; `since` is an event.

    `until` is the event by which the stretch was over, None while it goes on; `words_lost` and `rounds` are its cost.
    """

    device: str
    words: str
    state: str
    since: int | None
    until: int | None
    words_lost: int
    rounds: int


class OneTable(Struct, frozen=True, kw_only=True):
    """One table; `shoe` is None where none is loaded."""

    table: TableView
    shoe: ShoeView | None
    past_shoes: tuple[PastShoe, ...]
    devices: tuple[DeviceView, ...]


@get("/api/tables", sync_to_thread=True)
def read_tables(request: UserRequest, console: NamedDependency[Console]) -> tuple[TableView, ...]:
    """All tables that this user may see, what each does now."""
    may_read(console, request, "tables")
    note_look(console, request.user, "page", "tables")
    withheld = console.desk.withheld_from(request.user.name)
    alerts = alerts_by_table(console, request.user)
    return tuple(
        _row(console, request.user, line, alerts[line.subject])
        for line in floor_lines(console.records, console.states, console.clock())
        if ("table", line.subject) not in withheld
    )


@get("/api/tables/{subject:str}", sync_to_thread=True)
def read_table(
    request: UserRequest, console: NamedDependency[Console], subject: Name, at: Number = None
) -> OneTable:
    """One table; with `at`, the load of an earlier shoe, that shoe as it ended. One withheld is one that is not."""
    about = f"table {subject}" + (f", shoe loaded at event {at}" if at is not None else "")
    may_read(console, request, about)
    now = known_table(console, request.user, subject)
    note_look(console, request.user, "page", about)
    alerts = alerts_by_table(console, request.user)[subject]
    return OneTable(
        table=_row(console, request.user, line_of(now.table), alerts),
        shoe=_shoe(shown_shoe(console, request.user, now, at)),
        past_shoes=tuple(
            copied(PastShoe, one, number=one.shoe, loaded_at=one.sequence)
            for one in past_shoes(console, now.table)
        ),
        devices=tuple(_device(part) for part in devices_of(console.records, now.table)),
    )


def _device(part: DevicePart) -> DeviceView:
    if part.failure is not None:
        return copied(DeviceView, part.failure)
    return DeviceView(
        device=part.device, words=part.words, state="in order", since=None, until=None, words_lost=0, rounds=0
    )


def _row(console: Console, user: User, line: TableLine, alerts: int) -> TableView:
    hidden = ("dealer", line.dealer) in console.desk.withheld_from(user.name)
    dealer = None if hidden else line.dealer or None
    return copied(TableView, line, table=line.subject, dealer=dealer, alerts=alerts)


def _shoe(shown: Shown) -> ShoeView | None:
    count, cards = shown.count, shown.composition
    if count is None:
        return None
    return copied(
        ShoeView,
        count,
        **{name: getattr(shown, name) for name in ("number", "batch", "over", "why", "until")},
        batch_cards=count.batch,
        sign=count.standing.sign,
        standing=count.standing.words,
        cards=None if cards is None else tuple(copied(CardsLeft, cell) for cell in cards.cells),
        unknown=0 if cards is None else cards.unknown,
    )


HANDLERS = (read_tables, read_table)
