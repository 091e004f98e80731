"""The three games as a table of the simulator is configured for them."""

from __future__ import annotations

import datetime as dt

from processors.games.blackjack.rules import rules_of
from processors.play.game import Game, game_of
from producers.simulator.floor.setup import usual_setup

DAY = dt.date(2026, 3, 2)


def game(ruleset: str, **readings: str) -> Game:
    setup = usual_setup(ruleset, "T-1")
    return game_of(rules_of(setup.configuration(), DAY, readings))


FREE, TEMPORARY, UNDER = game("free_bet_672a"), game("free_bet_590"), game("down_under_685a")
CONVENTIONAL = game("down_under_685a", A1="conventional")
GAMES = (FREE, TEMPORARY, UNDER)
