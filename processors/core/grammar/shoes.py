"""The life of a shoe and of the dealer's hole card in the record."""

from __future__ import annotations

from processors.core.facts_decks import Loose
from processors.core.grammar.departures import depart, keeps
from processors.core.handlers import Anomalies
from processors.core.state import Table
from schemas.events import ShoeLoaded
from schemas.values import UNKNOWN


def loaded(table: Table, sequence: int, data: ShoeLoaded) -> Anomalies:
    """A shoe is loaded: its number counts up."""
    lives = table.lives
    last, before = lives.shoe, lives.shoe_at
    lives.shoe, lives.shoe_at = data.shoe, sequence
    if data.shoe > last or not before:
        keeps(table, "shoe_number")
        return ()
    return depart(table, "shoe_number", sequence, before, seen=data.shoe, last=last)


def hole_laid(table: Table, sequence: int, drawn: Loose | None) -> Anomalies:
    """The hole card is laid: it was drawn with a seal where the table's other hole cards were."""
    lives = table.lives
    if drawn is None or drawn.card != UNKNOWN or drawn.exposed:
        return ()
    if drawn.seal:
        lives.sealed = drawn.sequence
        keeps(table, "unsealed")
        return ()
    return depart(table, "unsealed", sequence, drawn.sequence) if lives.sealed else ()
