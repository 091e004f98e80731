"""The ledger as the desk reads it and appends to it: with a stated number of tries, and not once it was altered."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from dashboards.ledger.acts import DeskBroken
from dashboards.ledger.holding import LedgerHolding, hold_noted
from dashboards.ledger.ledger import DeskAltered, DeskBusy, DeskLog, LedgerHead, Outrun
from dashboards.ledger.rereading import Rereading
from schemas.events.codec import record_hash

TRIES = 200  # that an append has while others append before it
WITHIN = 5.0  # seconds after which no further try is begun
_PAUSE = 0.2  # seconds


class Folded(Protocol):
    """What the records are folded into."""

    sequence: int
    head: str


class Chained:
    """Reads and appends under the desk's lock; `take` folds a line into `folded` and may raise DeskBroken."""

    def __init__(
        self,
        log: DeskLog,
        folded: Folded,
        take: Callable[[bytes], object],
        holding: LedgerHolding,
        rest: float,
    ) -> None:
        self._log = log
        self._folded = folded
        self._take = take
        self.holding = holding
        self.rereading = Rereading(log, rest)  # outside of the desk's lock

    @property
    def head(self) -> LedgerHead:
        """The last record that was read."""
        return LedgerHead(self._folded.sequence, self._folded.head)

    def open(self, settle: float) -> None:
        """Read all there is; `settle` seconds are left to records that were acknowledged and are not there yet.

        Raises:
            DeskAltered: it is not what was acknowledged, or its chain is broken.
            DeskUnavailable: it cannot be read.
        """
        until = time.monotonic() + settle
        self.take_new()
        self.take_new()  # the head that the ledger notes is held against what has been read by now
        while (missing := self.holding.missing(self.head)) and time.monotonic() < until:
            time.sleep(_PAUSE)
            self.take_new()
        if missing:
            raise self.holding.altered(missing)
        self.remember()

    def remember(self) -> None:
        """Remember outside of the ledger how far it was read."""
        self.holding.remember(self.head)

    def take_new(self) -> int:
        """Take what is new, if what was read before is still there; how many records that were.

        Raises:
            DeskAltered, DeskUnavailable: as for `open`.
        """
        self.holding.require_unaltered()
        known = self.head
        try:
            noted = self._log.head()  # before the records: others append meanwhile
            hold_noted(noted, known)
            lines = self._log.read_from(max(known.sequence, 1))
            if known.sequence and record_hash(next(lines, (0, b""))[1]) != known.hash:
                raise DeskAltered(f"record {known.sequence} is gone, or another than the one that was read")
            for _, line in lines:
                self._take(line)
                self.holding.passed(self.head)
            if noted.sequence > self.head.sequence:
                raise DeskAltered(f"it ends at record {self.head.sequence}; {noted.sequence} were written")
        except (DeskAltered, DeskBroken) as error:
            raise self.holding.altered(str(error)) from error
        return self.head.sequence - known.sequence

    def append(self, make: Callable[[], Sequence[bytes]]) -> Sequence[bytes]:
        """Append the lines that `make` chains to the last record, once nobody else is faster; the lines, not yet taken.

        Raises:
            DeskBusy: others were faster each time.
            DeskAltered, DeskInDoubt, DeskUnavailable: as the ledger says.
        """
        begun, until = self.head.sequence, time.monotonic() + WITHIN
        for _ in range(TRIES):
            self.take_new()
            lines = make()
            if not lines:
                return lines
            try:
                self._log.append(lines, *self.head)
            except Outrun:
                if time.monotonic() >= until:
                    break
            else:
                return lines
        self.take_new()
        if self.head.sequence == begun:  # it was refused, and nobody else has appended
            raise self.holding.altered(f"nothing can be appended behind its last record, {begun}")
        raise DeskBusy("others append to the desk's ledger faster than this console")
