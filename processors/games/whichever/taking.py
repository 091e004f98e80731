"""Takes one admitted event into a table's state with all that it shows besides, and judges nothing.

The pipeline judges an event between these steps, whoever shows or counts a table does not: as both go through the same
steps, a picture never shows another table than the one that was judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from processors.core.devices.pairing import laid_elsewhere, lay_inferred
from processors.core.devices.silence import listen
from processors.core.folding.fold import fold
from processors.core.folding.lingering import is_late, let_go, take_late
from processors.core.grammar.holes import leave
from processors.core.grammar.parsing import LAWFUL, parse
from processors.core.grammar.repeats import first_word, given_up, held_draw, keep_out, let_out, shown
from processors.core.handlers import Anomalies
from processors.core.state import Lingering, Round, Table
from processors.games.blackjack.rules import BlackjackRules, RulesInForce
from processors.games.whichever.inferring import SHOWS, infer, passed_over
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


def meet(table: Table, event: Envelope, *, own: bool = False) -> Met:
    """Read an event against the grammar and hear which device it comes from; the first step.

    `own` is a word like the one before it that has shown to be an act of its own.
    """
    if not own and (first := first_word(table, event)):
        return Met(keep_out(table, event, first), again=True)
    met = _meet(table, event)
    found = given_up(table, event) if table.repeats.held else ()
    return met._replace(departures=met.departures + found) if found else met


def _meet(table: Table, event: Envelope) -> Met:
    ended = None
    if table.lingering is not None:
        ended = let_go(table, event)
        if table.lingering is not None and is_late(table, event):
            silent = listen(table, event)
            return Met(take_late(table, event), silent, late=table.lingering.round)
    parsed = parse(table, event)
    if parsed is not LAWFUL and parsed.again:
        return Met(parsed.departures, again=True, ended=ended)
    found = listen(table, event)
    if parsed is LAWFUL and not found and ended is None:
        return PLAIN
    return Met(parsed.departures, found, parsed.over and table.round is not None, ended=ended)


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


class OwnAct(NamedTuple):
    """A word that was held back as a second one and turns out to be an act, and the spot where its card must lie."""

    event: Envelope
    spot: str | None

    @contextmanager
    def in_its_place(self, table: Table) -> Iterator[None]:
        """Take it within this: before the card that was drawn next, which was laid beyond its spot."""
        if self.spot is None:
            yield
            return
        later, table.shoe.loose = table.shoe.loose, []
        yield
        lay_inferred(table, self.spot, self.event.time)
        table.shoe.loose += later


def own_act(table: Table, event: Envelope, rules: BlackjackRules | None) -> OwnAct | None:
    """What is to be taken before an event that shows it to be an act of its own; None if the event shows nothing."""
    said = shown(table, event)
    if said is not None:
        return OwnAct(let_out(table, said, event), None)
    said = held_draw(table)
    spot = passed_over(table, event, rules, said.first) if said is not None else None
    if said is None or spot is None:
        return None
    return OwnAct(let_out(table, said, event), spot if type(event.data) is CardPlaced else None)


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
        if self.table.repeats.held and (own := own_act(self.table, event, self.rules)) is not None:
            with own.in_its_place(self.table):
                self._take(own.event, own=True)
        self._take(event)

    def _take(self, event: Envelope, *, own: bool = False) -> None:
        table = self.table
        met = meet(table, event, own=own)
        if met.again or met.late is not None:
            return
        clear(table, event, self.rules, met)
        fold(table, event)
