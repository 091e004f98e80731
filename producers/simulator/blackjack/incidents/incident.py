"""The base of all incidents: an ordinary course of rounds that knows the table it befalls."""

from __future__ import annotations

from collections.abc import Container

from producers.simulator.blackjack.course import Course, Wish
from producers.simulator.blackjack.table import BlackjackTable
from schemas.values import DEALER


class Incident(Course):
    """Changes nothing; subclasses override the points of the round that they need.

    `table` is the table that the incident befalls, `up` ranks of the dealer's first card that give it occasion.
    """

    table: BlackjackTable
    up: Container[str] | None = None

    def wish(self, spot: str, /) -> Wish | None:
        """The dealer's first card, where its rank matters."""
        ranks = self.up
        if ranks is None or spot != DEALER or self.table.dealer:
            return None
        return lambda card: card[0] in ranks
