"""The cards of one table outside the shoe: the stacks, the batch in the shuffler, and who handles them."""

from dataclasses import dataclass, field
from typing import Literal

from producers.simulator.floor.decks.deck import PhysicalShoe
from producers.simulator.floor.patrons import Patron
from producers.simulator.floor.setup import TableSetup
from producers.simulator.floor.staff import Staff
from producers.simulator.floor.writer import TableWriter
from schemas.events import CardsStacked


@dataclass
class TableCards:
    """The stacks of one table, and the people and devices that handle them between two shoes.

    `stacks` are the batches that lie neither in the shoe nor in the rack, top card first; `stored` is the
    batch in the shuffler, `running` one whose shuffle the device has not finished. `cover_at` is the seat
    number or D where the cover card came out, until the next full load. `trouble` makes the next device
    shuffle fail.
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

    def stack(self, batch: str) -> None:
        """Square a batch into one stack."""
        self.writer.emit(CardsStacked(batch=batch, cards=len(self.stacks[batch])))
