"""The game that a table's rules make, worked out anew when its configuration or gaming day is another."""

from __future__ import annotations

import datetime as dt

from msgspec import Struct

from processors.core.state import Table
from processors.games.blackjack.rules import RulesInForce
from processors.play.game import Game, game_of


class GameInForce(Struct):
    """The game that the table's rules make, and under which configuration and day."""

    game: Game | None = None
    configured_at: int = 0
    day: dt.date | None = None

    def game_on(self, table: Table, day: dt.date) -> Game | None:
        """The game of a round that started on a day; None where its rules are those of no Blackjack game."""
        if self.configured_at != table.configured_at or self.day != day:
            rules = RulesInForce().on(table, day)
            self.game = None if rules is None else game_of(rules)
            self.configured_at, self.day = table.configured_at, day
        return self.game
