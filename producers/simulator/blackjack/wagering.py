"""Betting: main and side wagers by seat (6(c)-(f))."""

from producers.simulator.blackjack.hands import Box, Hand
from producers.simulator.blackjack.table import BlackjackTable
from producers.simulator.floor.patrons import Patron
from schemas.events import BettingClosed, CashConverted, CashWagerCalled, RoundStarted, WagerPlaced


def take_wagers(table: BlackjackTable) -> None:
    """Open betting, take main and side wagers by seat, close betting (6(c)-(f))."""
    table.say(RoundStarted(table.number))
    for seat, patron, stake in _stakes(table):
        box = Box(seat, patron, table.players.strategy_of(patron), stake, _side_stake(table, patron))
        box.hands.append(Hand(f"{seat}.1", seat, 1, stake))
        box.side_open = box.side > 0
        table.boxes.append(box)
        # Now and then a wager of 685a is spoken, with cash that becomes chips at once (685a.6(a)).
        if table.rules.cash_plays and table.rng.random() < table.setup.habits.buys_more:
            table.say(CashWagerCalled(seat, stake, True))
            table.say(CashConverted(seat, stake))
        table.say(WagerPlaced(seat, "main", stake, player=patron.name))
        if box.side:
            table.say(WagerPlaced(seat, table.rules.side_wager, box.side, player=patron.name))
    table.say(BettingClosed(True))


def _stakes(table: BlackjackTable) -> list[tuple[int, Patron, int]]:
    """Seat, patron and main wager of every box, by seat; somebody always plays."""
    stakes: list[tuple[int, Patron, int]] = []
    for patron in table.life.patrons:
        strategy = table.players.strategy_of(patron)
        if strategy.stake():
            for seat in patron.seats:
                cents = strategy.stake() or table.setup.min_cents
                stakes.append((seat, patron, _even(table, cents)))
    if not stakes:
        patron = table.life.patrons[0]
        stakes.append((patron.seats[0], patron, _even(table, patron.main_stake(table.rng, table.setup))))
    return sorted(stakes, key=lambda stake: stake[0])


def _even(table: BlackjackTable, cents: int) -> int:
    """A stake in chips whose half is whole cents, so that 3 to 2 is exact."""
    chip = table.setup.chip_cents
    if cents % 2:
        cents += chip if cents + chip <= table.setup.max_cents else -chip
    return cents


def _side_stake(table: BlackjackTable, patron: Patron) -> int:
    return sum(
        cents for kind, cents in patron.side_stakes(table.rng, table.setup) if kind == table.rules.side_wager
    )
