"""The ledger read again from its first record on, little by little, and held against what the desk has read."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from itertools import islice

from dashboards.ledger.ledger import DeskAltered, DeskLog, LedgerHead
from dashboards.ledger.proof import prove
from schemas.events.envelope import GENESIS

REST = 30.0  # seconds between two passes, and before the first: at the start all records have just been read


class Rereading:
    """One pass after the other over all records; any thread may call, and a step that another is at is left to it."""

    def __init__(self, log: DeskLog, rest: float = REST, clock: Callable[[], float] = time.monotonic) -> None:
        self._log = log
        self._rest = rest
        self._clock = clock
        self._begin_at = clock() + rest
        self._at_work = threading.Lock()
        self._lines: Iterator[tuple[int, bytes]] | None = None
        self._target = LedgerHead(0, GENESIS)
        self._reached = LedgerHead(0, GENESIS)

    def step(self, known: LedgerHead, most: int) -> None:
        """Read up to `most` records on; a new pass goes as far as `known`, the last record the desk has read.

        Raises:
            DeskAltered: the records do not lead to the one the desk has read.
            DeskUnavailable: they cannot be read now; the pass begins again at the next step.
        """
        if self._at_work.acquire(blocking=False):
            try:
                self._step(known, most)
            finally:
                self._at_work.release()

    def _step(self, known: LedgerHead, most: int) -> None:
        if self._lines is None:
            if self._clock() < self._begin_at:
                return
            self._lines, self._target, self._reached = self._log.reread(), known, LedgerHead(0, GENESIS)
        lines, self._lines = self._lines, None  # whatever is raised ends the pass
        wanted = min(most, self._target.sequence - self._reached.sequence)
        self._hold([line for _, line in islice(lines, wanted)], wanted)
        if self._reached.sequence < self._target.sequence:
            self._lines = lines
        else:
            self._begin_at = self._clock() + self._rest

    def _hold(self, lines: list[bytes], wanted: int) -> None:
        proven = prove(lines, self._reached.sequence + 1, self._reached.hash)
        if proven.bad is not None:
            raise DeskAltered(f"record {proven.bad} is another than the one that was read")
        if proven.records < wanted:
            raise DeskAltered(f"it ends at record {proven.last}; {self._target.sequence} were read from it")
        self._reached = LedgerHead(proven.last, proven.head)
        if self._reached.sequence == self._target.sequence and self._reached != self._target:
            raise DeskAltered(f"record {self._target.sequence} is another than the one that was read")
