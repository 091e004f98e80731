"""How simulated patrons bet and play, and what the rules count."""

from __future__ import annotations

import random
from collections import Counter as Tally

import pytest

from producers.simulator.blackjack.rules import (
    RULES,
    Choice,
    Seen,
    half_rounded_up,
    is_blackjack,
    is_free_double,
    match_odds,
    push22_line,
    range_of,
    result_of,
    same_value,
    total,
)
from producers.simulator.blackjack.strategies import (
    STRATEGIES,
    Basic,
    Counter,
    HiLo,
    Progressive,
    Random,
)
from producers.simulator.blackjack.values import CHANCES, best_choice, dealer_ends, value_of
from producers.simulator.floor.decks.deck import fresh_cards
from producers.simulator.floor.patrons import Patron
from producers.simulator.floor.setup import usual_setup
from producers.simulator.scenarios.blackjack import SCENARIOS, Styled
from producers.simulator.session import simulate_table
from tests.simulator.streams import events, named, rounds_of

FREE: tuple[Choice, ...] = ("stand", "hit", "double", "split")


def seen(*cards: str, up: str, hole: str | None = None, has_cash: bool = True) -> Seen:
    return Seen(cards, up, hole, has_cash, unsplit=True)


def made(kind: type[Basic], boldness: int = 4) -> Basic:
    setup = usual_setup("free_bet_672a", "T-1")
    return kind(Patron("P-1", (1,), 2500, boldness), setup, random.Random(1))


@pytest.mark.parametrize(
    ("cards", "limit", "points", "soft"),
    [
        ("As Ah", 21, 12, True),
        ("As Ah", 22, 22, True),
        ("As 5h 6d", 22, 22, True),
        ("As 5h 6d", 21, 12, False),
        ("9s 2h Ad", 22, 22, True),
        ("As 5h Ad", 22, 17, True),
        ("As 2h Td", 22, 13, False),
        ("6s 6h Ad", 22, 13, False),
        ("As Ks", 21, 21, True),
        ("Ts Ks 2d", 21, 22, False),
    ],
)
def test_aces_fall_to_one_above_the_limit_only(cards: str, limit: int, points: int, soft: bool) -> None:
    assert total(cards.split(), limit) == (points, soft)


def test_pairs_are_equal_in_value_and_blackjack_is_an_ace_and_a_ten_value() -> None:
    assert same_value(["Kd", "Th"])
    assert not same_value(["Kd", "9h"])
    assert is_blackjack(["Ad", "Jh"])
    assert not is_blackjack(["Ad", "5h", "5c"])


def test_an_ace_makes_no_hard_nine_ten_or_eleven() -> None:
    free = {
        cards
        for cards in ("2s 7s", "6s 5s", "As 8s", "As 9s", "As Ts", "2s 6s", "6s 6s")
        if is_free_double(cards.split())
    }
    assert free == {"2s 7s", "6s 5s"}


def test_a_22_pays_on_its_best_line_only() -> None:
    assert push22_line(["6d", "6d", "Td"]) == "suit"
    assert push22_line(["6d", "6h", "Td"]) == "colour"
    assert push22_line(["6s", "6c", "Tc"]) == "colour"
    assert push22_line(["6d", "6s", "Td"]) == "other"


def test_each_matching_card_is_paid_by_its_own_line_and_a_ten_matches_no_king() -> None:
    assert match_odds(["9c", "9d"], "9c", 6) == 15
    assert match_odds(["9c", "9c"], "9c", 8) == 28
    assert match_odds(["9h", "2d"], "9c", 8) == 3
    assert match_odds(["Th", "Jd"], "Kc", 6) == 0


def test_halves_are_rounded_up_to_the_next_chip() -> None:
    assert half_rounded_up(2500, 50) == 1250
    assert half_rounded_up(2500, 500) == 1500
    assert half_rounded_up(1500, 100) == 800


def test_the_hole_card_has_one_of_three_ranges() -> None:
    assert [range_of(card) for card in ("2c", "5d", "6h", "9s", "Tc", "Ad")] == [
        "small",
        "small",
        "medium",
        "medium",
        "large",
        "large",
    ]


def test_a_dealers_22_returns_a_free_bet_and_pays_21_and_two_large_cards_down_under() -> None:
    free, under = RULES["free_bet_672a"], RULES["down_under_685a"]
    assert result_of(free, ["Ts", "9s", "2d"], True, 22) == "push"
    assert result_of(under, ["Ts", "9s", "2d"], True, 22) == "win"
    assert result_of(under, ["Ts", "Ks"], True, 22) == "win"
    assert result_of(under, ["As", "Ah"], True, 22) == "win"
    assert result_of(under, ["Ts", "Ks"], False, 22) == "push"
    assert result_of(under, ["Ts", "9s"], True, 22) == "push"
    assert result_of(under, ["Ts", "9s", "5d"], True, 22) == "lose"


@pytest.mark.parametrize("ruleset", ["free_bet_590", "free_bet_672a", "down_under_685a"])
@pytest.mark.parametrize("hole", ["", "small", "medium", "10"])
def test_the_dealer_ends_somewhere(ruleset: str, hole: str) -> None:
    for up in CHANCES:
        if not (hole == "10" and up == 11):
            assert sum(dealer_ends(ruleset, up, hole)) == pytest.approx(1)


def test_free_offers_are_taken_and_a_made_hand_is_kept() -> None:
    play = "free_bet_672a"
    assert best_choice(play, seen("5s", "6d", up="Th"), FREE[:3]) == "double"
    assert best_choice(play, seen("8s", "8d", up="Th"), FREE) == "split"
    assert best_choice(play, seen("5s", "5d", up="6h"), FREE) == "double"
    assert best_choice(play, seen("Ts", "Jd", up="6h"), FREE) == "stand"
    assert best_choice(play, seen("Ts", "6d", up="Th"), (*FREE[:3], "surrender")) == "surrender"


def test_a_hand_that_costs_nothing_is_drawn_to_more_boldly() -> None:
    choices: tuple[Choice, ...] = ("stand", "hit")
    paid = best_choice("free_bet_672a", seen("Ts", "7d", up="9h"), choices)
    free = best_choice("free_bet_672a", seen("Ts", "7d", up="9h", has_cash=False), choices)
    assert (paid, free) == ("stand", "hit")


def test_the_lit_range_tells_a_patron_what_to_do() -> None:
    hand = ("Ts", "6d")
    choices: tuple[Choice, ...] = ("stand", "hit")
    against = {
        hole: best_choice("down_under_685a", Seen(hand, "7h", hole, True, unsplit=True), choices)
        for hole in ("small", "medium", "large")
    }
    assert against == {"small": "stand", "medium": "stand", "large": "hit"}


def test_two_large_cards_are_worth_more_than_another_twenty_against_a_dealer_who_may_make_22() -> None:
    large = value_of("down_under_685a", seen("Ts", "Kd", up="6h", hole="large"), "stand")
    other = value_of("down_under_685a", seen("Ts", "8d", "2c", up="6h", hole="large"), "stand")
    assert large > other


def test_high_low_ends_at_nought_after_a_whole_deck() -> None:
    count = HiLo()
    count.restart(52)
    count.see(fresh_cards(1))
    assert (count.running, count.unseen) == (0, 0)
    count.restart(312)
    count.see(["2c", "3c", "4c", "5c", "6c", "2d"])
    assert count.true_count == pytest.approx(6 / (306 / 52))


def test_a_counter_stakes_and_insures_by_the_true_count() -> None:
    counter = made(Counter, boldness=12)
    counter.new_shoe(52)
    ace = seen("Ts", "8d", up="Ah")
    assert (counter.stake(), counter.insures(ace)) == (2500, False)
    counter.sees(["2c", "3c", "4c", "5c"])
    assert (counter.stake(), counter.insures(ace), counter.takes_even_money()) == (17500, True, True)


def test_a_progressive_bettor_doubles_after_losses_and_begins_again_after_a_win() -> None:
    bettor = made(Progressive)
    stakes = []
    for net in (-2500, 0, -5000, 10000):
        stakes.append(bettor.stake())
        bettor.ends_round(net)
    assert [*stakes, bettor.stake()] == [2500, 5000, 5000, 10000, 2500]


def test_random_play_stays_within_the_rules_and_tries_everything() -> None:
    player = made(Random)
    tried = Tally(player.choose(seen("8s", "8d", up="6h"), FREE) for _ in range(200))
    assert set(tried) == set(FREE)
    assert {player.double_stake(2500) for _ in range(50)} == {2500, 1250}


@pytest.mark.parametrize("style", STRATEGIES)
def test_a_table_of_one_style_bets_as_the_style_does(style: str) -> None:
    scenario = SCENARIOS[f"patrons_{style}"]
    assert isinstance(scenario, Styled)
    stream = events(simulate_table(usual_setup("free_bet_672a", "T-1"), 40, 5, scenario))
    by_patron: dict[str, set[int]] = {}
    for found in rounds_of(stream):
        for event in named(found, "wager_placed"):
            if event["kind"] == "main":
                by_patron.setdefault(event["player"], set()).add(event["cents"])
    most = max(max(stakes) // min(stakes) for stakes in by_patron.values())
    assert most >= {"basic": 2, "random": 2, "counter": 3, "progressive": 8}[style]
