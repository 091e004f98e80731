"""What a patron knows and may decide about a hand, and early surrender (590.9(a)(2))."""

from __future__ import annotations

from producers.simulator.blackjack.early_ends import settle_surrender
from producers.simulator.blackjack.hands import Box, Hand
from producers.simulator.blackjack.rules import LARGE, Choice, Seen, same_value
from producers.simulator.blackjack.table import BlackjackTable
from schemas.events import PlayerDecision, WagerMoved


def known_to(table: BlackjackTable, hand: Hand) -> Seen:
    """What the patron of `hand` knows."""
    hole: str | None = None
    if table.hole_open:
        hole = table.dealer[1]
    elif table.rules.lights_range:
        hole = table.lit
    return Seen(tuple(hand.cards), table.up, hole, hand.cash > 0, not table.box_of(hand).split)


def choices_for(table: BlackjackTable, box: Box, hand: Hand) -> tuple[Choice, ...]:
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


def decide(table: BlackjackTable, hand: Hand, choices: tuple[Choice, ...]) -> Choice:
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
            table.say(PlayerDecision(hand.name, "surrender"))
            table.say(WagerMoved("main", hand.name, hand.name))


def settle_early_surrenders(table: BlackjackTable) -> None:
    """Halve the wagers that lie on their cards, the dealer having no Blackjack (590.9(a)(2))."""
    for box in table.boxes:
        if box.first.state == "surrendered":
            settle_surrender(table, box)
