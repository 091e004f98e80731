"""Small racks for the oracle: lawful ones, disturbed ones, unreadable cards, and every kind of knowledge."""

from __future__ import annotations

import random
from typing import Any

from benchmarks.rack_dealing import SUITS, House, Round, Table

RULESETS = ("free_bet_590", "free_bet_672a", "down_under_685a")
ORDERS = ("seats_descending", "seats_ascending", "losers_first")
KNOWLEDGE = ("seats", "drawn", "upcard", "early", "surrendered")
# Ranks of shoes in which pairs, Blackjacks, busts and dealer Blackjacks are common.
SHOES = ("AATJ589", "A8T6", "23A9K", "TJQA6", "88A3T", "66T", "A5", "T5AQ", "99T5", "TJ6", "TK7")


def any_house(chance: random.Random, seats: int) -> House:
    return House(
        ruleset=chance.choice(RULESETS),
        seats=seats,
        side_wagers=chance.choice((("push22",), ("push22",), ())),
        even_money=chance.random() < 0.5,
        pickup_order=chance.choice(ORDERS),
        dealer_cards=chance.choice(("last", "first")),
        bust_collection=chance.choice(("immediate", "at_settlement")),
    )


def small_round(chance: random.Random, seats: int, most_cards: int) -> Round:
    """A round of few cards, on a shoe where rare things happen."""
    house = any_house(chance, seats)
    table = Table(house, chance, chance.choice(("wild", "steady")))
    ranks = chance.choice(SHOES)
    while True:
        if chance.random() < 0.7:
            table.shoe = [chance.choice(ranks) + chance.choice(SUITS) for _ in range(200)]
        else:
            table.shoe = []
        occupied = sorted(chance.sample(range(1, seats + 1), chance.randint(1, seats)))
        played = table.play(occupied)
        if len(played.rack) <= most_cards:
            return played


def small_problem(chance: random.Random, seats: int = 2, most_cards: int = 8) -> dict[str, Any]:
    played = small_round(chance, seats, most_cards)
    problem = played.problem(*(name for name in KNOWLEDGE if chance.random() < 0.25))
    if chance.random() < 0.2:
        hand = chance.choice(sorted(played.hands))
        problem["known"] = {hand: [card if chance.random() < 0.8 else "??" for card in played.hands[hand]]}
    problem["rack"] = rack = list(played.rack)
    _disturb(chance, rack)
    if chance.random() < 0.3:
        for _ in range(chance.choice((1, 1, 2)) if len(rack) < 9 else 1):
            rack[chance.randrange(len(rack))] = "??"
    if "drawn" in problem and chance.random() < 0.3:
        problem["drawn"] = drawn = list(played.drawn)
        drawn[chance.randrange(len(drawn))] = "??"
    return problem


def _disturb(chance: random.Random, rack: list[str]) -> None:
    """What makes a rack unlawful, sometimes."""
    kind = chance.random()
    one, other = chance.randrange(len(rack)), chance.randrange(len(rack))
    if kind < 0.15:
        rack[one], rack[other] = rack[other], rack[one]
    elif kind < 0.25:
        rack[one] = rack[other]
    elif kind < 0.35:
        chance.shuffle(rack)
    elif kind < 0.4:
        rack.pop(one)
