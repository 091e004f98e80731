"""Insurance and even money while the dealer shows an ace (7(f), 8)."""

from __future__ import annotations

from producers.simulator.blackjack.decisions import known_to
from producers.simulator.blackjack.early_ends import pay_blackjack
from producers.simulator.blackjack.felt import Felt
from producers.simulator.blackjack.hands import Box
from producers.simulator.blackjack.rules import half_rounded_up
from schemas.events import EvenMoneyOffered, EvenMoneyTaken, InsuranceOffered, WagerPlaced


def offer_insurance(felt: Felt) -> None:
    """Insurance or even money while the dealer shows an ace (7(f), 8)."""
    if felt.up[0] != "A":
        return
    felt.say(InsuranceOffered())
    for box in felt.boxes:
        if not box.first.live:
            continue
        if felt.setup.even_money and box.has_blackjack and _takes_even_money(felt, box):
            continue
        if felt.incident.insures(box, box.strategy.insures(known_to(felt, box.first))):
            most = half_rounded_up(box.unit, felt.setup.chip_cents)
            box.insurance = felt.incident.insurance(box, box.strategy.insurance_stake(most))
            if box.insurance:
                felt.say(WagerPlaced(box.seat, "insurance", box.insurance, player=box.patron.name))


def _takes_even_money(felt: Felt, box: Box) -> bool:
    felt.say(EvenMoneyOffered(box.seat))
    if not felt.incident.takes_even_money(box, box.strategy.takes_even_money()):
        return False
    felt.say(EvenMoneyTaken(box.seat))
    box.first.state = "even_money"
    pay_blackjack(felt, box, box.unit, "1:1")
    return True


def collect_insurance(felt: Felt) -> None:
    """Losing insurance comes in before any further card (8(d))."""
    for box in reversed(felt.boxes):
        if box.insurance:
            felt.settle(box, "insurance", "collect", box.insurance)
            box.insurance = 0
