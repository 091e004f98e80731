"""Takes one admitted event into a table's state with all that it shows besides, and judges nothing.

The pipeline judges an event between these steps, whoever shows or counts a table does not: as both go through the same
steps, a picture never shows another table than the one that was judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from processors.core.folding.fold import fold
from processors.core.folding.lingering import is_late, let_go, take_late
from processors.core.grammar.holes import leave
from processors.core.grammar.reading import LAWFUL, read
from processors.core.handlers import Anomalies
from processors.core.pairing import laid_elsewhere
from processors.core.silence import listen
from processors.core.state import Lingering, Round, Table
from processors.games.blackjack.rules import BlackjackRules, RulesInForce
from processors.games.whichever.inferring import SHOWS, infer
from schemas.events import CardPlaced
from schemas.events.envelope import Envelope


class Met(NamedTuple):
    """How an event meets the table before it: what leaves the grammar, which devices it shows to be silent.

    `over`: the round under way ended before the event, unseen. `again`: a repetition, which changes nothing.
    `late`: the round before, which has taken the event for a late word of its own. `ended`: that round, once no such
    word can come.
    """

    departures: Anomalies = ()
    silent: Anomalies = ()
    over: bool = False
    again: bool = False
    ended: Lingering | None = None
    late: Round | None = None


PLAIN = Met()


def meet(table: Table, event: Envelope) -> Met:
    """Read an event against the grammar and hear which device it comes from; the first step."""
    ended = None
    if table.lingering is not None:
        ended = let_go(table, event)
        if table.lingering is not None and is_late(table, event):
            silent = listen(table, event)
            return Met(take_late(table, event), silent, late=table.lingering.round)
    reading = read(table, event)
    if reading is not LAWFUL and reading.again:
        return Met(reading.departures, again=True, ended=ended)
    found = listen(table, event)
    if reading is LAWFUL and not found and ended is None:
        return PLAIN
    return Met(reading.departures, found, reading.over and table.round is not None, ended=ended)


def clear(table: Table, event: Envelope, rules: BlackjackRules | None, met: Met) -> bool:
    """Leave the round that is over, and lay the card that play shows to lie, or take it back; whether a hand changed.

    The second step; the event is folded after it.
    """
    if met is not PLAIN and met.over:
        leave(table)
    round_, data = table.round, event.data
    if round_ is None:
        return False
    if type(data) is CardPlaced:
        return bool(round_.inferred) and not table.shoe.loose and laid_elsewhere(table, round_, data)
    if type(data) not in SHOWS or not (table.shoe.loose or round_.inferred):
        return False
    return infer(table, event, rules)


class Taking:
    """Takes the admitted events of one table, one after the other, as the pipeline does."""

    __slots__ = ("_rules", "table")

    def __init__(self, table: Table, readings: Mapping[str, str] | None = None) -> None:
        """Go on from a state; `readings` chooses policies over the table's own."""
        self.table = table
        self._rules = RulesInForce(readings)

    @property
    def rules(self) -> BlackjackRules | None:
        """The Blackjack rules at the table as it stands."""
        return self._rules.standing(self.table)

    def take(self, event: Envelope) -> None:
        """Take the next event, which the chain has admitted."""
        table = self.table
        met = meet(table, event)
        if met.again or met.late is not None:
            return
        clear(table, event, self.rules, met)
        fold(table, event)
