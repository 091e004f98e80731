"""All tables at a glance: what each does now, folded at most once in a while however many look."""

from __future__ import annotations

import datetime as dt
import threading
import time
from weakref import WeakKeyDictionary

from msgspec import Struct

from dashboards.folding.states import States, UnknownTable
from dashboards.health.failures import Failure, failures_of
from dashboards.reader import tables
from dashboards.reader.question import Reader
from dashboards.tables.composition import Count, count_of
from processors.core.state import Table
from schemas.rulesets import RULESETS

KEPT = dt.timedelta(seconds=2)
_RECENT = dt.timedelta(days=2)
_RESTS = 4  # times as long as a look took: the tables are not all that the store is asked for


class TableLine(Struct, frozen=True):
    """One table; `dealt` and `loaded` are cards of the shoe, `missing` how many events its record lacks."""

    subject: str
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
    """The lines of all tables, and which of their devices fail (`failing`), kept for a moment; from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[str, tuple[int, TableLine]] = {}
        self.failing: dict[str, tuple[Failure, ...]] = {}
        self._at: dt.datetime | None = None
        self._keep = KEPT

    def lines(self, reader: Reader, states: States, now: dt.datetime) -> tuple[TableLine, ...]:
        """The lines as they were two seconds ago or later; on a floor that takes long to look over, less often.

        Raises:
            Exception: what the reader raises when it has no answer.
        """
        with self._lock:
            if self._at is None or not self._at <= now < self._at + self._keep:
                began = time.perf_counter()
                self._look(reader, states, now)
                took = dt.timedelta(seconds=time.perf_counter() - began)
                self._at, self._keep = now, max(KEPT, took * _RESTS)
            return tuple(line for _, line in self._known.values())

    def _look(self, reader: Reader, states: States, now: dt.datetime) -> None:
        known, self._known = self._known, {}
        for row in tables.names(now - _RECENT).ask(reader):
            before = known.get(row.subject)
            if before is None or before[0] != row.newest:
                try:
                    at = states.now(row.subject)
                except UnknownTable:
                    continue
                before = (row.newest, line_of(at.table))
            self._known[row.subject] = before
        self.failing = self._fails_now(reader)

    def _fails_now(self, reader: Reader) -> dict[str, tuple[Failure, ...]]:
        """The devices that fail now, by table."""
        newest = max((line.last_event for _, line in self._known.values() if line.last_event), default=None)
        found: dict[str, tuple[Failure, ...]] = {}
        for one in failures_of(reader, newest) if newest is not None else ():
            if one.goes_on:
                found[one.table] = (*found.get(one.table, ()), one)
        return found


_VIEWS: WeakKeyDictionary[States, FloorView] = WeakKeyDictionary()
_MAKING = threading.Lock()


def floor_lines(reader: Reader, states: States, now: dt.datetime) -> tuple[TableLine, ...]:
    """The lines of the tables of these states."""
    with _MAKING:
        view = _VIEWS.setdefault(states, FloorView())
    return view.lines(reader, states, now)


def floor_failing(states: States) -> dict[str, tuple[Failure, ...]]:
    """The devices that failed, by table, when the lines of these states were looked over last."""
    view = _VIEWS.get(states)
    return view.failing if view is not None else {}
