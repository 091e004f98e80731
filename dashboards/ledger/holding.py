"""The ledger held against what the desk has read and what the console acknowledged; the alarm where they differ."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Callable

from msgspec import Struct

from dashboards.ledger.ledger import DeskAltered, LedgerHead, Memory, MemoryFailed

REMEDY = (
    "Whoever runs the console: `catwalk verify` the ledger, restore it from a copy and start the console again; where"
    " there is no copy, `catwalk console accept` (docs/security.md)"
)
_log = logging.getLogger("catwalk.console")


class LedgerAlarm(Struct, frozen=True):
    """The ledger does not hold what the desk has read or acknowledged: why, and since when that is known."""

    why: str
    at: dt.datetime

    @property
    def told(self) -> str:
        """The sentence that every page shows while the alarm lasts."""
        return (
            "The record of the desk is not the one this console knows. Nothing can be done or looked up here:"
            f" {self.why}."
        )


class LedgerHolding:
    """What is known of the ledger beside its records; the desk calls it under its lock."""

    def __init__(self, clock: Callable[[], dt.datetime], memory: Memory | None) -> None:
        """Recall what was acknowledged, before the ledger is read, for others may acknowledge meanwhile.

        Who looks at a ledger and acknowledges nothing of it has no `memory`.

        Raises:
            MemoryFailed: it cannot be recalled.
        """
        self._clock = clock
        self._memory = memory
        self._acknowledged = memory.recall() if memory is not None else None
        self._remembered: LedgerHead | None = None
        self.alarm: LedgerAlarm | None = None
        self.memory_trouble: str | None = None

    def altered(self, why: str) -> DeskAltered:
        """Raise the alarm, once and for good; the error to be raised with it."""
        if self.alarm is None:
            _log.critical("ALARM: the record of the desk was altered; the console is read-only: %s", why)
            self.alarm = LedgerAlarm(why, self._clock())
        return DeskAltered(self.alarm.why)

    def require_unaltered(self) -> None:
        """Raise DeskAltered if the alarm was raised."""
        if self.alarm is not None:
            raise DeskAltered(self.alarm.why)

    def missing(self, head: LedgerHead) -> str:
        """Why a ledger that ends at `head` is too short; empty if it is not."""
        told = self._acknowledged
        if told is None or told.sequence <= head.sequence:
            return ""
        return f"it ends at record {head.sequence}, and this console acknowledged {told.sequence}"

    def passed(self, head: LedgerHead) -> None:
        """Hold a record against the one that was acknowledged, if it bears its number.

        Raises:
            DeskAltered: it is another.
        """
        told = self._acknowledged
        if told is not None and told.sequence == head.sequence and told != head:
            raise DeskAltered(f"record {told.sequence} is another than the one this console acknowledged")

    def remember(self, head: LedgerHead) -> None:
        """Remember the last record; what fails is tried again with the next one, and at the desk's next look."""
        if self._memory is None or head == self._remembered or not head.sequence:
            return
        try:
            self._memory.remember(head)
        except DeskAltered as error:
            self.altered(str(error))
        except MemoryFailed as error:
            if self.memory_trouble is None:
                _log.error("what the desk acknowledges is not remembered: %s", error)
            self.memory_trouble = str(error)
        else:
            self._remembered, self.memory_trouble = head, None


def hold_noted(noted: LedgerHead, known: LedgerHead) -> None:
    """Hold the head the ledger itself notes against the last record that was read.

    Raises:
        DeskAltered: it went back, or is another.
    """
    if noted.sequence < known.sequence:
        raise DeskAltered(f"it went back to record {noted.sequence}; {known.sequence} were read from it")
    if noted.sequence == known.sequence and noted != known:
        raise DeskAltered(
            f"its last record, {known.sequence}, is noted as another than the one that was read"
        )
