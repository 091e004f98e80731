"""Irregularities of readers and shufflers: wrong light, wrong area, faults, jams."""

from __future__ import annotations

import random
from typing import Literal

from producers.simulator.blackjack.early_ends import void
from producers.simulator.blackjack.incidents.incident import Incident
from producers.simulator.blackjack.rules import LARGE, LOW, Range, range_of
from producers.simulator.blackjack.table import BlackjackTable
from schemas.events import DeviceFault, DeviceInspected, DeviceRestored, FloorpersonNotified, HandContinued

RANGES: tuple[Range, ...] = ("small", "medium", "large")
REPAIR_SECONDS = 300.0


def break_reader(table: BlackjackTable) -> None:
    """The reader fails, and the floorperson hears of it (12(j); 685a.12(i))."""
    table.say(DeviceFault(table.rules.reader, "malfunction"))
    table.say(FloorpersonNotified("reader out of order", table.life.floorperson))


def restore_reader(table: BlackjackTable, how: Literal["repaired", "replaced"]) -> None:
    """The reader is back after a while, and is inspected (12(j); 685a.12(i))."""
    table.writer.pass_time(REPAIR_SECONDS)
    table.say(DeviceRestored(table.rules.reader, how))
    table.say(DeviceInspected(table.rules.reader, table.life.floorperson, working=True, tampered=False))


def reader_fails(table: BlackjackTable) -> None:
    """The reader fails: no dealing until it is restored."""
    how: Literal["repaired", "replaced"] = "repaired" if table.rng.random() < 0.5 else "replaced"
    break_reader(table)
    restore_reader(table, how)


def other_range(rng: random.Random, right: Range) -> Range:
    """A wrong range."""
    return rng.choice([other for other in RANGES if other != right])


class ReaderFault(Incident):
    """The reader fails between rounds or just when it is needed."""

    up = LARGE

    def __init__(self) -> None:
        self.between = False

    def before_round(self) -> None:
        """Half of the faults show between rounds."""
        if self.table.rng.random() < 0.5:
            self.between = self.happened = True
            reader_fails(self.table)

    def before_reader(self) -> None:
        """The others when the hole card is about to be read."""
        if not self.between:
            self.happened = True
            reader_fails(self.table)


class WrongRange(Incident):
    """The Masque reader lights the wrong colour, or the hand lies in the wrong area (685a.12(h)).

    It comes out when the hole card is turned; each hand then goes on as decided or is dead, as the floor
    orders. A wrong light that could hide a Blackjack is another matter (A34): the first card is not Large.
    """

    up = LOW

    def __init__(self, what: Literal["light", "area"], order: Literal["continue", "dead", "mixed"]) -> None:
        self.what = what
        self.order = order

    def shown_range(self, what: Literal["light", "area"], right: Range, /) -> Range:
        """Another colour, or another area."""
        if what != self.what or self.table.up[0] in LARGE:
            return right
        self.happened = True
        return other_range(self.table.rng, right)

    def after_reveal(self) -> None:
        """Tell the floorperson, who decides for each hand that is not paid."""
        table = self.table
        if not self.happened or range_of(table.dealer[1]) == table.laid:
            return
        reason = "hole card shown in the wrong range"
        table.say(FloorpersonNotified(reason, table.life.floorperson))
        for hand in table.hands():
            if hand.state not in ("open", "bust"):
                continue
            if self.order == "dead" or (self.order == "mixed" and table.rng.random() < 0.5):
                void(table, table.box_of(hand), hand, reason)
            else:
                table.say(HandContinued(hand.name, table.life.floorperson))

    def after_round(self) -> None:
        """A reader that showed the wrong colour is out of order."""
        if self.happened and self.what == "light":
            reader_fails(self.table)


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
