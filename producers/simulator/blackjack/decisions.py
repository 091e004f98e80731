"""What a patron knows and may decide: about a hand, insurance (7(f), 8) and early surrender (590.9(a)(2))."""

from __future__ import annotations

from producers.simulator.blackjack.early_ends import pay_blackjack, settle_surrender
from producers.simulator.blackjack.hands import BettingBox, SimulatedHand
from producers.simulator.blackjack.rules import LARGE, Choice, Seen, half_rounded_up, same_value
from producers.simulator.blackjack.table import BlackjackTable
from schemas import events


def known_to(table: BlackjackTable, hand: SimulatedHand) -> Seen:
    """What the patron of `hand` knows."""
    hole: str | None = None
    if table.hole_open:
        hole = table.dealer[1]
    elif table.rules.lights_range:
        hole = table.lit
    return Seen(tuple(hand.cards), table.up, hole, hand.cash > 0, not table.box_of(hand).split)


def choices_for(table: BlackjackTable, box: BettingBox, hand: SimulatedHand) -> tuple[Choice, ...]:
    """What the rules let the patron of `hand` decide now; nothing above 21 or on split aces of 685a."""
    if hand.points > 21 or not hand.live:
        return ()
    if table.rules.one_card_to_split_aces and box.split and hand.cards[0][0] == "A":
        return ()
    if hand.points == 21 or box.frozen:
        return ("stand",)
    choices: list[Choice] = ["stand", "hit"]
    if len(hand.cards) == 2:
        choices.append("double")
        if same_value(hand.cards) and len(box.hands) < table.rules.most_hands:
            choices.append("split")
        if table.rules.surrender and not box.split and table.up[0] not in LARGE:
            choices.append("surrender")
    return tuple(choices)


def decide(table: BlackjackTable, hand: SimulatedHand, choices: tuple[Choice, ...]) -> Choice:
    """Ask the patron of `hand`."""
    if len(choices) == 1:
        return choices[0]
    strategy = table.box_of(hand).strategy
    return strategy.choose(known_to(table, hand), choices)


def signal_surrenders(table: BlackjackTable) -> None:
    """Surrenders against an ace or ten-value card: the wager goes on the cards (590.9(a)(2))."""
    if not table.rules.surrender or table.up[0] not in LARGE:
        return
    for box in table.boxes:
        hand = box.first
        if not hand.live or box.has_blackjack:
            continue
        wants = decide(table, hand, (*choices_for(table, box, hand), "surrender")) == "surrender"
        if table.incident.surrenders_early(hand, wants):
            hand.state = "surrendered"
            table.say(events.PlayerDecision(hand.name, "surrender"))
            table.say(events.WagerMoved("main", hand.name, hand.name))


def settle_early_surrenders(table: BlackjackTable) -> None:
    """Halve the wagers that lie on their cards, the dealer having no Blackjack (590.9(a)(2))."""
    for box in table.boxes:
        if box.first.state == "surrendered":
            settle_surrender(table, box)


def offer_insurance(table: BlackjackTable) -> None:
    """Insurance or even money while the dealer shows an ace (7(f), 8)."""
    if table.up[0] != "A":
        return
    table.say(events.InsuranceOffered())
    for box in table.boxes:
        if not box.first.live:
            continue
        if table.setup.even_money and box.has_blackjack and _takes_even_money(table, box):
            continue
        if table.incident.insures(box, box.strategy.insures(known_to(table, box.first))):
            most = half_rounded_up(box.unit, table.setup.chip_cents)
            box.insurance = table.incident.insurance(box, box.strategy.insurance_stake(most))
            if box.insurance:
                table.say(events.WagerPlaced(box.seat, "insurance", box.insurance, player=box.patron.name))


def _takes_even_money(table: BlackjackTable, box: BettingBox) -> bool:
    table.say(events.EvenMoneyOffered(box.seat))
    if not table.incident.takes_even_money(box, box.strategy.takes_even_money()):
        return False
    table.say(events.EvenMoneyTaken(box.seat))
    box.first.state = "even_money"
    pay_blackjack(table, box, box.unit, "1:1")
    return True


def collect_insurance(table: BlackjackTable) -> None:
    """Losing insurance comes in before any further card (8(d))."""
    for box in reversed(table.boxes):
        if box.insurance:
            table.settle(box, "insurance", "collect", box.insurance)
            box.insurance = 0
