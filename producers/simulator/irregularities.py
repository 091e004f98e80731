"""What goes wrong at a table and is put right as the regulation orders (590.13, 672a.12, 685a.12)."""

from __future__ import annotations

from producers.simulator.blackjack_incidents import Incident


def incident(name: str) -> Incident:
    """The irregularity of that name, ready for one round.

    Raises:
        KeyError: there is none.
    """
    raise KeyError(name)
