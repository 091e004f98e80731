"""The game that a table's rules make, worked out anew when its configuration or gaming day is another."""

from __future__ import annotations

import datetime as dt

from msgspec import Struct

from processors.core.state import Table
from processors.games.blackjack.rules import rules_in_force
from processors.play.game import Game, game_of


class GameInForce(Struct):
    """The game that the table's rules make, and since which configuration and day."""

    game: Game | None = None
    configured_at: int = 0
    day: dt.date | None = None

    def game_at(self, table: Table) -> Game | None:
        """The game as the table stands; None where its rules are those of no Blackjack game."""
        if self.configured_at != table.configured_at or self.day != table.gaming_day:
            rules = rules_in_force(table)
            self.game = None if rules is None else game_of(rules)
            self.configured_at, self.day = table.configured_at, table.gaming_day
        return self.game
