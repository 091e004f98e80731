"""The people of the house at one table: who deals, and who answers for the table."""

from producers.simulator.floor.setup import TableSetup
from producers.simulator.floor.writer import TableWriter
from schemas.events import DealerArrived, DealerLeft, FloorpersonAssigned


class Staff:
    """The dealer and the floorperson of one table, by house pseudonym."""

    def __init__(self, writer: TableWriter, setup: TableSetup) -> None:
        self._writer, self._setup = writer, setup
        self.dealer = ""
        self.floorperson = ""
        self._dealers = 0
        self._dealer_since = self._shift_since = writer.now

    def dealer_arrives(self) -> None:
        """The next of the table's four dealers comes."""
        self._dealers += 1
        self.dealer = f"D-{self._setup.number:02d}{(self._dealers - 1) % 4 + 1}"
        self._dealer_since = self._writer.now
        self._writer.emit(DealerArrived(staff=self.dealer))

    def dealer_leaves(self) -> None:
        """The dealer goes."""
        self._writer.emit(DealerLeft(staff=self.dealer))

    def floorperson_comes(self) -> None:
        """The floorperson of this shift takes over."""
        shift = (self._writer.now.hour // 8) % 3 + 1
        self.floorperson = f"F-{self._setup.number:02d}{shift}"
        self._shift_since = self._writer.now
        self._writer.emit(FloorpersonAssigned(staff=self.floorperson))

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
