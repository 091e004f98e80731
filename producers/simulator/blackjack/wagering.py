"""Betting: main and side wagers by seat (6(c)-(f))."""

from __future__ import annotations

from producers.simulator.blackjack.felt import Felt
from producers.simulator.blackjack.hands import Box, Hand
from producers.simulator.floor.patrons import Patron
from schemas.events import BettingClosed, CashConverted, CashWagerCalled, RoundStarted, WagerPlaced


def take_wagers(felt: Felt) -> None:
    """Open betting, take main and side wagers by seat, close betting (6(c)-(f))."""
    felt.say(RoundStarted(felt.number))
    for seat, patron, stake in _stakes(felt):
        box = Box(seat, patron, felt.players.strategy_of(patron), stake, _side_stake(felt, patron))
        box.hands.append(Hand(f"{seat}.1", seat, 1, stake))
        box.side_open = box.side > 0
        felt.boxes.append(box)
        _call_cash(felt, seat, stake)
        felt.say(WagerPlaced(seat, "main", stake, player=patron.name))
        if box.side:
            felt.say(WagerPlaced(seat, felt.rules.side_wager, box.side, player=patron.name))
    felt.say(BettingClosed(True))


def _stakes(felt: Felt) -> list[tuple[int, Patron, int]]:
    """Seat, patron and main wager of every box, by seat; somebody always plays."""
    stakes: list[tuple[int, Patron, int]] = []
    for patron in felt.life.patrons:
        strategy = felt.players.strategy_of(patron)
        if strategy.stake():
            for seat in patron.seats:
                cents = strategy.stake() or felt.setup.min_cents
                stakes.append((seat, patron, _even(felt, cents)))
    if not stakes:
        patron = felt.life.patrons[0]
        stakes.append((patron.seats[0], patron, _even(felt, patron.main_stake(felt.rng, felt.setup))))
    return sorted(stakes, key=lambda stake: stake[0])


def _even(felt: Felt, cents: int) -> int:
    """A stake in chips whose half is whole cents, so that 3 to 2 is exact."""
    chip = felt.setup.chip_cents
    if cents % 2:
        cents += chip if cents + chip <= felt.setup.max_cents else -chip
    return cents


def _call_cash(felt: Felt, seat: int, cents: int) -> None:
    """Now and then a wager of 685a is spoken, with cash that becomes chips at once (685a.6(a))."""
    if felt.rules.cash_plays and felt.rng.random() < felt.setup.habits.buys_more:
        felt.say(CashWagerCalled(seat, cents, True))
        felt.say(CashConverted(seat, cents))


def _side_stake(felt: Felt, patron: Patron) -> int:
    return sum(
        cents for kind, cents in patron.side_stakes(felt.rng, felt.setup) if kind == felt.rules.side_wager
    )
