"""Exact play against a second implementation that tries every card, with the simulator's settlement of hands."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from processors.play.composition import ENDLESS, Composition
from processors.play.dealer import ends
from processors.play.game import Game
from processors.play.hands import Money, Play
from producers.simulator.blackjack.rules import RULES, result_of, total
from tests.play.choices import Facing, worths
from tests.play.games import FREE, GAMES, TEMPORARY, UNDER

CARDS = [rank + "s" for rank in "23456789TJQKA"]
NAMES = {FREE: "free_bet_672a", TEMPORARY: "free_bet_590", UNDER: "down_under_685a"}


class Tried:
    """Every card tried in turn, 1 in 13 each, without any memory of counts."""

    def __init__(self, game: Game, up: str, holes: list[str]) -> None:
        self.rules = RULES[NAMES[game]]
        self.game = game
        self.finals: dict[int, float] = {}
        for hole in holes:
            self._dealer([up, hole], 1 / len(holes))

    def _dealer(self, cards: list[str], chance: float) -> None:
        points, _ = total(cards, self.rules.dealer_limit)
        if points >= 17:
            self.finals[points] = self.finals.get(points, 0.0) + chance
            return
        for card in CARDS:
            self._dealer([*cards, card], chance / 13)

    def stand(self, cards: list[str], wins: float, loses: float, unsplit: bool = True) -> float:
        pay = {"win": wins, "push": 0.0, "lose": -loses}
        return sum(
            chance * pay[result_of(self.rules, cards, unsplit, points)]
            for points, chance in self.finals.items()
        )

    def hit(self, cards: list[str], wins: float, loses: float) -> float:
        worth = 0.0
        for card in CARDS:
            more = [*cards, card]
            options = [self.stand(more, wins, loses)]
            if total(more)[0] < 21:
                options.append(self.hit(more, wins, loses))
            worth += max(options) / 13
        return worth

    def double(self, cards: list[str], wins: float, loses: float) -> float:
        points, soft = total(cards)
        free = self.rules.free_bets and not soft and points in (9, 10, 11)
        return sum(self.stand([*cards, card], wins + 1, loses + (0 if free else 1)) / 13 for card in CARDS)

    def two_card_hand(self, cards: list[str], wins: float, loses: float) -> float:
        options = [self.stand(cards, wins, loses, unsplit=False)]
        if total(cards)[0] < 21:
            options += [self.hit(cards, wins, loses), self.double(cards, wins, loses)]
        return max(options)

    def split_once(self, card: str) -> float:
        one_card = self.rules.one_card_to_split_aces and card[0] == "A"
        new = 0.0 if self.rules.free_bets and card[0] not in "TJQK" else 1.0
        play = (lambda c, w, x: self.stand(c, w, x, unsplit=False)) if one_card else self.two_card_hand
        return sum(play([card, second], 1.0, loses) / 13 for second in CARDS for loses in (1.0, new))


CASES = [
    (("9s", "7d"), "Td", "Ts"),
    (("8s", "8d"), "6d", "5s"),
    (("Ts", "6d", "2c"), "9d", "7s"),
    (("6s", "5d"), "Td", "8s"),
    (("Ts", "Jd"), "7d", "9s"),
]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("cards", "up", "hole"), CASES)
@pytest.mark.parametrize("loses", [1, 0])
def test_every_choice_is_worth_what_trying_every_card_gives(
    game: Game, cards: tuple[str, ...], up: str, hole: str, loses: int
) -> None:
    tried = Tried(game, up, [hole])
    found = worths(
        Play(game, ENDLESS), Facing(cards=cards, up=up, known=hole, money=Money(1, loses), hands=4)
    )
    assert found["stand"] == pytest.approx(tried.stand(list(cards), 1, loses))
    assert found["hit"] == pytest.approx(tried.hit(list(cards), 1, loses))
    if len(cards) == 2:
        assert found["double"] == pytest.approx(tried.double(list(cards), 1, loses))


@pytest.mark.parametrize("light", ["small", "medium"])
def test_a_light_leaves_the_cards_of_its_range(light: str) -> None:
    tried = Tried(UNDER, "Td", [f"{value}s" for value in ("2345" if light == "small" else "6789")])
    found = worths(Play(UNDER, ENDLESS), Facing(cards=("9s", "7d"), up="Td", known=light))
    assert found["hit"] == pytest.approx(tried.hit(["9s", "7d"], 1, 1))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("card", ["Ts", "8s"])
def test_a_split_into_two_hands_is_worth_their_sum(game: Game, card: str) -> None:
    found = worths(
        Play(replace(game, hands_at_most=2), ENDLESS), Facing(cards=(card, card), up="Td", known="Ts")
    )
    assert found["split"] == pytest.approx(Tried(game, "Td", ["Ts"]).split_once(card))


def test_split_aces_down_under_get_one_card_each() -> None:
    found = worths(Play(UNDER, ENDLESS), Facing(cards=("As", "Ad"), up="Td", known="6s"))
    assert found["split"] == pytest.approx(Tried(UNDER, "Td", ["6s"]).split_once("As"))
    half = Facing(cards=("As", "Ad"), up="Td", known="6s", split=True, hands=2)
    assert set(worths(Play(UNDER, ENDLESS), half)) == {"stand"}


@given(st.lists(st.integers(2, 11), min_size=7, max_size=7))
@settings(max_examples=25, deadline=None)
def test_the_dealer_is_dealt_from_the_cards_that_are_left(values: list[int]) -> None:
    names = {10: "Ts", 11: "As"}
    tally: dict[int, int] = {}
    orders = list(permutations(values))  # seven cards always make 17 from a 9 up
    left = Composition(tuple(values.count(value) for value in range(2, 12)))
    for order in orders:
        hand = ["9s", names.get(order[0], f"{order[0]}s")]
        for value in order[1:]:
            if total(hand)[0] >= 17:
                break
            hand.append(names.get(value, f"{value}s"))
        final = min(total(hand)[0], 23)
        tally[final] = tally.get(final, 0) + 1
    found = ends(FREE, left, 9, tuple(range(2, 12)))
    assert found == pytest.approx({final: count / len(orders) for final, count in tally.items()})
