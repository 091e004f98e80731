"""The cards of one table outside the shoe, and the people of the house: who deals, and who answers for the table."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Literal

from producers.simulator.floor.decks.deck import PhysicalShoe
from producers.simulator.floor.patrons import Patron
from producers.simulator.floor.setup import TableSetup
from producers.simulator.floor.writer import TableWriter
from schemas import events


class Staff:
    """The dealer and the floorperson of one table, by house pseudonym."""

    def __init__(self, writer: TableWriter, setup: TableSetup) -> None:
        self._writer, self._setup = writer, setup
        self.dealer = ""
        self.floorperson = ""
        self.dealers = 4  # who take turns
        self._dealers = 0
        self._dealer_since = self._shift_since = writer.now

    def dealer_arrives(self) -> None:
        """The next of the table's dealers comes."""
        self._dealers += 1
        self.dealer = f"D-{self._setup.number:02d}{(self._dealers - 1) % self.dealers + 1}"
        self._dealer_since = self._writer.now
        self._writer.emit(events.DealerArrived(staff=self.dealer))

    def dealer_leaves(self) -> None:
        """The dealer goes."""
        self._writer.emit(events.DealerLeft(staff=self.dealer))

    def floorperson_comes(self) -> None:
        """The floorperson of this shift takes over."""
        shift = (self._writer.now.hour // 8) % 3 + 1
        self.floorperson = f"F-{self._setup.number:02d}{shift}"
        self._shift_since = self._writer.now
        self._writer.emit(events.FloorpersonAssigned(staff=self.floorperson))

    @property
    def dealer_is_due(self) -> bool:
        """Whether the dealer has dealt long enough."""
        dealt = (self._writer.now - self._dealer_since).total_seconds() / 60
        return dealt > self._setup.habits.dealer_minutes

    @property
    def shift_is_over(self) -> bool:
        """Whether the floorperson's shift has ended."""
        served = (self._writer.now - self._shift_since).total_seconds() / 3600
        return served > self._setup.habits.shift_hours


class CutPlaces:
    """Where people cut a stack and put the cover card in: anywhere that the rules allow."""

    def of_cut(self, rng: random.Random, size: int, by: str) -> int:  # noqa: ARG002 - for those who have a habit
        """Cards on top of the cut, of a stack of so many; `by` is a seat or the dealer."""
        return rng.randint(10, size - 10) if size >= 20 else size // 2

    def of_cover(self, rng: random.Random, size: int) -> int:
        """Cards behind the cover card."""
        least = -(-size // 4)
        return rng.randint(least, least + size // 10)


@dataclass
class TableCards:
    """The stacks of one table, and the people and devices that handle them between two shoes.

    `stacks` are the batches that lie neither in the shoe nor in the rack, top card first; `stored` is the
    batch in the shuffler, `running` one whose shuffle the device has not finished. `cover_at` is the seat
    number or D where the cover card came out, until the next full load. `trouble` makes the next device
    shuffle fail. `places` says where people cut.
    """

    writer: TableWriter
    setup: TableSetup
    shoe: PhysicalShoe
    staff: Staff
    seated: list[Patron]
    stacks: dict[str, list[str]] = field(default_factory=dict)
    stored: str | None = None
    running: str | None = None
    cover_at: str | None = None
    trouble: Literal["jam", "breaks"] | None = None
    received: int = 0
    places: CutPlaces = field(default_factory=CutPlaces)

    def stack(self, batch: str) -> None:
        """Square a batch into one stack."""
        self.writer.emit(events.CardsStacked(batch=batch, cards=len(self.stacks[batch])))
