"""What a hole in the record leaves in doubt: where the cards are, and what was done with the deck."""

from __future__ import annotations

from processors.core.cards import clear_layout
from processors.core.state import Table


def leave(table: Table) -> None:
    """Leave the round under way: its hands went to the rack unseen, drawn cards that lie with no hand are in doubt."""
    if table.round is None:
        return
    clear_layout(table, table.round)
    table.stacks.uncounted.clear()  # whether its stub was counted, nobody knows
    table.round = None


def note_hole(table: Table, hides: str) -> None:
    """A hole was found in a round that goes on or is over.

    Up to the next load the count of the shoe is in doubt, and up to the closing of the table who sits where.
    """
    table.stacks.uncounted.clear()
    table.blind.cloud(hides, table.blind.shoe, table.blind.seats)
