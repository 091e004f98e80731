"""What Kafka has acknowledged leaves the journal after some days, a little with each append.

It stays that long for two cases: brokers that lost what they had acknowledged get it again, and a device that sends
again is recognised without asking the topic. Pruned is between two appends of the one thread that records, so that
nobody judges an event while what it is compared with goes away.
"""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from producers.kafka.journal import Journal
from producers.log import LedgerError
from schemas.events.envelope import utc_text

AT_ONCE: Final = 1_000  # records: some ten milliseconds
NOTE_SECONDS: Final = 3_600.0
REST_SECONDS: Final = 600.0
_PAGES: Final = 2_000  # given back to the disk at once: 8 MB


@dataclass
class Pruner:
    """Prunes one journal; `days` is how long what was acknowledged stays, 0 for ever; `now` gives RFC 3339."""

    journal: Journal
    days: float
    now: Callable[[], str]
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        self._note_at = self._rest_until = self.clock()

    def after(self, appended: int) -> set[str]:
        """Prune a little after so many records were appended, at least as many; the tables that lost some."""
        clock = self.clock()
        if not self.days or clock < min(self._rest_until, self._note_at):
            return set()
        now = self.now()
        try:
            if clock >= self._note_at:
                self.journal.note(now)
                self._note_at = clock + NOTE_SECONDS
            before = utc_text(dt.datetime.fromisoformat(now) - dt.timedelta(days=self.days))
            touched = self.journal.prune(before, max(AT_ONCE, 2 * appended))
            if touched:
                self.journal.give_back(_PAGES)
        except LedgerError:  # what was appended is durable: who appends next is told when the disk is full
            touched = set()
        if not touched:
            self._rest_until = clock + REST_SECONDS
        return touched
