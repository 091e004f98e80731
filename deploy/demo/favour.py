"""A dealer of a demonstration who pays one patron too much, so that a pattern can be watched as it grows.

No round tells: each is one chip too many on a wager that was won, a breach like others of the day. What tells is that
it is hers, again and again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from producers.simulator.blackjack.incidents.incident import Incident
from schemas.events import WagerSettled
from schemas.payload import Payload

EVERY: Final = 2  # of the patron's even-money wins under her, so many to one that she overpays


class Favour(Incident):
    """The dealer who deals first pays the patron who wins first under her, and later the next, a chip too much."""

    def __init__(self) -> None:
        self._dealer = ""
        self._patron = ""
        self._wins = 0

    def edit(self, payload: Payload, /) -> Sequence[Payload]:
        """A win of the patron's at even money, now and then with a chip more."""
        if not isinstance(payload, WagerSettled) or (payload.kind, payload.outcome) != ("main", "pay"):
            return (payload,)
        patrons = {box.seat: box.patron.name for box in self.table.boxes}
        patron, dealer = patrons.get(payload.seat, ""), self.table.life.staff.dealer
        if payload.odds != "1:1" or not patron or not dealer:
            return (payload,)
        self._dealer = self._dealer or dealer
        if dealer != self._dealer:
            return (payload,)
        here = {one.name for one in self.table.life.patrons}
        if self._patron not in here:
            self._patron, self._wins = patron, 0
        if patron != self._patron:
            return (payload,)
        self._wins += 1
        if self._wins % EVERY:
            return (payload,)
        return (replace(payload, cents=payload.cents + self.table.setup.chip_cents),)
