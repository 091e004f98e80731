"""All tables at a glance: what each does now, folded at most once in a while however many look."""

from __future__ import annotations

import datetime as dt
import threading
import time
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from contextlib import suppress
from weakref import WeakKeyDictionary

from msgspec import Struct

from dashboards.folding.states import States
from dashboards.health.failures import Failure, failures_of
from dashboards.reader import tables
from dashboards.reader.question import Reader
from dashboards.tables.composition import Count, count_of
from processors.core.state import Table
from schemas.rulesets import RULESETS

KEPT = dt.timedelta(seconds=2)
_RECENT = dt.timedelta(days=2)
OLD = dt.timedelta(seconds=10)  # lines so much older than they are kept are shown to nobody
PATIENCE = 0.2  # seconds that who asks waits for a look that is not the first
_RESTS = 4  # times as long as a look took: the tables are not all that the store is asked for


class TableLine(Struct, frozen=True):
    """One table; `dealt` and `loaded` are cards of the shoe, `missing` how many events its record lacks."""

    subject: str
    house: str
    pit: str
    game: str
    state: str
    dealer: str
    gaming_day: dt.date | None
    round: int
    shoe: int
    dealt: int
    loaded: int
    count: Count | None
    last_event: dt.datetime | None
    missing: int

    @property
    def penetration(self) -> int | None:
        """Cards dealt of those loaded, in percent."""
        return self.dealt * 100 // self.loaded if self.loaded else None


def line_of(table: Table) -> TableLine:
    """A table's line."""
    config, shoe = table.config, table.shoe
    return TableLine(
        subject=table.subject,
        house="" if config is None else config.property,
        pit="" if config is None else config.pit,
        game="" if config is None else RULESETS[config.ruleset].title,
        state=state_of(table),
        dealer=table.dealer,
        gaming_day=table.gaming_day,
        round=table.last_round,
        shoe=shoe.number,
        dealt=shoe.loaded - shoe.remaining if shoe.loaded else 0,
        loaded=shoe.loaded,
        count=count_of(table),
        last_event=table.time,
        missing=sum(last - first + 1 for first, last in table.chain.missing) + table.chain.unread,
    )


def state_of(table: Table) -> str:
    """What the table does, in a word."""
    if table.round is not None:
        return "in a round"
    return "open" if table.open else "closed"


class FloorView:
    """The lines of all tables, and which of their devices fail (`failing`), kept for a moment; from any thread.

    The first look is waited for, and one after nobody has looked for a while; others are made beside whoever asks, who
    waits for them no longer than `PATIENCE` and has the lines of the look before otherwise.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[str, tuple[int, TableLine]] = {}
        self.failing: dict[str, tuple[Failure, ...]] = {}
        self.at: dt.datetime | None = None  # when the lines were looked over last
        self._keep = KEPT
        self._look: Future[None] | None = None

    def lines(self, reader: Reader, states: States, now: dt.datetime) -> tuple[TableLine, ...]:
        """The lines as they were two seconds ago or later; on a floor that takes long to look over, less often.

        Raises:
            Exception: what the reader raises when it has no answer.
        """
        with self._lock:
            kept = self.at is not None and self.at <= now < self.at + self._keep
            look = self._look if kept else self._look or self._begun(reader, states, now)
        if look is not None and not kept:
            with suppress(NotYet):
                look.result(PATIENCE if self.at is not None and now < self.at + self._keep + OLD else None)
        with self._lock:
            return tuple(line for _, line in self._known.values())

    def _begun(self, reader: Reader, states: States, now: dt.datetime) -> Future[None]:
        self._look = look = Future[None]()
        threading.Thread(
            target=self._end, args=(look, reader, states, now), name="floor", daemon=True
        ).start()
        return look

    def _end(self, look: Future[None], reader: Reader, states: States, now: dt.datetime) -> None:
        began = time.perf_counter()
        try:
            known = self._looked_over(reader, states, now)
            failing = self._fails_now(reader, known)
        except BaseException as error:  # whoever asked is told
            with self._lock:
                self._look = None
            look.set_exception(error)
            return
        took = dt.timedelta(seconds=time.perf_counter() - began)
        with self._lock:
            self._known, self.failing, self._look = known, failing, None
            self.at, self._keep = now, max(KEPT, took * _RESTS)
        look.set_result(None)

    def _looked_over(
        self, reader: Reader, states: States, now: dt.datetime
    ) -> dict[str, tuple[int, TableLine]]:
        rows = tables.names(now - _RECENT).ask(reader)
        known = {
            row.subject: self._known[row.subject]
            for row in rows
            if row.subject in self._known and self._known[row.subject][0] == row.newest
        }
        moved = states.now_of([row.subject for row in rows if row.subject not in known])
        known |= {
            row.subject: (row.newest, line_of(moved[row.subject].table))
            for row in rows
            if row.subject in moved
        }
        return {row.subject: known[row.subject] for row in rows if row.subject in known}

    @staticmethod
    def _fails_now(reader: Reader, known: dict[str, tuple[int, TableLine]]) -> dict[str, tuple[Failure, ...]]:
        """The devices that fail now, by table."""
        newest = max((line.last_event for _, line in known.values() if line.last_event), default=None)
        found: dict[str, tuple[Failure, ...]] = {}
        for one in failures_of(reader, newest) if newest is not None else ():
            if one.goes_on:
                found[one.table] = (*found.get(one.table, ()), one)
        return found


_VIEWS: WeakKeyDictionary[States, FloorView] = WeakKeyDictionary()
_MAKING = threading.Lock()


def view_of(states: States) -> FloorView:
    """The view of the tables of these states, one for everybody who looks."""
    with _MAKING:
        return _VIEWS.setdefault(states, FloorView())


def floor_lines(reader: Reader, states: States, now: dt.datetime) -> tuple[TableLine, ...]:
    """The lines of the tables of these states."""
    return view_of(states).lines(reader, states, now)


def floor_failing(states: States) -> dict[str, tuple[Failure, ...]]:
    """The devices that failed, by table, when the lines of these states were looked over last."""
    return view_of(states).failing
