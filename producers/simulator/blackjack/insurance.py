"""Insurance and even money while the dealer shows an ace (7(f), 8)."""

from __future__ import annotations

from producers.simulator.blackjack.decisions import known_to
from producers.simulator.blackjack.early_ends import pay_blackjack
from producers.simulator.blackjack.hands import Box
from producers.simulator.blackjack.rules import half_rounded_up
from producers.simulator.blackjack.table import BlackjackTable
from schemas.events import EvenMoneyOffered, EvenMoneyTaken, InsuranceOffered, WagerPlaced


def offer_insurance(table: BlackjackTable) -> None:
    """Insurance or even money while the dealer shows an ace (7(f), 8)."""
    if table.up[0] != "A":
        return
    table.say(InsuranceOffered())
    for box in table.boxes:
        if not box.first.live:
            continue
        if table.setup.even_money and box.has_blackjack and _takes_even_money(table, box):
            continue
        if table.incident.insures(box, box.strategy.insures(known_to(table, box.first))):
            most = half_rounded_up(box.unit, table.setup.chip_cents)
            box.insurance = table.incident.insurance(box, box.strategy.insurance_stake(most))
            if box.insurance:
                table.say(WagerPlaced(box.seat, "insurance", box.insurance, player=box.patron.name))


def _takes_even_money(table: BlackjackTable, box: Box) -> bool:
    table.say(EvenMoneyOffered(box.seat))
    if not table.incident.takes_even_money(box, box.strategy.takes_even_money()):
        return False
    table.say(EvenMoneyTaken(box.seat))
    box.first.state = "even_money"
    pay_blackjack(table, box, box.unit, "1:1")
    return True


def collect_insurance(table: BlackjackTable) -> None:
    """Losing insurance comes in before any further card (8(d))."""
    for box in reversed(table.boxes):
        if box.insurance:
            table.settle(box, "insurance", "collect", box.insurance)
            box.insurance = 0
