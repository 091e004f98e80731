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
from typing import Protocol

import msgspec
from msgspec import Struct

from dashboards.floor import Alert, Floor
from deploy.cli.errors import UserError
from deploy.demo_results import Recorded, recorded, show_what_is_stored
from deploy.demo_tables import Begun, begin, simulated
from deploy.pacing import PacedTables
from processors.runtime.chdb_warehouse import ChdbWarehouse
from processors.runtime.embedded import EmbeddedFold, Folded
from processors.runtime.warehouse import WarehouseError
from producers.answers import AlreadyHave, Appended
from producers.errors import CaptureError
from producers.recorder import Arrival, Recorder
from producers.sqlite_log import SqliteLog
from schemas.payload import WIRE_PREFIX

LEDGER = "ledger.db"
STORE = "warehouse"
TICK = 0.1  # seconds between two looks for lines that are due
STORE_EVERY = 1.0  # seconds: an insert costs some 7 ms for each relation, however few its rows
SHOW_EVERY = 0.25  # seconds
RATE_OVER = 5.0  # seconds over which events per second are counted
BURST = 2_000  # lines recorded at once; an append waits for the disk once for each table

Ended = Callable[[float], bool]


class View(Protocol):
    """Whoever is told what happens."""

    def alert(self, alert: Alert) -> None:
        """A finding was made."""

    def show(self, floor: Floor) -> None:
        """Time has passed."""


class _Kind(Struct):
    type: str


_read_kind = msgspec.json.Decoder(_Kind).decode


class Demo:
    """One run of the demonstration over its folder."""

    def __init__(
        self, folder: Path, begun: Begun, speed: float, log: SqliteLog, store: ChdbWarehouse
    ) -> None:
        self._begun, self._speed = begun, speed
        self._log = log
        self._store = store
        self._recorder = Recorder(log, lambda: dt.datetime.now(dt.UTC))
        self._fold = EmbeddedFold(log, store)
        self._last_lines: dict[str, bytes] = {}
        self._new_events = 0
        self.floor = Floor(
            title=f" Catwalk demo: simulated tables at {speed:g} times their pace, kept in {folder} ",
            hint="Ctrl-C ends it; started again it goes on where it stopped.",
        )
        show_what_is_stored(self.floor, self._fold.tables, store)

    def run(self, view: View, ended: Ended, clock: Callable[[], float] = time.monotonic) -> None:
        """Deal, record, fold, store and show until `ended`, which waits for so many seconds, says so."""
        if not self._catch_up(view, ended):
            return
        tables = [self._opened(*table) for table in simulated(self._begun, self._log)]
        self._catch_up(view, ended)
        paced = PacedTables(tables, self._speed, clock())
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

    def _catch_up(self, view: View, ended: Ended) -> bool:
        """Fold what the ledger holds and the store does not; False when ended on the way."""
        while True:
            folded = self._fold.fold()
            self._take(folded, view)
            self._store_rows()
            self._show(view)
            if ended(0.0):
                return False
            if not folded.events:
                return True

    def _opened(self, subject: str, lines: Iterator[bytes]) -> tuple[str, Iterator[bytes]]:
        """The table, its opening recorded at once: nobody wants to watch cards being washed."""
        if self._log.head(subject).sequence == 0:
            opening = []
            for line in lines:
                opening.append(line)
                if b'"catwalk.v1.round_started"' in line:
                    break
            self._record(opening)
        return subject, lines

    def _record(self, lines: Sequence[bytes]) -> None:
        answers = self._recorder.record_lines([Arrival(line, "simulator") for line in lines])
        for line, answer in zip(lines, answers, strict=True):
            if not isinstance(answer, Appended | AlreadyHave):
                why = f"the ledger answered {answer}"
                remedy = "let nothing else write the demo's tables, or name another folder with --data"
                raise UserError("simulated event", why, remedy)
            self._new_events += isinstance(answer, Appended)
            self._last_lines[answer.subject] = line

    def _take(self, folded: Folded, view: View) -> None:
        self.floor.events += folded.events
        for decided in folded.decided:
            self.floor.rounds += len(decided.outcome.rounds)
            for finding in decided.outcome.findings:
                self.floor.table(finding.subject).state = self._fold.tables[finding.subject].state
                view.alert(self.floor.raise_alert(finding, decided.at))

    def _store_rows(self) -> None:
        self.floor.rows_stored += self._fold.store()

    def _show(self, view: View) -> None:
        for subject, pipeline in self._fold.tables.items():
            line = self.floor.table(subject)
            line.state = pipeline.state
            line.behind = self._log.head(subject).sequence - pipeline.state.chain.next_sequence + 1
            if subject in self._last_lines:
                kind = _read_kind(self._last_lines[subject]).type
                line.last_event = kind.removeprefix(WIRE_PREFIX).replace("_", " ")
        view.show(self.floor)


@contextmanager
def opened(folder: Path, seed: int | None, tables: int | None, speed: float) -> Iterator[Demo]:
    """A demonstration over the folder, closed at the end.

    Raises:
        UserError: the folder is in use, is not a demonstration's, or its disk fails.
    """
    try:
        with ExitStack() as stack:
            folder.mkdir(parents=True, exist_ok=True)
            store = ChdbWarehouse(folder / STORE)
            stack.callback(store.close)
            begun = begin(folder, seed, tables, (folder / LEDGER).exists())
            log = SqliteLog(folder / LEDGER)
            stack.callback(log.close)
            store.migrate()
            yield Demo(folder, begun, speed, log, store)
    except (WarehouseError, CaptureError) as error:
        raise UserError(error.what, error.why, error.remedy) from error
