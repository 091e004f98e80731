"""What a patron knows and may decide about a hand, and early surrender (590.9(a)(2))."""

from __future__ import annotations

from producers.simulator.blackjack.early_ends import settle_surrender
from producers.simulator.blackjack.felt import Felt
from producers.simulator.blackjack.hands import Box, Hand
from producers.simulator.blackjack.rules import LARGE, Choice, Seen, same_value
from schemas.events import PlayerDecision, WagerMoved


def known_to(felt: Felt, hand: Hand) -> Seen:
    """What the patron of `hand` knows."""
    hole: str | None = None
    if felt.hole_open:
        hole = felt.dealer[1]
    elif felt.rules.lights_range:
        hole = felt.lit
    return Seen(tuple(hand.cards), felt.up, hole, hand.cash > 0, not felt.box_of(hand).split)


def choices_for(felt: Felt, box: Box, hand: Hand) -> tuple[Choice, ...]:
    """What the rules let the patron of `hand` decide now; nothing above 21 or on split aces of 685a."""
    if hand.points > 21 or not hand.live:
        return ()
    if felt.rules.one_card_to_split_aces and box.split and hand.cards[0][0] == "A":
        return ()
    if hand.points == 21 or box.frozen:
        return ("stand",)
    choices: list[Choice] = ["stand", "hit"]
    if len(hand.cards) == 2:
        choices.append("double")
        if same_value(hand.cards) and len(box.hands) < felt.rules.most_hands:
            choices.append("split")
        if felt.rules.surrender and not box.split and felt.up[0] not in LARGE:
            choices.append("surrender")
    return tuple(choices)


def decide(felt: Felt, hand: Hand, choices: tuple[Choice, ...]) -> Choice:
    """Ask the patron of `hand`."""
    if len(choices) == 1:
        return choices[0]
    strategy = felt.box_of(hand).strategy
    return strategy.choose(known_to(felt, hand), choices)


def signal_surrenders(felt: Felt) -> None:
    """Surrenders against an ace or ten-value card: the wager goes on the cards (590.9(a)(2))."""
    if not felt.rules.surrender or felt.up[0] not in LARGE:
        return
    for box in felt.boxes:
        hand = box.first
        if not hand.live or box.has_blackjack:
            continue
        wants = decide(felt, hand, (*choices_for(felt, box, hand), "surrender")) == "surrender"
        if felt.incident.surrenders_early(hand, wants):
            hand.state = "surrendered"
            felt.say(PlayerDecision(hand.name, "surrender"))
            felt.say(WagerMoved("main", hand.name, hand.name))


def settle_early_surrenders(felt: Felt) -> None:
    """Halve the wagers that lie on their cards, the dealer having no Blackjack (590.9(a)(2))."""
    for box in felt.boxes:
        if box.first.state == "surrendered":
            settle_surrender(felt, box)
