"""The life of a table in the record: it opens, there is play, it closes."""

from __future__ import annotations

from processors.core.grammar.departures import depart, keeps
from processors.core.handlers import Anomalies
from processors.core.state import Table
from schemas import events as e


def opened(table: Table, sequence: int, data: e.TableOpened) -> None:
    """The table opens for gaming."""
    keeps(table, "before_opening")
    keeps(table, "after_closing")


def closed(table: Table, sequence: int, data: e.TableClosed) -> None:
    """The table closes for gaming."""
    table.lives.closed = sequence
    keeps(table, "after_closing")


def played(table: Table, sequence: int) -> Anomalies:
    """A word of play at a table that is not open; before the first opening only if the record begins before it."""
    before = table.lives.closed
    if before:
        return depart(table, "after_closing", sequence, before)
    if table.config is None or table.chain.broken:
        return ()
    return depart(table, "before_opening", sequence)
