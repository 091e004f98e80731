"""Irregularities of readers and shufflers: wrong light, wrong area, faults, jams."""

from __future__ import annotations

from typing import Literal

from producers.simulator.blackjack.course import Wish
from producers.simulator.blackjack.early_ends import void
from producers.simulator.blackjack.hands import Hand
from producers.simulator.blackjack.incidents.incident import Incident
from producers.simulator.blackjack.rules import LARGE, Range, range_of
from schemas.events import DeviceFault, DeviceInspected, DeviceRestored, FloorpersonNotified, HandContinued
from schemas.values import DEALER

RANGES: tuple[Range, ...] = ("small", "medium", "large")
REPAIR_SECONDS = 300.0
FAULT = "reader out of order"


def restore_reader(incident: Incident) -> None:
    """The reader fails: no dealing until it is repaired or replaced, and inspected (12(j); 685a.12(i))."""
    table = incident.table
    how: Literal["repaired", "replaced"] = "repaired" if table.rng.random() < 0.5 else "replaced"
    table.say(DeviceFault(table.rules.reader, "malfunction"))
    table.say(FloorpersonNotified(FAULT, table.life.floorperson))
    table.writer.pass_time(REPAIR_SECONDS)
    table.say(DeviceRestored(table.rules.reader, how))
    table.say(DeviceInspected(table.rules.reader, table.life.floorperson, working=True, tampered=False))


class ReaderFault(Incident):
    """The reader fails between rounds or just when it is needed."""

    def __init__(self) -> None:
        self.between = False

    def before_round(self) -> None:
        """Half of the faults show between rounds."""
        if self.table.rng.random() < 0.5:
            self.between = self.happened = True
            restore_reader(self)

    def wish(self, spot: str, /) -> Wish | None:
        """A first card of the dealer with which the reader is needed."""
        return (lambda card: card[0] in LARGE) if spot == DEALER and not self.table.dealer else None

    def before_reader(self) -> None:
        """The others when the hole card is about to be read."""
        if not self.between:
            self.happened = True
            restore_reader(self)


class WrongRange(Incident):
    """The Masque reader lights the wrong colour, or the hand lies in the wrong area (685a.12(h)).

    It comes out when the hole card is turned; each hand then goes on as decided or is dead, as the floor
    orders. A wrong light that could hide a Blackjack is another matter (A34): the first card is not Large.
    """

    def __init__(self, what: Literal["light", "area"], order: Literal["continue", "dead", "mixed"]) -> None:
        self.what = what
        self.order = order

    def wish(self, spot: str, /) -> Wish | None:
        """A first card of the dealer that makes no Blackjack."""
        return (lambda card: card[0] not in LARGE) if spot == DEALER and not self.table.dealer else None

    def light(self, true: Range, /) -> Range:
        """Another colour."""
        return self._other(true) if self.what == "light" else true

    def area(self, lit: Range, /) -> Range:
        """Another area."""
        return self._other(lit) if self.what == "area" else lit

    def _other(self, right: Range) -> Range:
        if self.table.up[0] in LARGE:
            return right
        self.happened = True
        return self.table.rng.choice([other for other in RANGES if other != right])

    def after_reveal(self) -> None:
        """Tell the floorperson, who decides for each hand that is not paid."""
        table = self.table
        if not self.happened or range_of(table.dealer[1]) == table.laid:
            return
        reason = "hole card shown in the wrong range"
        table.say(FloorpersonNotified(reason, table.life.floorperson))
        for box in table.boxes:
            for hand in box.hands:
                if hand.state in ("open", "bust"):
                    if self._dies(hand):
                        void(table, box, hand, reason)
                    else:
                        table.say(HandContinued(hand.name, table.life.floorperson))

    def _dies(self, _hand: Hand, /) -> bool:
        return self.order == "dead" or (self.order == "mixed" and self.table.rng.random() < 0.5)

    def after_round(self) -> None:
        """A reader that showed the wrong colour is out of order."""
        if self.happened and self.what == "light":
            restore_reader(self)


class ShufflerTrouble(Incident):
    """The next shuffle of the device jams, or the device breaks and is covered or signed (12(k)-(l)).

    The table's own life shuffles again, or by hand; a table without a shuffler gives no occasion.
    """

    def __init__(self, trouble: Literal["jam", "breaks"]) -> None:
        self.trouble = trouble

    def before_round(self) -> None:
        """Arrange it."""
        if self.table.setup.shuffler != "none":
            self.happened = True
            self.table.life.cards.trouble = self.trouble
