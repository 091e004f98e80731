"""Everything in one process: simulated tables, the SQLite ledger, the fold, the store, the view.

A line is recorded before it is folded, and folded before it is shown; rows are stored once a second. Whatever
ends the process, the next start goes on with what the ledger holds.
"""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec
from msgspec import Struct

from dashboards.desk.disputes import DisputeTerms as Terms
from dashboards.ledger.ledger import DeskUnavailable, MemoryFailed
from dashboards.terminal.floor import Floor
from dashboards.terminal.floor import TerminalAlert as Alert
from deploy.checkpoints.keeping import checkpoints_kept
from deploy.configured.embedded import LEDGER
from deploy.console.alerting import alerts_of, asks_for_alert
from deploy.demo.console import DemoConsole, demo_console, what_to_look_at
from deploy.demo.desk import lay_out
from deploy.demo.pacing import FloorClock, PacedTables
from deploy.demo.past import write_past
from deploy.demo.results import Recorded, recorded, show_what_is_stored
from deploy.demo.tables import ZONE, Begun, Table, begin, gaming_day_at, simulated
from deploy.errors import UserError
from deploy.settings import Settings
from processors.runtime.embedded.fold import EmbeddedFold, FoldedCall
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from producers.answers import AlreadyHave, Appended
from producers.recorder import Arrival, Recorder
from producers.sqlite_log import SqliteLog
from schemas.payload import WIRE_PREFIX

STORE = "warehouse"
TICK = 0.1  # seconds between two looks for lines that are due
STORE_EVERY = 1.0  # seconds: an insert costs some 7 ms for each relation, however few its rows
SHOW_EVERY = 0.25  # seconds
RATE_OVER = 5.0  # seconds over which events per second are counted
BURST = 2_000  # lines recorded at once; an append waits for the disk once for each table

Ended = Callable[[float], bool]


class DemoView(Protocol):
    """Whoever is told what happens."""

    def alert(self, alert: Alert) -> None:
        """A finding was made."""

    def show(self, floor: Floor) -> None:
        """Time has passed."""


class _Kind(Struct):
    type: str


class _Day(Struct):
    gaming_day: dt.date


class _DayStarted(Struct):
    data: _Day


_read_kind = msgspec.json.Decoder(_Kind).decode
_read_day = msgspec.json.Decoder(_DayStarted).decode
_DAY_STARTED = f"{WIRE_PREFIX}gaming_day_started"
_ROUND_STARTED = f"{WIRE_PREFIX}round_started"


def played_as(clock: FloorClock) -> str:
    """How fast the tables are played, and what day and time it is there."""
    there = (
        f"; it is {clock.time.astimezone(ZONE):%a %-d %b %Y %H:%M %Z} there" if clock.time is not None else ""
    )
    return f"play runs {clock.speed:g} times as fast as at a real table{there}"


class Demo:
    """One run of the demonstration over its folder."""

    def __init__(
        self,
        folder: Path,
        begun: Begun,
        clock: FloorClock,
        log: SqliteLog,
        store: ChdbWarehouse,
        console: DemoConsole,
    ) -> None:
        self._begun, self._clock, self.console = begun, clock, console
        self._log, self._store = log, store
        self._recorder = Recorder(log, lambda: dt.datetime.now(dt.UTC))
        self._fold = EmbeddedFold(log, store)
        self._last_lines: dict[str, bytes] = {}
        self._new_events = 0
        self.floor = Floor(
            title=f" Catwalk demo: simulated tables, kept in {folder} ",
            note=console.told(),
            hint="Ctrl-C ends it; started again it goes on where it stopped.",
        )
        show_what_is_stored(self.floor, self._fold.tables, store)

    def run(self, view: DemoView, ended: Ended, clock: Callable[[], float] = time.monotonic) -> None:
        """Deal, record, fold, store and show until `ended`, which waits for so many seconds, says so."""
        if not self._catch_up(view, ended):
            return
        tables = []
        for table in simulated(self._begun, self._log):
            self._deal_until_live(table, view, ended)
            tables.append((table.subject, table.lines))
        if not self._catch_up(view, ended):
            return
        if self._begun.history and self.console.console.desk.alarm is None:
            lay_out(self.console.console)
        paced = PacedTables(tables, self._clock, clock())
        stored = shown = counted_at = clock()
        counted = self.floor.events
        wait: float | None = 0.0
        while wait is not None and not ended(min(wait, SHOW_EVERY)):
            now = clock()
            due = paced.due(now, BURST)
            self._record(due)
            self._take(self._fold.fold(), view)
            if now - counted_at >= RATE_OVER or not self.floor.events_per_second:
                self.floor.events_per_second = (self.floor.events - counted) / max(now - counted_at, TICK)
                counted_at, counted = now, self.floor.events
            if now - stored >= STORE_EVERY:
                self._store_rows()
                stored = now
            if now - shown >= SHOW_EVERY:
                self._show(view)
                shown = now
            wait = paced.wait(clock())
            if wait is not None and len(due) < BURST:
                wait = max(wait, TICK)
        self._store_rows()
        self._show(view)

    def recorded(self) -> Recorded:
        """What the folder holds now."""
        return recorded(self._log, self._store, self._new_events)

    def _catch_up(self, view: DemoView, ended: Ended) -> bool:
        """Fold what the ledger holds and the store does not; False when ended on the way."""
        folded = -1
        while folded != self.floor.events:
            folded = self.floor.events
            if not self._fold_and_show(view, ended):
                return False
        return True

    def _deal_until_live(self, table: Table, view: DemoView, ended: Ended) -> None:
        """The day before, and the opening of this one, at once: nobody wants to watch cards being washed."""
        pipeline = self._fold.tables.get(table.subject)
        day = pipeline.state.gaming_day if pipeline is not None else None
        begun = day is not None and day >= table.live_from
        dealt: list[bytes] = []
        for line in table.lines if not begun else ():
            dealt.append(line)
            kind = _read_kind(line).type
            if kind == _DAY_STARTED:
                day = _read_day(line).data.gaming_day
            live = kind == _ROUND_STARTED and day is not None and day >= table.live_from
            if live or len(dealt) >= BURST:
                self._record(dealt)
                dealt.clear()
                if live or not self._fold_and_show(view, ended):
                    return

    def _fold_and_show(self, view: DemoView, ended: Ended) -> bool:
        self._take(self._fold.fold(), view)
        self._store_rows()
        self._show(view)
        return not ended(0.0)

    def _record(self, lines: Sequence[bytes]) -> None:
        answers = self._recorder.record_lines([Arrival(line, "simulator") for line in lines])
        for line, answer in zip(lines, answers, strict=True):
            if not isinstance(answer, Appended | AlreadyHave):
                why = f"the ledger answered {answer}"
                remedy = "let nothing else write the demo's tables, or name another folder with --data"
                raise UserError("simulated event", why, remedy)
            self._new_events += isinstance(answer, Appended)
            self._last_lines[answer.subject] = line

    def _take(self, folded: FoldedCall, view: DemoView) -> None:
        self.floor.events += folded.events
        raised = alerts_of(folded.decided)
        if raised:
            self.console.raise_alerts(raised)
        for decided in folded.decided:
            self.floor.rounds += len(decided.outcome.rounds)
            for finding in decided.outcome.findings:
                self.floor.table(finding.subject).state = self._fold.tables[finding.subject].state
                if asks_for_alert(finding):
                    view.alert(self.floor.raise_alert(finding, decided.at))
                else:
                    self.floor.count(finding)

    def _store_rows(self) -> None:
        self.floor.rows_stored += self._fold.store()

    def _show(self, view: DemoView) -> None:
        self.floor.title = f" Catwalk demo: {played_as(self._clock)} "
        for subject, pipeline in self._fold.tables.items():
            line = self.floor.table(subject)
            line.state = pipeline.state
            line.behind = self._log.head(subject).sequence - pipeline.state.chain.next_sequence + 1
            if subject in self._last_lines:
                kind = _read_kind(self._last_lines[subject]).type
                line.last_event = kind.removeprefix(WIRE_PREFIX).replace("_", " ")
        view.show(self.floor)


class DemoWanted(NamedTuple):
    """What is asked of a demonstration; None is what its folder was begun with, or the usual."""

    seed: int | None = None
    tables: int | None = None
    history: float | None = None
    port: int | None = None


@contextmanager
def opened(folder: Path, asked: DemoWanted, speed: float, settings: Settings) -> Iterator[Demo]:
    """A demonstration over the folder with its console, both closed at the end.

    Raises:
        WarehouseError, CaptureError: the folder is in use, or its disk fails.
        UserError: it is not a demonstration's, or the port is taken.
    """
    try:
        with ExitStack() as stack:
            folder.mkdir(parents=True, exist_ok=True)
            keeping = stack.enter_context(checkpoints_kept(settings, folder / LEDGER))
            store = ChdbWarehouse(folder / STORE)
            stack.callback(store.close)
            now = dt.datetime.now(dt.UTC)
            known = (folder / LEDGER).exists()
            begun = begin(folder, asked.seed, asked.tables, known, asked.history, today=gaming_day_at(now))
            log = SqliteLog(folder / LEDGER)
            stack.callback(log.close)
            store.migrate()
            terms = Terms(days=settings.dispute_days, two_from_cents=settings.dispute_two_from_cents)
            write_past(folder, begun, terms)
            clock = FloorClock(speed)
            look_first = what_to_look_at(begun)
            console = stack.enter_context(
                demo_console(folder, store, settings, asked.port, clock, keeping, look_first)
            )
            yield Demo(folder, begun, clock, log, store, console)
    except (DeskUnavailable, MemoryFailed) as error:
        remedy = "restore desk.db, or name another folder with --data"
        raise UserError("record of the desk", str(error), remedy) from error
