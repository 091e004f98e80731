"""How a main wager ends, as far as `money_unique` depends on it."""

from __future__ import annotations

import msgspec
import pytest

from benchmarks.rack_dealing import House
from processors.rack.hands import dealer_readings, readings, value_of
from processors.rack.problem import decode_problem
from processors.rack.settlement import Place, loses, outcomes
from tests.rack.asking import problem

FB, DU = House("free_bet_672a"), House("down_under_685a")


def _ends(house: House, cards: str, dealer: str, *, split: bool = False, place: Place = "pickup") -> str:
    rules = decode_problem(msgspec.json.encode(problem("9c", house))).house
    [hand] = readings(tuple(value_of(card) for card in cards.split()))
    [facing] = dealer_readings(
        tuple(value_of(card) for card in dealer.split()),
        rules.ace_limit_dealer,
        rules.stands_from,
        rules.profile.dealer_always_draws,
    )
    if place == "pickup":
        assert loses(hand, split, facing) == (outcomes(place, hand, split, facing, rules) == {"lost"})
    return " or ".join(sorted(outcomes(place, hand, split, facing, rules)))


@pytest.mark.parametrize(
    ("house", "cards", "dealer", "split", "end"),
    [
        (FB, "Th 8c", "Ts 7d", False, "won"),
        (FB, "Th 7c", "Ts 7d", False, "returned"),
        (FB, "Th 6c", "Ts 7d", False, "lost"),
        (FB, "Th 6c", "Ts 6d 7d", False, "won"),
        (FB, "Th 6c 8d", "Ts 6d 7d", False, "lost"),
        (FB, "Th 6c", "Ts 6d 6c", False, "returned"),
        (FB, "Th 6c 5d", "Ts 6d 6c", False, "returned"),
        (FB, "Ah Kc", "Ts 6d 6c", False, "blackjack"),
        (FB, "Ah Kc", "Ts 6d 5c", True, "returned"),
        (FB, "Ah Kc", "Ts Ad", False, "returned"),
        (FB, "Ah Kc", "As Td", False, "blackjack or returned"),
        (FB, "Th 6c 5d", "As 2d 8c", False, "returned"),
        (DU, "Th Kc", "Ts 6d 6c", False, "won"),
        (DU, "Th Kc", "Ts 6d 6c", True, "returned"),
        (DU, "Ah Ac", "As Ad", False, "won"),
        (DU, "Ah Ac", "As Ad", True, "returned"),
        (DU, "Th 6c 5d", "As 5d 6c", False, "won"),
        (DU, "Th 6c 4d", "As 5d 6c", False, "returned"),
        (DU, "Th 6c 4d", "Ts 6d 7c", False, "won"),
        (DU, "Th 6c 8d", "As 5d 6c", False, "lost"),
    ],
)
def test_the_end_of_a_hand_left_for_the_pickup(
    house: House, cards: str, dealer: str, split: bool, end: str
) -> None:
    assert _ends(house, cards, dealer, split=split) == end


@pytest.mark.parametrize(
    ("place", "cards", "end"),
    [
        ("even_money", "Ah Kc", "blackjack"),
        ("blackjack", "Ah Kc", "blackjack"),
        ("surrender", "Th 6c", "surrendered"),
        ("bust", "Th 6c 8d", "lost"),
    ],
)
def test_the_end_of_a_hand_racked_early(place: Place, cards: str, end: str) -> None:
    assert _ends(FB, cards, "Ts 7d", place=place) == end
