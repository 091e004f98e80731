"""The base of all incidents: an ordinary course of rounds that knows the table it befalls."""

from __future__ import annotations

from collections.abc import Container

from producers.simulator.blackjack.course import Course, Wish
from producers.simulator.blackjack.felt import Felt
from schemas.values import DEALER


class Incident(Course):
    """Changes nothing; subclasses override the points of the round that they need.

    `table` is the felt that the incident befalls.
    """

    table: Felt

    def wish_up(self, spot: str, ranks: Container[str]) -> Wish | None:
        """The dealer's first card of these ranks."""
        return (lambda card: card[0] in ranks) if spot == DEALER and not self.table.dealer else None
