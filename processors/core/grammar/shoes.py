"""The life of a shoe and of the dealer's hole card in the record."""

from __future__ import annotations

from processors.core.folding.handlers import Anomalies
from processors.core.grammar.departures import depart, keeps
from processors.core.state import Table
from schemas.events import CardPlaced, ShoeLoaded
from schemas.values import DEALER, UNKNOWN


def loaded(table: Table, sequence: int, data: ShoeLoaded) -> Anomalies:
    """A shoe is loaded: its number counts up."""
    lives = table.lives
    last, before = lives.shoe, lives.shoe_at
    lives.shoe, lives.shoe_at = data.shoe, sequence
    if data.shoe > last or not before:
        keeps(table, "shoe_number")
        return ()
    return depart(table, "shoe_number", sequence, before, seen=data.shoe, last=last)


def hole_laid(table: Table, sequence: int, data: CardPlaced) -> Anomalies:
    """The dealer gets a card face down: it was drawn with a seal where the table's other hole cards were."""
    lives, drawn = table.lives, table.shoe.loose
    if data.hand != DEALER or data.face_up or not drawn or drawn[-1].card != UNKNOWN:
        return ()
    if drawn[-1].seal:
        lives.sealed = drawn[-1].sequence
        keeps(table, "unsealed")
        return ()
    if not lives.sealed or drawn[-1].exposed:
        return ()
    return depart(table, "unsealed", sequence, drawn[-1].sequence)
