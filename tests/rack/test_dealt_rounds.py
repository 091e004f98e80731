"""Rounds dealt by the book: the truth is among the answers, and knowledge only narrows them."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest

from benchmarks.rack_dealing import House, Round, Table
from tests.rack.asking import ask
from tests.rack.small_problems import ORDERS, RULESETS

EVERYTHING = ("seats", "drawn", "upcard", "early", "surrendered")
HOUSES = [
    House(
        ruleset=ruleset,
        pickup_order=order,
        dealer_cards=placing,
        bust_collection=collection,
        side_wagers=("push22",) if offered else (),
        even_money=offered,
    )
    for ruleset, order, placing, collection, offered in itertools.product(
        RULESETS, ORDERS, ("last", "first"), ("immediate", "at_settlement"), (True, False)
    )
]


def _is_found(played: Round, *known: str) -> bool:
    answer = ask(played.problem(*known))
    truth = played.truth(named="seats" in known)
    return answer.complete and any(row.hands == truth for row in answer.reconstructions)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_truth_is_among_the_answers_in_every_house_and_for_one_to_six_seats(ruleset: str) -> None:
    chance = random.Random(11)
    seen: Counter[str] = Counter()
    for house in (house for house in HOUSES if house.ruleset == ruleset):
        for temper in ("steady", "wild"):
            table = Table(house, chance, temper)
            for players in range(1, 7):
                played = table.play(sorted(chance.sample(range(1, 7), players)))
                seen.update(played.tags)
                assert _is_found(played, "seats", "upcard", "early", "surrendered"), played
    assert seen["bust"] > 20
    assert seen["2 hands"] > 10


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_draw_order_leaves_the_truth_alone_or_nearly(ruleset: str) -> None:
    chance = random.Random(12)
    unique = rounds = 0
    for house in (house for house in HOUSES if house.ruleset == ruleset):
        table = Table(house, chance)
        for players in (2, 4, 6):
            played = table.play(sorted(chance.sample(range(1, 7), players)))
            assert _is_found(played, "drawn"), played
            unique += ask(played.problem("drawn")).unique is True
            rounds += 1
    assert unique >= 0.95 * rounds


@pytest.mark.parametrize("ruleset", RULESETS)
def test_each_thing_known_only_narrows_the_answers(ruleset: str) -> None:
    chance = random.Random(13)
    narrowed: Counter[str] = Counter()
    for house in chance.sample([house for house in HOUSES if house.ruleset == ruleset], 8):
        played = Table(house, chance, "wild").play(sorted(chance.sample(range(1, 7), 3)))
        wide = ask(played.problem("seats"))
        before = [row.hands for row in wide.reconstructions]
        hand = chance.choice(sorted(played.hands))
        problems = {name: played.problem("seats", name) for name in EVERYTHING[1:]}
        problems["known"] = played.problem("seats", known={hand: played.hands[hand]})
        for name, problem in problems.items():
            after = [row.hands for row in ask(problem).reconstructions]
            assert played.truth(named=True) in after
            assert all(row in before for row in after)
            narrowed[name] += len(after) < len(before)
    assert narrowed["drawn"] >= 6
    assert narrowed["known"] >= 2


def test_a_named_hand_is_in_every_answer_as_it_is_known() -> None:
    chance = random.Random(14)
    table = Table(House("free_bet_672a"), chance, "wild")
    for _ in range(10):
        played = table.play([1, 3, 6])
        hand = chance.choice(sorted(set(played.hands) - {"D"}))
        answer = ask(played.problem("seats", known={hand: played.hands[hand]}))
        assert hand in answer.agree_on
        assert all(row.hands[hand] == tuple(played.hands[hand]) for row in answer.reconstructions)


def test_unreadable_cards_only_widen_the_answers() -> None:
    chance = random.Random(15)
    for house in chance.sample(HOUSES, 12):
        played = Table(house, chance).play([2, 5])
        problem = played.problem("seats", "upcard")
        known = [row.hands for row in ask(problem).reconstructions]
        rack = list(played.rack)
        gone = chance.sample(range(len(rack)), 2)
        for place in gone:
            rack[place] = "??"
        widened = [row.hands for row in ask(problem | {"rack": rack}).reconstructions]
        assert len(known) <= len(widened)
        assert all(sum(cards.count("??") for cards in row.values()) == 2 for row in widened)
